"""Being attacked: what a defender is asked, and the standing orders that answer."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from games.kernel.contract import AnswerPolicy, Params, Seat
from games.kernel.views import View
from games.titles.simple_life_or_death import deck
from games.titles.simple_life_or_death.deck import RANKS, Card, Cards
from games.titles.simple_life_or_death.meta import CARDS
from games.titles.simple_life_or_death.moves import Defend
from games.titles.simple_life_or_death.pieces import Piece, Size
from games.titles.simple_life_or_death.position import DEFEND

Choose: TypeAlias = Callable[[Cards, Piece], Card]
"""``choose(cards, target)``: the card of those held, lowest first, that is to save a piece."""

EIGHT = RANKS.index("8")


def call(view: View, seat: Seat) -> str:
    """Return what a defender is asked, and what is at stake; empty for who is not attacked."""
    target = _target(view, seat)
    if target is None:
        return ""
    spot = next(at for at, stack in view["board"].items() if str(target) in stack)
    piece = f"your {target.size.word} piece {target} on {spot}"
    return f"You are attacked by {view['pending']['attacker']}: {piece} is at stake."


def orders(params: Params) -> Mapping[str, AnswerPolicy]:
    """Return the ways to let attacks be answered; none where dice decide them."""
    return ORDERS if params["combat"] == CARDS else {}


def _target(view: View, seat: Seat) -> Piece | None:
    """Return the piece that a seat is asked to defend."""
    pending = view["pending"]
    if pending is None or pending["kind"] != DEFEND:
        return None
    target = Piece.read(pending["target"])
    return target if target.seat == seat else None


def _order(label: str, choose: Choose) -> AnswerPolicy:
    def answer(view: View, seat: Seat) -> str:
        target = _target(view, seat)
        if target is None:
            return ""
        cards = deck.red(map(Card.read, view["hands"][seat]))
        return str(Defend(choose(tuple(sorted(cards, key=_worth)), target)))

    return AnswerPolicy(label, answer)


def _worth(card: Card) -> tuple[int, int]:
    return card.rank, card.suit


def _lowest(cards: Cards, _target: Piece) -> Card:
    return cards[0]


def _highest(cards: Cards, _target: Piece) -> Card:
    return cards[-1]


def _from_eight(cards: Cards, target: Piece) -> Card:
    return next((card for card in cards if card.rank >= EIGHT), _lowest(cards, target))


def _by_size(cards: Cards, target: Piece) -> Card:
    return cards[-1] if target.size is Size.LARGE else cards[0]


ORDERS: Mapping[str, AnswerPolicy] = {
    "lowest": _order("Defend with my lowest red card", _lowest),
    "from-eight": _order("Defend with my lowest red card from 8 up, else my lowest", _from_eight),
    "by-size": _order(
        "Defend large pieces with my highest red card, others with my lowest", _by_size
    ),
    "highest": _order("Defend with my highest red card", _highest),
}
