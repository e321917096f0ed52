"""An imported record as the match that it tells of: models that are read and never saved."""

from datetime import datetime, timedelta
from typing import Any

from accounts import texts
from accounts.models import User
from games.kernel.contract import AnyGame
from games.kernel.errors import BadParams, quoted
from games.kernel.params import check_seats, complete
from games.matches.models import LogEntry, Match, Player
from games.matches.selectors import MatchSnapshot
from games.matches.update import result_of

Head = dict[str, Any]
"""A record as it was exported, of which the log is not looked at."""


def snapshot_of(head: Head) -> MatchSnapshot:
    """Return the match of a record with its players, who are nobody on this site."""
    dice = head["dice"] or {}
    match = Match(
        title=head["title"],
        params=head["params"],
        rules_version=head["rules_version"],
        clock=head["clock"],
        commitment=dice.get("seal", ""),
        secret=bytes.fromhex(dice.get("secret") or ""),
        strict_dice=dice.get("kind") == "strict",
        setup_chance=head["setup_chance"],
        setup_sides=head["setup_sides"],
        status=head["status"],
        ending=head["ending"],
        created=datetime.fromisoformat(head["started"]),
        ended=datetime.fromisoformat(head["ended"]),
    )
    names = player_names(head)
    return MatchSnapshot(match, [_player(head, seat, name) for seat, name in enumerate(names)])


def player_names(head: Head) -> list[str]:
    """Return the names of the players in a file, as they may be shown."""
    return [
        texts.one_line(player["name"]) or f"Player {seat}"
        for seat, player in enumerate(head["players"], start=1)
    ]


def _player(head: Head, seat: int, name: str) -> Player:
    data = head["players"][seat]
    dice = head["dice"] or {}
    ranks = head["result"]
    return Player(
        seat=seat,
        # An account that is not active has no page to be linked to.
        user=User(username=name, is_active=False),
        dropped=data["dropped"],
        rank=ranks[seat] if ranks else None,
        result=result_of(ranks[seat] if ranks else None, ranks or ()),
        nonce=bytes.fromhex(dice["nonces"][seat]) if dice else b"",
        nonce_is_own=bool(dice) and dice["nonces_by"][seat] == "browser",
        nonce_commitment=(dice.get("nonce_commitments") or [""] * (seat + 1))[seat],
    )


def entry_of(data: dict[str, Any], events: list[Any]) -> LogEntry:
    """Return an entry of the log. What moderators said elsewhere is not repeated."""
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

    :raises BadParams: the game is not played so.
    """
    check_seats(title.meta, len(head["players"]))
    full = complete(title.meta, head["params"])
    for name, value in head["params"].items():
        if type(value) is not type(full[name]):
            raise BadParams(f"{name} is written {quoted(full[name])}, not {quoted(value)}.")
