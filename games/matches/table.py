"""A match at a moment, as all views and move entry read it.

Stored matches, boards, imported records and foreseen positions each make a :class:`Table`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import Any

from msgspec import Struct, structs

from config.addresses import path_of
from games.kernel import registry, replay
from games.kernel.contract import AnyGame, Seat
from games.kernel.errors import UnknownRules, UnknownTitle
from games.kernel.options import Options
from games.kernel.params import with_defaults
from games.kernel.replay import Entry, Moment
from games.kernel.views import Json, View
from games.matches.clock import Clock
from games.matches.errors import POSITION, RULES, Unreadable, reading

RUNNING, OVER = "running", "over"
"""The status of a match that can still be played, and of one with a result."""

NEVER = datetime.min.replace(tzinfo=UTC)
"""When a board began and changed. No page shows it."""


class Account(Struct, frozen=True):
    """The user in a seat. A person without an account here is inactive and has only a name."""

    shown_name: str
    username: str = ""
    pk: int | None = None
    is_active: bool = False
    is_guest: bool = False
    is_program: bool = False

    def get_absolute_url(self) -> str:
        return path_of("player", self.username)


class Facts(Struct, frozen=True):
    """A match without its players: the fields of :class:`~games.matches.models.Match`."""

    title: str
    params: Mapping[str, Json]
    rules_version: int
    clock: Json = None
    commitment: str = ""
    strict_dice: bool = False
    rated: bool = False
    setup_chance: Sequence[Json] = ()
    setup_sides: Sequence[int | None] = ()
    rolls: int = 0
    position: Any = None
    version: int = 0
    clock_epoch: int = 0
    status: str = RUNNING
    ending: str = ""
    created: datetime = NEVER
    changed: datetime = NEVER
    ended: datetime | None = None
    id: int = 0

    @property
    def pk(self) -> int:
        """The id of a stored match. 0 for any other."""
        return self.id

    @property
    def is_running(self) -> bool:
        return self.status == RUNNING

    @property
    def time_control(self) -> Clock | None:
        """The clock of the match. ``None`` if it is played without one."""
        return Clock.load(self.clock)

    def get_absolute_url(self) -> str:
        return path_of("match", self.id)

    def __str__(self) -> str:
        return f"match {self.id}"


class Participant(Struct, frozen=True):
    """A seat and its player: the fields of :class:`~games.matches.models.Player`."""

    match: Facts
    user: Account
    seat: int
    to_move: bool = False
    rank: int | None = None
    result: str = ""
    dropped: str = ""
    time_left: timedelta | None = None
    clock_since: datetime | None = None
    deadline: datetime | None = None
    pauses: Sequence[Json] = ()
    agrees_to_close: bool = False
    agrees_to: str = ""
    take_backs: int = 0
    version: int = 0
    plans: bool = False
    since: int = 0
    ended: datetime | None = None
    is_bot: bool = False
    rating: int | None = None
    rating_is_provisional: bool = False
    pk: int | None = None

    @property
    def user_id(self) -> int | None:
        """The id of the user. ``None`` for a person without an account here."""
        return self.user.pk

    @property
    def shown_rating(self) -> str:
        """The rating beside the name, ``1612`` or ``1612?`` if provisional. Empty without one."""
        return "" if self.rating is None else f"{self.rating}{'?' * self.rating_is_provisional}"


class Former(Struct, frozen=True):
    """A user who played a seat until a substitute took it over by entry ``until``."""

    seat: int
    user: Account
    until: int


@dataclass(frozen=True)
class Table:
    """A match at a moment.

    Rules and position are looked up on first use, so that a match that can't be read can still be
    shown in part.

    :param reached: the position, if it isn't the one in ``match``.
    :param acting: the seats to move, if they don't follow from the position.
    :param is_open: whether every reader sees all hands.
    :param read_former: reads the players who left seats to substitutes, which few pages show.
    """

    match: Facts
    players: Sequence[Participant]
    reached: Any = None
    acting: tuple[Seat, ...] | None = None
    is_open: bool = False
    read_former: Callable[[], Sequence[Former]] = tuple

    @cached_property
    def title(self) -> AnyGame:
        """The game, with the version of its rules under which the match was begun.

        :raises Unreadable: the game or that version isn't installed.
        """
        try:
            return registry.get(self.match.title, self.match.rules_version)
        except (UnknownTitle, UnknownRules):
            raise Unreadable(self.match, RULES) from None

    @property
    def known_title(self) -> AnyGame | None:
        """The same, or ``None`` if it isn't installed."""
        try:
            return self.title
        except Unreadable:
            return None

    @property
    def has_chance(self) -> bool:
        """Whether dice may be rolled. Assumed if the rules aren't installed."""
        title = self.known_title
        return title is None or title.meta.has_chance

    @property
    def params(self) -> dict[str, Json]:
        """The parameters of the match, with defaults for parameters added to its game later.

        :raises Unreadable: the game or that version isn't installed.
        """
        return with_defaults(self.title.meta, self.match.params)

    @cached_property
    def state(self) -> Any:
        """The position, as the rules know it.

        :raises Unreadable: the rules can't load it.
        """
        return self.load(self.match.position) if self.reached is None else self.reached

    @cached_property
    def actors(self) -> tuple[Seat, ...]:
        """The seats to move. Empty if the match isn't running."""
        if self.acting is not None:
            return self.acting
        return self.title.actors(self.state) if self.match.is_running else ()

    def load(self, position: Any) -> Any:
        """Load a stored position.

        :raises Unreadable: the rules can't load it.
        """
        with reading(self.match, POSITION):
            return self.title.load(position, len(self.players), self.params)

    # --- What a viewer may see ------------------------------------------------------------------

    def view(self, viewer: Seat | None, state: Any = None) -> View:
        """Return a position as a viewer may see it. After the end everything is shown.

        Drawings are made from views, and this is the only way from a position to a view.

        :param state: another position than that of the table.
        """
        state = self.state if state is None else state
        view: View = (
            self.title.open_view(state)
            if self.is_open or not self.match.is_running
            else self.title.view(state, viewer)
        )
        return view

    def options(self, state: Any, seat: Seat, typed: str) -> Options:
        """Return how a text may continue, with a view of it that hides nothing on an open table.

        :raises RulesError: no move begins like this, or the rules forbid it here.
        """
        offered: Options = self.title.options(state, seat, typed)
        if offered.view is None or not (self.is_open and self.title.meta.has_secrets):
            return offered
        seen, whole = self.title.view(state, seat), self.title.open_view(state)
        fields = {name: getattr(whole, name) for name in whole.__struct_fields__}
        hidden = {n: value for n, value in fields.items() if getattr(seen, n) != value}
        return replace(offered, view=structs.replace(offered.view, **hidden))

    def pending_question(self, seat: Seat | None) -> str:
        """Return the question to a seat in another's turn as a sentence. Empty without one."""
        if seat is None or seat not in self.actors:
            return ""
        return self.title.pending_question(self.view(seat), seat)

    def viewer_at(self, viewer: Seat | None, number: int) -> Seat | None:
        """Return the viewer of an entry: a substitute sees earlier ones as a spectator.

        ``number`` is that of the entry.
        """
        if viewer is None or number >= self.players[viewer].since:
            return viewer
        return None

    @cached_property
    def former_players(self) -> Sequence[Former]:
        """The players who left seats to substitutes, in that order."""
        return self.read_former()

    def seats_still_in(self) -> list[Participant]:
        """Return the players who have neither dropped out nor been eliminated by the rules."""
        out = self.title.eliminated(self.state)
        return [player for player in self.players if not player.dropped and player.seat not in out]

    # --- Replay ---------------------------------------------------------------------------------

    def setup(self) -> Moment:
        """Replay the setup of the match.

        :raises GameError: the recorded outcomes aren't those of the setup.
        """
        seats, chance = len(self.players), self.match.setup_chance
        return replay.setup(self.title, seats, self.params, chance)

    def replayed(self, log: Iterable[Entry]) -> list[Moment]:
        """Replay the setup and each entry. Item ``n`` of the result is the match after entry ``n``.

        :raises GameError: the log doesn't replay by the rules of the match.
        """
        first = self.setup()
        return [first, *replay.follow(self.title, first.state, log)]
