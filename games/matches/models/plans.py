"""Private plans of players."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.matches.models.match import Player


class StandingOrder(models.Model):
    """How a player has pending questions answered. Private to the player.

    ``seen`` is the version of the match at the last sweep. While a question is pending, ``called``
    is the number of the entry that asked it, ``due`` when it will be answered, and ``submission``
    the id of that answer.
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


class ConditionalMoves(models.Model):
    """Planned replies of a player, played as soon as they fit. Private to the player.

    ``nodes`` is a tree of moves (:mod:`games.matches.plans.lines`). ``at`` is the last node that
    was reached, and ``after`` the number of the entry that reached it. If it ``waits``, a move by
    hand comes first. A plan for ``one_turn`` ends with the player's turn, and ``after`` is then the
    entry after which it was made. The next reply will be made under the id ``submission``.
    ``halted`` says why the plan was stopped: one of ``Stop``, or the sentence with which the rules
    refused a move, in the player's language. It is empty until then.
    """

    class Stop(models.TextChoices):
        """Why a plan stops without a move that the rules refuse."""

        TAKEN_BACK = "taken-back", _("A move was taken back.")
        TURN_ENDED = "turn-ended", _("Your turn had ended.")
        BY_HAND = "by-hand", _("You played another move yourself.")
        DICE = "dice", _("What dice and chance decide cannot be planned.")
        NOT_PLANNED = "not-planned", _("Another move was played than you planned for.")

    player = models.OneToOneField(Player, models.CASCADE, related_name="conditional")
    nodes = models.JSONField()
    at = models.PositiveIntegerField(default=0)
    after = models.PositiveIntegerField()
    waits = models.BooleanField()
    one_turn = models.BooleanField(default=False)
    submission = models.UUIDField()
    halted = models.TextField(blank=True)

    class Meta:
        verbose_name_plural = "conditional moves"

    def __str__(self) -> str:
        return f"conditional moves of player {self.player_id}"

    @property
    def why_stopped(self) -> str:
        """Why the plan was stopped, in a sentence. Empty if it wasn't."""
        known = self.halted in self.Stop.values
        return str(self.Stop(self.halted).label) if known else self.halted


def note_plans(player: Player) -> None:
    """Store whether a player has a plan or a standing order, after either was saved or deleted."""
    models_of_plans = (ConditionalMoves, StandingOrder)
    kept = (model.objects.filter(player=player).exists() for model in models_of_plans)
    Player.objects.filter(pk=player.pk).update(plans=any(kept))
