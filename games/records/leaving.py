"""What becomes of imported records and collections when the account is deleted."""

from datetime import datetime
from typing import Any

from django.db.models import F

from accounts.models import User
from games.records.models import Bookmark, Collection, ImportedRecord


def leave(user: User, now: datetime) -> None:
    """Delete the records that a user has taken in, and the positions that they have kept."""
    ImportedRecord.objects.filter(owner=user).delete()
    Collection.objects.filter(owner=user).delete()


def own_data(user: User) -> Any:
    """Return which records a user has taken in."""
    taken_in = ImportedRecord.objects.filter(owner=user)
    return list(taken_in.values("id", "title", "created"))


def own_collections(user: User) -> Any:
    """Return the collections of a user, and which positions are in them."""
    kept = Bookmark.objects.filter(collection__owner=user)
    return {
        "collections": list(
            Collection.objects.filter(owner=user).values("name", "is_public", "created")
        ),
        "bookmarks": list(
            kept.values(
                *("match", "imported", "number", "placed"), collection_name=F("collection__name")
            )
        ),
    }
