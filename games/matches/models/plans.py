"""What players leave for later, in private."""

from uuid import uuid4

from django.db import models
from django.db.models import Q

from games.matches.models.match import Player


class StandingOrder(models.Model):
    """How a player lets pending questions be answered; private to the player.

    ``seen`` is the version of the match at which a sweep last looked at it. While a question is
    pending, ``called`` is the number of the entry that asked it, ``due`` when it will be answered,
    and ``submission`` the id of that answer.
    """

    player = models.OneToOneField(Player, models.CASCADE, related_name="order")
    name = models.CharField(max_length=40)
    given = models.DateTimeField()
    seen = models.PositiveIntegerField(null=True)
    called = models.PositiveIntegerField(null=True)
    due = models.DateTimeField(null=True, db_index=True)
    submission = models.UUIDField(null=True)

    class Meta:
        constraints = (
            models.CheckConstraint(
                condition=Q(called=None, due=None)
                | Q(called__isnull=False, due__isnull=False, submission__isnull=False),
                name="order_due_when_called",
            ),
        )

    def __str__(self) -> str:
        return f"standing order of player {self.player_id}"


class Queue(models.Model):
    """The moves that a player wants to make next, one after the other; private to the player.

    It was made after entry ``after`` of the log; if it ``waits``, a move by hand comes first. One
    that is ``foreseen`` was entered on the positions that were foreseen for its moves: it may go on
    for several turns, and ``after`` is the last of its moves that was made. The first of ``moves``
    will be made under the id ``submission``. ``halted`` says why the queue was stopped; it is empty
    while it goes on.
    """

    player = models.OneToOneField(Player, models.CASCADE, related_name="queue")
    moves = models.JSONField()
    after = models.PositiveIntegerField()
    waits = models.BooleanField()
    foreseen = models.BooleanField(default=False, db_default=False)
    submission = models.UUIDField(default=uuid4)
    halted = models.TextField(blank=True)

    def __str__(self) -> str:
        return f"queue of player {self.player_id}"


def note_plans(player: Player) -> None:
    """Store whether a player has a queue or a standing order, once either was kept or deleted."""
    kept = (model.objects.filter(player=player).exists() for model in (Queue, StandingOrder))
    Player.objects.filter(pk=player.pk).update(plans=any(kept))
