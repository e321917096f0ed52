"""The group of moderators, made with the database and then left to the superusers."""

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
"""What a moderator may do from the start; to ban is left to those to whom it is given."""


def make(sender: Any, **kwargs: Any) -> None:
    """Make the group where there is none: a receiver of Django's signal after migrations."""
    group, is_new = Group.objects.get_or_create(name=MODERATORS)
    if is_new:
        create_permissions(sender, verbosity=0)
        powers = Permission.objects.filter(
            content_type__app_label="moderation", codename__in=POWERS
        )
        group.permissions.set(powers)
