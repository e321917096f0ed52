"""Events and moves in words, and the numbers that decide."""

from collections.abc import Mapping, Sequence

from games.kernel.contract import Ended, Event, Seat, Tally
from games.kernel.formatting import listed
from games.kernel.language import gettext, ngettext, npgettext
from games.kernel.narration import Names
from games.titles.grim_reaper.events import Aged, Born, Moved, Passed, Placed
from games.titles.grim_reaper.meta import CONNECTED, LAST_ALIVE, META, NOBODY_ALIVE
from games.titles.grim_reaper.moves import Births, Move, Placement, Walk
from games.titles.grim_reaper.phases.act import NO_MOVES
from games.titles.grim_reaper.phases.births import NO_BIRTHS
from games.titles.grim_reaper.state import (
    FIRST_BIRTHS,
    LETTERS,
    RED,
    Piece,
    Position,
    state_of,
)


def describe(event: Event, viewer: Seat | None) -> str:
    """Return a line of the log. Empty for events without one."""
    names = Names(META.colours, viewer)
    match event:
        case Placed():
            return _describe_placement(names, event)
        case Moved():
            return _describe_move(names, event)
        case Born():
            return _describe_birth(names, event)
        case Passed(seat=seat, births=True):
            return names.tell(
                seat,
                gettext("You have no births this turn."),
                gettext("{player} has no births this turn."),
            )
        case Passed(seat=seat):
            return names.tell(
                seat,
                gettext("You pass, unable to place or move."),
                gettext("{player} passes, unable to place or move."),
            )
        case Aged(dead=dead):
            return _describe_ageing(names, dead)
        case Ended(ranks=ranks):
            return names.outcome(ranks, ending_reason(event, viewer))
    return ""


def befalls(event: Event, seat: Seat) -> bool:
    """Whether pieces of a seat die."""
    if not isinstance(event, Aged):
        return False
    return any(Piece.parse(text).seat == seat for text in event.dead.values())


def headline(event: Event, viewer: Seat | None) -> str:
    """Return an event in a few words. Ageing is mentioned only if pieces die."""
    match event:
        case Placed(sex=sex, life=life, square=square):
            placed = sex.choose(
                ngettext(
                    "Male, {count} turn, on {square}", "Male, {count} turns, on {square}", life
                ),
                ngettext(
                    "Female, {count} turn, on {square}", "Female, {count} turns, on {square}", life
                ),
            )
            return placed.format(count=life, square=square)
        case Moved(start=start, to=to):
            sex = Piece.parse(event.piece).sex
            moved = sex.choose(gettext("Male {start} → {to}"), gettext("Female {start} → {to}"))
            return moved.format(start=start, to=to)
        case Born(sex=sex, square=square):
            born = sex.choose(gettext("Male born on {square}"), gettext("Female born on {square}"))
            return born.format(square=square)
        case Passed(births=True):
            return gettext("No births")
        case Passed():
            return gettext("Unable to place or move")
        case Aged(dead=dead) if dead:
            dies = ngettext("{pieces} dies", "{pieces} die", len(dead))
            return dies.format(pieces=_gone(Names(META.colours, viewer), dead))
    return ""


def ending_reason(event: Ended, viewer: Seat | None) -> str:
    """Return who alone is alive or connected. Empty if the match ended otherwise."""
    names = Names(META.colours, viewer)
    if event.ending == NOBODY_ALIVE:
        # Translators: after a colon, as in "The match is a draw: nobody is alive any more."
        return gettext("nobody is alive any more")
    winner = event.ranks.index(1)
    if event.ending == LAST_ALIVE:
        return names.tell(
            winner,
            # Translators: after a colon, as in "You win: only your people are still alive."
            gettext("only your people are still alive"),
            # Translators: after a colon, as in "Red wins: only Red’s people are still alive."
            gettext("only {player}’s people are still alive"),
        )
    if event.ending == CONNECTED:
        return names.tell(
            winner,
            # Translators: after a colon, as in "You win: your pieces join your two sides …"
            gettext("your pieces join your two sides of the board"),
            # Translators: after a colon, as in "Red wins: Red’s pieces join their two sides …"
            gettext("{player}’s pieces join their two sides of the board"),
        )
    return ""


def phrase(move: Move, view: Position, seat: Seat, viewer: Seat | None) -> str:
    """Return a move as its player is asked to confirm it."""
    if isinstance(move, Placement):
        place = move.sex.choose(
            ngettext(
                "Place a male with {count} life turn on {square}",
                "Place a male with {count} life turns on {square}",
                move.life,
            ),
            ngettext(
                "Place a female with {count} life turn on {square}",
                "Place a female with {count} life turns on {square}",
                move.life,
            ),
        )
        return place.format(count=move.life, square=move.square)
    if isinstance(move, Walk):
        return _move_phrase(Piece.parse(view.pieces[str(move.origin)]), move, viewer)
    if isinstance(move, Births):
        # Translators: after "Give birth to", alone or in a list.
        male, female = gettext("a male on {square}"), gettext("a female on {square}")
        born = [
            child.sex.choose(male, female).format(square=child.square) for child in move.children
        ]
        return gettext("Give birth to {children}").format(children=listed(born))
    state = state_of(view)
    if not state.is_birth:
        return gettext(NO_MOVES)
    return gettext("Skip births this turn") if state.birth_squares else gettext(NO_BIRTHS)


