"""The contract of a game: what every folder below ``games/titles`` promises.

A :class:`Title` has facts (:class:`Meta`) and rules (:class:`Rules`), parses moves, offers
options for move entry, draws views and describes events. All of it is pure: positions are frozen
values, chance comes in as an argument, and nothing here knows of users, clocks or the web.
"""

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import Any, ClassVar, Generic, NewType, Protocol, TypeAlias, TypeVar

from msgspec import Struct

from games.kernel.dice import Dice, no_dice
from games.kernel.errors import ChanceError, MalformedMove, RulesError
from games.kernel.formatting import told
from games.kernel.options import Options, with_mark
from games.kernel.svg import Drawing
from games.kernel.views import Json, View

Seat = NewType("Seat", int)
"""A place at the table, numbered from 0 in turn order."""

Position: TypeAlias = dict[str, Json]
"""A whole position as JSON, everything hidden included."""

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


class Event(Struct, frozen=True):
    """One thing that a move did, told in the log and lit on the board.

    ``data`` is for everybody; ``hidden`` (the same shape) only for the seats in ``owners``
    until the match has ended.
    """

    type: str
    seat: Seat | None = None
    data: Mapping[str, Json] = {}
    hidden: Mapping[str, Json] = {}
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
    that a turn may go on after a roll or another's answer, so that it is worth while to write down
    what is to follow it. ``observes`` says that the outcome of a move is observed, at a
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
    """A match as one seat has seen it: its view as JSON and, with secrets, all events as told."""

    title: str
    rules_version: int
    params: Params
    seats: int
    seat: Seat
    view: Json
    log: tuple[Event, ...] = ()


S = TypeVar("S")
M = TypeVar("M")
V = TypeVar("V", bound=View)
V_co = TypeVar("V_co", bound=View, covariant=True)


class Rules(Protocol[S, M, V_co]):
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

    def view(self, state: S, viewer: Seat | None) -> V_co:
        """Return what a seat, or a spectator (``None``), may see."""

    def dump(self, state: S) -> Position:
        """Return the whole position as JSON."""

    def load(self, data: Json, seats: int, params: Params) -> S:
        """Return the position that JSON describes, which the site itself wrote.

        :raises BrokenPosition: it has not the shape of a position of these seats and parameters.
        """

    def validate(self, state: S) -> None:
        """Check what holds in every position that a match can reach, across its fields.

        For positions from outside; those of play hold it by construction.

        :raises BrokenPosition: no match can have come to this position.
        """


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


