"""API views of puzzles: lists, tries, solutions, and runs."""

from typing import Any

from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from accounts import limits
from games.api.base import ApiView, body_of, caller, title_or_404
from games.api.serializers import SEAT, TITLE, Body, BoundedList, MomentField, ObjectField
from games.kernel.contract import AnyGame, Seat
from games.matches.errors import Refused
from games.matches.play import move_input
from games.study import progress, puzzle_ratings, puzzle_runs, puzzles
from games.study.lessons import Attempt, Lesson, Verdict, start
from games.study.models import PuzzleRun
from games.study.tree import MAX_TEXT_LENGTH

CREATED = 201

MAX_MOVES = puzzles.MOST_MOVES
NUMBER = "The number of the puzzle among those of its game, from 1."


class ListedPuzzleSerializer(serializers.Serializer[Any]):
    """A puzzle of a list."""

    number = serializers.IntegerField(help_text=NUMBER)
    seats = serializers.IntegerField(help_text="The number of players.")
    themes = serializers.ListField(child=serializers.CharField())
    rating = serializers.IntegerField(help_text="How hard it is.")
    solved = serializers.BooleanField(help_text="Whether the caller has solved it.")


class PuzzleSerializer(ListedPuzzleSerializer):
    """A puzzle."""

    task = serializers.CharField()
    seat = serializers.IntegerField(help_text=SEAT)
    params = ObjectField(help_text="The parameters of the match.")
    position = ObjectField(help_text="The position, as the seat sees it.")


class TodaySerializer(serializers.Serializer[Any]):
    """The puzzle of the day."""

    title = serializers.CharField(help_text=TITLE)
    number = serializers.IntegerField(help_text=NUMBER)


class PuzzleMoveSerializer(serializers.Serializer[Any]):
    """A move of a puzzle."""

    seat = serializers.IntegerField(help_text=SEAT)
    move = serializers.CharField(help_text="The move.")


class TriedSerializer(serializers.Serializer[Any]):
    """What moves in a puzzle have led to."""

    verdict = serializers.ChoiceField(
        [one.value for one in Verdict],
        help_text="`open` while the moves are right and more are needed.",
    )
    answer = serializers.CharField(help_text="The verdict in a sentence.")
    moves = PuzzleMoveSerializer(many=True, help_text="The moves of all seats so far.")
    position = ObjectField(help_text="The position after them.")


class TryBody(Body):
    moves = BoundedList(
        child=serializers.CharField(max_length=MAX_TEXT_LENGTH),
        min_length=1,
        max_length=MAX_MOVES,
        help_text="The caller’s moves from the start of the puzzle, without the replies.",
    )


class SolutionSerializer(serializers.Serializer[Any]):
    """The solution of a puzzle."""

    moves = PuzzleMoveSerializer(many=True, help_text="The moves of all seats.")
    answer = serializers.CharField(help_text="What it achieves, in a sentence.")


class RunSerializer(serializers.Serializer[Any]):
    """A run through puzzles."""

    id = serializers.IntegerField()
    kind = serializers.ChoiceField(
        PuzzleRun.Kind.choices, help_text="`time`: five minutes. `lives`: three lives."
    )
    at = serializers.IntegerField(help_text="The index of the current puzzle in the run, from 0.")
    number = serializers.IntegerField(allow_null=True, help_text=f"{NUMBER} Null after the end.")
    moves = serializers.ListField(
        child=serializers.CharField(), help_text="The caller’s right moves in it so far."
    )
    solved = serializers.IntegerField()
    failed = serializers.IntegerField()
    deadline = MomentField(allow_null=True, help_text="Null in a run with lives.")
    over = serializers.BooleanField()


class RunsSerializer(serializers.Serializer[Any]):
    """The caller’s runs through puzzles of a game."""

    current = RunSerializer(allow_null=True, help_text="Null without one.")
    best = serializers.DictField(
        child=serializers.IntegerField(), help_text="The most solved puzzles, by kind of run."
    )


class BeginRunBody(Body):
    kind = serializers.ChoiceField(PuzzleRun.Kind.choices)


class RunMovesBody(Body):
    at = serializers.IntegerField(min_value=0, help_text="The index of the puzzle in the run.")
    moves = BoundedList(
        child=serializers.CharField(max_length=MAX_TEXT_LENGTH),
        min_length=1,
        max_length=MAX_MOVES,
        help_text="Further moves in it.",
    )


class JudgedSerializer(serializers.Serializer[Any]):
    """A run after moves in one of its puzzles, with the verdict on them."""

    verdict = serializers.ChoiceField([one.value for one in Verdict])
    answer = serializers.CharField(help_text="The verdict in a sentence.")
    run = RunSerializer()


