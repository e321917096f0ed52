"""Keeping a position: in which collection, or in a new one."""

from typing import Any, cast

from django import forms
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts import texts
from accounts.limits import limited
from accounts.models import User
from accounts.requests import UserRequest
from games.matches.errors import NoSuchMatch
from games.matches.models import Match
from games.records import collections
from games.records.errors import MayNotCollect
from games.records.models import MAX_COLLECTION_NAME_LENGTH, Bookmark, Collection, ImportedRecord
from games.web.collections.marks import marks

DEFAULT_NAME = "Bookmarks"
"""What the first collection is called, unless its owner calls it otherwise."""


class BookmarkForm(forms.Form):
    """In which of one's collections; a name makes a new one."""

    collection = forms.ModelChoiceField(
        Collection.objects.none(), label="Collection", required=False, empty_label="A new one"
    )
    name = texts.TextInput(
        label="Or a new one, called",
        required=False,
        max_length=MAX_COLLECTION_NAME_LENGTH,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    @classmethod
    def of(cls, user: User, data: Any) -> "BookmarkForm":
        """Return the form for a user: their first collection is chosen, or named, for them."""
        own = collections.own(user)
        form = cls(data, initial={"collection": own.first(), "name": "" if own else DEFAULT_NAME})
        form.fields["collection"].queryset = own  # type: ignore[attr-defined]  # of its choice
        return form

    def clean_name(self) -> str:
        """Ask for a name where no collection is chosen."""
        name = str(self.cleaned_data["name"])
        if not name and not self.cleaned_data.get("collection"):
            raise forms.ValidationError("Choose a collection, or name a new one.")
        return name


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@limited("bookmark")
def bookmark_match(request: UserRequest, match_id: int, number: int) -> HttpResponse:
    """Keep a position of a match."""
    return _bookmark(request, get_object_or_404(Match, pk=match_id), number)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@limited("bookmark")
def bookmark_imported(request: UserRequest, record_id: int, number: int) -> HttpResponse:
    """Keep a position of an imported record."""
    return _bookmark(request, get_object_or_404(ImportedRecord, pk=record_id), number)


def _bookmark(request: UserRequest, record: Match | ImportedRecord, number: int) -> HttpResponse:
    if request.user.is_guest:
        return redirect("account_signup")
    try:
        bookmark = collections.position(record, number)
    except NoSuchMatch as unknown:
        raise Http404(str(unknown)) from unknown
    form = BookmarkForm.of(request.user, request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            return redirect(_kept(request.user, form.cleaned_data, bookmark))
        except MayNotCollect as refusal:
            form.add_error(None, str(refusal))
    (mark,) = marks([bookmark], request.user)
    holding = collections.holding(request.user, bookmark)
    context = {"form": form, "mark": mark, "holding": holding}
    return render(request, "collections/bookmark.html", context, status=422 if form.errors else 200)


def _kept(user: User, chosen: dict[str, Any], bookmark: Bookmark) -> Collection:
    """Put a position into a new collection, if one was named, or into the one that was chosen.

    :raises MayNotCollect: there is no room, or the name is taken.
    """
    now = timezone.now()
    with transaction.atomic():
        name = chosen["name"]
        collection = chosen["collection"]
        if name:
            collection = collections.make(user=user, name=name, now=now)
        collections.add(collection, bookmark, now=now)
    return cast("Collection", collection)
