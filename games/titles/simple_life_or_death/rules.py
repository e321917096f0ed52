"""The rules of Simple Life or Death."""

from games.kernel.contract import Params, Ranks, Seat
from games.kernel.dice import Dice, no_dice
from games.kernel.language import gettext, gettext_noop
from games.kernel.phase import Phases
from games.titles.simple_life_or_death.components import (
    HAND,
    SIZES,
    Cards,
    Piece,
    Size,
    in_order,
    name_of,
    packs,
    stock_mark,
)
from games.titles.simple_life_or_death.meta import CARDS, META
from games.titles.simple_life_or_death.moves import Defend, Land, Move
from games.titles.simple_life_or_death.phases import TurnPhase
from games.titles.simple_life_or_death.phases.act import Landing, Moving
from games.titles.simple_life_or_death.phases.attack import Attacking, Defending, Ending
from games.titles.simple_life_or_death.phases.place import Placing
from games.titles.simple_life_or_death.state import (
    ACT,
    DEFEND,
    FREE,
    FULL_STOCK,
    LAND,
    PLACE,
    TERMS,
    State,
)
from games.titles.simple_life_or_death.transition import Outcome, Transition, draw_from

NOT_ASKED = {
    Land: gettext_noop("no piece is on its way: one lands only after a roll."),
    Defend: gettext_noop("you are not attacked."),
}
"""Why answers are refused in the player's own turn."""

FIRST = {
    PLACE: gettext_noop("First choose a piece in your stock, then a square."),
    ACT: gettext_noop("First choose the piece that is to move, or one in your stock."),
    FREE: gettext_noop("You have placed and moved: attack, or end your turn."),
}
"""By phase, why a turn doesn't continue with a square."""

_PLACING = Placing()
_MOVING = Moving()
_ATTACKING = Attacking()
_ENDING = Ending()
_LANDING = Landing()
_DEFENDING = Defending()

PHASES = Phases(
    META,
    (
        TurnPhase(PLACE, _PLACING, (_PLACING,), (_ATTACKING,), NOT_ASKED),
        TurnPhase(ACT, _MOVING, (_PLACING,), (_MOVING, _ATTACKING), NOT_ASKED),
        TurnPhase(FREE, _ENDING, (_ENDING,), (_ATTACKING,), NOT_ASKED),
        TurnPhase(LAND, _LANDING, (_LANDING,)),
        TurnPhase(DEFEND, _DEFENDING, (_DEFENDING,)),
    ),
)


def setup(seats: int, params: Params, dice: Dice) -> State:
    """Return the empty board with the cards dealt. The player who rolls highest goes first."""
    has_cards = params["combat"] == CARDS
    hands, pile = deal(seats, dice) if has_cards else (((),) * seats, ())
    first = highest(seats, dice)
    return State(
        **{name: params[name] for name in TERMS},
        stock=(FULL_STOCK,) * seats,
        stacks={},
        trophies=((),) * seats,
        hands=hands,
        draw=pile,
        discard=(),
        seats_in=(True,) * seats,
        dropped=(),
        first=first,
        turn=first,
        round=1,
        phase=PLACE,
    )


def play(state: State, seat: Seat, move: Move, dice: Dice) -> Outcome:
    """Make a move, with everything that follows from it.

    :raises RulesError: the seat may not do that, or not now.
    """
    transition = Transition(state, dice)
    PHASES.play(transition, seat, move)
    return transition.outcome


def leave(state: State, seat: Seat, dice: Dice) -> Outcome:
    """Take a seat out of the match with its pieces."""
    transition = Transition(state, dice)
    transition.drop_out(seat)
    return transition.outcome


def stop(state: State, ending: str, ranks: Ranks) -> Outcome:
    """End the match with a result."""
    transition = Transition(state, no_dice())
    transition.end_match(ending, ranks)
    return transition.outcome


def explain_after(state: State, mark: str) -> str:
    """Return why a chosen piece can't use an empty square. Empty for other marks.

    A piece that may move has circles for that, which the question mentions.
    """
    is_empty = mark in state.board.squares and state.phase in (PLACE, FREE)
    if not is_empty:
        return ""
    return gettext("{square} is empty: choose a piece to attack.").format(square=mark)


def explain(state: State, seat: Seat, piece: Piece | None, mark: str) -> str:
    """Return why no move of a turn begins with a piece, a square or a stock. Empty for others."""
    if state.pending:
        return ""
    if piece:
        return _explain_piece(state, seat, piece)
    if mark in state.board.squares:
        return gettext(FIRST[state.phase])
    for owner in state.seats:
        for size, left in zip(SIZES, state.stock[owner], strict=True):
            if mark == stock_mark(owner, size) and owner != seat:
                return gettext("That is {player}’s stock.").format(player=name_of(owner))
            if mark == stock_mark(owner, size) and not left:
                return {
                    Size.SMALL: gettext("You have no small piece in stock."),
                    Size.MEDIUM: gettext("You have no medium piece in stock."),
                    Size.LARGE: gettext("You have no large piece in stock."),
                }[size]
    return ""


def _explain_piece(state: State, seat: Seat, piece: Piece) -> str:
    """Return why a turn doesn't continue with a piece."""
    spot = state.squares[piece]
    if piece.seat != seat:
        message = gettext("The piece on {square} is {player}’s.")
        return message.format(square=spot, player=name_of(piece.seat))
    if state.phase == PLACE:
        message = gettext(
            "First place a piece from your stock: your piece on {square} has nothing to attack."
        )
    else:
        message = gettext(
            "You have placed and moved, and your piece on {square} has nothing to attack."
        )
    return message.format(square=spot)


def next_turn(state: State, seat: Seat) -> State | None:
    """Return a position at a seat's next turn if the others do nothing until then.

    A pending attack changes nothing, and its card, which may be hidden, is left out. ``None`` for a
    seat that is out, or if the last round is over first.
    """
    if state.ranks or not state.seats_in[seat]:
        return None
    transition = Transition(state, no_dice())
    if (attack := state.attack) and seat != state.mover:
        transition.change(phase=attack.then, pending=None)
    while not transition.state.ranks and transition.state.mover != seat:
        transition.end_turn()
    return None if transition.state.ranks else transition.state


def deal(seats: int, dice: Dice) -> tuple[tuple[Cards, ...], Cards]:
    """Deal cards one at a time round the table, and return the hands and the rest."""
    hands: list[Cards] = [()] * seats
    pile = packs(seats)
    for _ in range(HAND):
        for seat in range(seats):
            card, pile = draw_from(pile, dice)
            hands[seat] = in_order((*hands[seat], card))
    return tuple(hands), pile


def highest(seats: int, dice: Dice) -> Seat:
    """Return the seat that rolls highest. Those who tie for the highest number roll again."""
    rolling = list(range(seats))
    while len(rolling) > 1:
        rolls = {seat: dice.roll(6) for seat in rolling}
        most = max(rolls.values())
        rolling = [seat for seat in rolling if rolls[seat] == most]
    return Seat(rolling[0])
