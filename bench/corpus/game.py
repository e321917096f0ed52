"""The contract of a game as the corpus uses it, and the dice for the rules.

Only this module of the corpus calls games: if the contract is renamed, only this module changes,
and its results stay as they are.
"""

import random
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, TypeAlias

from games.kernel import registry, svg, svg_writer
from games.kernel.contract import Event, Seat
from games.kernel.errors import BrokenPosition, GameError
from games.kernel.options import Span
from games.kernel.palettes import PALETTES
from games.kernel.params import complete
from games.kernel.views import View
from tests.contract.game_modules import policy_of

Refusal: TypeAlias = GameError
Text: TypeAlias = str
Step: TypeAlias = list[Any]
"""``[kind, seat, text, outcomes]``: kind is ``play``, ``drop`` or ``close``."""

_LINE = re.compile(r"<line [^>]*/>")
_LINES = re.compile(f"(?:{_LINE.pattern})+")


class Chance:
    """The dice that are given to the rules: recorded outcomes, or new ones from ``rng``.

    ``looks`` says that what is observed is simulated although its outcome is known.
    """

    def __init__(
        self, told: Iterable[Any] = (), rng: random.Random | None = None, *, looks: bool = False
    ) -> None:
        self.drawn: list[Any] = []
        self.sides: list[int | None] = []
        self.traces: list[Any] = []
        self.seen: list[Any] = []
        self._told = list(told)
        self._rng = rng
        self._looks = looks

    def roll(self, sides: int) -> int:
        face = self._rng.randint(1, sides) if self._rng else self._told.pop(0)
        self.drawn.append(face)
        self.sides.append(sides)
        return int(face)

    def observe(self, watch: Callable[[], tuple[Any, Any]]) -> Any:
        if self._rng or self._looks:
            self.seen.append(watch())
        outcome = self.seen[-1][0] if self._rng else self._told.pop(0)
        self.drawn.append(outcome)
        self.sides.append(None)
        return outcome


class Game:
    """Everything that the corpus uses of a game's contract. Rename here what is renamed there."""

    def __init__(self, slug: str) -> None:
        self.slug = slug
        self.title = registry.get(slug)
        self.choose = getattr(policy_of(slug), "choose", None)
        self.aim = getattr(policy_of(slug), "aim", None)
        self.observes = self.title.meta.observes
        self.has_secrets = self.title.meta.has_secrets

    @staticmethod
    def slugs() -> list[str]:
        return sorted(registry.titles())

    def facts(self) -> Any:
        meta = self.title.meta
        names = ("name", "designer", "year", "summary", "seats", "params", "endings", "terms")
        return {name: getattr(meta, name) for name in names} | {"version": meta.rules_version}

    def params(self, given: Mapping[str, Any]) -> Any:
        return complete(self.title.meta, given)

    def setup(self, seats: int, params: Any, dice: Chance) -> Any:
        return self.title.setup(seats, params, dice)

    def take(self, state: Any, step: Step, dice: Chance) -> tuple[Any, Sequence[Any]]:
        kind, seat, text, _ = step
        if kind == "play":
            return self.title.play(state, seat, self.title.parse(text), dice)
        if kind == "drop":
            return self.title.drop(state, seat, dice)
        return self.title.close(state)

    def actors(self, state: Any) -> list[Seat]:
        return list(self.title.actors(state))

    def moves(self, state: Any, seat: Seat, most: int) -> list[Text]:
        """Return the texts of the first moves."""
        return [str(move) for move in islice(self.title.moves(state, seat), most)]

    def standing(self, state: Any) -> Any:
        """Return the seats to move, the seats that are out, and the result."""
        ranks = self.title.result(state)
        return self.actors(state), sorted(self.title.eliminated(state)), ranks and list(ranks)

    def dump(self, state: Any) -> Any:
        return self.title.dump(state)

    def load(self, data: Any, seats: int, params: Any) -> Any:
        """Load a position from JSON. ``None`` if it is invalid."""
        try:
            return self.title.read_position(data, seats, params)
        except BrokenPosition:
            return None

    def view(self, state: Any, viewer: Seat | None) -> Any:
        """Return the position as a viewer sees it, as drawings need it."""
        return self.title.view(state, viewer)

    def seen(self, events: Sequence[Any], viewer: Seat | None, *, over: bool) -> list[Any]:
        """Return events as a viewer knows them, as drawings and stories need them."""
        return [event.seen_by(viewer, over=over) for event in events]

    def event(self, event: Any) -> Any:
        return event.dump()

    def describe(self, event: Event, viewer: Seat | None) -> Text:
        return self.title.describe(event, viewer)

    def options(self, state: Any, seat: Seat, typed: Text) -> Any:
        """Return how words may continue: ``complete``, ``next``, ``view``, and all as JSON."""
        found = self.title.options(state, seat, typed)
        offers = [
            [o.low, o.high, o.step, o.format, o.label, list(o.marks)]
            if isinstance(o, Span)
            else [o.text, o.label, list(o.marks)]
            for o in found.next
        ]
        duties = [[duty.label, duty.is_done] for duty in found.requirements]
        data = [found.complete, offers, found.prompt, plain(found.view), duties]
        return found.complete, found.next, found.view, data

    def words(self, option: Any, rng: random.Random) -> Text:
        """Return the words of an option. For a range, those of a number."""
        if isinstance(option, Span):
            steps = round((option.high - option.low) / option.step)
            return option.format.format(option.low + rng.randrange(steps + 1) * option.step)
        return str(option.text)

    def draw(self, view: Any, events: Sequence[Any]) -> Any:
        return self.title.draw(view, events)

    def page(self, drawing: Any) -> Text:
        """Return a drawing as on pages."""
        return settled(svg_writer.render(drawing))

    def linked(self, drawing: Any) -> Text:
        """Return a drawing as on pages with move entry, with a link on every second mark."""
        names = [name for name, _ in svg.marks_of(drawing)][::2]
        return settled(
            svg_writer.render(drawing, links=dict.fromkeys(names, "#"), chosen=names[:1])
        )

    def exported(self, drawing: Any) -> Text:
        """Return a drawing as a standalone file, in each palette."""
        texts = (svg_writer.render(drawing, palette, marks=False) for palette in PALETTES.values())
        return "".join(map(settled, texts))

    def asides(self, view: Any, viewer: Seat | None, step: Step, events: Sequence[Any]) -> Any:
        """Return the newest move's text as seen, and the dice that are shown."""
        text = step[2] and self.title.redact(step[2], view)
        return text, [list(map(list, self.title.dice(event))) for event in events]

    def asked(self, view: Any, seat: Seat, params: Any) -> Any:
        """Return the question to a seat in another's turn, and its standing orders' answers."""
        orders = self.title.standing_orders(params)
        answers = {name: order.answer(view, seat) for name, order in orders.items()}
        return (
            self.title.pending_question(view, seat),
            {n: o.label for n, o in orders.items()},
            answers,
        )

    def is_hidden(self, text: Text) -> bool:
        """Whether the outcome must stay hidden until the move is made."""
        return self.title.outcome_hidden(self.title.parse(text))


def settled(text: Text) -> Text:
    """Sort consecutive lines of a drawing, since some come from sets."""
    return _LINES.sub(lambda found: "".join(sorted(_LINE.findall(found[0]))), text)


def plain(value: Any) -> Any:
    """Return a view as JSON."""
    return value.dump() if isinstance(value, View) else value
