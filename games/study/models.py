"""Saved boards, solved lessons, reviews, and ratings of puzzles."""

from secrets import randbelow, token_urlsafe
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q, Value
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from accounts import texts
from games.matches.models import Match
from games.records.models import ImportedRecord
from games.study.tree import MAX_NAME_LENGTH


def new_key() -> str:
    """Return a random key that nobody can guess."""
    return token_urlsafe(12)


def new_id() -> int:
    """Return a random id of at most 18 digits that nobody can guess."""
    return 1 + randbelow(10**18 - 1)


class Study(models.Model):
    """A saved board: the lines that start from a position.

    ``tree`` is JSON (:mod:`games.study.tree`), with its start as a setup or a position. Only its
    owner sees a board, unless its ``visibility`` is ``LINK``: then everybody who has its address,
    which contains the ``key``. Ids are random too, because anybody who knows the id of a board can
    report it, and then reads its address. A board with ``names``, one a seat, is a match played on
    one device. Its only line is that match.
    """

    class Visibility(models.TextChoices):
        PRIVATE = "private", _("Only you")
        LINK = "link", _("Anybody with the link")

    id = models.BigIntegerField(primary_key=True, default=new_id)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="studies", db_index=False
    )
    key = models.CharField(max_length=20, unique=True, default=new_key)
    title = models.CharField("game", max_length=60)
    name = texts.LineField(max_length=MAX_NAME_LENGTH)
    tree = models.JSONField()
    names = models.JSONField(
        "names of the seats",
        default=list,
        db_default=Value([], models.JSONField()),
        blank=True,
    )
    visibility = models.CharField(max_length=10, choices=Visibility, default=Visibility.PRIVATE)
    created = models.DateTimeField()
    changed = models.DateTimeField()

    class Meta:
        verbose_name = "board"
        ordering = ("-changed", "-pk")
        indexes = (models.Index(fields=["owner", "-changed", "-id"], name="study_by_owner"),)
        constraints = (
            models.CheckConstraint(
                condition=Q(visibility__in=["private", "link"]), name="study_visibility_is_known"
            ),
        )

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        """Return the address of its start, or of its match on one device."""
        if self.names:
            return reverse("play", args=[self.key])
        return reverse("study", args=[self.key, 0])


class PrivateBoard(models.Model):
    """The board on which a player thinks about one of their matches. Nobody else sees it.

    Its lines start from the position after the entry ``root``. After the match its player can
    publish a copy, ``published``.
    """

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", db_index=False
    )
    match = models.ForeignKey(Match, models.CASCADE, related_name="boards")
    root = models.PositiveIntegerField()
    tree = models.JSONField()
    published = models.OneToOneField(Study, models.SET_NULL, null=True, related_name="thought_on")
    created = models.DateTimeField()
    changed = models.DateTimeField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["owner", "match"], name="one_board_a_match"),
        )

    def __str__(self) -> str:
        return f"board of user {self.owner_id} on match {self.match_id}"


