"""Personal data among records."""

from datetime import datetime
from typing import Any

from django.db.models import F

from accounts.models import User
from accounts.personal_data import PersonalData
from games.records.models import Bookmark, Collection, ImportedRecord


class RecordsData(PersonalData):
    """The records a user has imported, and their collections of positions."""

    def export(self, user: User) -> dict[str, Any]:
        imported = ImportedRecord.objects.filter(owner=user)
        collections = Collection.objects.filter(owner=user)
        bookmarks = Bookmark.objects.filter(collection__owner=user)
        return {
            "imported_records": list(imported.values("id", "title", "created")),
            "collections": {
                "collections": list(
                    collections.values("name", "is_public", "published", "created")
                ),
                "bookmarks": list(
                    bookmarks.values(
                        *("match", "imported", "number", "placed"),
                        collection_name=F("collection__name"),
                    )
                ),
            },
        }

    def delete(self, user: User, now: datetime) -> None:
        ImportedRecord.objects.filter(owner=user).delete()
        Collection.objects.filter(owner=user).delete()
