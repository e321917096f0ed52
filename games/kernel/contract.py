"""The contract of a game: what every folder below ``games/titles`` promises.

A title is six things: facts (:class:`Meta`), rules (:class:`Rules`), a parser, move entry
(``options``), a drawing (``draw``) and a story (``tell``). All are pure: positions are frozen
values, chance comes in as an argument, and nothing here knows of users, clocks or the web.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NewType, Protocol, TypeAlias, TypeVar

from games.kernel.dice import Dice
from games.kernel.svg import Drawing

Seat = NewType("Seat", int)
"""A place at the table, numbered from 0 in turn order."""

Json: TypeAlias = Any
"""A value that ``json.dumps`` writes and ``json.loads`` gives back equal."""

Position: TypeAlias = dict[str, Json]
"""The position object of the game's notation, everything hidden included."""

View = NewType("View", dict[str, Json])
"""A position as one seat, or a spectator, may see it; what is hidden is ``"??"``."""

Params: TypeAlias = Mapping[str, Json]
"""Parameters of a match, complete and valid for the title's schema."""

Ranks: TypeAlias = tuple[int, ...]
"""A result: one rank a seat, 1 for the best, equal ranks for a tie."""

TURN_ENDED = "turn"
"""Type of the event by which a seat's own turn ends: clocks give their increment for it."""

ENDED = "end"
"""Type of the last event of a match; its ``ending`` is a key of ``Meta.endings`` (or one of
``COMMON_ENDINGS``) and its ``ranks`` are the result."""

COMMON_ENDINGS: Mapping[str, str] = {
    "dropped": "All others resigned or ran out of time.",
    "closed": "The players agreed to end the match.",
}
"""Endings that every game has, beside those of its own rules."""


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that a move did, told in the log and lit on the board.

    ``data`` is for everybody; ``hidden`` (the same shape) only for the seats in ``owners``
    until the match has ended.
    """

    type: str
    seat: Seat | None = None
    data: Mapping[str, Json] = field(default_factory=dict)
    hidden: Mapping[str, Json] = field(default_factory=dict)
    owners: tuple[Seat, ...] = ()

    def seen_by(self, viewer: Seat | None, *, over: bool = False) -> "Event":
        """Return the event as a viewer may know it; a spectator is ``None``."""
        if over or (viewer is not None and viewer in self.owners):
            return Event(self.type, self.seat, {**self.data, **self.hidden})
        return Event(self.type, self.seat, self.data)

    def dump(self) -> Position:
        """Return the event as JSON: public fields flat, hidden ones apart."""
        plain: Position = {"type": self.type, "seat": self.seat, **self.data}
        if self.owners:
            plain["hidden"] = {"owners": list(self.owners), **self.hidden}
        return plain

    @classmethod
    def load(cls, data: Mapping[str, Json]) -> "Event":
        """Read what :meth:`dump` wrote."""
        hidden = dict(data.get("hidden", {}))
        owners = tuple(Seat(seat) for seat in hidden.pop("owners", ()))
        public = {k: v for k, v in data.items() if k not in ("type", "seat", "hidden")}
        return cls(data["type"], data["seat"], public, hidden, owners)


@dataclass(frozen=True, slots=True)
class Colour:
    """A seat's colour: its name for people and the letter it has in positions."""

    name: str
    letter: str


UNNAMED = "designer not named on the rule sheet"
"""What stands for the designer of a game whose rule sheet names none."""


@dataclass(frozen=True, kw_only=True)
class Meta:
    """The facts of a game, apart from its rules.

    ``designer`` is a name, or ``UNNAMED``.
    ``seats`` is the least and the greatest number of players; ``params`` a JSON Schema of an
    object whose properties all have a ``default``, a ``title`` and a ``description``;
    ``endings`` maps each way in which the game's own rules end a match to a sentence.
    ``rules_version`` rises whenever a stored match would replay differently. ``has_queue`` says
    that a turn may go on after a roll or another's answer, so that it is worth while to say
    beforehand what is to follow. ``observes`` says that the outcome of a move is observed, at a
    cost: then no move is played only to show what the game looks like.
    """

    slug: str
    name: str
    designer: str
    year: int | None
    summary: str
    seats: tuple[int, int]
    colours: tuple[Colour, ...]
    params: Mapping[str, Json]
    endings: Mapping[str, str]
    rules_version: int
    terms: str = ""
    has_chance: bool = False
    has_secrets: bool = False
    has_queue: bool = False
    observes: bool = False

    @property
    def author(self) -> str:
        """The designer, as one says it behind *by*."""
        unknown = "a designer whom the rule sheet does not name"
        return unknown if self.designer == UNNAMED else self.designer


@dataclass(frozen=True, slots=True)
class Choice:
    """One way in which the words typed so far may go on.

    ``text`` is appended verbatim, blanks included; ``marks`` name the parts of the drawing
    that stand for it.
    """

    text: str
    label: str
    marks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Span:
    """A number in a range as the next thing to type.

    ``format`` is a :meth:`str.format` template for the number, such as ``"{:+.1f}"``.
    """

    low: float
    high: float
    step: float
    format: str
    label: str
    marks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Duty:
    """Something that a turn asks for: in words, and whether it is done."""

    label: str
    is_done: bool


@dataclass(frozen=True, slots=True)
class Options:
    """How the words typed so far may go on.

    ``complete`` says that they are a whole move already; ``prompt`` is the sentence that asks
    for the next word or, where none may follow, says what is known of the move before chance
    has its say. ``view`` is the position as the words so far would leave it, where that
    is worth drawing; it holds what the seat may see of it and nothing else, and may have
    keys of its own for what is being aimed at. Before anything has been said there is none, and
    the board shows the last move. ``duties`` are what the turn asks for, in order.
    """

    complete: bool
    next: tuple[Choice | Span, ...]
    prompt: str = ""
    view: View | None = None
    duties: tuple[Duty, ...] = ()


