"""Lessons and puzzles: positions of a game, tried on a board and answered."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeVar

import msgspec
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.http import urlsafe_base64_decode, urlsafe_base64_encode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_http_methods, require_safe

from games.http.errors import status_of
from games.kernel.contract import AnyGame, Seat
from games.kernel.errors import GameError, IllegalMove, MalformedMove
from games.kernel.figure import cropped
from games.kernel.language import cached
from games.kernel.palettes import PALETTES
from games.kernel.params import complete
from games.kernel.replay import Moment
from games.kernel.tree import ROOT
from games.matches.play import move_input
from games.matches.view import pictures
from games.matches.view.match_view import MatchView
from games.ratings.selectors import DisplayedRating
from games.screen.entry import Typed
from games.study import progress, puzzle_ratings, puzzles
from games.study.lessons import Attempt, Lesson, Verdict, attempt, lessons, seats_of, start
from games.study.tables import table_of
from games.study.tree import Start, Tree
from games.web.redirects import see_other
from games.web.study.page import BoardPage
from games.web.study.views import show, spend
from games.web.titles import title_or_404

DAY = 24 * 60 * 60

MAX_LENGTH = 1500
"""Maximum length of the tried moves in an address."""

NEAR = 10
"""How many lessons or puzzles before and after one are listed beside its board."""

MADE = "puzzles"
"""Session key: the right moves made in unsolved puzzles, by the keys of the puzzles."""

DAMAGED = gettext_noop("This address is damaged.")


@dataclass(frozen=True)
class Series:
    """Lessons or puzzles: their name, those of a game, and the effects of moves.

    Names of addresses begin with the word. Puzzles are rated, and one is the puzzle of the day.
    """

    word: str
    of: Callable[[str], tuple[Lesson, ...]]
    attempt: Callable[[AnyGame, Lesson, Sequence[str]], Attempt]
    has_puzzles: bool = False

    @property
    def list_name(self) -> str:
        """The name of the address of the list, and of its template."""
        return f"{self.word}s"


LESSONS = Series("lesson", lessons, attempt)
PUZZLES = Series("puzzle", puzzles.as_lessons, puzzles.attempt, has_puzzles=True)


@dataclass(frozen=True, kw_only=True)
class LessonPage(BoardPage):
    """A lesson after the tried moves. Its player sees only their own hand.

    ``streak`` and ``rating`` are for puzzles: on how many days in a row, up to today, the reader
    solved one, and the reader's rating.
    """

    series: Series
    lesson: Lesson
    texts: tuple[str, ...]
    tried: Attempt
    solved: frozenset[str]
    streak: int = 0
    rating: DisplayedRating | None = None

    template = "study/lesson.html"
    is_lesson = True
    is_solution = False
    is_run = False
    has_explorer = False
    asks_for_dice = False

    @cached_property
    def moment(self) -> Moment:
        """The position, and what led to it."""
        return Moment(self.tried.state, self.tried.events)

    @cached_property
    def view(self) -> MatchView:
        """The position as the player of the lesson sees it."""
        names = [colour.shown_name for colour in self.tree.title.meta.colours]
        table = table_of(self.tree, self.moment, len(self.tried.moves), names)
        return MatchView(table, Seat(self.lesson.seat), ())

    @property
    def seat(self) -> Seat | None:
        """The seat of the player, while the lesson is open."""
        return Seat(self.lesson.seat) if self.tried.verdict is Verdict.OPEN else None

    @property
    def shows_all(self) -> bool:
        """Whether nothing is hidden, because the match is over."""
        return not self.view.match.is_running

    @cached_property
    def told(self) -> str:
        """The effects of the last move and the replies, in sentences."""
        return " ".join(self.tree.title.sentences(self.seen, self.view.viewer))

    @property
    def count(self) -> int:
        """How many moves have been tried."""
        return len(self.texts)

    def why(self, mark: str) -> str:
        """Return why a mark of the board leads nowhere."""
        if self.seat is None:
            return ""
        return self.lesson.answer_to(mark, self.count) or super().why(mark)

    @property
    def task(self) -> str:
        """The task of the lesson, or the answer to the last move."""
        is_open = self.tried.verdict is Verdict.OPEN
        return (is_open and self.tried.answer) or self.lesson.text

    @property
    def is_right(self) -> bool:
        """Whether the tried moves solve the lesson."""
        return self.tried.verdict is Verdict.RIGHT

    @property
    def all_lessons(self) -> Sequence[Lesson]:
        return self.series.of(self.tree.game)

    @property
    def listed_lessons(self) -> Sequence[Lesson]:
        """The lessons beside the board: of many only those with numbers near this one's."""
        first = max(0, self.lesson.number - 1 - NEAR)
        return self.all_lessons[first : self.lesson.number + NEAR]

    @property
    def total(self) -> int:
        return len(self.all_lessons)

    @property
    def next_number(self) -> int | None:
        """The number of the next lesson, or of the first unsolved puzzle. ``None`` at the end."""
        if self.series.has_puzzles:
            return progress.first_unsolved(self.all_lessons, {*self.solved, self.lesson.key})
        number = self.lesson.number
        return number + 1 if number < self.total else None

    @property
    def title(self) -> str:
        if self.series.has_puzzles:
            text = _("{title}: puzzle {number} of {game} · Turnstone")
        else:
            text = _("{title}: lesson {number} of {game} · Turnstone")
        lesson = self.lesson
        return text.format(title=lesson.title, number=lesson.number, game=self.view.meta.name)


