"""The puzzles of a game: the list with its filters, and the solution of each, step by step."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from django import forms
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.study import progress, puzzle_ratings, puzzles
from games.study.lessons import Lesson
from games.study.puzzle_ratings import DIFFICULTIES
from games.web.study.lessons import PUZZLES, LessonPage, lesson_or_404, page_of
from games.web.study.views import show, spend
from games.web.titles import title_or_404

PAGE_LENGTH = 24

ANY = [("", gettext_lazy("Any"))]
UNSOLVED = "unsolved"


class PuzzleFilter(forms.Form):
    """The puzzles that a reader wants to see. Empty fields don't filter."""

    theme = forms.ChoiceField(label=gettext_lazy("Theme"), required=False)
    level = forms.ChoiceField(
        label=gettext_lazy("Difficulty"),
        required=False,
        choices=[*ANY, *((key, gettext_lazy(one.name)) for key, one in DIFFICULTIES.items())],
    )
    state = forms.ChoiceField(
        label=gettext_lazy("Which"),
        required=False,
        choices=[("", gettext_lazy("All")), (UNSOLVED, gettext_lazy("Not solved yet"))],
    )

    def __init__(self, data: QueryDict, *, themes: Mapping[str, str]) -> None:
        super().__init__(data)
        theme = self.fields["theme"]
        if isinstance(theme, forms.ChoiceField):
            theme.choices = [*ANY, *themes.items()]

    def has(self, themes: Collection[str], rating: int, *, is_solved: bool) -> bool:
        """Whether a puzzle with these themes and this rating is shown."""
        asked = self.cleaned_data if self.is_valid() else {}
        theme, level = asked.get("theme"), asked.get("level")
        if (theme and theme not in themes) or (asked.get("state") and is_solved):
            return False
        return not level or DIFFICULTIES[level].has(rating)


@never_cache
@require_safe
def index(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the puzzles of a game with pictures and progress, and the puzzle of the day."""
    title = title_or_404(slug)
    every = puzzles.as_lessons(slug)
    if not every:
        raise Http404("This game has no puzzles.")
    now = timezone.now()
    solved = progress.solved(request.user, request.session, slug)
    ratings = puzzle_ratings.of_puzzles(slug, every)
    form = PuzzleFilter(request.GET, themes=puzzles.themes(slug))
    rows = [
        (lesson, lesson.key in solved, ratings[lesson.key])
        for lesson, puzzle in zip(every, puzzles.puzzles(slug), strict=True)
        if form.has(puzzle.themes, ratings[lesson.key], is_solved=lesson.key in solved)
    ]
    context = {
        "meta": title.meta,
        "total": len(every),
        "solved": sum(lesson.key in solved for lesson in every),
        "next": progress.first_unsolved(every, solved),
        "today": puzzles.of_the_day(now.date()),
        "streak": progress.streak(request.user, request.session, now),
        "rating": puzzle_ratings.of_solver(request.user, slug),
        "form": form,
        "page": Paginator(rows, PAGE_LENGTH).get_page(request.GET.get("page")),
    }
    return render(request, "study/puzzles.html", context)


@dataclass(frozen=True, kw_only=True)
class SolutionPage(LessonPage):
    """The solution of a puzzle after the first ``step`` moves of both sides."""

    step: int = 0
    last_step: int = 0

    template = "study/solution.html"
    is_solution = True

    @property
    def seat(self) -> None:
        """Nobody moves in a solution."""
        return

    @property
    def title(self) -> str:
        text = gettext("Solution of puzzle {number} of {game} · Turnstone")
        return text.format(number=self.lesson.number, game=self.view.meta.name)


@never_cache
@require_safe
def solution(request: HttpRequest, slug: str, number: int, step: int) -> HttpResponse:
    """Show the solution of a puzzle after some moves, once the reader has tried it."""
    title, lesson = lesson_or_404(PUZZLES, slug, number)
    spend(request)
    if not may_see_solution(request, slug, lesson):
        return redirect("puzzle", slug, number)
    steps = puzzles.solution(title, lesson)
    if step >= len(steps):
        return redirect("puzzle-solution", slug, number, len(steps) - 1)
    page = page_of(request, title, PUZZLES, lesson, (), kind=SolutionPage)
    return show(request, replace(page, tried=steps[step], step=step, last_step=len(steps) - 1))


def may_see_solution(request: HttpRequest, slug: str, lesson: Lesson) -> bool:
    """Whether a reader's first try of a puzzle is over, or it is solved."""
    if puzzle_ratings.has_tried(request.user, request.session, slug, lesson):
        return True
    return lesson.key in progress.solved(request.user, request.session, slug)
