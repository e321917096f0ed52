"""Reports of imported records and collections, since people chose their names."""

from django.utils.translation import gettext as _

from accounts.models import User
from games.moderation import subjects
from games.moderation.errors import NoSuchSubject
from games.moderation.subjects import Subject
from games.records import collections
from games.records.models import ImportedRecord


def register() -> None:
    """Register both as subjects of reports. Called once at startup."""
    subjects.register("imported-record", _record)
    subjects.register("collection", _collection)


def _record(record_id: int, user: User) -> Subject:
    imported = ImportedRecord.objects.select_related("owner").filter(pk=record_id).first()
    if imported is None:
        raise NoSuchSubject(_("There is no such record."))
    names = ", ".join(imported.player_names)
    label = _("imported record {number}").format(number=imported.pk)
    return Subject(label, imported.get_absolute_url(), [imported.owner], names)


def _collection(collection_id: int, user: User) -> Subject:
    collection = collections.readable(user).filter(pk=collection_id).first()
    if collection is None:
        raise NoSuchSubject(_("There is no such collection."))
    label = _("collection {number}").format(number=collection.pk)
    return Subject(label, collection.get_absolute_url(), [collection.owner], collection.name)
