"""The contract of a game: what every folder below ``games/titles`` promises.

A :class:`Game` has facts (:class:`Meta`), plays by its rules, parses moves, offers options for move
entry, draws views and describes events. All of it is pure: states are frozen values, chance is an
argument, and nothing here knows of users, clocks or the web.
"""

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import repeat
from typing import Any, ClassVar, Generic, NewType, Protocol, Self, TypeAlias, TypeVar

import msgspec
from babel.numbers import format_decimal
from msgspec import Struct, structs

from games.kernel import language
from games.kernel.completion import complete
from games.kernel.dice import Dice, no_dice
from games.kernel.editing import Editor, Field, Spaces
from games.kernel.errors import BrokenEvent, ChanceError, IllegalMove, MalformedMove, RulesError
from games.kernel.formatting import refusal_sentence
from games.kernel.language import gettext, gettext_noop
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
    "dropped": gettext_noop("All others resigned or ran out of time."),
    "closed": gettext_noop("The players agreed to end the match."),
}
"""Endings that every game has, besides those of its own rules. ``gettext`` translates them."""

COMMON_ENDING_NAMES: Mapping[str, str] = {"dropped": gettext_noop("All others left")}
"""Short names, for lists, of the common endings that the site doesn't name otherwise."""


class Event(Struct, frozen=True, tag_field="type"):
    """One thing that a move did, told in the log and highlighted on the board.

    A game derives a class for each kind of event, with ``tag``, the type that JSON names, and the
    fields that JSON has. The docstring says what they mean; ``docs/engine.md`` repeats it. ``seat``
    is ``None`` if no seat caused the event.
    """

    seat: Seat | None = None

    @classmethod
    def tag(cls) -> str:
        return str(cls.__struct_config__.tag)

    @property
    def type(self) -> str:
        return self.tag()

    def seen_by(self, viewer: Seat | None, *, over: bool = False) -> "Event":
        """Return the event as a viewer may know it. A spectator is ``None``."""
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
    seat: Seat


class SecretEvent(SeatEvent, frozen=True, kw_only=True):
    """An event with fields that only the seats in ``owners`` may read until the match has ended.

    ``secret`` maps these fields to the values that everybody else reads. Without owners nothing is
    hidden.
    """

    secret: ClassVar[Mapping[str, Any]]
    owners: tuple[Seat, ...]

    def seen_by(self, viewer: Seat | None, *, over: bool = False) -> "SecretEvent":
        may_read = over or not self.owners or viewer in self.owners
        return structs.replace(self, owners=(), **({} if may_read else self.secret))

    def dump(self) -> Position:
        public: Position = encode(self.seen_by(None))
        del public["owners"]
        if self.owners:
            whole = encode(self)
            public["hidden"] = {name: whole[name] for name in ("owners", *self.secret)}
        return public

    @classmethod
    def load(cls, data: Mapping[str, Json]) -> Self:
        hidden = data.get("hidden", {})
        known = {name: hidden[name] for name in cls.secret if name in hidden}
        return convert(cls, {**data, **known, "owners": hidden.get("owners", ())})


class TurnEnded(SeatEvent, frozen=True, tag=TURN_ENDED):
    """The seat's own turn is over, and its clock gets the increment."""


class Ended(Event, frozen=True, kw_only=True, tag="end"):
    """The match is over; this is its last event.

    ``ending`` is one of the game's own, ``dropped`` or ``closed``. ``ranks`` are the result: one
    rank a seat, 1 for the best, equal ranks for a tie.
    """

    ending: str
    ranks: Ranks


@dataclass(frozen=True, slots=True)
class Colour:
    """A seat's colour: its English name and the letter it has in positions."""

    name: str
    letter: str

    @property
    def shown_name(self) -> str:
        """The name in the reader's language."""
        return gettext(self.name)


UNNAMED = gettext_noop("designer not named on the rule sheet")
"""Shown instead of a designer if a rule sheet doesn't name one."""


