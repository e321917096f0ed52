"""Collections of bookmarks, and the bookmarks in them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import urlencode

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import texts
from accounts.limits import limited
from accounts.models import User
from accounts.requests import UserRequest
from games.http.paging import page_of
from games.matches import selectors
from games.matches.models import Match
from games.matches.store import read_players
from games.matches.view.match_view import MatchView
from games.records import collections as kept
from games.records import rebuilding
from games.records.models import MAX_COLLECTION_NAME_LENGTH, Bookmark, Collection, ImportedRecord
from games.web import refusals


@dataclass(frozen=True)
class Mark:
    """A saved position. The log of its match isn't read."""

    view: MatchView
    bookmark: Bookmark

    @property
    def position(self) -> str:
        """Where in the match it is, after the name of the game."""
        number = self.bookmark.number
        # Translators: the position after a log entry, as in "Chess: after 12".
        after, start = _("after {number}"), _("start")
        return after.format(number=number) if number else start


def marks(bookmarks: Sequence[Bookmark], reader: Any) -> list[Mark]:
    """Return bookmarks with their matches and players, who are read in one query."""
    read_players([bookmark.match for bookmark in bookmarks if bookmark.match])
    return [_mark(bookmark, reader) for bookmark in bookmarks]


def _mark(bookmark: Bookmark, reader: Any) -> Mark:
    if bookmark.match:
        snapshot = selectors.snapshot_of(bookmark.match)
        return Mark(MatchView(snapshot.table, snapshot.seat_of(reader), []), bookmark)
    imported = cast("ImportedRecord", bookmark.imported)
    return Mark(MatchView(rebuilding.table_of(imported.head), None, []), bookmark)


class CollectionForm(forms.Form):
    name = texts.TextInput(
        label=gettext_lazy("Name"),
        max_length=MAX_COLLECTION_NAME_LENGTH,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    is_public = forms.BooleanField(
        label=gettext_lazy("Public"),
        required=False,
        help_text=gettext_lazy(
            "Everybody can look at it, and the activity of the site names it. Otherwise only you"
            " can."
        ),
    )


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@limited("bookmark")
def collections(request: UserRequest) -> HttpResponse:
    """List the user's collections, or create one."""
    if request.user.is_guest:
        return redirect("account_signup")
    form = CollectionForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        with refusals.InForm(form, "name"):
            return redirect(kept.make(user=request.user, **form.cleaned_data, now=timezone.now()))
    context = {"form": form, "collections": kept.own(request.user)}
    status = 422 if form.errors else 200
    return render(request, "collections/collections.html", context, status=status)


@require_safe
@cache_control(private=True, no_cache=True)
def collection(request: HttpRequest, collection_id: int) -> HttpResponse:
    readable = get_object_or_404(kept.readable(request.user), pk=collection_id)
    return _shown(request, readable, CollectionForm(initial=vars(readable)))


def _shown(request: HttpRequest, shown: Collection, form: CollectionForm) -> HttpResponse:
    rows = shown.bookmarks.select_related("match", "imported")
    page = page_of(rows, request, by="-placed")
    context: dict[str, Any] = {
        "collection": shown,
        "page": page.shown_as(lambda items: marks(items, request.user)),
        "form": form if shown.owner_id == request.user.pk else None,
    }
    status = 422 if form.errors else 200
    return render(request, "collections/collection.html", context, status=status)


def _own(request: UserRequest, collection_id: int) -> Collection:
    return get_object_or_404(Collection, pk=collection_id, owner=request.user)


@login_required
@require_POST
@limited("bookmark")
def change(request: UserRequest, collection_id: int) -> HttpResponse:
    """Rename a collection, publish it, or hide it."""
    own = _own(request, collection_id)
    form = CollectionForm(request.POST)
    if form.is_valid():
        with refusals.InForm(form, "name"):
            kept.change(own, **form.cleaned_data, now=timezone.now())
            messages.success(request, _("That is saved."))
            return redirect(own)
    return _shown(request, _own(request, collection_id), form)


@login_required
@require_POST
@limited("bookmark")
def delete(request: UserRequest, collection_id: int) -> HttpResponse:
    """Delete a collection. The records stay."""
    _own(request, collection_id).delete()
    messages.success(request, _("The collection is deleted."))
    return redirect("collections")


@login_required
@require_POST
@limited("bookmark")
def arrange(request: UserRequest, collection_id: int, bookmark_id: int) -> HttpResponse:
    """Move a position ``up`` or ``down`` in a collection, or ``remove`` it."""
    own = _own(request, collection_id)
    action = request.POST.get("action", "")
    if action == "remove":
        kept.remove(own, bookmark_id)
        messages.success(request, _("The position is removed."))
    elif action in ("up", "down"):
        kept.move(own, bookmark_id, up=action == "up")
    page = urlencode({"page": request.POST.get("page", "")})
    return redirect(f"{own.get_absolute_url()}?{page}")


DEFAULT_NAME = gettext_lazy("Bookmarks")
"""The suggested name of a user's first collection."""


class BookmarkForm(forms.Form):
    """One of the user's collections, or the name of a new one."""

    collection = forms.ModelChoiceField(
        Collection.objects.none(),
        label=gettext_lazy("Collection"),
        required=False,
        empty_label=gettext_lazy("A new one"),
    )
    name = texts.TextInput(
        label=gettext_lazy("Or a new one, called"),
        required=False,
        max_length=MAX_COLLECTION_NAME_LENGTH,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    @classmethod
    def of(cls, user: User, data: Any) -> "BookmarkForm":
        """Return a user's form. The first collection is preselected, or a name suggested."""
        own = kept.own(user)
        form = cls(
            data, initial={"collection": own.first(), "name": "" if own else str(DEFAULT_NAME)}
        )
        form.fields["collection"].queryset = own  # type: ignore[attr-defined]  # of its choice
        return form

    def clean_name(self) -> str:
        """Require a name if no collection is chosen."""
        name = str(self.cleaned_data["name"])
        if not name and not self.cleaned_data.get("collection"):
            raise forms.ValidationError(_("Choose a collection, or name a new one."))
        return name


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@limited("bookmark")
def bookmark_match(request: UserRequest, match_id: int, number: int) -> HttpResponse:
    return _bookmark(request, get_object_or_404(Match, pk=match_id), number)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@limited("bookmark")
def bookmark_imported(request: UserRequest, record_id: int, number: int) -> HttpResponse:
    return _bookmark(request, get_object_or_404(ImportedRecord, pk=record_id), number)


def _bookmark(request: UserRequest, record: Match | ImportedRecord, number: int) -> HttpResponse:
    if request.user.is_guest:
        return redirect("account_signup")
    bookmark = kept.position(record, number)
    form = BookmarkForm.of(request.user, request.POST if request.method == "POST" else None)
    if form.is_valid():
        with refusals.InForm(form):
            return redirect(_kept(request.user, form.cleaned_data, bookmark))
    (mark,) = marks([bookmark], request.user)
    holding = kept.holding(request.user, bookmark)
    context = {"form": form, "mark": mark, "holding": holding}
    return render(request, "collections/bookmark.html", context, status=422 if form.errors else 200)


def _kept(user: User, chosen: dict[str, Any], bookmark: Bookmark) -> Collection:
    """Add a position to the new collection, if one was named, otherwise to the chosen one.

    :raises MayNotCollect: there is no room, or the name is taken.
    """
    now = timezone.now()
    with transaction.atomic():
        name = chosen["name"]
        collection = chosen["collection"]
        if name:
            collection = kept.make(user=user, name=name, now=now)
        kept.add(collection, bookmark, now=now)
    return cast("Collection", collection)
