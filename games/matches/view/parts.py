"""The parts of what a viewer may see of a match.

Each is a frozen value of plain words, numbers and other parts, so that rendered parts can be cached
by value: two viewers who see the same strip share its HTML. Times are written in the current time
zone, so the zone is part of the value. Pages get them in UTC, and write them in the zone of their
readers (``static/js/net/times.js``).
"""

from msgspec import Struct

from games.kernel.contract import Tally
from games.kernel.language import gettext


class Person(Struct, frozen=True):
    """A person by name. ``address`` is that of the page about them. Empty without one."""

    name: str
    address: str = ""
    is_program: bool = False


class Swatch(Struct, frozen=True):
    """The colour, in English, and the letter of a seat's pieces."""

    seat: int
    colour: str
    letter: str

    @property
    def shown_name(self) -> str:
        """The colour in the reader's language."""
        return gettext(self.colour)

    @property
    def hue(self) -> str:
        return self.colour.lower()


class ClockFace(Struct, frozen=True):
    """A clock as it is shown: ``left`` is ``2 d 11 h``.

    ``state`` is ``still``, ``short`` or ``out``. Empty while there is time. ``deadline`` is a time
    for scripts, and ``until`` the same for people. Both are empty for a clock that is stopped
    without a known end, or whose end is hidden. ``pauses`` are the pauses before it for scripts, in
    seconds: ``1770246000/1770418800``. ``why`` says in a word why the clock is stopped, and
    ``stands_still`` in a sentence, which names the time ``resumes_shown`` if that is known;
    ``resumes`` is the same for scripts. ``share`` is how much of the clock's maximum is left, in
    percent; ``None`` while it doesn't run. ``is_short`` says that time runs short, whether or not
    the clock is stopped.
    """

    left: str
    state: str = ""
    deadline: str = ""
    until: str = ""
    pauses: str = ""
    why: str = ""
    stands_still: str = ""
    resumes: str = ""
    resumes_shown: str = ""
    share: int | None = None
    is_short: bool = False


class Strip(Struct, frozen=True):
    """A player beside the board.

    ``rating`` is the player's when the match began, ``1612?`` a provisional one. Empty without one.
    ``clock`` is ``None`` without a time limit. ``place`` is ``won`` or ``3rd`` in a match that has
    ended. While it runs it is ``out`` or why the player left, otherwise empty. ``is_foreseen`` says
    that the counts are those after a move that is being entered.
    """

    swatch: Swatch
    person: Person
    counts: tuple[Tally, ...] = ()
    clock: ClockFace | None = None
    place: str = ""
    is_running: bool = True
    is_to_move: bool = False
    is_out: bool = False
    is_own: bool = False
    has_won: bool = False
    rating: str = ""
    is_foreseen: bool = False


class LogRow(Struct, frozen=True):
    """An entry of the log.

    ``address`` is that of the position after it. ``told`` describes it. ``notation`` is the move as
    it is written, empty without one or the viewer may not know it. ``dice`` are those that it
    rolled: ``4:3 6:5``. ``swatch`` is that of the seat that made it, if it isn't the seat whose
    turn it was. ``at`` is the time for scripts, ``exactly`` for people and ``when`` the same
    briefly. ``comments`` counts the comments on the position. ``is_planned`` says that a plan of
    the viewer's made it. ``move`` is its number among the moves of a record, ``None`` for other
    entries, and beside the board of a match.
    """

    number: int
    address: str
    told: str
    headline: str = ""
    notation: str = ""
    dice: str = ""
    swatch: Swatch | None = None
    at: str = ""
    exactly: str = ""
    when: str = ""
    comments: int = 0
    is_long: bool = False
    is_taken_back: bool = False
    is_current: bool = False
    is_planned: bool = False
    move: int | None = None


class LogTurn(Struct, frozen=True, cache_hash=True):
    """The entries of one turn, the newest first.

    ``name`` is the player whose turn it was: ``You``, ``bruno``, or ``The match`` if no seat made
    them.
    """

    name: str
    swatch: Swatch | None
    rows: tuple[LogRow, ...]

    @property
    def first(self) -> int:
        """The number of its first entry."""
        return self.rows[-1].number


class Former(Struct, frozen=True):
    """The player of a colour until a substitute came, with entry ``until``."""

    colour: str
    name: str
    until: int


class Head(Struct, frozen=True):
    """The game, its players and its terms.

    ``seat`` is the viewer's, ``None`` for spectators, and ``waits`` says that it is to move.
    ``news`` describes the last entry. ``versus`` are the opponents, ``terms`` the parameters in a
    line.
    """

    match_id: int
    version: int
    epoch: int
    seat: int | None
    slug: str
    game: str
    versus: str
    terms: str
    waits: bool
    news: str
    former: tuple[Former, ...] = ()
