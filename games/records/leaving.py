"""What becomes of the records that somebody has taken in when the account is deleted."""

from datetime import datetime
from typing import Any

from accounts.models import User
from games.records.models import ImportedRecord


def leave(user: User, now: datetime) -> None:
    """Delete the records that a user has taken in."""
    ImportedRecord.objects.filter(owner=user).delete()


def own_data(user: User) -> Any:
    """Return which records a user has taken in."""
    return list(ImportedRecord.objects.filter(owner=user).values("pk", "title", "created"))