S = TypeVar("S")
M = TypeVar("M")


class Rules(Protocol[S, M]):
    """One set of rules. Stateless: every position is a frozen value passed in and out."""

    def setup(self, seats: int, params: Params, dice: Dice) -> S:
        """Return the first position. ``params`` are complete and valid."""

    def actors(self, state: S) -> tuple[Seat, ...]:
        """Return the seats that may move, in seat order; none when the match is over."""

    def moves(self, state: S, seat: Seat) -> Iterable[M]:
        """Yield every legal move of the seat, each once; none if it is not to move."""

    def play(self, state: S, seat: Seat, move: M, dice: Dice) -> tuple[S, tuple[Event, ...]]:
        """Play a move and return the next position with what happened.

        :raises RulesError: the move is not legal, the seat is not to move, the match is over.
        """

    def drop(self, state: S, seat: Seat, dice: Dice) -> tuple[S, tuple[Event, ...]]:
        """Take a seat out of the match: it resigned or ran out of time.

        :raises RulesError: the match is over or the seat is out already.
        """

    def close(self, state: S) -> tuple[S, tuple[Event, ...]]:
        """End the match by agreement of all who are still in.

        :raises MatchOver: it has ended already.
        """

    def result(self, state: S) -> Ranks | None:
        """Return the ranks by seat, or ``None`` while the match runs."""

    def view(self, state: S, viewer: Seat | None) -> View:
        """Return what a seat, or a spectator (``None``), may see."""

    def dump(self, state: S) -> Position:
        """Return the whole position as JSON."""

    def load(self, data: Json, seats: int, params: Params) -> S:
        """Return the position that JSON describes.

        :raises BrokenPosition: it is not a possible position of these seats and parameters.
        """


Parse: TypeAlias = Callable[[str], Any]
"""Text to move, forgiving case and blanks. Raises MalformedMove. ``str(move)`` is the way back."""

GiveOptions: TypeAlias = Callable[[Any, Seat, str], Options]
"""``options(state, seat, typed)``; raises MalformedMove when no move begins with what is typed."""

Draw: TypeAlias = Callable[[View, Sequence[Event]], Drawing]
"""``draw(view, recent)``: the board, with the events of the last move (as seen) lit on it."""

Tell: TypeAlias = Callable[[Event, Seat | None], str]
"""``tell(event, viewer)``: a line of the log for an event as seen; empty for none."""


Redact: TypeAlias = Callable[[str, View], str]
"""``redact(text, view)``: the newest move's text as it may be read by whoever has this view of
the position after it. Texts of moves before it hide nothing any more."""


def as_written(text: str, view: View) -> str:
    """Return the text of a move in which nothing is hidden."""
    return text


Foresee: TypeAlias = Callable[[Any], bool]
"""``foresee(move)``: whether nothing hidden from its mover has a say in what a move does, nor comes
to light by it, in any position. Asked only where a game has secrets."""


def nothing_foreseen(move: Any) -> bool:
    """Let every move keep what comes of it to itself until it has been made."""
    return False


Call: TypeAlias = Callable[[View, Seat], str]
"""``call(view, seat)``: the sentence that asks a seat for an answer in another's turn and says what
is at stake, from the seat's own view; empty if nothing is asked."""


def no_call(view: View, seat: Seat) -> str:
    """Ask nothing of anybody in another's turn."""
    return ""


@dataclass(frozen=True, slots=True)
class Order:
    """A way in which a player may let every call be answered: a standing order.

    ``answer(view, seat)`` returns the text of a legal move, found from the seat's own view alone,
    or nothing where the order has nothing to say.
    """

    label: str
    answer: Callable[[View, Seat], str]


GiveOrders: TypeAlias = Callable[[Params], Mapping[str, Order]]
"""``orders(params)``: the standing orders of a match by their names, in the order offered."""


def no_orders(params: Params) -> Mapping[str, Order]:
    """Offer no standing orders."""
    return {}


Die: TypeAlias = tuple[int, int]
"""A die that was rolled: the number of its sides, and what it shows."""

ShowDice: TypeAlias = Callable[[Event], Sequence[Die]]
"""``dice(event)``: what was rolled in an event as everybody may know it, for pages that show it
fall. A game without secrets needs none: all that was drawn is open."""


def no_dice_shown(event: Event) -> Sequence[Die]:
    """Return nothing: what was drawn is told, not shown."""
    return ()


Out: TypeAlias = Callable[[Any], Collection[Seat]]
"""``out(state)``: the seats that the rules have put out. They watch, and have no say any more."""


def nobody_out(state: Any) -> Collection[Seat]:
    """Return no seat: whoever has not dropped out plays to the end."""
    return ()


@dataclass(frozen=True)
class Title:
    """A game: all that the site, the engine and the tests know of it."""

    meta: Meta
    rules: Rules[Any, Any]
    parse: Parse
    options: GiveOptions
    draw: Draw
    tell: Tell
    redact: Redact = as_written
    foresee: Foresee = nothing_foreseen
    call: Call = no_call
    orders: GiveOrders = no_orders
    dice: ShowDice = no_dice_shown
    out: Out = nobody_out

    def is_sealed(self, move: Any) -> bool:
        """Whether what comes of a move may not be told before it has been made."""
        return self.meta.has_secrets and not self.foresee(move)