@dataclass(frozen=True, kw_only=True)
class Meta:
    """The facts of a game, apart from its rules.

    Sentences and titles are English, marked by ``gettext_noop``; ``gettext`` translates them where
    they are shown.

    ``designer`` is a name, or ``UNNAMED``. ``goal`` says in a sentence how to win. ``seats`` is
    the minimum and maximum number of players. ``params`` is a JSON Schema of an object whose
    properties all have a ``default``, a ``title`` and a ``description``. ``endings`` maps each way
    in which the game's own rules end a match to a sentence, and ``ending_names`` to a few words,
    for lists. ``rules_version`` rises whenever a stored match would replay differently.
    ``has_queue`` says that a turn can continue after a roll or an opponent's answer, so that queued
    moves are useful. ``observes`` says that outcomes of moves are observed, at a cost: then no move
    is played only to show the game. ``rolls_for_first`` says that a roll decides who moves first,
    instead of the order of the seats.
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
    ending_names: Mapping[str, str] = field(default_factory=dict)
    has_chance: bool = False
    has_secrets: bool = False
    has_queue: bool = False
    observes: bool = False
    rolls_for_first: bool = False

    @property
    def has_dice_alone(self) -> bool:
        """Whether whatever chance there is lies in dice, neither in hidden cards nor in physics."""
        return not (self.has_secrets or self.observes)

    @property
    def author(self) -> str:
        """The designer, as written after *by*."""
        # Translators: after "by", as in "Chess, by an unknown designer".
        unknown = gettext("an unknown designer")
        return unknown if self.designer == UNNAMED else self.designer


class Observation(Struct, frozen=True):
    """A match as one seat has seen it: its view and, with secrets, all its events, as JSON."""

    title: str
    rules_version: int
    params: Params
    seats: int
    seat: Seat
    view: Json
    log: tuple[Position, ...] = ()


@dataclass(frozen=True, slots=True)
class Unseen:
    """Hidden information: ``count`` values drawn from ``choices``.

    A choice is a value and its name. A value that occurs twice is listed twice. No value may be in
    two pieces of hidden information.
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

        ``None`` if several seats may move at once. Such a game overrides ``actors``.
        """


S = TypeVar("S", bound=State)
M = TypeVar("M")
V = TypeVar("V", bound=View)


@dataclass(frozen=True, slots=True)
class AnswerPolicy:
    """A way in which a player may have every pending question answered.

    ``answer(view, seat)`` returns the text of a legal move, found from the seat's own view alone.
    It returns an empty string if the order doesn't apply. An order that ``is_forced`` makes the
    seat's only legal move, such as a mandatory pass, and only if every spectator can see that there
    is no other. Then an instant answer reveals nothing about the position. ``label`` is English,
    marked by ``gettext_noop``.
    """

    label: str
    answer: Callable[[Any, Seat], str]
    is_forced: bool = False


@dataclass(frozen=True, slots=True)
class Tally:
    """A number that decides a game, as shown beside a player: ``14`` of ``stones``.

    The label is translated, singular or plural to match the value.
    """

    value: int
    label: str


Die: TypeAlias = tuple[int, int]
"""A die that was rolled: the number of its sides, and what it shows."""


@dataclass(frozen=True, slots=True)
class Image:
    """A position as it is compared with others: as it is, or in a mirror.

    ``position`` is JSON. ``names`` maps the names of places on the board, as they stand in moves,
    to those in the mirror. Empty if nothing is mirrored.
    """

    position: Json
    names: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Achievement:
    """Something rare that a player did in a match.

    ``key`` is stored, so it never changes. ``sentence`` tells what the player did, beginning with
    a verb in the past: *Won with one piece left.* ``earned`` reads what :meth:`Game.feats_of`
    returned for a seat. ``name`` and ``sentence`` are English, marked by ``gettext_noop``;
    ``parts`` are the numbers for its placeholders.
    """

    key: str
    name: str
    sentence: str
    earned: Callable[[Any], bool]
    parts: Mapping[str, int] = field(default_factory=dict)

    @property
    def shown_name(self) -> str:
        """The name in the reader's language."""
        return gettext(self.name)

    @property
    def shown_sentence(self) -> str:
        """The sentence in the reader's language, with its values."""
        locale = language.locale()
        parts = {name: format_decimal(n, locale=locale) for name, n in self.parts.items()}
        return gettext(self.sentence).format(**parts)


@dataclass(frozen=True, slots=True)
class RecordStep:
    """A move of a match that wasn't taken back, or the end of a seat or of the match.

    ``seat`` is ``None`` if the players agreed to end the match.
    """

    seat: Seat | None
    before: Any
    after: Any
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Record:
    """An ended match, replayed. ``start`` is the state after the setup."""

    seats: int
    params: Params
    start: Any
    steps: Sequence[RecordStep]
    ranks: Ranks
    ending: str

    @property
    def is_played_out(self) -> bool:
        """Whether the rules ended it, rather than players who left or agreed."""
        return self.ending not in COMMON_ENDINGS

    def is_won_by(self, seat: int) -> bool:
        """Whether a seat alone won by the rules."""
        is_first = self.ranks[seat] == 1 and self.ranks.count(1) == 1
        return is_first and self.is_played_out


