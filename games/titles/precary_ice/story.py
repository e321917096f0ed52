"""Events and moves in words, and the numbers that decide."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from games.kernel.contract import Event, Seat, Tally
from games.kernel.formatting import counted, listed, sentence
from games.kernel.narration import Names
from games.titles.precary_ice import events
from games.titles.precary_ice.meta import META
from games.titles.precary_ice.moves import Place, distance_text
from games.titles.precary_ice.pieces import NAMES, PIECES
from games.titles.precary_ice.state import State
from games.titles.precary_ice.tower import Tower


def describe(event: Event, viewer: Seat | None) -> str:
    """Return a line of the log. Empty for events without one.

    The move says where a piece was held, so a placement names only its piece and outcome.
    """
    tell = _DESCRIBED_BY.get(type(event))
    return tell(Names(META.colours, viewer), event) if tell else ""


def befalls(event: Event, seat: Seat) -> bool:
    """Whether a cat knocks over the tower of a seat."""
    return isinstance(event, events.KnockedOver) and event.seat == seat


def news(seen: Sequence[Event], viewer: Seat | None) -> str:
    """Return the end of the last round, later placements, and the viewer's roll."""
    names = Names(META.colours, viewer)
    over = max((at for at, one in enumerate(seen) if isinstance(one, events.RoundEnded)), default=0)
    lines = [describe(one, viewer) for one in seen[over:] if isinstance(one, events.RoundEnded)]
    later = list(seen[over:])
    placed = [at for at, one in enumerate(later) if isinstance(one, events.Released)]
    if placed:
        lines.append(_describe_placed(names, later[placed[-1] :]))
    elif lines:
        return lines[0]
    rolled = [one for one in later if isinstance(one, events.PieceDue) and one.seat == viewer]
    lines += [_describe_die(names, one) for one in rolled[-1:]]
    return " ".join(filter(None, lines))


def headline(event: Event, viewer: Seat | None) -> str:
    """Return an event in a few words. The panel beside the tower shows the next piece."""
    match event:
        case events.Released(piece=piece):
            return NAMES[piece].capitalize()
        case events.Stood(total=total):
            return counted(total, "point")
        case events.Fell(total=total, written=written):
            return f"Falls {'slowly' if written else 'at once'}: {counted(total, 'point')}"
        case events.Completed(total=total, pieces=pieces):
            return f"All {len(pieces)} stand: {counted(total, 'point')}"
        case events.KnockedOver():
            whose = "Your tower is knocked" if event.seat == viewer else "Knocked"
            return f"{whose} over by a cat, rebuilt"
        case events.RoundEnded():
            return f"Round {event.round} is over" if describe(event, viewer) else ""
        case events.Left():
            return describe(event, viewer).removesuffix(".")
    return ""


def ending_reason(event: events.Ended, viewer: Seat | None) -> str:
    """Return the points of all, the most first. Empty if only one stayed."""
    if event.ending == "dropped":
        return ""
    names = Names(META.colours, viewer)
    best_first = sorted(enumerate(event.sums), key=lambda item: -item[1])
    return ", ".join(f"{names.of(seat)} {counted(points, 'point')}" for seat, points in best_first)


def phrase(move: Place, view: State, seat: Seat, viewer: Seat | None) -> str:
    """Return a placement as its player is asked to confirm it."""
    piece = NAMES[view.towers[seat].next or "P"]
    return f"Release the {piece} {distance_text(move.at)}, {_tilted(move.tilt)}"


def forecast(tower: Tower) -> str:
    """Return the known value of a placement on a tower."""
    total = tower.total + PIECES[tower.next or "P"].points
    return f"{total} points if it stands, {tower.total} if it falls at once."


def tallies(view: State, seat: Seat) -> Sequence[Tally]:
    """Return the points of a seat, and the height of its tower."""
    points = view.sums[seat]
    tower = view.towers[seat]
    height = (Tally(round(tower.height), "mm high"),) if tower.stands else ()
    return (Tally(points, "point" if points == 1 else "points"), *height)


def describe_setup(view: State, viewer: Seat | None) -> str:
    """Say which pieces come first."""
    names = Names(META.colours, viewer)
    first = (
        events.PieceDue(Seat(seat), tower.die, tower.next)
        for seat, tower in enumerate(view.towers)
        if tower.next
    )
    return " ".join(_describe_die(names, due) for due in first)


def _describe_placement(names: Names, event: events.Released) -> str:
    return f"{names.does(event.seat, 'place')} a {NAMES[event.piece]}."


def _describe_placed(names: Names, seen: Sequence[Event]) -> str:
    """Return a placement with its outcome, from its first event."""
    released, outcome, *later = seen
    text = describe(released, names.viewer)
    if isinstance(outcome, events.Stood):
        bonus = [describe(one, names.viewer) for one in later if isinstance(one, events.Completed)]
        return bonus[0] if bonus else f"{text[:-1]}: {counted(outcome.total, 'point')}."
    return f"{text} {describe(outcome, names.viewer)}"


def _describe_stand(names: Names, event: events.Stood) -> str:
    return f"{_tower(names, event.seat)} stands: {counted(event.total, 'point')}."


def _describe_fall(names: Names, event: events.Fell) -> str:
    points = counted(event.total, "point")
    tower = _tower(names, event.seat)
    if event.written:
        return f"{tower} falls, slowly enough to write down {points}."
    return f"{tower} falls at once: {points}."


def _tower(names: Names, seat: Seat) -> str:
    return f"{sentence(names.possessive(seat))} tower"


def _describe_bonus(names: Names, event: events.Completed) -> str:
    has = f"{names.does(event.seat, 'have')} {counted(event.total, 'point')}"
    return f"All {len(event.pieces)} pieces stand! {has}."


def _describe_incident(names: Names, event: events.KnockedOver) -> str:
    knocked = f"A cat knocks {names.possessive(event.seat)} tower over"
    return f"{knocked}. It is rebuilt, but the turn is lost."


def _describe_die(names: Names, event: events.PieceDue) -> str:
    piece = NAMES[event.piece]
    if event.die is None:
        return f"{names.does(event.seat, 'have')} only {piece}s left."
    return f"{names.does(event.seat, 'roll')} {event.die}: a {piece}."


def _describe_round(names: Names, event: events.RoundEnded) -> str:
    if event.round == 1 and event.starter is None:
        return ""
    scores = enumerate(event.scores)
    scored = [f"{names.of(seat)} {score}" for seat, score in scores if score is not None]
    text = f"Round {event.round} is over: {listed(scored)}."
    if event.starter is None:
        return text
    return f"{text} {names.does(event.starter, 'start')} round {event.round + 1}."


def _describe_drop(names: Names, event: events.Left) -> str:
    return f"{names.does(event.seat, 'leave')} the match. The tower is taken away."


def _describe_end(names: Names, event: events.Ended) -> str:
    return names.outcome(event.ranks, ending_reason(event, names.viewer))


def _tilted(degrees: float) -> str:
    """Return a tilt, as in ``tilted 3° to the left``. Positive is to the left."""
    if degrees == 0:
        return "upright"
    return f"tilted {abs(degrees):.0f}° to the {'left' if degrees > 0 else 'right'}"


_DESCRIBED_BY: Mapping[type[Event], Callable[[Names, Any], str]] = {
    events.Released: _describe_placement,
    events.Stood: _describe_stand,
    events.Fell: _describe_fall,
    events.Completed: _describe_bonus,
    events.KnockedOver: _describe_incident,
    events.PieceDue: _describe_die,
    events.RoundEnded: _describe_round,
    events.Left: _describe_drop,
    events.Ended: _describe_end,
}
