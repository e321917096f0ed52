"""The toy with hidden hands, made badly: each title here tells one thing that it should not."""

from collections.abc import Iterable
from dataclasses import replace

from games.kernel import svg
from games.kernel.completion import complete
from games.kernel.contract import AnyGame, SeatEvent
from tests.example_games.hands import HIDDEN, TITLE, Hands, Laid, describe, draw, options
from tests.example_games.views import DictView
from tests.replaced_parts import with_parts


def best(state, seat):
    """The best card that somebody else holds."""
    return max((c for s, hand in enumerate(state.hands) if s != seat for c in hand), default=0)


class ViewRules(Hands):
    """A view with one field too many."""

    def view(self, state, viewer):
        return DictView({**super().view(state, viewer), "left": sum(state.pile)})


class EventRules(Hands):
    """An event that tells everybody what only its owner should know."""

    def lay(self, seat, card):
        return Laid(seat, card, owners=())


class Hummed(SeatEvent, frozen=True, tag="hm"):
    """Nothing happened."""


class CountRules(Hands):
    """One event more for a high card; it says nothing, but it is there."""

    events = (*Hands.events, Hummed)

    def play(self, state, seat, move, dice):
        after, events = super().play(state, seat, move, dice)
        high = after.down is not None and after.down > 10
        return after, (Hummed(seat), *events) if high else events


class MoveRules(Hands):
    """A move that another's hand forbids."""

    def moves(self, state, seat) -> Iterable[str]:
        moves = list(super().moves(state, seat))
        return moves[1:] if len(moves) > 1 and best(state, seat) > 18 else moves


def offer_moves(state, seat, typed):
    return complete(list(MoveRules().moves(state, seat)), typed, prompt="Lay which card?")


class RefusalRules(Hands):
    """A refusal that says where the card is."""

    def why_not(self, state, seat, card):
        where = "the pile" if card in state.pile else "another hand"
        return f"You do not hold {card}: it is in {where}."


class MemoryRules(Hands):
    """Rules that remember the last position, for a drawing that looks at it behind its view."""

    last = None

    def view(self, state, viewer):
        type(self).last = state
        return super().view(state, viewer)


def draw_label(view, recent):
    drawing, state = draw(view, recent), MemoryRules.last
    return replace(drawing, label=f"{drawing.label} {state.hands}")


def draw_wider(view, recent):
    """A picture that has no other words, but one shape more."""
    state = MemoryRules.last
    marks = [svg.circle(3 * card, 80, 1) for card in state.pile[:1]]
    drawing = draw(view, recent)
    return replace(drawing, children=(*drawing.children, *marks))


def describe_more(event, viewer):
    state = MemoryRules.last
    told = describe(event, viewer)
    return f"{told} (of {sum(state.pile)})" if told and state else told


def label_more(state, seat, typed):
    found = options(state, seat, typed)
    beats = best(state, seat)
    choices = [replace(c, label=f"{c.label}, to beat {beats}") for c in found.next]
    return replace(found, next=tuple(choices))


def offer_fewer(state, seat, typed):
    found = options(state, seat, typed)
    return replace(found, next=found.next[: 1 + best(state, seat) % 2])


def redact_badly(text, view):
    """Hide the card, but not how long its number is."""
    return f"lay {'?' * len(text.split()[1])}" if view["down"] == HIDDEN else text


def as_written(text, view):
    """Hide nothing."""
    return text


def explain_more(state, seat, typed, mark):
    return f"Somebody holds {best(state, seat)}."


memory = MemoryRules()
LEAKS: dict[str, AnyGame] = {
    "a field of the view": ViewRules(),
    "a public event": EventRules(),
    "the number of events": CountRules(),
    "the moves there are": with_parts(MoveRules(), options=offer_moves),
    "a refusal": RefusalRules(),
    "the label of the drawing": with_parts(memory, draw=draw_label),
    "a shape of the drawing": with_parts(memory, draw=draw_wider),
    "a line of the log": with_parts(memory, describe=describe_more),
    "the label of a choice": with_parts(TITLE, options=label_more),
    "the number of choices": with_parts(TITLE, options=offer_fewer),
    "why a mark leads nowhere": with_parts(TITLE, explain=explain_more),
    "the text of a move": with_parts(TITLE, redact=as_written),
    "the length of a hidden text": with_parts(TITLE, redact=redact_badly),
}
