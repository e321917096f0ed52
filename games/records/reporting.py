"""Imported records and collections can be reported: names are what somebody has written."""

from accounts.models import User
from games.moderation import subjects
from games.moderation.errors import NoSuchSubject
from games.moderation.subjects import Subject
from games.records import collections
from games.records.models import ImportedRecord


def register() -> None:
    """Make both known to reports; called once, when the applications start."""
    subjects.register("imported-record", _record)
    subjects.register("collection", _collection)


def _record(record_id: int, user: User) -> Subject:
    found = ImportedRecord.objects.select_related("owner").filter(pk=record_id).first()
    if found is None:
        raise NoSuchSubject("There is no such record.")
    names = ", ".join(player["name"] for player in found.head["players"])
    return Subject(str(found), found.get_absolute_url(), [found.owner], names)


def _collection(collection_id: int, user: User) -> Subject:
    found = collections.readable(user).filter(pk=collection_id).first()
    if found is None:
        raise NoSuchSubject("There is no such collection.")
    label = f"collection {found.pk}"
    return Subject(label, found.get_absolute_url(), [found.owner], found.name)
