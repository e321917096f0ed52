"""The contract of a game: what every folder below ``games/titles`` promises.

A :class:`Game` has facts (:class:`Meta`), plays by its rules, parses moves, offers options for move
entry, draws views and describes events. All of it is pure: states are frozen values, chance is an
argument, and nothing here knows of users, clocks or the web.
"""

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import repeat
from typing import Any, ClassVar, Generic, NewType, Protocol, Self, TypeAlias, TypeVar

import msgspec
from msgspec import Struct, structs

from games.kernel.completion import complete
from games.kernel.dice import Dice, no_dice
from games.kernel.errors import BrokenEvent, ChanceError, IllegalMove, MalformedMove, RulesError
from games.kernel.formatting import refusal_sentence
from games.kernel.options import Options, with_mark
from games.kernel.svg import Drawing
from games.kernel.views import Json, View, convert, encode

Seat = NewType("Seat", int)
"""A place at the table, numbered from 0 in turn order."""

Position: TypeAlias = dict[str, Json]
"""A whole position as JSON, everything hidden included."""

Params: TypeAlias = Mapping[str, Json]
"""Parameters of a match, complete and valid for the title's schema."""

Ranks: TypeAlias = tuple[int, ...]
"""A result: one rank a seat, 1 for the best, equal ranks for a tie."""

TURN_ENDED = "turn"
"""Type of the event by which a seat's own turn ends, as JSON has it."""

COMMON_ENDINGS: Mapping[str, str] = {
    "dropped": "All others resigned or ran out of time.",
    "closed": "The players agreed to end the match.",
}
"""Endings that every game has, beside those of its own rules."""


class Event(Struct, frozen=True, tag_field="type"):
    """One thing that a move did, told in the log and lit on the board.

    A game derives a class for each kind of event, with ``tag``, the type that JSON names, and the
    fields that JSON has. The docstring says what they mean; ``docs/engine.md`` repeats it.
    ``seat`` is ``None`` where no seat caused the event.
    """

    seat: Seat | None = None

    @classmethod
    def tag(cls) -> str:
        """Return the type that JSON names."""
        return str(cls.__struct_config__.tag)

    @property
    def type(self) -> str:
        """The type that JSON names."""
        return self.tag()

    def seen_by(self, viewer: Seat | None, *, over: bool = False) -> "Event":
        """Return the event as a viewer may know it; a spectator is ``None``."""
        return self

    def dump(self) -> Position:
        """Return the event as JSON: public fields flat, hidden ones apart."""
        encoded: Position = encode(self)
        return encoded

    @classmethod
    def load(cls, data: Mapping[str, Json]) -> Self:
        """Read what :meth:`dump` wrote, in this release or an earlier one."""
        return convert(cls, data)


class SeatEvent(Event, frozen=True):
    """An event that a seat caused, or that happened to it."""

    seat: Seat


class SecretEvent(SeatEvent, frozen=True, kw_only=True):
    """An event with fields that only the seats in ``owners`` may read until the match has ended.

    ``secret`` names these fields, each with the value that all others read. Without owners
    nothing is hidden, or not any more.
    """

    secret: ClassVar[Mapping[str, Any]]
    owners: tuple[Seat, ...]

    def seen_by(self, viewer: Seat | None, *, over: bool = False) -> "SecretEvent":
        """Return the event as a viewer may know it; a spectator is ``None``."""
        may_read = over or not self.owners or viewer in self.owners
        return structs.replace(self, owners=(), **({} if may_read else self.secret))

    def dump(self) -> Position:
        """Return the event as JSON: public fields flat, hidden ones apart."""
        public: Position = encode(self.seen_by(None))
        del public["owners"]
        if self.owners:
            whole = encode(self)
            public["hidden"] = {name: whole[name] for name in ("owners", *self.secret)}
        return public

    @classmethod
    def load(cls, data: Mapping[str, Json]) -> Self:
        """Read what :meth:`dump` wrote, in this release or an earlier one."""
        hidden = data.get("hidden", {})
        known = {name: hidden[name] for name in cls.secret if name in hidden}
        return convert(cls, {**data, **known, "owners": hidden.get("owners", ())})


