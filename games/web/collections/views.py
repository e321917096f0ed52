"""Collections of positions: one's own, one of them, and what its owner does with it."""

from typing import Any
from urllib.parse import urlencode

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import texts
from accounts.limits import limited
from accounts.requests import UserRequest
from games.http.paging import page_of
from games.records import collections as kept
from games.records.errors import MayNotCollect
from games.records.models import MAX_COLLECTION_NAME_LENGTH, Collection
from games.web.collections.marks import marks


class CollectionForm(forms.Form):
    """What a collection is called, and who sees it."""

    name = texts.TextInput(
        label="Name",
        max_length=MAX_COLLECTION_NAME_LENGTH,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    is_public = forms.BooleanField(
        label="Public",
        required=False,
        help_text="Everybody who has its address can look at it. Else only you can.",
    )


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@limited("bookmark")
def collections(request: UserRequest) -> HttpResponse:
    """List the user's collections, and make another one."""
    if request.user.is_guest:
        return redirect("account_signup")
    form = CollectionForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            return redirect(kept.make(user=request.user, **form.cleaned_data, now=timezone.now()))
        except MayNotCollect as refusal:
            form.add_error("name", str(refusal))
    context = {"form": form, "collections": kept.own(request.user)}
    status = 422 if form.errors else 200
    return render(request, "collections/collections.html", context, status=status)


@require_safe
@cache_control(private=True, no_cache=True)
def collection(request: HttpRequest, collection_id: int) -> HttpResponse:
    """The positions in a collection, the one on top first."""
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
    """Rename a collection, open it to everybody, or close it."""
    own = _own(request, collection_id)
    form = CollectionForm(request.POST)
    if form.is_valid():
        try:
            kept.change(own, **form.cleaned_data, now=timezone.now())
        except MayNotCollect as refusal:
            form.add_error("name", str(refusal))
        else:
            messages.success(request, "That is saved.")
            return redirect(own)
    return _shown(request, _own(request, collection_id), form)


@login_required
@require_POST
@limited("bookmark")
def delete(request: UserRequest, collection_id: int) -> HttpResponse:
    """Delete a collection; the records that it leads to stay."""
    _own(request, collection_id).delete()
    messages.success(request, "The collection is deleted.")
    return redirect("collections")


@login_required
@require_POST
@limited("bookmark")
def arrange(request: UserRequest, collection_id: int, bookmark_id: int) -> HttpResponse:
    """Move a position ``up`` or ``down`` in a collection, or take it out: ``remove``."""
    own = _own(request, collection_id)
    action = request.POST.get("action", "")
    if action == "remove":
        kept.remove(own, bookmark_id)
        messages.success(request, "The position is removed.")
    elif action in ("up", "down"):
        kept.move(own, bookmark_id, up=action == "up")
    page = urlencode({"page": request.POST.get("page", "")})
    return redirect(f"{own.get_absolute_url()}?{page}")
