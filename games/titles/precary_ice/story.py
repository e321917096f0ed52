"""Events and moves in words, and the numbers that decide."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from games.kernel.contract import Event, Seat, Tally
from games.kernel.formatting import listed
from games.kernel.language import gettext, ngettext, npgettext, pgettext
from games.kernel.narration import Names
from games.titles.precary_ice import events
from games.titles.precary_ice.meta import META
from games.titles.precary_ice.moves import Place, distance_text
from games.titles.precary_ice.pieces import PIECES, by_size
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
            # Translators: a piece that was placed.
            return by_size(piece, gettext("Pawn"), gettext("Drone"), gettext("Queen"))
        case events.Stood(total=total):
            return ngettext("{count} point", "{count} points", total).format(count=total)
        case events.Fell(total=total, written=written):
            slowly = ngettext("Falls slowly: {count} point", "Falls slowly: {count} points", total)
            at_once = ngettext(
                "Falls at once: {count} point", "Falls at once: {count} points", total
            )
            return (slowly if written else at_once).format(count=total)
        case events.Completed(total=total, pieces=pieces):
            stand = ngettext(
                "All {pieces} stand: {count} point", "All {pieces} stand: {count} points", total
            )
            return stand.format(pieces=len(pieces), count=total)
        case events.KnockedOver(seat=seat) if seat == viewer:
            return gettext("Your tower is knocked over by a cat, rebuilt")
        case events.KnockedOver():
            return gettext("Knocked over by a cat, rebuilt")
        case events.RoundEnded(round=number):
            is_told = bool(describe(event, viewer))
            return gettext("Round {round} is over").format(round=number) if is_told else ""
        case events.Left(seat=seat):
            return Names(META.colours, viewer).tell(
                seat,
                gettext("You leave the match. The tower is taken away"),
                gettext("{player} leaves the match. The tower is taken away"),
            )
    return ""


def ending_reason(event: events.Ended, viewer: Seat | None) -> str:
    """Return the points of all, the most first. Empty if only one stayed."""
    if event.ending == "dropped":
        return ""
    names = Names(META.colours, viewer)
    best_first = sorted(enumerate(event.sums), key=lambda item: -item[1])
    return ", ".join(_points_of(names, seat, points) for seat, points in best_first)


def _points_of(names: Names, seat: int, points: int) -> str:
    return names.tell(
        Seat(seat),
        # Translators: in a list after a colon, as in "You win: you 30 points, Red 20 points."
        ngettext("you {count} point", "you {count} points", points),
        # Translators: in a list after a colon, as in "You win: you 30 points, Red 20 points."
        ngettext("{player} {count} point", "{player} {count} points", points),
        count=points,
    )


def phrase(move: Place, view: State, seat: Seat, viewer: Seat | None) -> str:
    """Return a placement as its player is asked to confirm it."""
    release = by_size(
        view.towers[seat].next or "P",
        # Translators: as in "Release the pawn 2.1 mm right of the axis, tilted 3° to the left".
        gettext("Release the pawn {place}, {tilt}"),
        gettext("Release the drone {place}, {tilt}"),
        gettext("Release the queen {place}, {tilt}"),
    )
    return release.format(place=distance_text(move.at), tilt=_tilted(move.tilt))


def forecast(tower: Tower) -> str:
    """Return the known value of a placement on a tower."""
    total = tower.total + PIECES[tower.next or "P"].points
    message = gettext("{total} points if it stands, {now} if it falls at once.")
    return message.format(total=total, now=tower.total)


def tallies(view: State, seat: Seat) -> Sequence[Tally]:
    """Return the points of a seat, and the height of its tower."""
    points = view.sums[seat]
    tower = view.towers[seat]
    label = npgettext("beside a number", "point", "points", points)
    unit = pgettext("beside a number", "mm high")
    height = (Tally(round(tower.height), unit),) if tower.stands else ()
    return (Tally(points, label), *height)


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
    own = by_size(
        event.piece,
        gettext("You place a pawn."),
        gettext("You place a drone."),
        gettext("You place a queen."),
    )
    others = by_size(
        event.piece,
        gettext("{player} places a pawn."),
        gettext("{player} places a drone."),
        gettext("{player} places a queen."),
    )
    return names.tell(event.seat, own, others)


def _describe_placed(names: Names, seen: Sequence[Event]) -> str:
    """Return a placement with its outcome, from its first event."""
    released, outcome, *later = seen
    if isinstance(released, events.Released) and isinstance(outcome, events.Stood):
        bonus = [describe(one, names.viewer) for one in later if isinstance(one, events.Completed)]
        return bonus[0] if bonus else _describe_points(names, released, outcome.total)
    return f"{describe(released, names.viewer)} {describe(outcome, names.viewer)}"


def _describe_points(names: Names, event: events.Released, total: int) -> str:
    own = by_size(
        event.piece,
        ngettext("You place a pawn: {count} point.", "You place a pawn: {count} points.", total),
        ngettext("You place a drone: {count} point.", "You place a drone: {count} points.", total),
        ngettext("You place a queen: {count} point.", "You place a queen: {count} points.", total),
    )
    others = by_size(
        event.piece,
        ngettext(
            "{player} places a pawn: {count} point.",
            "{player} places a pawn: {count} points.",
            total,
        ),
        ngettext(
            "{player} places a drone: {count} point.",
            "{player} places a drone: {count} points.",
            total,
        ),
        ngettext(
            "{player} places a queen: {count} point.",
            "{player} places a queen: {count} points.",
            total,
        ),
    )
    return names.tell(event.seat, own, others, count=total)


def _describe_stand(names: Names, event: events.Stood) -> str:
    own = ngettext(
        "Your tower stands: {count} point.", "Your tower stands: {count} points.", event.total
    )
    others = ngettext(
        "{player}’s tower stands: {count} point.",
        "{player}’s tower stands: {count} points.",
        event.total,
    )
    return names.tell(event.seat, own, others, count=event.total)


def _describe_fall(names: Names, event: events.Fell) -> str:
    count = event.total
    if event.written:
        own = ngettext(
            "Your tower falls, slowly enough to write down {count} point.",
            "Your tower falls, slowly enough to write down {count} points.",
            count,
        )
        others = ngettext(
            "{player}’s tower falls, slowly enough to write down {count} point.",
            "{player}’s tower falls, slowly enough to write down {count} points.",
            count,
        )
    else:
        own = ngettext(
            "Your tower falls at once: {count} point.",
            "Your tower falls at once: {count} points.",
            count,
        )
        others = ngettext(
            "{player}’s tower falls at once: {count} point.",
            "{player}’s tower falls at once: {count} points.",
            count,
        )
    return names.tell(event.seat, own, others, count=count)


def _describe_bonus(names: Names, event: events.Completed) -> str:
    own = ngettext(
        "All {pieces} pieces stand! You have {count} point.",
        "All {pieces} pieces stand! You have {count} points.",
        event.total,
    )
    others = ngettext(
        "All {pieces} pieces stand! {player} has {count} point.",
        "All {pieces} pieces stand! {player} has {count} points.",
        event.total,
    )
    return names.tell(event.seat, own, others, pieces=len(event.pieces), count=event.total)


def _describe_incident(names: Names, event: events.KnockedOver) -> str:
    return names.tell(
        event.seat,
        gettext("A cat knocks your tower over. It is rebuilt, but the turn is lost."),
        gettext("A cat knocks {player}’s tower over. It is rebuilt, but the turn is lost."),
    )


def _describe_die(names: Names, event: events.PieceDue) -> str:
    if event.die is None:
        own = by_size(
            event.piece,
            gettext("You have only pawns left."),
            gettext("You have only drones left."),
            gettext("You have only queens left."),
        )
        others = by_size(
            event.piece,
            gettext("{player} has only pawns left."),
            gettext("{player} has only drones left."),
            gettext("{player} has only queens left."),
        )
        return names.tell(event.seat, own, others)
    own = by_size(
        event.piece,
        gettext("You roll {die}: a pawn."),
        gettext("You roll {die}: a drone."),
        gettext("You roll {die}: a queen."),
    )
    others = by_size(
        event.piece,
        gettext("{player} rolls {die}: a pawn."),
        gettext("{player} rolls {die}: a drone."),
        gettext("{player} rolls {die}: a queen."),
    )
    return names.tell(event.seat, own, others, die=event.die)


def _describe_round(names: Names, event: events.RoundEnded) -> str:
    if event.round == 1 and event.starter is None:
        return ""
    scores = enumerate(event.scores)
    scored = [f"{names.of(seat)} {score}" for seat, score in scores if score is not None]
    # Translators: the scores are a list, as in "Round 1 is over: Red 20, you 25 and Blue 18."
    over = gettext("Round {round} is over: {scores}.")
    text = over.format(round=event.round, scores=listed(scored))
    if event.starter is None:
        return text
    starts = names.tell(
        event.starter,
        gettext("You start round {round}."),
        gettext("{player} starts round {round}."),
        round=event.round + 1,
    )
    return f"{text} {starts}"


def _describe_drop(names: Names, event: events.Left) -> str:
    return names.tell(
        event.seat,
        gettext("You leave the match. The tower is taken away."),
        gettext("{player} leaves the match. The tower is taken away."),
    )


def _describe_end(names: Names, event: events.Ended) -> str:
    return names.outcome(event.ranks, ending_reason(event, names.viewer))


def _tilted(degrees: float) -> str:
    """Return a tilt, as in ``tilted 3° to the left``. Positive is to the left."""
    if degrees == 0:
        # Translators: how a piece is held, as in "Release the pawn over the axis, upright".
        return gettext("upright")
    left, right = (
        # Translators: how a piece is held, as in "Release the pawn over the axis, tilted 3° …".
        gettext("tilted {degrees}° to the left"),
        # Translators: how a piece is held, as in "Release the pawn over the axis, tilted 3° …".
        gettext("tilted {degrees}° to the right"),
    )
    return (left if degrees > 0 else right).format(degrees=f"{abs(degrees):.0f}")


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
