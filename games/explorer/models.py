"""The positions of ended matches, and counts of those that many matches reached.

``key`` is that of the position (:mod:`games.kernel.canonical`). ``firsts`` are the seats that came
first, as bits: two bits are a draw between two. ``rating`` is the mean rating of the players,
rounded down to a multiple of ``RATING_STEP``, and 0 if nobody had one.
"""

from django.db import models

from games.matches.models import Match

RATING_STEP = 200


class ExploredGame(models.Model):
    """The lock under which positions of a game are written."""

    title = models.CharField("game", max_length=60, primary_key=True)

    def __str__(self) -> str:
        return f"positions of {self.title}"


class ExploredMatch(models.Model):
    """A rated match that has been read after its end. ``counts`` says whether it has positions."""

    match = models.OneToOneField(Match, models.CASCADE, primary_key=True, related_name="explored")
    counts = models.BooleanField(default=False)

    class Meta:
        verbose_name_plural = "explored matches"

    def __str__(self) -> str:
        return f"{self.match}, explored"


class ReachedPosition(models.Model):
    """A position that a match reached after entry ``number``, the first time if it came back.

    ``move`` is the canonical text of the next move. It is empty if there was none.
    """

    pk = models.CompositePrimaryKey("match_id", "number")
    match = models.ForeignKey(Match, models.CASCADE, related_name="positions", db_index=False)
    number = models.PositiveIntegerField()
    key = models.BigIntegerField()
    ended = models.DateTimeField()
    rating = models.PositiveSmallIntegerField()
    firsts = models.PositiveSmallIntegerField()
    move = models.TextField(blank=True)

    class Meta:
        indexes = (models.Index(fields=["key", "-ended", "-match"], name="position_reached"),)

    def __str__(self) -> str:
        return f"match {self.match_id}, position {self.number}"


class MoveCount(models.Model):
    """How many matches of a period went on with a move from a position, and ended in a way.

    Only positions that many matches reached are counted
    (:data:`games.explorer.counting.COUNTED_FROM`). Each match counts in several periods
    (:mod:`games.explorer.periods`), so that a page reads few of them.
    """

    title = models.CharField("game", max_length=60)
    key = models.BigIntegerField()
    period = models.PositiveSmallIntegerField(db_column="month")
    rating = models.PositiveSmallIntegerField()
    firsts = models.PositiveSmallIntegerField()
    move = models.TextField(blank=True)
    matches = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["key", "period", "rating", "firsts", "move"], name="one_count_of_a_move"
            ),
        )

    def __str__(self) -> str:
        return f"{self.move} at {self.key}: {self.matches}"
