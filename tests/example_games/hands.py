"""A toy game that keeps cards hidden as a real one does: lay one face down, draw one unseen.

Everybody holds three numbered cards. A turn is ``lay 7``: the card lies face down until the next
one is laid, then it counts for its player; a card is drawn for it while there are any. When
everybody has laid ``rounds`` cards the higher sum wins.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from games.kernel import svg
from games.kernel.completion import complete
from games.kernel.contract import (
    Colour,
    Ended,
    Event,
    Meta,
    Params,
    Position,
    Ranks,
    Seat,
    SeatEvent,
    SecretEvent,
    SecretGame,
    TurnEnded,
)
from games.kernel.dice import Dice
from games.kernel.errors import BrokenPosition, IllegalMove, MalformedMove, MatchOver, NotYourTurn
from games.kernel.options import Options
from games.kernel.preconditions import check_running
from games.kernel.ranking import rank
from games.kernel.svg import Drawing
from games.kernel.views import Json, View
from tests.example_games.views import DictView

HAND = 3
CARDS = 20
HIDDEN = "??"

META = Meta(
    slug="hands",
    name="Hands",
    designer="Nobody",
    year=None,
    summary="A toy.",
    seats=(2, 3),
    colours=tuple(Colour(name, name[0]) for name in ("Red", "Blue", "Green")),
    params={
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "rounds": {
                "type": "integer",
                "minimum": 1,
                "maximum": 6,
                "default": 4,
                "title": "Rounds",
                "description": "Cards that everybody lays.",
            },
        },
    },
    endings={"laid": "All cards were laid."},
    rules_version=1,
    has_chance=True,
    has_secrets=True,
)


class Laid(SecretEvent, frozen=True, tag="lay"):
    """The seat laid a card face down."""

    secret = {"card": HIDDEN}

    card: int | str


class Drew(SecretEvent, frozen=True, tag="draw"):
    """The seat drew a card."""

    secret = {"card": HIDDEN}

    card: int | str


class TurnedUp(SeatEvent, frozen=True, tag="turn-up"):
    """The card that the seat laid is turned up."""

    card: int


class Dropped(SeatEvent, frozen=True, tag="drop"):
    """The seat dropped out."""


@dataclass(frozen=True)
class State:
    rounds: int
    hands: tuple[tuple[int, ...], ...]
    pile: tuple[int, ...]
    laid: int = 0
    down: int | None = None
    sums: tuple[int, ...] = ()
    out: tuple[Seat, ...] = ()
    ranks: Ranks | None = None

    @property
    def still_in(self) -> tuple[Seat, ...]:
        return tuple(Seat(s) for s in range(len(self.hands)) if s not in self.out)

    @property
    def mover(self) -> Seat:
        return self.still_in[self.laid % len(self.still_in)]

    @property
    def layer(self) -> Seat | None:
        """Whose card lies face down."""
        before = (self.laid - 1) % len(self.still_in)
        return None if self.down is None else self.still_in[before]


def draw_card(state: State, seat: Seat, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    if not state.pile:
        return state, ()
    at = dice.roll(len(state.pile)) - 1
    card, pile = state.pile[at], state.pile[:at] + state.pile[at + 1 :]
    hands = list(state.hands)
    hands[seat] = tuple(sorted((*hands[seat], card)))
    return replace(state, hands=tuple(hands), pile=pile), (Drew(seat, card, owners=(seat,)),)


class HandsRules(SecretGame[State, Any, DictView]):
    meta = META
    events: Sequence[type[Event]] = (Laid, Drew, TurnedUp, Dropped)

    def setup(self, seats: int, params: Params, dice: Dice) -> State:
        pile = tuple(range(1, CARDS + 1))
        state = State(params["rounds"], ((),) * seats, pile, sums=(0,) * seats)
        for _ in range(HAND):
            for seat in range(seats):
                state, _told = draw_card(state, Seat(seat), dice)
        return state

    def moves(self, state: State, seat: Seat) -> Iterable[str]:
        if seat in self.actors(state):
            yield from (f"lay {card}" for card in state.hands[seat])

    def play(
        self, state: State, seat: Seat, move: str, dice: Dice
    ) -> tuple[State, tuple[Event, ...]]:
        check_running(state.ranks)
        if seat != state.mover:
            raise NotYourTurn(f"Seat {seat} is not to move.")
        card = int(move.split()[1])
        if card not in state.hands[seat]:
            raise IllegalMove(self.why_not(state, seat, card))
        state, events = self.turn_up(state)
        hands = list(state.hands)
        hands[seat] = tuple(own for own in hands[seat] if own != card)
        laid = self.lay(seat, card)
        state = replace(state, hands=tuple(hands), down=card, laid=state.laid + 1)
        state, drew = draw_card(state, seat, dice)
        events += (laid, *drew, TurnEnded(seat))
        if state.laid == state.rounds * len(state.still_in):
            state, turned = self.turn_up(state)
            return self.end(state, "laid", events + turned)
        return state, events

    def why_not(self, state: State, seat: Seat, card: int) -> str:
        return f"You do not hold {card}."

    def lay(self, seat: Seat, card: int) -> Event:
        return Laid(seat, card, owners=(seat,))

    def turn_up(self, state: State) -> tuple[State, tuple[Event, ...]]:
        layer = state.layer
        if layer is None or state.down is None:
            return state, ()
        sums = list(state.sums)
        sums[layer] += state.down
        return replace(state, sums=tuple(sums), down=None), (TurnedUp(layer, state.down),)

    def end(
        self, state: State, ending: str, events: tuple[Event, ...]
    ) -> tuple[State, tuple[Event, ...]]:
        ranks = rank(state.sums, state.still_in, state.out)
        return replace(state, ranks=ranks), (*events, Ended(ending=ending, ranks=ranks))

    def drop(self, state: State, seat: Seat, dice: Dice) -> tuple[State, tuple[Event, ...]]:
        if state.ranks or seat in state.out:
            raise MatchOver("It is over.")
        state, events = self.turn_up(state)
        turn = state.mover
        hands = list(state.hands)
        hands[seat] = ()
        state = replace(state, out=(*state.out, seat), hands=tuple(hands))
        if len(state.still_in) == 1:
            return self.end(state, "dropped", events)
        back = turn if turn != seat else Seat((seat + 1) % len(state.hands))
        return replace(state, laid=state.still_in.index(back) if back in state.still_in else 0), (
            *events,
            Dropped(seat),
        )

    def close(self, state: State) -> tuple[State, tuple[Event, ...]]:
        check_running(state.ranks)
        return self.end(state, "closed", ())

    def view(self, state: State, viewer: Seat | None) -> DictView:
        whole = self.dump(state)
        hands = [
            list(hand) if seat == viewer else [HIDDEN] * len(hand)
            for seat, hand in enumerate(state.hands)
        ]
        down = state.down if state.down is None or state.layer == viewer else HIDDEN
        pile = [HIDDEN] * len(state.pile)
        return DictView({**whole, "hands": hands, "down": down, "pile": pile})

    def dump(self, state: State) -> Position:
        return {
            "rounds": state.rounds,
            "hands": [list(hand) for hand in state.hands],
            "pile": list(state.pile),
            "laid": state.laid,
            "down": state.down,
            "sums": list(state.sums),
            "out": list(state.out),
            "result": list(state.ranks) if state.ranks else None,
        }

    def validate(self, state: State) -> None:
        pass

    def load(self, data: Json, seats: int, params: Params) -> State:
        try:
            return State(
                data["rounds"],
                tuple(tuple(hand) for hand in data["hands"]),
                tuple(data["pile"]),
                data["laid"],
                data["down"],
                tuple(data["sums"]),
                tuple(data["out"]),
                tuple(data["result"]) if data["result"] else None,
            )
        except (KeyError, TypeError) as error:
            raise BrokenPosition(f"{data!r} is no position.") from error


def parse(text: str) -> str:
    words = text.lower().split()
    if len(words) != 2 or words[0] != "lay" or not words[1].isdecimal():
        raise MalformedMove(f"{text!r} is no move of the toy.")
    return f"lay {int(words[1])}"


def options(state: State, seat: Seat, typed: str) -> Options:
    return complete(list(TITLE.moves(state, seat)), typed, prompt="Lay which card?")


def draw(view: View, recent: Sequence[Event]) -> Drawing:
    lit = " ".join(f"{event.type} {getattr(event, 'card', '')}" for event in recent)
    marks = [
        svg.mark(f"lay {card}", f"card {card}", svg.circle(5 * at, 50, 2), at=(5 * at, 50))
        for at, card in enumerate(c for hand in view["hands"] for c in hand if c != HIDDEN)
    ]
    label = f"Sums {view['sums']}, down {view['down']}, hands {view['hands']}. {lit}"
    return Drawing(100, 100, tuple(marks), label)


def describe(event: Event, viewer: Seat | None) -> str:
    who = META.colours[event.seat or 0].name
    match event:
        case Laid(card=card):
            return f"{who} lays {'a card' if card == HIDDEN else card}."
        case Drew(card=card):
            return f"{who} draws {'a card' if card == HIDDEN else card}."
        case TurnedUp(card=card):
            return f"{who}’s {card} is turned up."
    return ""


def redact(text: str, view: View) -> str:
    return "lay ??" if view["down"] == HIDDEN else text


class Hands(HandsRules):
    def parse(self, text):
        return parse(text)

    def options(self, state, seat, typed):
        return options(state, seat, typed)

    def draw(self, view, recent):
        return draw(view, recent)

    def describe(self, event, viewer):
        return describe(event, viewer)

    def open_view(self, state):
        return DictView(self.dump(state))

    def redact(self, text, view):
        return redact(text, view)

    def outcome_hidden(self, move):
        return True

    def unseen(self, seen):
        return ()

    def assume(self, seen, assumed):
        return seen

    def determinize(self, seen, chance):
        while True:
            yield self._dealt(seen.view, chance)

    def _dealt(self, view, chance):
        shown = {card for hand in (*view["hands"], [view["down"]]) for card in hand}
        left = [card for card in range(1, CARDS + 1) if card not in shown]
        chance.shuffle(left)
        dealt = [[left.pop() if c == HIDDEN else c for c in hand] for hand in view["hands"]]
        down = left.pop() if view["down"] == HIDDEN else view["down"]
        pile = left[: len(view["pile"])]
        return self.load({**view, "hands": dealt, "down": down, "pile": pile}, 0, {})


TITLE = Hands()