def _move_phrase(piece: Piece, move: Walk, viewer: Seat | None) -> str:
    if piece.seat == viewer:
        male = gettext("Move your male from {start} to {to}")
        female = gettext("Move your female from {start} to {to}")
    elif piece.seat == RED:
        male = gettext("Move the red male from {start} to {to}")
        female = gettext("Move the red female from {start} to {to}")
    else:
        male = gettext("Move the blue male from {start} to {to}")
        female = gettext("Move the blue female from {start} to {to}")
    return piece.sex.choose(male, female).format(start=move.origin, to=move.target)


def tallies(view: Position, seat: Seat) -> Sequence[Tally]:
    """Return the number of a seat's pieces on the board, and its reserve."""
    people = sum(text[0] == LETTERS[seat] for text in view.pieces.values())
    reserve = view.reserve[seat]
    return (
        Tally(people, npgettext("beside a number", "person", "people", people)),
        Tally(
            reserve, npgettext("beside a number", "turn in reserve", "turns in reserve", reserve)
        ),
    )


def brief_section(view: Position) -> str:
    return "Births" if view.step >= FIRST_BIRTHS else "Placing or moving"


def _describe_placement(names: Names, event: Placed) -> str:
    count = event.life
    own = event.sex.choose(
        ngettext(
            "You place a male with {count} life turn on {square}.",
            "You place a male with {count} life turns on {square}.",
            count,
        ),
        ngettext(
            "You place a female with {count} life turn on {square}.",
            "You place a female with {count} life turns on {square}.",
            count,
        ),
    )
    others = event.sex.choose(
        ngettext(
            "{player} places a male with {count} life turn on {square}.",
            "{player} places a male with {count} life turns on {square}.",
            count,
        ),
        ngettext(
            "{player} places a female with {count} life turn on {square}.",
            "{player} places a female with {count} life turns on {square}.",
            count,
        ),
    )
    return names.tell(event.seat, own, others, count=count, square=event.square)


def _describe_move(names: Names, event: Moved) -> str:
    sex = Piece.parse(event.piece).sex
    own = sex.choose(
        gettext("You move a male from {start} to {to}."),
        gettext("You move a female from {start} to {to}."),
    )
    others = sex.choose(
        gettext("{player} moves a male from {start} to {to}."),
        gettext("{player} moves a female from {start} to {to}."),
    )
    return names.tell(event.seat, own, others, start=event.start, to=event.to)


def _describe_birth(names: Names, event: Born) -> str:
    own = event.sex.choose(
        gettext("You give birth to a male on {square}."),
        gettext("You give birth to a female on {square}."),
    )
    others = event.sex.choose(
        gettext("{player} gives birth to a male on {square}."),
        gettext("{player} gives birth to a female on {square}."),
    )
    return names.tell(event.seat, own, others, square=event.square)


def _describe_ageing(names: Names, dead: Mapping[str, str]) -> str:
    if not dead:
        return gettext("Everyone ages one turn.")
    message = ngettext(
        "{pieces} dies. Everyone else ages one turn.",
        "{pieces} die. Everyone else ages one turn.",
        len(dead),
    )
    return message.format(pieces=_gone(names, dead))


def _gone(names: Names, dead: Mapping[str, str]) -> str:
    """Return the pieces that died as the subject of a sentence, which begins with them."""
    pieces = [
        _label(names, Piece.parse(text), is_first=not at).format(square=square)
        for at, (square, text) in enumerate(dead.items())
    ]
    return listed(pieces)


def _label(names: Names, piece: Piece, *, is_first: bool) -> str:
    """Return the message of a piece on a square, as it begins a sentence or goes on in it."""
    if piece.seat == names.viewer:
        first = (gettext("Your male on {square}"), gettext("Your female on {square}"))
        later = (gettext("your male on {square}"), gettext("your female on {square}"))
    elif piece.seat == RED:
        first = (gettext("The red male on {square}"), gettext("The red female on {square}"))
        later = (gettext("the red male on {square}"), gettext("the red female on {square}"))
    else:
        first = (gettext("The blue male on {square}"), gettext("The blue female on {square}"))
        later = (gettext("the blue male on {square}"), gettext("the blue female on {square}"))
    return piece.sex.choose(*(first if is_first else later))