class Title(ABC, Generic[S, M, V]):
    """A game: all that the site, the engine and the tests know of it.

    Subclass :class:`OpenTitle` where every player sees everything, :class:`SecretTitle` where
    something is hidden; this class alone cannot be instantiated.
    """

    meta: ClassVar[Meta]
    rules: Rules[S, M, V]
    older: "Sequence[AnyTitle]" = ()
    """The same game by earlier versions of its rules, for matches that began under them."""

    @abstractmethod
    def parse(self, text: str) -> M:
        """Return the move that a text stands for; case and blanks do not matter.

        ``str(move)`` is the way back.

        :raises MalformedMove: it is a move in no position of this game.
        """

    @abstractmethod
    def options(self, state: S, seat: Seat, typed: str) -> Options:
        """Return how a text may go on to a legal move of a seat.

        :raises MalformedMove: no legal move begins with it.
        """

    @abstractmethod
    def draw(self, view: V, recent: Sequence[Event]) -> Drawing:
        """Return the board, with the events of the last move (as seen by the viewer) lit on it."""

    @abstractmethod
    def describe(self, event: Event, viewer: Seat | None) -> str:
        """Return a line of the log for an event as seen; empty for what needs none."""

    @abstractmethod
    def redact(self, text: str, view: V) -> str:
        """Return the newest move's text as it may be read by whoever has this view after it.

        Texts of moves before it hide nothing any more.
        """

    @abstractmethod
    def outcome_hidden(self, move: M) -> bool:
        """Whether what a move does may not be told before it has been made.

        That is so where something hidden from its mover has a say in it, or comes to light by it,
        in any position.
        """

    @abstractmethod
    def open_view(self, state: S) -> V:
        """Return a position with everything shown, as anybody may see it once the match is over."""

    @abstractmethod
    def determinize(self, seen: Observation, chance: random.Random) -> Iterator[S]:
        """Yield whole positions that agree with what a seat has seen, drawn by chance, for ever.

        Every position that the seat cannot tell from the true one may come out, and bots play on.
        """

    def phrase(self, move: M, view: V, seat: Seat) -> str:
        """Return a legal move as its player is asked to confirm it: ``Place a stone on c4``.

        ``view`` is that of the player, ``seat``, before the move. The phrase begins with a verb
        and has no full stop.
        """
        return f"Play {move}"

    def explain(self, state: S, seat: Seat, typed: str, mark: str) -> str:
        """Return in a sentence why a mark leads nowhere after what a seat has typed.

        By default the mark takes the place of others in what may follow, and the rules say why
        that is no move. They refuse a move by what its seat may know, so this tells no more.

        :raises MalformedMove: no legal move begins with what is typed.
        """
        found = self.options(state, seat, typed)
        texts = dict.fromkeys(typed + text for text in with_mark(found, mark))
        refusals = (self._refusal(state, seat, text) for text in texts)
        return next(filter(None, refusals), found.prompt)

    def _refusal(self, state: S, seat: Seat, text: str) -> str:
        """Return the sentence with which the rules refuse a text; empty if it is a move or none."""
        try:
            move = self.parse(text)
            self.rules.play(state, seat, move, no_dice())
        except (MalformedMove, ChanceError):
            return ""
        except RulesError as error:
            return told(str(error).removeprefix(f"Not {move}: "))
        return ""

    def tallies(self, view: V, seat: Seat) -> Sequence[Tally]:
        """Return the few numbers that decide how a seat stands, as whoever has a view sees them."""
        return ()

    def describe_setup(self, view: V, viewer: Seat | None) -> str:
        """Return what the setup drew, in sentences, from the view of the first position."""
        return ""

    def reason(self, event: Event, viewer: Seat | None) -> str:
        """Return why a match ended by the rules of the game: ``Red has no stones left``.

        ``event`` is that of type ``ENDED``. It is a clause without a full stop; empty where the
        result says all.
        """
        return ""

    def brief_section(self, view: V) -> str:
        """Return the heading in ``brief.md`` of what a view is about; empty for the first."""
        return ""

    def pending_question(self, view: V, seat: Seat) -> str:
        """Return the sentence that asks a seat for an answer in another's turn, with the stakes.

        It is told from the seat's own view; empty if nothing is asked.
        """
        return ""

    def standing_orders(self, params: Params) -> Mapping[str, AnswerPolicy]:
        """Return the standing orders of a match by their names, in the order offered."""
        return {}

    def next_turn(self, state: S, seat: Seat) -> S | None:
        """Return the position in which a seat moves next, as far as it can be foreseen.

        That is the position itself where the seat is to move, else the one that it comes to if
        the others do nothing until then. ``None`` where that says too little, or the match ends
        first. Positions that the seat cannot tell apart lead to such positions.
        """
        return state if seat in self.rules.actors(state) else None

    def dice(self, event: Event) -> Sequence[Die]:
        """Return what was rolled in an event as everybody may know it, for pages that show it.

        A game without secrets needs to name none: all that was drawn is open.
        """
        return ()

    def eliminated(self, state: S) -> Collection[Seat]:
        """Return the seats that the rules have put out: they watch, and have no say any more."""
        return ()

    def read_position(self, data: Json, seats: int, params: Params) -> S:
        """Return a position from outside, checked in full.

        :raises BrokenPosition: no match of these seats and parameters can have come to it.
        """
        state = self.rules.load(data, seats, params)
        self.rules.validate(state)
        return state


class OpenTitle(Title[S, M, V]):
    """A game in which every player and spectator sees the whole position."""

    def __init_subclass__(cls) -> None:
        """Refuse a title that says it has secrets: nothing here would keep them."""
        super().__init_subclass__()
        if cls.meta.has_secrets:
            raise TypeError(f"{cls.__name__} has secrets: it has to be a SecretTitle.")

    def open_view(self, state: S) -> V:
        """Return the view of a spectator, who sees everything."""
        return self.rules.view(state, None)

    def redact(self, text: str, view: V) -> str:
        """Return the text: nothing is hidden in a move."""
        return text

    def outcome_hidden(self, move: M) -> bool:
        """Return ``False``: nothing hidden has a say."""
        return False

    def determinize(self, seen: Observation, chance: random.Random) -> Iterator[S]:
        """Yield the one position that looks like this: a view shows all of it."""
        return repeat(self.rules.load(seen.view, seen.seats, seen.params))


class SecretTitle(Title[S, M, V]):
    """A game in which something is hidden: it says itself what, and has no open default."""

    def __init_subclass__(cls) -> None:
        """Refuse a title that says it has no secrets: it would be treated as an open one."""
        super().__init_subclass__()
        if not cls.meta.has_secrets:
            raise TypeError(f"{cls.__name__} has no secrets by its meta: make it an OpenTitle.")


AnyTitle: TypeAlias = Title[Any, Any, Any]
