"""Events and moves in words, and the numbers that decide."""

from collections.abc import Mapping, Sequence

from games.kernel.contract import Ended, Event, Seat, Tally
from games.kernel.formatting import counted, listed, sentence
from games.kernel.narration import Names
from games.titles.grim_reaper.events import Aged, Born, Moved, Passed, Placed
from games.titles.grim_reaper.meta import CONNECTED, LAST_ALIVE, META, NOBODY_ALIVE
from games.titles.grim_reaper.moves import Births, Move, Placement, Walk
from games.titles.grim_reaper.phases.act import NO_MOVES
from games.titles.grim_reaper.phases.births import NO_BIRTHS
from games.titles.grim_reaper.state import (
    FIRST_BIRTHS,
    LETTERS,
    Piece,
    Position,
    Sex,
    state_of,
)


def describe(event: Event, viewer: Seat | None) -> str:
    """Return a line of the log. Empty for events without one."""
    names = Names(META.colours, viewer)
    match event:
        case Placed(seat=seat, square=square):
            return f"{names.does(seat, 'place')} {_newcomer(event.sex, event.life)} on {square}."
        case Moved(seat=seat):
            word = Piece.parse(event.piece).sex.word
            return f"{names.does(seat, 'move')} a {word} from {event.start} to {event.to}."
        case Born(seat=seat, square=square):
            return f"{names.does(seat, 'give')} birth to a {event.sex.word} on {square}."
        case Passed(seat=seat, births=True):
            return f"{names.does(seat, 'have')} no births this turn."
        case Passed(seat=seat):
            return f"{names.does(seat, 'pass')}, unable to place or move."
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
        case Placed(square=square):
            return f"{sentence(event.sex.word)}, {counted(event.life, 'turn')}, on {square}"
        case Moved(start=start, to=to):
            return f"{sentence(Piece.parse(event.piece).sex.word)} {start} → {to}"
        case Born(square=square):
            return f"{sentence(event.sex.word)} born on {square}"
        case Passed(births=True):
            return "No births"
        case Passed():
            return "Unable to place or move"
        case Aged(dead=dead):
            names = Names(META.colours, viewer)
            gone = [f"{_label(names, Piece.parse(text))} on {at}" for at, text in dead.items()]
            return f"{sentence(listed(gone))} {'dies' if len(gone) == 1 else 'die'}" if gone else ""
    return ""


def ending_reason(event: Ended, viewer: Seat | None) -> str:
    """Return who alone is alive or connected. Empty if the match ended otherwise."""
    names = Names(META.colours, viewer)
    if event.ending == NOBODY_ALIVE:
        return "nobody is alive any more"
    winner = event.ranks.index(1)
    if event.ending == LAST_ALIVE:
        return f"only {names.possessive(winner)} people are still alive"
    if event.ending == CONNECTED:
        whose = names.possessive(winner)
        own = "your" if winner == viewer else "their"
        return f"{whose} pieces join {own} two sides of the board"
    return ""


def phrase(move: Move, view: Position, seat: Seat, viewer: Seat | None) -> str:
    """Return a move as its player is asked to confirm it."""
    if isinstance(move, Placement):
        return f"Place {_newcomer(move.sex, move.life)} on {move.square}"
    if isinstance(move, Walk):
        piece = Piece.parse(view.pieces[str(move.origin)])
        label = _label(Names(META.colours, viewer), piece)
        return f"Move {label} from {move.origin} to {move.target}"
    if isinstance(move, Births):
        born = [f"a {child.sex.word} on {child.square}" for child in move.children]
        return f"Give birth to {listed(born)}"
    state = state_of(view)
    if not state.is_birth:
        return NO_MOVES
    return "Skip births this turn" if state.birth_squares else NO_BIRTHS


def tallies(view: Position, seat: Seat) -> Sequence[Tally]:
    """Return the number of a seat's pieces on the board, and its reserve."""
    people = sum(text[0] == LETTERS[seat] for text in view.pieces.values())
    noun = "person" if people == 1 else "people"
    reserve = view.reserve[seat]
    turns = "turn" if reserve == 1 else "turns"
    return (Tally(people, noun), Tally(reserve, f"{turns} in reserve"))


def brief_section(view: Position) -> str:
    return "Births" if view.step >= FIRST_BIRTHS else "Placing or moving"


def _newcomer(sex: Sex, life: int) -> str:
    return f"a {sex.word} with {counted(life, 'life turn')}"


def _describe_ageing(names: Names, dead: Mapping[str, str]) -> str:
    if not dead:
        return "Everyone ages one turn."
    gone = [f"{_label(names, Piece.parse(text))} on {square}" for square, text in dead.items()]
    dies = "dies" if len(gone) == 1 else "die"
    return f"{sentence(listed(gone))} {dies}. Everyone else ages one turn."


def _label(names: Names, piece: Piece) -> str:
    """``your female`` or ``the red female``."""
    return f"your {piece.sex.word}" if piece.seat == names.viewer else f"the {piece.label}"
