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
    PLACE,
    PLAYED_OUT,
    ROUND,
    STAND,
)
from games.titles.precary_ice.moves import Place, distance_text
from games.titles.precary_ice.pieces import NAMES, PIECES
from games.titles.precary_ice.state import State
from games.titles.precary_ice.tower import Tower

Data = Mapping[str, Json]


def describe(event: Event, viewer: Seat | None) -> str:
    """Return a line of the log; empty for what needs no telling."""
    names = Names(META.colours, viewer)
    if event.type == ENDED:
        return _describe_end(names, event)
    if event.type == ROUND:
        return _describe_round(names, event.data)
    if event.seat is None or event.type not in _DESCRIBED_BY:
        return ""
    return _DESCRIBED_BY[event.type](names, event.seat, event.data)


def ending_reason(event: Event, viewer: Seat | None) -> str:
    """Return the points of all where points decided; empty where only one stayed."""
    if event.data["ending"] == "dropped":
        return ""
    names = Names(META.colours, viewer)
    sums = enumerate(event.data["sums"])
    return listed([f"{names.clause(seat, 'have')} {points}" for seat, points in sums])


def phrase(move: Place, view: State, seat: Seat) -> str:
    """Return a placement as its player is asked to confirm it."""
    piece = NAMES[view.towers[seat].next or "P"]
    return f"Release the {piece} {distance_text(move.at)}, {_tilted(move.tilt)}"


def forecast(tower: Tower) -> str:
    """Return what a placement on a tower is worth, as far as that is known."""
    total = tower.total + PIECES[tower.next or "P"].points
    stands = f"If it stands, your sheet says {total}"
    return f"{stands}; if it falls before you have written that, {tower.total} stays."


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


def _describe_placement(names: Names, seat: Seat, data: Data) -> str:
    shake, turn = data["tremor"]
    piece = NAMES[data["piece"]]
    at = distance_text(data["at"])
    held = f"{names.does(seat, 'hold')} the {piece} {at}, {_tilted(data['tilt'])}"
    return f"{held}; tremor {_signed(shake)} mm, {_signed(turn)}°."


def _describe_stand(_names: Names, _seat: Seat, data: Data) -> str:
    return f"The tower stands: {counted(data['total'], 'point')}."


def _describe_fall(names: Names, seat: Seat, data: Data) -> str:
    tower = f"{sentence(names.possessive(seat))} tower falls, after {data['ms'] / 1000:.2f} s"
    if data["written"]:
        return f"{tower}: time to write {data['total']}."
    return f"{tower}: the sheet still says {data['total']}."


def _describe_bonus(names: Names, seat: Seat, data: Data) -> str:
    has = f"{names.does(seat, 'have')} {counted(data['total'], 'point')}"
    return f"All {len(data['pieces'])} pieces stand! {has}."


def _describe_incident(names: Names, seat: Seat, _data: Data) -> str:
    knocked = f"A cat knocks {names.possessive(seat)} tower over"
    return f"{knocked}. It is rebuilt, and the turn is lost."


def _describe_die(names: Names, seat: Seat, data: Data) -> str:
    piece = NAMES[data["piece"]]
    if data["die"] is None:
        return f"{names.does(seat, 'have')} only {piece}s left."
    return f"{names.does(seat, 'roll')} {data['die']}: a {piece} comes next."


def _describe_drop(names: Names, seat: Seat, _data: Data) -> str:
    return f"{names.does(seat, 'leave')} the match; the tower is taken away."


def _tilted(degrees: float) -> str:
    """Return a tilt, as in ``tilted 3° to the left``; to the left is positive."""
    if degrees == 0:
        return "upright"
    return f"tilted {abs(degrees):.0f}° to the {'left' if degrees > 0 else 'right'}"


def _signed(number: float) -> str:
    """Return a number with its sign, as in ``−0.4``."""
    return f"{number:+.1f}".replace("-", "−")


_DESCRIBED_BY: Mapping[str, Callable[[Names, Seat, Data], str]] = {
    PLACE: _describe_placement,
    STAND: _describe_stand,
    FALL: _describe_fall,
    BONUS: _describe_bonus,
    INCIDENT: _describe_incident,
    DIE: _describe_die,
    LEAVE: _describe_drop,
}


def _describe_round(names: Names, data: Data) -> str:
    scores = enumerate(data["scores"])
    scored = [f"{names.of(seat)} {score}" for seat, score in scores if score is not None]
    told = f"Round {data['round']} is over: {listed(scored)}."
    if data["starter"] is None:
        return told
    return f"{told} {names.does(data['starter'], 'begin')} round {data['round'] + 1}."


def _describe_end(names: Names, event: Event) -> str:
    winners = [seat for seat, rank in enumerate(event.data["ranks"]) if rank == 1]
    first = winners[0]
    is_one = len(winners) == 1
    if event.data["ending"] == "dropped":
        is_last = f"{names.does(first, 'are')} the last to stay"
        return f"{is_last}, and {names.verb(first, 'win')}."
    who = names.together(winners)
    wins = names.clause(first, "win") if is_one else f"{who} draw"
    all_played = "All rounds have been played. " * (event.data["ending"] == PLAYED_OUT)
    points = [f"{names.of(seat)} {total}" for seat, total in enumerate(event.data["sums"])]
    return f"{all_played}{sentence(listed(points))}: {wins}."