P = TypeVar("P", bound=LessonPage)


def packed(texts: Sequence[str]) -> str:
    return urlsafe_base64_encode(msgspec.json.encode(texts))


def unpacked(text: str) -> tuple[str, ...]:
    """Return the moves in an address.

    :raises MalformedMove: it is invalid.
    """
    if len(text) > MAX_LENGTH:
        raise MalformedMove(_(DAMAGED))
    try:
        texts = msgspec.json.decode(urlsafe_base64_decode(text), type=tuple[str, ...])
    except ValueError:
        raise MalformedMove(_(DAMAGED)) from None
    move_input.check(texts)
    return texts


def lesson_or_404(series: Series, slug: str, number: int) -> tuple[AnyGame, Lesson]:
    title = title_or_404(slug)
    for lesson in series.of(slug):
        if lesson.number == number:
            return title, lesson
    raise Http404(f"There is no such {series.word}.")


@never_cache
@require_safe
def index(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the lessons of a game, with pictures and progress."""
    title = title_or_404(slug)
    every = lessons(slug)
    if not every:
        raise Http404("This game has no lessons.")
    solved = progress.solved(request.user, request.session, slug)
    context = {
        "meta": title.meta,
        "solved": sum(lesson.key in solved for lesson in every),
        "next": progress.first_unsolved(every, solved),
        "rows": [(lesson, lesson.key in solved) for lesson in every],
    }
    return render(request, "study/lessons.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def lesson(
    request: HttpRequest, slug: str, number: int, tried: str = "", series: Series = LESSONS
) -> HttpResponse:
    """Show a lesson or puzzle after the tried moves. A POST tries a move."""
    title, lesson = lesson_or_404(series, slug, number)
    spend(request)
    try:
        texts = unpacked(tried) if tried else ()
        if series.has_puzzles and not _may_see(request, slug, lesson, texts):
            return redirect(series.word, slug, number)
        page = page_of(request, title, series, lesson, texts, kind=LessonPage)
    except GameError:
        # Somebody has changed the address, or the lesson has changed since.
        return redirect(series.word, slug, number)
    return _try(request, page) if request.method == "POST" else show(request, page)


def _may_see(request: HttpRequest, slug: str, lesson: Lesson, texts: Sequence[str]) -> bool:
    """Whether a reader may see the effects of moves in a puzzle.

    Before the first try is over, these are only the moves that the reader has made in it.
    """
    if not texts:
        return True
    made = request.session.get(MADE, {}).get(lesson.key, [])
    if [*texts] == made[: len(texts)]:
        return True
    return puzzle_ratings.has_tried(request.user, request.session, slug, lesson)


def page_of(
    request: HttpRequest,
    title: AnyGame,
    series: Series,
    lesson: Lesson,
    texts: tuple[str, ...],
    *,
    kind: type[P],
) -> P:
    """Return the page of a lesson or puzzle after the tried moves."""
    meta = title.meta
    tree = Tree(
        meta.slug,
        meta.rules_version,
        seats_of(title, lesson),
        dict(complete(meta, lesson.params)),
        Start(position=lesson.position),
    )
    tried = series.attempt(title, lesson, texts)
    streak = 0
    rating = None
    if series.has_puzzles and tried.verdict is not Verdict.OPEN:
        rating = puzzle_ratings.of_solver(request.user, meta.slug)
        if tried.verdict is Verdict.RIGHT:
            streak = progress.streak(request.user, request.session, timezone.now())
    return kind(
        tree,
        ROOT,
        Typed.read(request.GET),
        series=series,
        lesson=lesson,
        texts=texts,
        tried=tried,
        solved=frozenset(progress.solved(request.user, request.session, meta.slug)),
        streak=streak,
        rating=rating,
    )


def _try(request: HttpRequest, page: LessonPage) -> HttpResponse:
    lesson = page.lesson
    typed = Typed.read(request.POST)
    more = (*typed.moves, *filter(None, [typed.text]))
    try:
        done = _tried(page, more)
    except GameError as refusal:
        answer = _answered(page, more, refusal)
        return show(request, replace(page, typed=typed, refusal=answer), status_of(answer))
    now = timezone.now()
    slug = page.tree.game
    if page.series.has_puzzles and done.verdict is not Verdict.OPEN:
        is_solved = done.verdict is Verdict.RIGHT
        puzzle_ratings.count_try(
            user=request.user,
            session=request.session,
            slug=slug,
            lesson=lesson,
            is_solved=is_solved,
            now=now,
        )
    elif page.series.has_puzzles:
        request.session[MADE] = {**request.session.get(MADE, {}), lesson.key: done.own}
    if done.verdict is Verdict.RIGHT:
        who: dict[str, Any] = {"user": request.user, "session": request.session, "slug": slug}
        if page.series.has_puzzles:
            progress.solve_puzzle(**who, lesson=lesson, now=now)
        else:
            progress.solve(**who, keys=[lesson.key], now=now)
    return see_other(f"{page.series.word}-tried", page.tree.game, lesson.number, packed(done.own))


def _tried(page: LessonPage, more: Sequence[str]) -> Attempt:
    """Return the effects of more moves. Moves after the one that decides a puzzle are ignored.

    :raises GameError: there is no move, or one is refused.
    """
    move_input.check(more)
    if not more:
        raise GameError(_("Choose a move first."))
    if page.series.has_puzzles:
        return puzzles.attempt_first(page.tree.title, page.lesson, page.texts, more)
    return page.series.attempt(page.tree.title, page.lesson, (*page.texts, *more))


def _answered(page: LessonPage, more: Sequence[str], refusal: GameError) -> GameError:
    """Return a refusal in the words of a lesson, if it has an answer to the move."""
    try:
        (move,) = map(str, map(page.tree.title.parse, more))
    except (GameError, ValueError):
        return refusal
    answer = page.lesson.answer_to(move, page.count)
    return IllegalMove(answer) if answer else refusal


@require_safe
@cache_control(public=True, max_age=DAY)
def picture(
    _: HttpRequest, slug: str, number: int, theme: str, series: Series = LESSONS
) -> HttpResponse:
    """The start of a lesson or puzzle, for their lists."""
    lesson_or_404(series, slug, number)
    if theme not in PALETTES:
        raise Http404("There is no such picture.")
    return HttpResponse(_picture(series, slug, number, theme), content_type="image/svg+xml")


@cached(128)
def _picture(series: Series, slug: str, number: int, theme: str) -> str:
    title, lesson = lesson_or_404(series, slug, number)
    board = title.draw(title.view(start(title, lesson), Seat(lesson.seat)), ()).board
    return pictures.svg_document(cropped(board, lesson.part) if lesson.part else board, theme)
