"""What happens and what a move does, in words; and the numbers that decide."""

from collections.abc import Callable, Mapping, Sequence

from games.kernel.contract import ENDED, Event, Seat, Tally
from games.kernel.formatting import counted, listed, sentence
from games.kernel.narration import Names
from games.kernel.views import Json
from games.titles.precary_ice.meta import (
    BONUS,
    DIE,
    FALL,
    INCIDENT,
    LEAVE,
    META,
    ROUND,
    STAND,
)
from games.titles.precary_ice.moves import Place, distance_text
from games.titles.precary_ice.pieces import NAMES, PIECES
from games.titles.precary_ice.state import State
from games.titles.precary_ice.tower import Tower

Data = Mapping[str, Json]

STOPPED = {"dropped": "all others have left"}
"""Why a match has this result that the rules did not end."""


def describe(event: Event, viewer: Seat | None) -> str:
    """Return a line of the log; empty for what needs no telling.

    The move says where a piece was held, so a placement has only its outcome here.
    """
    names = Names(META.colours, viewer)
    if event.type == ENDED:
        why = ending_reason(event, viewer) or STOPPED.get(event.data["ending"], "")
        return names.outcome(event.data["ranks"], why)
    if event.type == ROUND:
        return _describe_round(names, event.data)
    if event.seat is None or event.type not in _DESCRIBED_BY:
        return ""
    return _DESCRIBED_BY[event.type](names, event.seat, event.data)


def ending_reason(event: Event, viewer: Seat | None) -> str:
    """Return the points of all, the most first; empty where only one stayed."""
    if event.data["ending"] == "dropped":
        return ""
    names = Names(META.colours, viewer)
    best_first = sorted(enumerate(event.data["sums"]), key=lambda item: -item[1])
    return ", ".join(f"{names.of(seat)} {counted(points, 'point')}" for seat, points in best_first)


def phrase(move: Place, view: State, seat: Seat) -> str:
    """Return a placement as its player is asked to confirm it."""
    piece = NAMES[view.towers[seat].next or "P"]
    return f"Release the {piece} {distance_text(move.at)}, {_tilted(move.tilt)}"


def forecast(tower: Tower) -> str:
    """Return what a placement on a tower is worth, as far as that is known."""
    total = tower.total + PIECES[tower.next or "P"].points
    return f"{total} points if it stands, {tower.total} if it falls at once."


def tallies(view: State, seat: Seat) -> Sequence[Tally]:
    """Return the points of a seat, and how high its tower is."""
    points = view.sums[seat]
    tower = view.towers[seat]
    height = (Tally(round(tower.height), "mm high"),) if tower.stands else ()
    return (Tally(points, "point" if points == 1 else "points"), *height)


def describe_setup(view: State, viewer: Seat | None) -> str:
    """Return which pieces come first."""
    names = Names(META.colours, viewer)
    rolls = [(Seat(seat), tower) for seat, tower in enumerate(view.towers) if tower.next]
    return " ".join(
        _describe_die(names, seat, {"die": tower.die, "piece": tower.next}) for seat, tower in rolls
    )


def _describe_stand(names: Names, seat: Seat, data: Data) -> str:
    tower = f"{sentence(names.possessive(seat))} tower stands"
    return f"{tower}: {counted(data['total'], 'point')}."


def _describe_fall(names: Names, seat: Seat, data: Data) -> str:
    falls = f"{sentence(names.possessive(seat))} tower falls"
    points = counted(data["total"], "point")
    if data["written"]:
        return f"{falls}, slowly enough to write down {points}."
    return f"{falls} at once: {points}."


def _describe_bonus(names: Names, seat: Seat, data: Data) -> str:
    has = f"{names.does(seat, 'have')} {counted(data['total'], 'point')}"
    return f"All {len(data['pieces'])} pieces stand! {has}."


def _describe_incident(names: Names, seat: Seat, _data: Data) -> str:
    knocked = f"A cat knocks {names.possessive(seat)} tower over"
    return f"{knocked}. It is rebuilt, but the turn is lost."


def _describe_die(names: Names, seat: Seat, data: Data) -> str:
    piece = NAMES[data["piece"]]
    if data["die"] is None:
        return f"{names.does(seat, 'have')} only {piece}s left."
    return f"{names.does(seat, 'roll')} {data['die']}: a {piece} comes next."


def _describe_drop(names: Names, seat: Seat, _data: Data) -> str:
    return f"{names.does(seat, 'leave')} the match. The tower is taken away."


def _tilted(degrees: float) -> str:
    """Return a tilt, as in ``tilted 3° to the left``; to the left is positive."""
    if degrees == 0:
        return "upright"
    return f"tilted {abs(degrees):.0f}° to the {'left' if degrees > 0 else 'right'}"


_DESCRIBED_BY: Mapping[str, Callable[[Names, Seat, Data], str]] = {
    STAND: _describe_stand,
    FALL: _describe_fall,
    BONUS: _describe_bonus,
    INCIDENT: _describe_incident,
    DIE: _describe_die,
    LEAVE: _describe_drop,
}


def _describe_round(names: Names, data: Data) -> str:
    if data["round"] == 1 and data["starter"] is None:
        return ""
    scores = enumerate(data["scores"])
    scored = [f"{names.of(seat)} {score}" for seat, score in scores if score is not None]
    told = f"Round {data['round']} is over: {listed(scored)}."
    if data["starter"] is None:
        return told
    return f"{told} {names.does(data['starter'], 'start')} round {data['round'] + 1}."
