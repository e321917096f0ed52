"""The review of an ended match: the request, its page, and its lines on the board."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, pgettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts import limits
from accounts.limits import limited
from games.bots.questions import Ply
from games.http.errors import status_of
from games.kernel.contract import Seat
from games.kernel.tree import ROOT
from games.matches.errors import Refused
from games.matches.log.lines import LogLine
from games.matches.log.log_entries import PLAY, undone
from games.matches.models import LogEntry, Match
from games.matches.view.parts import Swatch
from games.matches.view.seats import swatch
from games.records.models import ImportedRecord
from games.study import replaying, reviews
from games.study.models import Review
from games.study.reviewing import FALL, MOST_CLOSER, WHOLE, TurningPoint
from games.study.reviews import Subject
from games.study.tree import Tree
from games.web.imported import ImportedPage
from games.web.record.page import RecordPage
from games.web.redirects import see_other
from games.web.study.views import spend, to_address

WIDTH, HEIGHT = 480, 220
LEFT, RIGHT, TOP, BOTTOM = 44, 14, 12, 26
"""The size of the graph and its margins, which ``record.css`` repeats."""

MAX_DIGITS = 10
"""Longer numbers of positions aren't read."""

LABELS = 6
"""Maximum number of labels below the graph."""


DICE = (
    gettext_noop("Mostly the dice: with average rolls the chance would be {chance}."),
    gettext_noop("Mostly the move: even with average rolls the chance would be {chance}."),
    gettext_noop("Both the move and the dice: with average rolls the chance would be {chance}."),
)
LUCK = (
    gettext_noop("Mostly bad luck: on average this move leaves a chance of {chance}."),
    gettext_noop("Mostly the move: even on average it leaves a chance of only {chance}."),
    gettext_noop("Both the move and bad luck: on average it leaves a chance of {chance}."),
)
"""Why a chance fell: mostly by chance, mostly by the move, or by both.

``LUCK`` is for games in which chance is more than dice: physics, or cards that are drawn.
"""


@dataclass(frozen=True)
class Curve:
    """The chances of a player as a line of the graph."""

    name: str
    swatch: Swatch
    points: str


@dataclass(frozen=True)
class Tick:
    """A number beside the graph, and its place."""

    at: float
    text: str


@dataclass(frozen=True)
class Turn:
    """A turning point as the page shows it."""

    point: TurningPoint
    page: "ReviewPage"
    line: LogLine

    @property
    def at(self) -> float:
        """Its place in the graph."""
        return self.page.across(self.point.number)

    @property
    def move(self) -> int:
        """How many moves led to the position after it."""
        return self.page.move(self.point.number)

    @property
    def address(self) -> str:
        """The address of the position after the move."""
        return f"{self.page.record.view.address}{self.point.number}/"

    @property
    def name(self) -> str:
        """The player whose chance drops."""
        return self.page.names[self.point.seat]

    @property
    def mover(self) -> str:
        return self.page.names[self.point.mover]

    @property
    def swatch(self) -> Swatch:
        return self.page.swatches[self.point.mover]

    @property
    def before(self) -> str:
        return percent(self.point.before)

    @property
    def after(self) -> str:
        return percent(self.point.after)

    @property
    def cause(self) -> str:
        """Whether the move or chance made the difference, in a sentence. Empty without chance."""
        point = self.point
        if point.expected is None:
            return ""
        meta = self.page.record.view.meta
        sentences = DICE if meta.has_dice_alone else LUCK
        if 3 * (point.expected - point.after) >= 2 * point.fall:
            text = sentences[0]
        elif 3 * (point.expected - point.after) <= point.fall:
            text = sentences[1]
        else:
            text = sentences[2]
        return _(text).format(chance=percent(point.expected))

    @property
    def is_mistake(self) -> bool:
        """Whether the move itself, and not the dice, lowered its player's own chance that much."""
        point = self.point
        worth = point.after if point.expected is None else point.expected
        is_own = point.is_move and point.seat == point.mover
        return is_own and point.before - worth >= FALL

    @property
    def phrase(self) -> str:
        """The first move of the bots' line in words."""
        ply = self.point.line[0]
        title = self.page.record.view.table.title
        state = self.page.record.history.state_after(self.point.number - 1)
        return title.phrase(title.parse(ply.move), title.open_view(state), ply.seat, None)

    @property
    def better(self) -> Sequence[tuple[Swatch, str]]:
        """The moves of the bots' line, each with the colour of its player."""
        return [(self.page.swatches[ply.seat], ply.move) for ply in self.point.line]


@dataclass(frozen=True)
class Play:
    """How a player played: the number of moves, and of those that were turning points by choice."""

    swatch: Swatch
    name: str
    moves: int
    mistakes: int


