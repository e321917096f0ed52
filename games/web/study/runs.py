"""Runs through puzzles: as many as possible in five minutes, or until the third failure."""

from dataclasses import dataclass, replace
from datetime import datetime

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts import limits
from accounts.requests import UserRequest, signed_in
from games.http.errors import status_of
from games.kernel.errors import GameError
from games.matches.formatting import left
from games.screen.entry import Typed
from games.study import puzzle_runs, puzzles
from games.study.lessons import Verdict
from games.study.models import PuzzleRun
from games.web.redirects import see_other
from games.web.study.lessons import PUZZLES, LessonPage, page_of
from games.web.study.views import show, spend
from games.web.titles import title_or_404


@dataclass(frozen=True, kw_only=True)
class RunPage(LessonPage):
    """The current puzzle of a run."""

    run: PuzzleRun | None = None

    template = "study/run.html"
    is_run = True

    @property
    def lives(self) -> int | None:
        """The remaining lives. ``None`` in a run by time."""
        if self.run is None or self.run.kind != PuzzleRun.Kind.LIVES:
            return None
        return int(settings.PUZZLE_RUN_LIVES) - self.run.failed

    @property
    def time_left(self) -> str:
        """The remaining time in words. Empty in a run without a deadline."""
        deadline = self.run and self.run.deadline
        return left(deadline - timezone.now()) if deadline else ""

    @property
    def title(self) -> str:
        return gettext("Puzzle run of {game} · Turnstone").format(game=self.view.meta.name)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def index(request: HttpRequest, slug: str) -> HttpResponse:
    """Explain the runs, with the reader's best ones. A POST begins one."""
    title = title_or_404(slug)
    if not puzzles.puzzles(slug):
        raise Http404("This game has no puzzles.")
    if request.method == "POST":
        return _begin(request, slug)
    context = {
        "meta": title.meta,
        "kinds": PuzzleRun.Kind.choices,
        "minutes": settings.PUZZLE_RUN_MINUTES,
        "lives": settings.PUZZLE_RUN_LIVES,
        "current": None,
        "best": {},
    }
    if request.user.is_authenticated:
        now = timezone.now()
        context["best"] = puzzle_runs.best(signed_in(request), slug)
        context["current"] = puzzle_runs.current(signed_in(request), slug, now)
    return render(request, "study/runs.html", context)


@login_required
def _begin(request: HttpRequest, slug: str) -> HttpResponse:
    limits.spend(request, "puzzle-run")
    kind = request.POST.get("kind", "")
    if kind not in PuzzleRun.Kind.values:
        return see_other("puzzle-runs", slug)
    now = timezone.now()
    run = puzzle_runs.begin(user=signed_in(request), slug=slug, kind=kind, now=now)
    return see_other(run)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def run(request: UserRequest, slug: str, run_id: int, at: int) -> HttpResponse:
    """Show the current puzzle of a run, or its result. A POST tries a move."""
    found = get_object_or_404(PuzzleRun, pk=run_id, title=slug, user=signed_in(request))
    spend(request)
    now = timezone.now()
    if puzzle_runs.is_over(found, now):
        return _result(request, found)
    if at != found.at:
        return redirect(found)
    lesson = puzzle_runs.lesson_of(found)
    if lesson is None:
        raise Http404("A puzzle of this run has been removed.")
    title = title_or_404(slug)
    page = replace(
        page_of(request, title, PUZZLES, lesson, tuple(found.texts), kind=RunPage), run=found
    )
    return _try(request, page, found, now) if request.method == "POST" else show(request, page)


def _try(request: UserRequest, page: RunPage, run: PuzzleRun, now: datetime) -> HttpResponse:
    typed = Typed.read(request.POST)
    more = (*typed.moves, *filter(None, [typed.text]))
    try:
        judged = puzzle_runs.play(run=run, session=request.session, at=run.at, more=more, now=now)
    except GameError as refusal:
        return show(request, replace(page, typed=typed, refusal=refusal), status_of(refusal))
    if judged.verdict is Verdict.RIGHT:
        text = gettext("Puzzle {number}: right.")
        messages.success(request, text.format(number=judged.lesson.number))
    elif judged.verdict is Verdict.WRONG:
        text = gettext("Puzzle {number}: wrong. {answer}")
        messages.error(request, text.format(number=judged.lesson.number, answer=judged.answer))
    return see_other(judged.run)


def _result(request: UserRequest, run: PuzzleRun) -> HttpResponse:
    context = {
        "meta": title_or_404(run.title).meta,
        "run": run,
        "tried": run.solved + run.failed,
        "best": puzzle_runs.best(signed_in(request), run.title).get(run.kind, 0),
    }
    return render(request, "study/run_result.html", context)
