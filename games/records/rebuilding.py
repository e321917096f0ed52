"""An imported record as a table."""

from datetime import datetime, timedelta
from typing import Any

from django.utils.translation import gettext as _

from accounts import texts
from games.kernel.contract import AnyGame
from games.kernel.errors import BadParams, quoted
from games.kernel.params import for_match
from games.matches.log.commitment import Commitment, NonceContribution
from games.matches.models import LogEntry, Player
from games.matches.table import Account, Facts, Participant, Table

Head = dict[str, Any]
"""A record as it was exported. Its log isn't used."""


def table_of(head: Head, version: int = 0) -> Table:
    """Return the end of a record's match, with placeholder players.

    :param version: the number of its last entry.
    """
    ranks = head["result"] or [None] * len(head["players"])
    match = Facts(
        title=head["title"],
        params=head["params"],
        rules_version=head["rules_version"],
        clock=head["clock"],
        setup_chance=head["setup_chance"],
        setup_sides=head["setup_sides"],
        version=version,
        status=head["status"],
        ending=head["ending"],
        created=datetime.fromisoformat(head["started"]),
        ended=datetime.fromisoformat(head["ended"]),
    )
    players = [
        Participant(
            match,
            Account(name),
            seat,
            rank=ranks[seat],
            result=Player.Result.of(ranks[seat], ranks),
            dropped=head["players"][seat]["dropped"],
        )
        for seat, name in enumerate(player_names(head))
    ]
    return Table(match, players)


def commitment_of(head: Head) -> Commitment | None:
    """Return the dice commitment of a record. ``None`` for a game without chance.

    :raises ValueError: a number isn't hexadecimal.
    :raises IndexError: there are fewer nonces than players.
    """
    dice = head["dice"]
    if not dice:
        return None
    parts = tuple(
        NonceContribution(
            is_bot=False,
            name=name,
            nonce=_hex(dice["nonces"][seat]),
            is_own=dice["nonces_by"][seat] == "browser",
            commitment=(dice.get("nonce_commitments") or [""] * (seat + 1))[seat],
        )
        for seat, name in enumerate(player_names(head))
    )
    secret = _hex(dice.get("secret") or "")
    return Commitment(dice["seal"], secret, parts, dice.get("kind") == "strict")


def _hex(text: str) -> str:
    return bytes.fromhex(text).hex()


def player_names(head: Head) -> list[str]:
    """Return the displayed names of the players in a file."""
    return [
        texts.one_line(player["name"]) or _("Player {seat}").format(seat=seat)
        for seat, player in enumerate(head["players"], start=1)
    ]


def entry_of(data: dict[str, Any], events: list[Any]) -> LogEntry:
    """Return an entry of the log, without what moderators wrote on the other site."""
    return LogEntry(
        number=data["number"],
        kind=data["kind"],
        seat=data["seat"],
        text=data["text"],
        chance=data["chance"],
        sides=data["sides"],
        events=events,
        undoes=data["undoes"],
        at=datetime.fromisoformat(data["at"]),
        thinking=_span(data["thinking"]),
        time_left=_span(data["time_left"]),
    )


def _span(value: float | None) -> timedelta | None:
    return None if value is None else timedelta(seconds=value)


def check_facts(head: Head, title: AnyGame) -> None:
    """Check the number of players and the parameters.

    :raises BadParams: the game doesn't offer them.
    """
    full = for_match(title, len(head["players"]), head["params"])
    for name, value in head["params"].items():
        if type(value) is not type(full[name]):
            message = _("{name} is written {right}, not {value}.")
            values = {"right": quoted(full[name]), "value": quoted(value)}
            raise BadParams(message.format(name=name, **values))