@dataclass(frozen=True)
class ReviewPage:
    """The review of a match or an imported record, whose last position is ``record``.

    ``asked`` is the number of the position to show beside the graph. ``None`` for the first turning
    point.
    """

    record: RecordPage
    subject: Subject
    refusal: str
    asked: int | None = None

    @cached_property
    def review(self) -> Review | None:
        return reviews.of(self.subject)

    @property
    def may_ask(self) -> bool:
        """Whether a request would start it."""
        return not self.refusal and reviews.may_ask(self.subject, self.review, timezone.now())

    @property
    def is_ready(self) -> bool:
        return self.review is not None and self.review.status == Review.Status.READY

    @property
    def is_waiting(self) -> bool:
        return self.review is not None and self.review.status == Review.Status.WAITING

    @property
    def progress(self) -> int:
        """Progress in percent. The closer looks, whose number is unknown, count a quarter."""
        looks = len(((self.review and self.review.closer) or {}).get("lines", ()))
        return 75 * len(self.values) // (self.length + 1) + 25 * looks // (MOST_CLOSER + 1)

    @cached_property
    def names(self) -> Sequence[str]:
        return [player.user.shown_name for player in self.record.view.players]

    @cached_property
    def swatches(self) -> Sequence[Swatch]:
        return [swatch(self.record.view.meta, seat) for seat in range(len(self.names))]

    @property
    def values(self) -> Sequence[Sequence[int]]:
        return self.review.values if self.review else ()

    @property
    def length(self) -> int:
        return self.review.length if self.review else 0

    # --- The graph --------------------------------------------------------------------------------

    width, height, right, bottom = WIDTH, HEIGHT, WIDTH - RIGHT, HEIGHT - BOTTOM
    left, top = LEFT, TOP

    def across(self, number: int) -> float:
        """Return the place of an entry in the graph."""
        return round(LEFT + (WIDTH - LEFT - RIGHT) * number / max(self.length, 1), 1)

    @staticmethod
    def up(chance: int) -> float:
        """Return the place of a chance in the graph."""
        return round(TOP + (HEIGHT - TOP - BOTTOM) * (1 - chance / WHOLE), 1)

    @property
    def curves(self) -> Sequence[Curve]:
        return [
            Curve(
                self.names[seat],
                self.swatches[seat],
                " ".join(
                    f"{self.across(number)},{self.up(chances[seat])}"
                    for number, chances in enumerate(self.values)
                ),
            )
            for seat in range(len(self.names))
        ]

    @property
    def levels(self) -> Sequence[Tick]:
        """The chances written beside the graph."""
        return [Tick(self.up(chance), percent(chance)) for chance in (0, WHOLE // 2, WHOLE)]

    @property
    def ticks(self) -> Sequence[Tick]:
        """The numbers of entries written below the graph."""
        steps = (digit * 10**zeros for zeros in range(9) for digit in (1, 2, 5))
        step = next(step for step in steps if self.length < step * LABELS)
        return [Tick(self.across(at), str(at)) for at in range(0, self.length + 1, step)]

    @property
    def rows(self) -> Sequence[tuple[int, Sequence[str]]]:
        """The numbers of the graph as a table."""
        return [(number, list(map(percent, row))) for number, row in enumerate(self.values)]

    # --- The position beside the graph ------------------------------------------------------------

    @property
    def at(self) -> int:
        """The number of the position shown."""
        if self.asked is None:
            return self.turns[0].point.number if self.turns else self.length
        return min(self.asked, self.length)

    @property
    def stage(self) -> str:
        if not self.at:
            return pgettext("position", "Start")
        return _("After move {number}").format(number=self.move(self.at))

    @property
    def line(self) -> LogLine | None:
        """The entry that led there. ``None`` at the start."""
        return self._line(self.at) if self.at else None

    @property
    def chances(self) -> Sequence[tuple[Swatch, str, str]]:
        """Each player's colour, name and chance there."""
        return list(zip(self.swatches, self.names, map(percent, self.values[self.at]), strict=True))

    @property
    def earlier_turn(self) -> int | None:
        """The number of the last turning point before it. ``None`` without one."""
        return max((n for n in self._turning if n < self.at), default=None)

    @property
    def later_turn(self) -> int | None:
        """The number of the first turning point after it. ``None`` without one."""
        return min((n for n in self._turning if n > self.at), default=None)

    @property
    def _turning(self) -> Sequence[int]:
        return [turn.point.number for turn in self.turns]

    def move(self, number: int) -> int:
        """Return how many moves led to a turning point, or to the position shown."""
        return self._counts[number]

    @cached_property
    def _counts(self) -> Mapping[int, int]:
        numbers = (self.at, *self._turning)
        return dict(zip(numbers, self.record.history.count_moves(*numbers), strict=True))

    @cached_property
    def _log(self) -> Sequence[LogEntry]:
        return self.record.history.entries(after=0, upto=self.length)

    def _line(self, number: int) -> LogLine:
        return self.record.view.lines_of([self._log[number - 1]])[0]

    # --- Turning points ---------------------------------------------------------------------------

    @cached_property
    def plays(self) -> Sequence[Play]:
        """How everybody played, in seat order."""
        gone = undone(self._log)
        moves = (entry for entry in self._log if entry.kind == PLAY and entry.number not in gone)
        movers = Counter(entry.seat for entry in moves)
        mistakes = Counter(turn.point.mover for turn in self.turns if turn.is_mistake)
        return [
            Play(self.swatches[seat], name, movers[seat], mistakes[Seat(seat)])
            for seat, name in enumerate(self.names)
        ]

    @cached_property
    def turns(self) -> Sequence[Turn]:
        points = reviews.points_of(self.review) if self.review else []
        return [Turn(point, self, self._line(point.number)) for point in points]


def percent(chance: int) -> str:
    """Format a chance in thousandths as percent."""
    return f"{round(100 * chance / WHOLE)}\N{NO-BREAK SPACE}%"


# --- Views ----------------------------------------------------------------------------------------

Found = tuple[RecordPage, Subject]

OUTSIDE = AnonymousUser()
"""A review calls its players by name, even for themselves."""


def _of_match(match_id: int) -> Found:
    match = get_object_or_404(Match, pk=match_id)
    return RecordPage.read(match_id, match.version, OUTSIDE), match


def _of_import(record_id: int) -> Found:
    record = get_object_or_404(ImportedRecord, pk=record_id)
    return ImportedPage.read_imported(record_id, record.length, OUTSIDE), record


def _view(request: HttpRequest, result: Found) -> HttpResponse:
    record, subject = result
    if request.method != "POST":
        refusal, at = reviews.refusal(subject), request.GET.get("at", "")
        asked = int(at) if at.isascii() and at.isdigit() and len(at) < MAX_DIGITS else None
        page = ReviewPage(record, subject, refusal, asked)
        return _show(request, page, 409 if refusal else 200)
    try:
        reviews.ask(
            subject,
            now=timezone.now(),
            asker=limits.asker(request),
            admit=partial(limits.spend_for_all, request, "review"),
        )
    except Refused as refused:
        page = ReviewPage(record, subject, str(refused))
        return _show(request, page, status_of(refused))
    return see_other(request.path)


def _show(request: HttpRequest, page: ReviewPage, status: int) -> HttpResponse:
    context = {"page": page, "view": page.record.view, "review": page.review}
    return render(request, "study/review.html", context, status=status)


@login_required
@limited("review")
def _asked(request: HttpRequest, look_up: Callable[[], Found]) -> HttpResponse:
    return _view(request, look_up())


def _answer(request: HttpRequest, look_up: Callable[[], Found]) -> HttpResponse:
    """Return the page, or request the review, which needs an account."""
    return _asked(request, look_up) if request.method == "POST" else _view(request, look_up())


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def of_match(request: HttpRequest, match_id: int) -> HttpResponse:
    """Show the review of a match. A POST requests it."""
    return _answer(request, lambda: _of_match(match_id))


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def of_import(request: HttpRequest, record_id: int) -> HttpResponse:
    """Show the review of an imported record. A POST requests it."""
    return _answer(request, lambda: _of_import(record_id))


@require_safe
def board_of_match(request: HttpRequest, match_id: int, number: int) -> HttpResponse:
    """Open the bots' line at a turning point of a match on a board."""
    line = _line(get_object_or_404(Match, pk=match_id), number)
    spend(request)
    return _open(request, replaying.from_match(match_id, number - 1), line)


@require_safe
def board_of_import(request: HttpRequest, record_id: int, number: int) -> HttpResponse:
    """Open the bots' line at a turning point of an imported record on a board."""
    record = get_object_or_404(ImportedRecord, pk=record_id)
    line = _line(record, number)
    spend(request)
    return _open(request, replaying.from_import(record, number - 1), line)


def _line(subject: Subject, number: int) -> TurningPoint:
    """Return the turning point at an entry.

    :raises Http404: it does not exist, or has no line of the bots.
    """
    review = reviews.of(subject)
    ready = review is not None and review.status == Review.Status.READY
    points = reviews.points_of(review) if review is not None and ready else []
    turning_point = next((point for point in points if point.number == number and point.line), None)
    if turning_point is None:
        raise Http404("There is no such turning point.")
    return turning_point


def _open(request: HttpRequest, tree: Tree, point: TurningPoint) -> HttpResponse:
    """Redirect to a board with a line. A first move that rolls dice is entered, but not made."""
    line: Sequence[Ply] = point.line[:-1] if point.rolls else point.line
    at = ROOT
    for ply in line:
        tree, at = replaying.played(tree, at, ply.seat, [ply.move])
    answer = to_address(request, tree, tree.nodes[0].id if line else ROOT)
    if not line:
        answer["Location"] += "?" + urlencode({"typed": point.line[0].move})
    return answer