class PuzzlesView(ApiView):
    is_public = True

    @extend_schema(responses=ListedPuzzleSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """List the puzzles of a game."""
        title_or_404(slug)
        lessons = puzzles.as_lessons(slug)
        solved = progress.solved(request.user, request.session, slug)
        ratings = puzzle_ratings.of_puzzles(slug, lessons)
        return Response([_listed(slug, one, solved, ratings) for one in lessons])


class PuzzleView(ApiView):
    is_public = True

    @extend_schema(responses=PuzzleSerializer)
    def get(self, request: Request, slug: str, number: int) -> Response:
        """Read a puzzle: its position and its task."""
        title, lesson = _lesson(slug, number)
        limits.spend(request, "preview")
        solved = progress.solved(request.user, request.session, slug)
        ratings = puzzle_ratings.of_puzzles(slug, [lesson])
        seat = Seat(lesson.seat)
        return Response(
            {
                **_listed(slug, lesson, solved, ratings),
                "task": lesson.text,
                "seat": seat,
                "params": lesson.params,
                "position": title.view(start(title, lesson), seat).dump(),
            }
        )

    @extend_schema(request=TryBody, responses={200: TriedSerializer})
    def post(self, request: Request, slug: str, number: int) -> Response:
        """Try moves in a puzzle. The first try that is right or wrong counts for your rating."""
        title, lesson = _lesson(slug, number)
        moves = body_of(request, TryBody)["moves"]
        move_input.check(moves)
        for _ in moves:
            limits.spend(request, "board")
        done = puzzles.attempt_first(title, lesson, (), moves)
        user, now = caller(request), timezone.now()
        who: dict[str, Any] = {"user": user, "session": request.session, "slug": slug}
        is_solved = done.verdict is Verdict.RIGHT
        if done.verdict is not Verdict.OPEN:
            puzzle_ratings.count_try(**who, lesson=lesson, is_solved=is_solved, now=now)
        if is_solved:
            progress.solve_puzzle(**who, lesson=lesson, now=now)
        return Response(
            {
                "verdict": done.verdict.value,
                "answer": done.answer,
                "moves": _moves(done),
                "position": title.view(done.state, Seat(lesson.seat)).dump(),
            }
        )


class SolutionView(ApiView):
    @extend_schema(responses=SolutionSerializer)
    def get(self, request: Request, slug: str, number: int) -> Response:
        """Read the solution of a puzzle that you have tried."""
        title, lesson = _lesson(slug, number)
        limits.spend(request, "preview")
        if not puzzle_ratings.has_tried(caller(request), request.session, slug, lesson):
            raise Refused(gettext("Try the puzzle first."))
        *_, done = puzzles.solution(title, lesson)
        return Response({"moves": _moves(done), "answer": done.answer})


class TodayView(ApiView):
    is_public = True

    @extend_schema(responses=TodaySerializer)
    def get(self, request: Request) -> Response:
        """Read which puzzle is the puzzle of the day."""
        found = puzzles.of_the_day(timezone.now().date())
        if found is None:
            raise NotFound(gettext("No game has puzzles."))
        title, lesson = found
        return Response({"title": title.meta.slug, "number": lesson.number})


class RunsView(ApiView):
    @extend_schema(responses=RunsSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Read your current run through puzzles of a game, and your best results."""
        title_or_404(slug)
        run = puzzle_runs.current(caller(request), slug, timezone.now())
        best = puzzle_runs.best(caller(request), slug)
        return Response({"current": run and _run(run), "best": best})

    @extend_schema(request=BeginRunBody, responses={201: RunSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Begin a run through puzzles of a game. Another run of yours ends."""
        title_or_404(slug)
        if not puzzles.puzzles(slug):
            raise NotFound(gettext("This game has no puzzles."))
        sent = body_of(request, BeginRunBody)
        limits.spend(request, "puzzle-run")
        kind = sent["kind"]
        run = puzzle_runs.begin(user=caller(request), slug=slug, kind=kind, now=timezone.now())
        return Response(_run(run), status=CREATED)


class RunView(ApiView):
    @extend_schema(responses=RunSerializer)
    def get(self, request: Request, slug: str, run_id: int) -> Response:
        """Read one of your runs."""
        run = get_object_or_404(PuzzleRun, pk=run_id, title=slug, user=caller(request))
        return Response(_run(run))

    @extend_schema(request=RunMovesBody, responses={200: JudgedSerializer})
    def post(self, request: Request, slug: str, run_id: int) -> Response:
        """Play moves in the current puzzle of a run. After a verdict the next puzzle follows."""
        run = get_object_or_404(PuzzleRun, pk=run_id, title=slug, user=caller(request))
        sent = body_of(request, RunMovesBody)
        at, more = sent["at"], sent["moves"]
        for _ in more:
            limits.spend(request, "board")
        judged = puzzle_runs.play(
            run=run, session=request.session, at=at, more=more, now=timezone.now()
        )
        return Response(
            {
                "verdict": judged.verdict.value,
                "answer": judged.answer,
                "run": _run(judged.run),
            }
        )


def _lesson(slug: str, number: int) -> tuple[AnyGame, Lesson]:
    title = title_or_404(slug)
    lessons = puzzles.as_lessons(slug)
    if not 1 <= number <= len(lessons):
        raise NotFound(gettext("There is no such puzzle."))
    return title, lessons[number - 1]


def _listed(slug: str, lesson: Lesson, solved: set[str], ratings: dict[str, int]) -> dict[str, Any]:
    return {
        "number": lesson.number,
        "seats": lesson.seats,
        "themes": puzzles.puzzles(slug)[lesson.number - 1].themes,
        "rating": ratings[lesson.key],
        "solved": lesson.key in solved,
    }


def _moves(done: Attempt) -> list[dict[str, Any]]:
    return [{"seat": move.seat, "move": move.text} for move in done.moves]


def _run(run: PuzzleRun) -> dict[str, Any]:
    is_over = puzzle_runs.is_over(run, timezone.now())
    deadline = (
        MomentField(allow_null=True).to_representation(run.deadline) if run.deadline else None
    )
    return {
        "id": run.pk,
        "kind": run.kind,
        "at": run.at,
        "number": None if is_over else run.numbers[run.at],
        "moves": run.texts,
        "solved": run.solved,
        "failed": run.failed,
        "deadline": deadline,
        "over": is_over,
    }