class Game(ABC, Generic[S, M, V]):
    """A game: its facts, its rules, its words and its board.

    Subclass :class:`OpenGame` if every player sees everything, or :class:`SecretGame` if something
    is hidden. This class alone can't be instantiated. A game is stateless: ``S`` are its states,
    frozen values that are passed in and out, ``M`` its moves, ``V`` its views.
    """

    meta: ClassVar[Meta]
    events: ClassVar[Sequence[type[Event]]] = ()
    """The events of the game besides ``TurnEnded`` and ``Ended``, or in place of ``Ended``."""
    outcomes: ClassVar[Sequence[type[Event]]] = ()
    """The events that a one-line summary begins with."""
    deeds: ClassVar[Sequence[type[Event]]] = ()
    """Further events whose sentence alone says what a player did in a turn."""
    fights: ClassVar[Sequence[type[Event]]] = ()
    """The events of attacks and captures. A move with one of them is a fight."""
    achievements: ClassVar[Sequence[Achievement]] = ()
    """What players can achieve in a match."""
    older: "Sequence[AnyGame]" = ()
    """The same game by earlier versions of its rules, for matches that began under them."""

    # --- The rules --------------------------------------------------------------------------------

    def params_refusal(self, seats: int, params: Params) -> str:
        """Say in a sentence why these parameters don't suit a number of seats. Empty if they do.

        ``params`` are complete and valid. The defaults must suit every number.
        """
        return ""

    @abstractmethod
    def setup(self, seats: int, params: Params, dice: Dice) -> S:
        """Return the first state. ``params`` are complete and valid."""

    def actors(self, state: S) -> tuple[Seat, ...]:
        """Return the seats that may move, in seat order. Empty if the match is over."""
        mover = state.mover
        return () if state.ranks or mover is None else (mover,)

    @abstractmethod
    def moves(self, state: S, seat: Seat) -> Iterable[M]:
        """Yield every legal move of the seat, each once. Empty if it isn't to move."""

    @abstractmethod
    def play(self, state: S, seat: Seat, move: M, dice: Dice) -> tuple[S, tuple[Event, ...]]:
        """Play a move and return the next state with the events.

        :raises RulesError: the move isn't legal, the seat isn't to move, or the match is over.
        """

    @abstractmethod
    def drop(self, state: S, seat: Seat, dice: Dice) -> tuple[S, tuple[Event, ...]]:
        """Take a seat out of the match because it resigned or ran out of time.

        :raises RulesError: the match is over or the seat is out already.
        """

    @abstractmethod
    def close(self, state: S) -> tuple[S, tuple[Event, ...]]:
        """End the match by agreement of all remaining players.

        :raises MatchOver: it has ended already.
        """

    def result(self, state: S) -> Ranks | None:
        """Return the ranks by seat. ``None`` while the match runs."""
        return state.ranks

    def eliminated(self, state: S) -> Collection[Seat]:
        """Return the seats that the rules have eliminated: they watch and no longer decide."""
        return ()

    def next_turn(self, state: S, seat: Seat) -> S | None:
        """Return the state in which a seat moves next, as far as it can be foreseen.

        If the seat is to move, that is the state itself. Otherwise it is the state that the match
        reaches if the others do nothing until then. ``None`` if that would be misleading, or the
        match ends first. States that the seat can't tell apart lead to states that it can't tell
        apart.
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
        """Read a state from JSON that the site itself wrote.

        :raises BrokenPosition: it isn't a position for this number of seats and these parameters.
        """

    @abstractmethod
    def validate(self, state: S) -> None:
        """Check the invariants of reachable states, across their fields.

        This is for positions from outside. The rules themselves only make valid states.

        :raises BrokenPosition: no match can have reached this state.
        """

    def read_position(self, data: Json, seats: int, params: Params) -> S:
        """Read and check a position from outside.

        :raises BrokenPosition: no match of these seats and parameters can have reached it.
        """
        state = self.load(data, seats, params)
        self.validate(state)
        return state

    def images(self, view: V) -> Iterable[Image]:
        """Yield a spectator's view as it is compared with others, and its mirror images.

        Two positions count as the same if they have an image in common. So what makes no
        difference to the rest of a match, such as the number of moves, should be left out.
        """
        yield Image(view.dump())

    def exchanged(self, view: V) -> Iterable[V]:
        """Yield a spectator's view with the seats in each other's places.

        Only where the same moves are best then, so that the expert could be asked about somebody's
        match in other colours.
        """
        return ()

    def editor(self, position: Position) -> Editor:
        """Return what people can change in a valid position, as a page can show it.

        By default it is every value of the JSON, written as JSON.
        """
        return Editor([Field((name,), name) for name in position])

    def with_spaces(self, position: Position, spaces: Spaces) -> Position:
        """Return a position with other pieces on the spaces of its editor.

        The fields of the editor have been changed before, so values that follow from the pieces can
        be set here. Whether a match can reach the position is checked afterwards.

        :raises BrokenPosition: a space holds what can't stand there.
        """
        return position

    def read_event(self, data: Mapping[str, Json]) -> Event:
        """Read an event from JSON, written by this release or an earlier one.

        :raises BrokenEvent: the game has no such event. The message repeats nothing of it, since it
            may name hidden cards.
        """
        try:
            return self._event_types[data["type"]].load(data)
        except (LookupError, TypeError, AttributeError, msgspec.ValidationError):
            message = gettext("This is no event of {game}.")
            raise BrokenEvent(message.format(game=self.meta.name)) from None

    @cached_property
    def _event_types(self) -> Mapping[str, type[Event]]:
        common: Sequence[type[Event]] = (TurnEnded, Ended)
        return {event.tag(): event for event in (*common, *self.events)}

    # --- Move entry -------------------------------------------------------------------------------

    @abstractmethod
    def parse(self, text: str) -> M:
        """Parse a move, ignoring case and blanks. ``str(move)`` is the inverse.

        :raises MalformedMove: it isn't a move in any position of this game.
        """

    @abstractmethod
    def options(self, state: S, seat: Seat, typed: str) -> Options:
        """Return how a text may continue to a legal move of a seat.

        :raises MalformedMove: no legal move begins with it.
        """

    def explain(self, state: S, seat: Seat, typed: str, mark: str) -> str:
        """Say in a sentence why a click on a mark leads nowhere after the typed text.

        By default the mark replaces others in the options, and the sentence is the rules' refusal
        of that move. A refusal tells only what its seat may know.

        :raises MalformedMove: no legal move begins with the typed text.
        """
        options = self.options(state, seat, typed)
        texts = dict.fromkeys(typed + text for text in with_mark(options, mark))
        refusals = (self._refusal(state, seat, text) for text in texts)
        return next(filter(None, refusals), options.prompt)

    def _refusal(self, state: S, seat: Seat, text: str) -> str:
        """Return the rules' sentence that refuses a text. Empty if they don't."""
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
        """Return the board, with the last move's events, as seen by the viewer, highlighted."""

    @abstractmethod
    def describe(self, event: Event, viewer: Seat | None) -> str:
        """Return the log line of an event as seen. Empty if it needs no line."""

    def joined(self, events: Sequence[Event], /) -> Sequence[Event]:
        """Merge events of one or more entries that one sentence describes."""
        return events

    def sentences(self, events: Sequence[Event], viewer: Seat | None) -> tuple[str, ...]:
        """Return sentences about the events of an entry as seen, by ``joined`` and ``describe``."""
        descriptions = (self.describe(event, viewer) for event in self.joined(events))
        return tuple(filter(None, descriptions))

    def news(self, seen: Sequence[Event], viewer: Seat | None) -> str:
        """Sum up several moves as seen. Empty if the last outcome says it."""
        return ""

    def befalls(self, event: Event, seat: Seat) -> bool:
        """Whether an event as seen happens to a seat: it is attacked, it loses or gets something.

        After moves of others, the page of the seat says these events first.
        """
        return False

    def cause(self, seen: Sequence[Event], viewer: Seat) -> str:
        """Return the cause of the events that befell a viewer, as a sentence. Empty if they say it.

        The page of the seat says it before these events.
        """
        return ""

    def headline(self, event: Event, viewer: Seat | None) -> str:
        """Return an event as seen in a few words, for the log beside the board: ``Takes 3``.

        The colour of the player stands in front, so the words don't name it. There is no full
        stop. Empty if the board, the strips or another event of the entry say the same. By default
        it is the whole line without its full stop.
        """
        return self.describe(event, viewer).removesuffix(".")

    def phrase(self, move: M, view: V, seat: Seat, viewer: Seat | None) -> str:
        """Return a legal move as its player is asked to confirm it: ``Place a stone on c4``.

        ``view`` is that of the player, ``seat``, before the move. ``viewer`` is the same seat, or
        ``None`` for other readers. The phrase begins with a verb and has no full stop.
        """
        return gettext("Play {move}").format(move=move)

    def tallies(self, view: V, seat: Seat) -> Sequence[Tally]:
        """Return up to three numbers that show how a seat stands."""
        return ()

    def describe_setup(self, view: V, viewer: Seat | None) -> str:
        """Describe the random part of the setup in sentences, from the view of the first state."""
        return ""

    def ending_reason(self, event: Any, viewer: Seat | None) -> str:
        """Return why a match ended by the rules of the game: ``Red has no stones left``.

        ``event`` is the :class:`Ended` of the game. The reason is a clause without a full stop,
        and stands after a colon. Empty if the result says everything. By default it is the
        sentence of ``Meta.endings``.
        """
        reason = gettext(self.meta.endings.get(event.ending, "")).removesuffix(".")
        # After a colon English goes on in lower case. Not every language does.
        is_english = language.code().startswith("en")
        return reason[:1].lower() + reason[1:] if is_english else reason

    def brief_section(self, view: V) -> str:
        """Return the heading in ``brief.md`` for the phase of a view. Empty for the first."""
        return ""

    def dice(self, event: Event) -> Sequence[Die]:
        """Return the dice rolled in an event that everybody may see, for pages that show them.

        A game without secrets needn't name any: pages show all rolls.
        """
        return ()

    # --- Achievements -----------------------------------------------------------------------------

    def feats_of(self, record: Record) -> Sequence[Any]:
        """Return for each seat what its achievements are decided by, in one walk of a record."""
        return [None] * record.seats

    # --- Questions in another's turn --------------------------------------------------------------

    def pending_question(self, view: V, seat: Seat) -> str:
        """Ask a seat for an answer in another's turn, in a sentence with the stakes.

        It comes from the seat's own view. Empty if no question is pending.
        """
        return ""

    def standing_orders(self, params: Params) -> Mapping[str, AnswerPolicy]:
        """Return the standing orders of a match by name, in the order offered."""
        return {}

    # --- Secrets ----------------------------------------------------------------------------------

    @abstractmethod
    def redact(self, text: str, view: V) -> str:
        """Return the newest move's text as it may be read beside a view of the state after it.

        Texts of earlier moves have nothing left to hide.
        """

    @abstractmethod
    def outcome_hidden(self, move: M) -> bool:
        """Whether the outcome must stay hidden until the move is made.

        That is so if something hidden from the mover decides the outcome or is revealed by it, in
        any position.
        """

    @abstractmethod
    def determinize(self, seen: Observation, chance: random.Random) -> Iterator[S]:
        """Yield random whole states that agree with what a seat has seen, without end.

        Every state that the seat can't tell from the true one must be possible. Bots play on them.
        """

    @abstractmethod
    def unseen(self, seen: Observation) -> Sequence[Unseen]:
        """Return the hidden information that a board to think on may make assumptions about."""

    @abstractmethod
    def assume(self, seen: Observation, assumed: Mapping[str, Sequence[str]]) -> Observation:
        """Replace unseen values by assumed ones, by their keys.

        :raises GameError: a value lies elsewhere, or there are too many.
        """


