"""The parts of what a viewer may see of a match.

Each is a frozen value of plain words, numbers and other parts, so that what is written of a part
can be kept under its value: two viewers who see the same strip share its HTML. Moments are written
in the current time zone, which is so a part of the value. Pages are sent them in UTC, and write
them in the zone of their readers (``static/js/net/times.js``).
"""

from msgspec import Struct

from games.kernel.contract import Tally


class Person(Struct, frozen=True):
    """Somebody by name; ``address`` is that of the page about them, empty without one."""

    name: str
    address: str = ""
    is_program: bool = False


class Swatch(Struct, frozen=True):
    """The colour and the letter of a seat's pieces."""

    seat: int
    colour: str
    letter: str

    @property
    def hue(self) -> str:
        """The colour as the name of a class: ``red``."""
        return self.colour.lower()


class ClockFace(Struct, frozen=True):
    """A clock as it is shown: ``left`` is ``2 d 11 h``.

    ``state`` is ``still``, ``short`` or ``out``, empty while there is time. ``deadline`` is a
    moment for scripts, and ``until`` the same for people; both are empty for a clock that stands
    still without an end, or whose end nobody may know. ``pauses`` are the pauses before it for
    scripts, in seconds: ``1770246000/1770418800``. ``why`` says in a word why the clock stands
    still, and ``stands_still`` in a sentence, which ends with the moment ``resumes`` if that is
    known. ``share`` is how much of the most that the clock can
    hold is left, in percent; ``None`` while it does not run. ``is_short`` says that time runs
    short, whether or not the clock stands still.
    """

    left: str
    state: str = ""
    deadline: str = ""
    until: str = ""
    pauses: str = ""
    why: str = ""
    stands_still: str = ""
    resumes: str = ""
    share: int | None = None
    is_short: bool = False


class Strip(Struct, frozen=True):
    """A player beside the board.

    ``rating`` is the player's when the match began, ``1612?`` a provisional one; empty without one.
    ``clock`` is ``None`` without a time limit; ``place`` is ``won`` or ``3rd`` in a match that has
    ended, and ``out`` or why the player left while it runs; else empty.
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


class LogRow(Struct, frozen=True):
    """An entry of the log.

    ``address`` is that of the position after it. ``told`` says what happened, ``notation`` is the
    move as it is written, empty where there is none or the viewer may not know it, and ``dice``
    are those that it rolled: ``4:3 6:5``. ``swatch`` is that of the seat that made it, where that
    is another than whose turn it is in. ``at`` is the moment for scripts, ``exactly`` for people
    and ``when`` the same in short. ``comments`` counts the comments on the position.
    ``is_planned`` says that a plan of the viewer's made it.
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


class LogTurn(Struct, frozen=True, cache_hash=True):
    """The entries of one turn, the newest first.

    ``name`` is whose turn it was: ``You``, ``bruno``; ``The match`` where no seat made them.
    """

    name: str
    swatch: Swatch | None
    rows: tuple[LogRow, ...]

    @property
    def first(self) -> int:
        """The number of its first entry."""
        return self.rows[-1].number


class Former(Struct, frozen=True):
    """Who played a colour until a substitute came, with entry ``until``."""

    colour: str
    name: str
    until: int


class Head(Struct, frozen=True):
    """The game, its players and its terms.

    ``seat`` is the viewer's, ``None`` for spectators; ``news`` says what the last entry did, and
    ``title`` is that of the page. ``versus`` are the others, ``terms`` the parameters in a line.
    """

    match_id: int
    version: int
    epoch: int
    seat: int | None
    slug: str
    game: str
    versus: str
    terms: str
    title: str
    news: str
    former: tuple[Former, ...] = ()
