"""Personal data among boards."""

from datetime import datetime
from typing import Any

from accounts.models import User
from accounts.personal_data import PersonalData
from games.study import progress
from games.study.models import (
    ExpertQuestion,
    PrivateBoard,
    PuzzleRun,
    PuzzleTry,
    SolvedLesson,
    SolverRating,
    Study,
)


class StudyData(PersonalData):
    """A user's boards, last question to the expert, solved lessons and puzzle ratings."""

    def export(self, user: User) -> dict[str, Any]:
        rows = Study.objects.filter(owner=user)
        fields = ("title", "name", "names", "tree", "visibility", "created")
        thoughts = PrivateBoard.objects.filter(owner=user)
        lessons = SolvedLesson.objects.filter(user=user).order_by("solved", "pk")
        tries = PuzzleTry.objects.filter(user=user).order_by("tried", "pk")
        runs = PuzzleRun.objects.filter(user=user).order_by("pk")
        ratings = SolverRating.objects.filter(user=user).order_by("title")
        questions = ExpertQuestion.objects.filter(user=user)
        return {
            "expert_question": list(questions.values("title", "question", "asked", "moves")),
            "boards": list(rows.values(*fields)),
            "boards_on_matches": list(thoughts.values("match", "root", "tree", "created")),
            "puzzle_tries": list(tries.values("title", "puzzle", "is_solved", "tried")),
            "puzzle_runs": list(runs.values("title", "kind", "solved", "failed", "begun", "ended")),
            "puzzle_ratings": list(ratings.values("title", "mu", "sigma", "tries")),
            "lessons": list(lessons.values("title", "lesson", "solved")),
        }

    def delete(self, user: User, now: datetime) -> None:
        """Delete the boards, the lessons, and the tries, runs and ratings of puzzles.

        The ratings of puzzles stay as the tries have changed them.
        """
        ExpertQuestion.objects.filter(user=user).delete()
        PuzzleTry.objects.filter(user=user).delete()
        PuzzleRun.objects.filter(user=user).delete()
        SolverRating.objects.filter(user=user).delete()
        PrivateBoard.objects.filter(owner=user).delete()
        Study.objects.filter(owner=user).delete()
        SolvedLesson.objects.filter(user=user).delete()

    def hand_over(self, guest: User, user: User, now: datetime) -> None:
        Study.objects.filter(owner=guest).update(owner=user)
        taken = PrivateBoard.objects.filter(owner=user).values("match")
        PrivateBoard.objects.filter(owner=guest).exclude(match__in=taken).update(owner=user)
        PuzzleRun.objects.filter(user=guest).exclude(ended=None).update(user=user)
        progress.hand_over(guest, user)

    def delete_guest(self, guest: User, now: datetime) -> None:
        self.delete(guest, now)
