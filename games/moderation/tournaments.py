"""What moderators do in the place of organisers is in their log, too."""

from typing import Any

from django.dispatch import receiver

from games.events import acts
from games.events.models import OrganiserAct
from games.events.signals import organiser_acted
from games.moderation import log


@receiver(organiser_acted)
def log_act(act: OrganiserAct, **_: Any) -> None:
    """Log an act of a moderator in its transaction."""
    if act.by_moderator and act.actor is not None:
        log.write(
            f"event-{act.kind}",
            moderator=act.actor,
            user=act.about,
            reason=act.reason,
            now=act.at,
            details=f"tournament {act.tournament_id}: {acts.in_english(act)}",
        )
