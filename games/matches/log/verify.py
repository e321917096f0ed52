"""Replays stored matches from their logs and compares the outcome with the stored data."""

from collections.abc import Iterable
from dataclasses import dataclass

from games.kernel import replay
from games.kernel.dice import WatchingDice
from games.kernel.errors import GameError
from games.matches import selectors
from games.matches.errors import RULES, Unreadable
from games.matches.models import Match, Player

OBSERVATION = "observation"
"""The kind of difference without a fault in the log: an observation has another outcome."""

ATTEMPTS = 5
"""Attempts to verify a match that changes meanwhile."""


@dataclass(frozen=True)
class Difference:
    """Stored data of a match that doesn't follow from its log.

    ``kind`` is one of ``unreadable``, ``replay``, ``position``, ``version``, ``events``, ``dice``,
    ``result``, ``turn``, ``rules-version``, ``observation``.
    """

    match_id: int
    kind: str
    detail: str

    @property
    def is_fault(self) -> bool:
        """Whether the log is at fault. It isn't if an observation has another outcome today."""
        return self.kind != OBSERVATION


def verify(match_id: int, *, observe: bool = False) -> list[Difference]:
    """Replay one match from its log and compare all stored data.

    With ``observe`` all observations are repeated, and compared as well. A match that changes
    meanwhile is verified again, since the parts that were read may not fit together.
    """
    for _ in range(ATTEMPTS):
        before = _version(match_id)
        differences = _verify_once(match_id, observe=observe)
        if not differences or _version(match_id) == before:
            break
    return differences


def _version(match_id: int) -> int | None:
    return Match.objects.filter(pk=match_id).values_list("version", flat=True).first()


def _verify_once(match_id: int, *, observe: bool) -> list[Difference]:
    try:
        snapshot = selectors.snapshot(match_id)
        differences = [*_differences(snapshot), *(_observed_otherwise(snapshot) if observe else ())]
        return [Difference(match_id, kind, text) for kind, text in differences]
    except Unreadable as error:
        kind = "rules-version" if error.part == RULES else "unreadable"
        return [Difference(match_id, kind, str(error))]
    except GameError as error:
        return [Difference(match_id, "replay", f"{error.code}: {error}")]
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        return [Difference(match_id, "unreadable", f"{type(error).__name__}: {error}")]


def _differences(snapshot: selectors.MatchSnapshot) -> Iterable[tuple[str, str]]:
    match = snapshot.match
    title = snapshot.title
    log = selectors.log(match)
    numbers = [entry.number for entry in log]
    if numbers != list(range(1, match.version + 1)):
        yield "version", f"the log counts {len(numbers)} entries to version {match.version}"
        return
    moments = snapshot.table.replayed(log)
    for entry, moment in zip(log, moments[1:], strict=True):
        if entry.events != [event.dump() for event in moment.events]:
            yield "events", f"entry {entry.number} does something else today"
        if entry.sides != list(moment.sides):
            yield "dice", f"entry {entry.number} rolled {entry.sides}, today {list(moment.sides)}"
    if match.setup_sides != list(moments[0].sides):
        yield "dice", f"the setup rolled {match.setup_sides}, today {list(moments[0].sides)}"
    last = moments[-1].state
    if title.dump(last) != match.position:
        yield "position", f"the replay of {match.version} entries ends elsewhere"
    for number, position in match.checkpoints.values_list("number", "position"):
        if position != title.dump(moments[number].state):
            yield "position", f"the position stored after entry {number} is another"
    yield from _standing(snapshot, last)


def _observed_otherwise(snapshot: selectors.MatchSnapshot) -> Iterable[tuple[str, str]]:
    log = selectors.log(snapshot.match)
    for entry, before in zip(log, snapshot.table.replayed(log), strict=False):
        if None in entry.sides:
            dice = WatchingDice(entry.chance)
            replay.take(snapshot.title, before.state, entry, dice)
            if dice.differs:
                yield OBSERVATION, f"what entry {entry.number} observed comes out otherwise today"


def _standing(snapshot: selectors.MatchSnapshot, state: object) -> Iterable[tuple[str, str]]:
    match = snapshot.match
    title = snapshot.title
    ranks = title.result(state)
    stored = tuple(player.rank for player in snapshot.players)
    if match.status == Match.Status.OVER and ranks != stored:
        yield "result", f"the replay gives {ranks}, stored is {stored}"
    for player in snapshot.players:
        fields = (match.title, match.ended, Player.Result.of(player.rank, stored))
        if (player.title, player.ended, player.result) != fields:
            yield "result", f"seat {player.seat} is listed as {player.result or 'without a result'}"
    if match.is_running and ranks is not None:
        yield "result", f"the match runs on although its result is {ranks}"
    to_move = tuple(player.seat for player in snapshot.players if player.to_move)
    actors = title.actors(state) if match.is_running else ()
    if to_move != tuple(actors):
        yield "turn", f"the replay waits for seats {tuple(actors)}, stored is {to_move}"