class TurnEnded(SeatEvent, frozen=True, tag=TURN_ENDED):
    """The seat's own turn is over, and its clock gets the increment."""


class Ended(Event, frozen=True, kw_only=True, tag="end"):
    """The match is over; this is its last event.

    ``ending`` is one of the game's own, ``dropped`` or ``closed``; ``ranks`` are the result: one
    rank a seat, 1 for the best, equal ranks for a tie.
    """

    ending: str
    ranks: Ranks


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

    ``designer`` is a name, or ``UNNAMED``; ``goal`` says in a sentence how to win.
    ``seats`` is the least and the greatest number of players; ``params`` a JSON Schema of an
    object whose properties all have a ``default``, a ``title`` and a ``description``;
    ``endings`` maps each way in which the game's own rules end a match to a sentence.
    ``rules_version`` rises whenever a stored match would replay differently. ``has_queue`` says
    that a turn can continue after a roll or an opponent's answer, so that queued moves are useful.
    ``observes`` says that the outcome of a move is observed, at a
    cost: then no move is played only to show what the game looks like. ``rolls_for_first`` says
    that a roll decides who moves first, and not the order of the seats.
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
    goal: str = ""
    terms: str = ""
    has_chance: bool = False
    has_secrets: bool = False
    has_queue: bool = False
    observes: bool = False
    rolls_for_first: bool = False

    @property
    def author(self) -> str:
        """The designer, as one says it behind *by*."""
        unknown = "an unknown designer"
        return unknown if self.designer == UNNAMED else self.designer


class Observation(Struct, frozen=True):
    """A match as one seat has seen it: its view and, with secrets, all events as told, as JSON."""

    title: str
    rules_version: int
    params: Params
    seats: int
    seat: Seat
    view: Json
    log: tuple[Position, ...] = ()


@dataclass(frozen=True, slots=True)
class Unseen:
    """Something that a seat does not see: so many values, each one of ``choices``.

    A choice is a value and what it is called. One that there is twice is listed twice. Values of
    one thing can't be in another thing as well.
    """

    key: str
    label: str
    count: int
    choices: tuple[tuple[str, str], ...]


class State(Protocol):
    """What the defaults of a game read of its states."""

    @property
    def ranks(self) -> Ranks | None:
        """The result by seat, or ``None`` while the match runs."""

    @property
    def mover(self) -> Seat | None:
        """The seat that is to move, or that would be if the match had not ended.

        ``None`` where several seats may move at once: such a game overrides ``actors``.
        """


S = TypeVar("S", bound=State)
M = TypeVar("M")
V = TypeVar("V", bound=View)


@dataclass(frozen=True, slots=True)
class AnswerPolicy:
    """A way in which a player may let every pending question be answered.

    ``answer(view, seat)`` returns the text of a legal move, found from the seat's own view alone,
    or an empty string where the order has nothing to say.

    An order that ``is_forced`` makes the seat's only legal move for it, such as a pass that has to
    be said, and only where every spectator can see that there is no other: then an answer that
    comes at once tells nobody anything about the position.
    """

    label: str
    answer: Callable[[Any, Seat], str]
    is_forced: bool = False


@dataclass(frozen=True, slots=True)
class Tally:
    """A number that decides a game, as a player's strip shows it: ``14`` of ``stones``."""

    value: int
    label: str


Die: TypeAlias = tuple[int, int]
"""A die that was rolled: the number of its sides, and what it shows."""