class SolvedLesson(models.Model):
    """A lesson or puzzle of a game that a user has solved. ``lesson`` is its key.

    A key that begins with ``day-`` stands for a day on which the user solved a puzzle.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", db_index=False
    )
    title = models.CharField("game", max_length=60)
    lesson = models.CharField(max_length=40)
    solved = models.DateTimeField()

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["user", "title", "lesson"], name="lesson_is_solved_once"
            ),
        )

    def __str__(self) -> str:
        return f"{self.title}: {self.lesson}"


class Review(models.Model):
    """The bots' evaluation of an ended match or an imported record.

    ``values`` are the chances of all seats to win, in thousandths, at the start and after each
    entry so far. ``closer`` is what closer looks have shown so far
    (:class:`~games.study.reviewing.CloserLook`), null before and afterwards. ``points`` are its
    turning points (:class:`~games.study.reviewing.TurningPoint`), null until it is ready.
    ``edition``, ``rules_version`` and ``length`` are the versions of the code and the rules, and
    the number of entries. ``turn`` is the number of the next part of the work, ``begun`` when the
    last one was begun, ``attempts`` how often since the last success.
    While it waits, ``asker`` is who requested it (:func:`accounts.limits.asker`), since everybody
    may wait for one only.
    """

    class Status(models.TextChoices):
        WAITING = "waiting", "being worked out"
        READY = "ready", "ready"
        FAILED = "failed", "could not be worked out"

    match = models.OneToOneField(Match, models.CASCADE, null=True, related_name="review")
    imported = models.OneToOneField(
        ImportedRecord, models.CASCADE, null=True, related_name="review"
    )
    edition = models.PositiveSmallIntegerField()
    rules_version = models.PositiveSmallIntegerField()
    length = models.PositiveIntegerField()
    status = models.CharField(max_length=10, choices=Status, default=Status.WAITING)
    values: Any = models.JSONField(default=list)
    closer: Any = models.JSONField(null=True)
    points: Any = models.JSONField(null=True)
    asked = models.DateTimeField()
    turn = models.PositiveIntegerField(default=0)
    begun = models.DateTimeField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    asker = models.CharField(max_length=64, blank=True, default="", db_default="")

    class Meta:
        indexes = (
            models.Index(fields=["asked"], name="review_waiting", condition=Q(status="waiting")),
        )
        constraints = (
            models.UniqueConstraint(
                fields=["asker"],
                condition=Q(status="waiting") & ~Q(asker=""),
                name="one_review_an_asker",
            ),
            models.CheckConstraint(
                condition=Q(status__in=["waiting", "ready", "failed"]),
                name="review_status_is_known",
            ),
            models.CheckConstraint(
                condition=Q(match=None, imported__isnull=False)
                | Q(match__isnull=False, imported=None),
                name="review_of_one_record",
            ),
        )

    def __str__(self) -> str:
        return f"review {self.pk}"


class ExpertQuestion(models.Model):
    """The last position of a board of which a user asked for the best moves. Nobody else sees it.

    ``digest`` is that of the position, and ``question`` what the bots are asked
    (:class:`~games.bots.questions.Consultation`). ``moves`` is the answer
    (:class:`~games.bots.questions.Advice`), null until it is there.
    """

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    title = models.CharField("game", max_length=60)
    digest = models.CharField(max_length=40)
    question: Any = models.JSONField()
    asked = models.DateTimeField()
    moves: Any = models.JSONField(null=True)

    def __str__(self) -> str:
        return f"question of user {self.user_id}"


class PuzzleTry(models.Model):
    """A user's first try at a puzzle. ``puzzle`` is its key."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", db_index=False
    )
    title = models.CharField("game", max_length=60)
    puzzle = models.CharField(max_length=40)
    is_solved = models.BooleanField("solved")
    tried = models.DateTimeField()

    class Meta:
        verbose_name_plural = "puzzle tries"
        constraints = (
            models.UniqueConstraint(fields=["user", "title", "puzzle"], name="first_puzzle_try"),
        )

    def __str__(self) -> str:
        return f"{self.title}: {self.puzzle}"


class TriedRating(models.Model):
    """A strength after ``tries`` first tries at puzzles of a game."""

    title = models.CharField("game", max_length=60)
    mu = models.FloatField()
    sigma = models.FloatField()
    tries = models.PositiveIntegerField(default=0)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self.title}: {self.mu:.0f}"


class SolverRating(TriedRating):
    """How good a user is at the puzzles of a game."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", db_index=False
    )

    class Meta:
        constraints = (models.UniqueConstraint(fields=["user", "title"], name="one_solver_rating"),)


class PuzzleRating(TriedRating):
    """How hard a puzzle is. ``puzzle`` is its key."""

    puzzle = models.CharField(max_length=40)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["title", "puzzle"], name="one_puzzle_rating"),
        )


class PuzzleRun(models.Model):
    """A run through puzzles of a game, one after the other: how many can be solved in it.

    ``numbers`` are those of the puzzles in their order, ``at`` is the index of the current one,
    and ``texts`` are the right moves made in it. ``turn`` rises with each change. A run by time has
    a ``deadline``. ``ended`` is null until it is over.
    """

    class Kind(models.TextChoices):
        TIME = "time", _("Five minutes")
        LIVES = "lives", _("Three lives")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", db_index=False
    )
    title = models.CharField("game", max_length=60)
    kind = models.CharField(max_length=10, choices=Kind)
    numbers = models.JSONField()
    at = models.PositiveSmallIntegerField(default=0)
    texts = models.JSONField(default=list)
    turn = models.PositiveIntegerField(default=0)
    solved = models.PositiveSmallIntegerField(default=0)
    failed = models.PositiveSmallIntegerField(default=0)
    begun = models.DateTimeField()
    deadline = models.DateTimeField(null=True)
    ended = models.DateTimeField(null=True)

    class Meta:
        indexes = (
            models.Index(fields=["user", "title", "kind", "-solved"], name="puzzle_run_best"),
        )
        constraints = (
            models.UniqueConstraint(
                fields=["user"], condition=Q(ended=None), name="one_puzzle_run_a_user"
            ),
            models.CheckConstraint(
                condition=Q(kind__in=["time", "lives"]), name="puzzle_run_kind_is_known"
            ),
        )

    def __str__(self) -> str:
        return f"run {self.pk} of user {self.user_id}: {self.title}"

    def get_absolute_url(self) -> str:
        return reverse("puzzle-run", args=[self.title, self.pk, self.at])
