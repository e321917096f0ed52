"""Positions that readers save: bookmarks in named collections."""

from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Count, Q, QuerySet
from django.utils.translation import gettext as _

from accounts import texts
from accounts.models import User
from accounts.sanctions import standing
from games.kernel.errors import quoted
from games.matches.errors import NoSuchMatch
from games.matches.models import Match
from games.records.errors import MayNotCollect
from games.records.models import Bookmark, Collection, ImportedRecord

MAX_COLLECTIONS = 50
"""Maximum number of collections per person."""

MAX_BOOKMARKS = 500
"""Maximum number of bookmarks in a collection."""


def own(user: User) -> QuerySet[Collection]:
    """Return a user's collections by name, each with its number of bookmarks, ``size``."""
    return Collection.objects.filter(owner=user).annotate(size=Count("bookmarks"))


def readable(user: Any) -> QuerySet[Collection]:
    """Return the collections that a user, who may be anonymous, may see."""
    is_open = Q(is_public=True, owner__is_active=True)
    return Collection.objects.filter(is_open | Q(owner=user.pk)).select_related("owner")


def published() -> QuerySet[Collection]:
    """Return the public collections that the activity names."""
    return Collection.objects.filter(is_public=True, published__isnull=False, owner__is_active=True)


def position(record: Match | ImportedRecord, number: int) -> Bookmark:
    """Return an unsaved bookmark of the position after entry ``number``.

    :raises NoSuchMatch: the record has no such entry.
    """
    if isinstance(record, Match):
        bookmark = Bookmark(match=record, number=number)
        last = record.version
    else:
        bookmark = Bookmark(imported=record, number=number)
        last = record.length
    if number > last:
        raise NoSuchMatch(_("The record has no entry {number}.").format(number=number))
    return bookmark


def holding(user: User, bookmark: Bookmark) -> QuerySet[Collection]:
    """Return a user's collections that contain a position."""
    return Collection.objects.filter(owner=user, bookmarks__in=_same(bookmark))


def _same(bookmark: Bookmark) -> QuerySet[Bookmark]:
    key = {"match": bookmark.match_id, "imported": bookmark.imported_id}
    return Bookmark.objects.filter(**key, number=bookmark.number)


def check_may_collect(user: User) -> None:
    """:raises MayNotCollect: the user is a guest."""
    if user.is_guest:
        raise MayNotCollect(_("Join to keep positions: guests cannot."))


def make(*, user: User, name: str, is_public: bool = False, now: datetime) -> Collection:
    """:raises MayNotCollect: the user may not, has too many, or has one with this name."""
    check_may_collect(user)
    _check_may_show(user, now, is_public=is_public)
    if Collection.objects.filter(owner=user).count() >= MAX_COLLECTIONS:
        message = _("You have {count} collections. Delete one first.")
        raise MayNotCollect(message.format(count=MAX_COLLECTIONS))
    collection = Collection(owner=user, name=name, is_public=is_public, created=now)
    collection.published = now if is_public else None
    return _saved(collection)


def change(collection: Collection, *, name: str, is_public: bool, now: datetime) -> Collection:
    """Rename a collection, and publish or hide it.

    :raises MayNotCollect: its owner may not publish anything, or has another one with this name.
    """
    _check_may_show(collection.owner, now, is_public=is_public)
    collection.name = name
    if is_public != collection.is_public:
        collection.published = now if is_public else None
    collection.is_public = is_public
    return _saved(collection)


def _check_may_show(user: User, now: datetime, *, is_public: bool) -> None:
    if is_public and standing.is_muted(user, now):
        raise MayNotCollect(_("You may not publish anything now."))


def _saved(collection: Collection) -> Collection:
    if not texts.one_line(collection.name):
        raise MayNotCollect(_("A collection needs a name."))
    try:
        with transaction.atomic():
            collection.save()
    except IntegrityError:
        message = _("You have a collection {name}.")
        raise MayNotCollect(message.format(name=quoted(collection.name))) from None
    return collection


@transaction.atomic
def add(collection: Collection, bookmark: Bookmark, *, now: datetime) -> None:
    """Add a position at the top of a collection. If it is there already, it keeps its place.

    :raises MayNotCollect: the collection is full.
    """
    _lock(collection)
    if _same(bookmark).filter(collection=collection).exists():
        return
    if collection.bookmarks.count() >= MAX_BOOKMARKS:
        message = _("There are {count} positions in it. Remove one first.")
        raise MayNotCollect(message.format(count=MAX_BOOKMARKS))
    top = collection.bookmarks.first()
    # No two are at the same place.
    bookmark.placed = max(now, top.placed + timedelta(microseconds=1)) if top else now
    bookmark.collection = collection
    bookmark.save()


def remove(collection: Collection, bookmark_id: int) -> None:
    """Remove a position from a collection, if it is there."""
    collection.bookmarks.filter(pk=bookmark_id).delete()


@transaction.atomic
def move(collection: Collection, bookmark_id: int, *, up: bool) -> None:
    """Swap a position with the one above or below. Does nothing at the end."""
    _lock(collection)
    moved = collection.bookmarks.filter(pk=bookmark_id).first()
    if moved is None:
        return
    above = collection.bookmarks.filter(placed__gt=moved.placed).order_by("placed")
    below = collection.bookmarks.filter(placed__lt=moved.placed).order_by("-placed")
    beside = (above if up else below).first()
    if beside is not None:
        moved.placed, beside.placed = beside.placed, moved.placed
        Bookmark.objects.bulk_update([moved, beside], ["placed"])


def _lock(collection: Collection) -> None:
    """Lock a collection against concurrent changes of its bookmarks."""
    Collection.objects.select_for_update().filter(pk=collection.pk).first()