class OpenGame(Game[S, M, V]):
    """A game in which every player and spectator sees everything.

    Its moves are offered as one flat list, with the question ``prompt``, unless it overrides
    ``options``. ``gettext`` translates the question.
    """

    prompt: ClassVar[str] = gettext_noop("Choose a move.")

    def __init_subclass__(cls) -> None:
        """Refuse a game whose meta says it has secrets: nothing here would keep them."""
        super().__init_subclass__()
        if cls.meta.has_secrets:
            raise TypeError(f"{cls.__name__} has secrets: it has to be a SecretGame.")

    def open_view(self, state: S) -> V:
        return self.view(state, None)

    def options(self, state: S, seat: Seat, typed: str) -> Options:
        """Return the legal moves that begin with a text.

        :raises MalformedMove: no legal move begins with it.
        """
        return complete(map(str, self.moves(state, seat)), typed, prompt=gettext(self.prompt))

    def redact(self, text: str, view: V) -> str:
        return text

    def outcome_hidden(self, move: M) -> bool:
        return False

    def determinize(self, seen: Observation, chance: random.Random) -> Iterator[S]:
        """Yield the one state that looks like this, since a view shows everything."""
        return repeat(self.load(seen.view, seen.seats, seen.params))

    def unseen(self, seen: Observation) -> Sequence[Unseen]:
        return ()

    def assume(self, seen: Observation, assumed: Mapping[str, Sequence[str]]) -> Observation:
        return seen


class SecretGame(Game[S, M, V]):
    """A game with hidden information. It inherits no default that would show it."""

    def __init_subclass__(cls) -> None:
        """Refuse a game whose meta says it has no secrets: it would be treated as an open one."""
        super().__init_subclass__()
        if not cls.meta.has_secrets:
            raise TypeError(f"{cls.__name__} has no secrets by its meta: make it an OpenGame.")


AnyGame: TypeAlias = Game[Any, Any, Any]