class Game(ABC, Generic[S, M, V]):
    """A game: its facts, its rules, its words and its board.

    Subclass :class:`OpenGame` where every player sees everything, :class:`SecretGame` where
    something is hidden; this class alone cannot be instantiated. A game is stateless: ``S`` are
    its states, frozen values that are passed in and out, ``M`` its moves, ``V`` its views.
    """

    meta: ClassVar[Meta]
    events: ClassVar[Sequence[type[Event]]] = ()
    """The events of the game beside ``TurnEnded`` and ``Ended``, or in place of ``Ended``."""
    outcomes: ClassVar[Sequence[type[Event]]] = ()
    """The events that a one-line summary begins with."""
    older: "Sequence[AnyGame]" = ()
    """The same game by earlier versions of its rules, for matches that began under them."""

    # --- The rules --------------------------------------------------------------------------------

    @abstractmethod
    def setup(self, seats: int, params: Params, dice: Dice) -> S:
        """Return the first state. ``params`` are complete and valid."""

    def actors(self, state: S) -> tuple[Seat, ...]:
        """Return the seats that may move, in seat order; empty when the match is over."""
        mover = state.mover
        return () if state.ranks or mover is None else (mover,)

    @abstractmethod
    def moves(self, state: S, seat: Seat) -> Iterable[M]:
        """Yield every legal move of the seat, each once; empty if it is not to move."""

    @abstractmethod
    def play(self, state: S, seat: Seat, move: M, dice: Dice) -> tuple[S, tuple[Event, ...]]:
        """Play a move and return the next state with the events.

        :raises RulesError: the move is not legal, the seat is not to move, the match is over.
        """

    @abstractmethod
    def drop(self, state: S, seat: Seat, dice: Dice) -> tuple[S, tuple[Event, ...]]:
        """Take a seat out of the match: it resigned or ran out of time.

        :raises RulesError: the match is over or the seat is out already.
        """

    @abstractmethod
    def close(self, state: S) -> tuple[S, tuple[Event, ...]]:
        """End the match by agreement of all who are still in.

        :raises MatchOver: it has ended already.
        """

    def result(self, state: S) -> Ranks | None:
        """Return the ranks by seat, or ``None`` while the match runs."""
        return state.ranks

    def eliminated(self, state: S) -> Collection[Seat]:
        """Return the seats that the rules have put out: they watch and no longer decide."""
        return ()

    def next_turn(self, state: S, seat: Seat) -> S | None:
        """Return the state in which a seat moves next, as far as it can be foreseen.

        That is the state itself where the seat is to move, otherwise the one that the match
        reaches if the others do nothing until then. ``None`` where that says too little, or the
        match ends first. States that the seat cannot tell apart lead to such states.
        """
        return state if seat in self.actors(state) else None

    # --- Views and positions ----------------------------------------------------------------------

    @abstractmethod
    def view(self, state: S, viewer: Seat | None) -> V:
        """Return what a seat, or a spectator (``None``), may see."""

    @abstractmethod
    def open_view(self, state: S) -> V:
        """Return the view with everything shown, as anybody may see it once the match is over."""

    def dump(self, state: S) -> Position:
        """Return the whole state as JSON."""
        return self.open_view(state).dump()

    @abstractmethod
    def load(self, data: Json, seats: int, params: Params) -> S:
        """Return the state that JSON describes, which the site itself wrote.

        :raises BrokenPosition: it is no position of these seats and parameters.
        """

    @abstractmethod
    def validate(self, state: S) -> None:
        """Check what holds in every state that a match can reach, across its fields.

        For positions from outside; the rules themselves only make valid states.

        :raises BrokenPosition: no match can have reached this state.
        """

    def read_position(self, data: Json, seats: int, params: Params) -> S:
        """Return the state of a position from outside, checked in full.

        :raises BrokenPosition: no match of these seats and parameters can have reached it.
        """
        state = self.load(data, seats, params)
        self.validate(state)
        return state

    def read_event(self, data: Mapping[str, Json]) -> Event:
        """Return the event that JSON describes, written by this release or an earlier one.

        :raises BrokenEvent: the game has no such event; the message repeats nothing of it, since
            it may name hidden cards.
        """
        try:
            return self._event_types[data["type"]].load(data)
        except (LookupError, TypeError, AttributeError, msgspec.ValidationError):
            raise BrokenEvent(f"This is no event of {self.meta.name}.") from None

    @cached_property
    def _event_types(self) -> Mapping[str, type[Event]]:
        common: Sequence[type[Event]] = (TurnEnded, Ended)
        return {event.tag(): event for event in (*common, *self.events)}

    # --- Move entry -------------------------------------------------------------------------------

    @abstractmethod
    def parse(self, text: str) -> M:
        """Return the move that a text stands for; case and blanks do not matter.

        ``str(move)`` is the way back.

        :raises MalformedMove: it is a move in no position of this game.
        """

    @abstractmethod
    def options(self, state: S, seat: Seat, typed: str) -> Options:
        """Return how a text may continue to a legal move of a seat.

        :raises MalformedMove: no legal move begins with it.
        """

    def explain(self, state: S, seat: Seat, typed: str, mark: str) -> str:
        """Return in a sentence why a mark leads nowhere after what a seat has typed.

        By default the mark replaces others in the options, and the sentence is the rules'
        refusal of that move. A refusal tells only what its seat may know.

        :raises MalformedMove: no legal move begins with what is typed.
        """
        options = self.options(state, seat, typed)
        texts = dict.fromkeys(typed + text for text in with_mark(options, mark))
        refusals = (self._refusal(state, seat, text) for text in texts)
        return next(filter(None, refusals), options.prompt)

    def _refusal(self, state: S, seat: Seat, text: str) -> str:
        """Return the sentence with which the rules refuse a text; empty if they don't."""
        try:
            self.play(state, seat, self.parse(text), no_dice())
        except (MalformedMove, ChanceError):
            return ""
        except IllegalMove as error:
            return refusal_sentence(error.reason)
        except RulesError as error:
            return refusal_sentence(str(error))
        return ""

    # --- Board and words --------------------------------------------------------------------------

    @abstractmethod
    def draw(self, view: V, recent: Sequence[Event]) -> Drawing:
        """Return the board, with the last move's events as seen by the viewer highlighted."""

    @abstractmethod
    def describe(self, event: Event, viewer: Seat | None) -> str:
        """Return the log line of an event as seen; empty if it needs none."""

    def joined(self, events: Sequence[Event]) -> Sequence[Event]:
        """Return the events of an entry, with those joined that one sentence describes."""
        return events

    def sentences(self, events: Sequence[Event], viewer: Seat | None) -> tuple[str, ...]:
        """Return the events of an entry as seen in sentences, by ``joined`` and ``describe``."""
        descriptions = (self.describe(event, viewer) for event in self.joined(events))
        return tuple(filter(None, descriptions))

    def headline(self, event: Event, viewer: Seat | None) -> str:
        """Return an event as seen in a few words, for the log beside the board: ``Takes 3``.

        The colour of who made the entry stands in front, so the words don't name it. There is no
        full stop. Empty if the board, the strips or another event of the entry say the same.
        By default it is the whole line.
        """
        return self.describe(event, viewer).removesuffix(".")

    def phrase(self, move: M, view: V, seat: Seat, viewer: Seat | None) -> str:
        """Return a legal move as its player is asked to confirm it: ``Place a stone on c4``.

        ``view`` is that of the player, ``seat``, before the move. ``viewer`` is the same seat, or
        ``None`` for other readers. The phrase begins with a verb and has no full stop.
        """
        return f"Play {move}"

    def tallies(self, view: V, seat: Seat) -> Sequence[Tally]:
        """Return up to three numbers that show how a seat stands."""
        return ()

    def describe_setup(self, view: V, viewer: Seat | None) -> str:
        """Return what the setup drew, in sentences, from the view of the first state."""
        return ""

    def ending_reason(self, event: Any, viewer: Seat | None) -> str:
        """Return why a match ended by the rules of the game: ``Red has no stones left``.

        ``event`` is the :class:`Ended` of the game. The reason is a clause without a full stop;
        empty where the result says everything. By default it is the sentence of ``Meta.endings``.
        """
        sentence = self.meta.endings.get(event.ending, "").removesuffix(".")
        return sentence[:1].lower() + sentence[1:]

    def brief_section(self, view: V) -> str:
        """Return the heading in ``brief.md`` for the phase of a view; empty for the first."""
        return ""

    def dice(self, event: Event) -> Sequence[Die]:
        """Return the dice rolled in an event that everybody may see, for pages that show them.

        A game without secrets needs to name none: pages show all rolls.
        """
        return ()

    # --- Questions in another's turn --------------------------------------------------------------

    def pending_question(self, view: V, seat: Seat) -> str:
        """Return the sentence that asks a seat for an answer in another's turn, with the stakes.

        It comes from the seat's own view; empty if nothing is asked.
        """
        return ""

    def standing_orders(self, params: Params) -> Mapping[str, AnswerPolicy]:
        """Return the standing orders of a match by their names, in the order offered."""
        return {}

    # --- Secrets ----------------------------------------------------------------------------------

    @abstractmethod
    def redact(self, text: str, view: V) -> str:
        """Return the newest move's text as it may be read beside a view of the state after it.

        Texts of earlier moves hide nothing any more.
        """

    @abstractmethod
    def outcome_hidden(self, move: M) -> bool:
        """Whether the outcome must stay hidden until the move is made.

        That is so where something hidden from the mover decides the outcome or is revealed by it,
        in any position.
        """

    @abstractmethod
    def determinize(self, seen: Observation, chance: random.Random) -> Iterator[S]:
        """Yield random whole states that agree with what a seat has seen, without end.

        Every state that the seat cannot tell from the true one may come out. Bots play on them.
        """

    @abstractmethod
    def unseen(self, seen: Observation) -> Sequence[Unseen]:
        """Return what a seat does not see and may assume, on a board to think on."""

    @abstractmethod
    def assume(self, seen: Observation, assumed: Mapping[str, Sequence[str]]) -> Observation:
        """Return what a seat has seen with assumed values in place of unseen ones, by their keys.

        :raises GameError: that can't be: a value lies elsewhere, or there are too many.
        """


