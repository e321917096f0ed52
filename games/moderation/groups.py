"""The group of moderators, created with the database and then managed by superusers."""

from typing import Any

from django.contrib.auth.management import create_permissions
from django.contrib.auth.models import Group, Permission

MODERATORS = "moderators"

POWERS = (
    "use_desk",
    "warn_player",
    "mute_player",
    "suspend_player",
    "rename_player",
    "end_matches",
    "give_time",
    "lift_sanctions",
)
"""The initial permissions of the group. Banning is granted separately."""


def make(sender: Any, **kwargs: Any) -> None:
    """Create the group if it is missing: a receiver of ``post_migrate``."""
    group, is_new = Group.objects.get_or_create(name=MODERATORS)
    if is_new:
        create_permissions(sender, verbosity=0)
        powers = Permission.objects.filter(
            content_type__app_label="moderation", codename__in=POWERS
        )
        group.permissions.set(powers)