class OpenGame(Game[S, M, V]):
    """A game in which every player and spectator sees everything.

    Its moves are offered as one flat list, for which ``prompt`` asks, unless it overrides
    ``options``.
    """

    prompt: ClassVar[str] = "Choose a move."

    def __init_subclass__(cls) -> None:
        """Refuse a game whose meta says it has secrets: nothing here would keep them."""
        super().__init_subclass__()
        if cls.meta.has_secrets:
            raise TypeError(f"{cls.__name__} has secrets: it has to be a SecretGame.")

    def open_view(self, state: S) -> V:
        """Return the view of a spectator, who sees everything."""
        return self.view(state, None)

    def options(self, state: S, seat: Seat, typed: str) -> Options:
        """Return the legal moves that begin with a text.

        :raises MalformedMove: no legal move begins with it.
        """
        return complete(map(str, self.moves(state, seat)), typed, prompt=self.prompt)

    def redact(self, text: str, view: V) -> str:
        """Return the text: nothing is hidden in a move."""
        return text

    def outcome_hidden(self, move: M) -> bool:
        """Return ``False``: nothing hidden decides."""
        return False

    def determinize(self, seen: Observation, chance: random.Random) -> Iterator[S]:
        """Yield the one state that looks like this: a view shows everything."""
        return repeat(self.load(seen.view, seen.seats, seen.params))

    def unseen(self, seen: Observation) -> Sequence[Unseen]:
        """Return nothing: a view shows everything."""
        return ()

    def assume(self, seen: Observation, assumed: Mapping[str, Sequence[str]]) -> Observation:
        """Return what the seat has seen: nothing is left to assume."""
        return seen


class SecretGame(Game[S, M, V]):
    """A game in which something is hidden: it says itself what, and inherits no open default."""

    def __init_subclass__(cls) -> None:
        """Refuse a game whose meta says it has no secrets: it would be treated as an open one."""
        super().__init_subclass__()
        if not cls.meta.has_secrets:
            raise TypeError(f"{cls.__name__} has no secrets by its meta: make it an OpenGame.")


AnyGame: TypeAlias = Game[Any, Any, Any]
