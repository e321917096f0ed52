"""Feeds for programs that can't sign in, at addresses that nobody can guess.

Addresses are signed and not stored, so a copy of the database doesn't reveal them.
"""

import hashlib
import secrets
from collections.abc import Callable
from datetime import UTC, datetime
from functools import wraps
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.syndication.views import Feed
from django.core import signing
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import get_conditional_response
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import format_html
from django.utils.translation import gettext
from django.utils.xmlutils import SimplerXMLGenerator
from django.views.decorators.http import require_safe

from accounts import notifications
from accounts.delivery.models import FeedAddress
from accounts.mail import absolute
from accounts.models import Notification, User
from accounts.notifications import Summary
from accounts.sanctions import standing
from accounts.site_languages import reading

MAX_ENTRIES = 50
"""Maximum number of entries in a feed."""

_signer = signing.Signer(salt="accounts.feeds")

View = Callable[..., HttpResponse]
Entry = tuple[Notification, Summary]


def renew(user: User, *, now: datetime) -> None:
    """Give a user new feed addresses; the old ones stop working."""
    fresh = {"nonce": secrets.token_urlsafe(12), "created": now}
    FeedAddress.objects.update_or_create(user=user, defaults=fresh)


def end(user: User, **kwargs: object) -> None:
    """Disable a user's feed addresses. Also called by signals about new passwords.

    Somebody who knew the old password may have seen the addresses.
    """
    FeedAddress.objects.filter(user=user).delete()


def token(user: User) -> str:
    """Return the token in a user's feed addresses. Empty without feeds."""
    address = FeedAddress.objects.filter(user=user).first()
    return _signer.sign_object([user.pk, address.nonce]) if address else ""


def reader(token: str, *, now: datetime) -> User:
    """Return the user whose feeds a token opens.

    :raises Http404: it does not exist, or the user may not enter the site now.
    """
    try:
        user_id, nonce = _signer.unsign_object(token)
    except (signing.BadSignature, ValueError) as error:
        raise Http404 from error
    address = FeedAddress.objects.select_related("user").filter(user=user_id, nonce=nonce).first()
    if address is None or not address.user.is_active or standing.is_shut_out(address.user, now):
        raise Http404
    return address.user


def private(view: View) -> View:
    """Mark a response as private, and send it only if it has changed."""

    @wraps(view)
    def answered(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        response = view(request, *args, **kwargs)
        tag = f'"{hashlib.sha256(response.content).hexdigest()[:32]}"'
        response.headers["ETag"] = tag
        response.headers["Cache-Control"] = "private, no-cache"
        response.headers["X-Robots-Tag"] = "noindex"
        # Without this, the entries that have gone would not count as a change.
        response.headers.pop("Last-Modified", None)
        return get_conditional_response(request, tag, response=response) or response

    return require_safe(answered)


def uri(kind: str, pk: int, created: datetime) -> str:
    """Return a permanent name that doesn't depend on the address (RFC 4151)."""
    return f"tag:{urlsplit(settings.SITE_URL).hostname},{created:%Y-%m-%d}:{kind}-{pk}"


class _Atom(Atom1Feed):
    """An Atom feed whose entries have content, and which doesn't change while it is empty."""

    def add_item_elements(self, handler: SimplerXMLGenerator, item: dict[str, Any]) -> None:
        super().add_item_elements(handler, item)
        handler.addQuickElement("content", item["content"], {"type": "html"})

    def latest_post_date(self) -> datetime:
        return super().latest_post_date() if self.items else datetime.fromtimestamp(0, UTC)


class EventsFeed(Feed[Entry, User]):
    """A user's notifications, latest first, as on the site."""

    feed_type = _Atom
    title = "Turnstone"
    author_name = "Turnstone"

    def get_object(self, request: HttpRequest, token: str) -> User:
        return reader(token, now=timezone.now())

    def subtitle(self, user: User) -> str:
        with reading(user):
            return gettext("Your notifications")

    def link(self, user: User) -> str:
        return absolute(reverse("notifications"))

    def feed_guid(self, user: User) -> str:
        return uri("events", user.pk, user.date_joined)

    def items(self, user: User) -> list[Entry]:
        rows = notifications.listed(user).select_related("recipient")[:MAX_ENTRIES]
        with reading(user):
            return [(one, notifications.summary(one)) for one in rows]

    def item_title(self, item: Entry) -> str:
        return item[1].subject

    def item_description(self, item: Entry) -> None:  # type: ignore[override]
        """Return nothing: Django's default would be the repr of the entry."""

    def item_extra_kwargs(self, item: Entry) -> dict[str, Any]:
        link = self.item_link(item)
        subject = item[1].subject
        with reading(item[0].recipient):
            link_text = gettext("Open on Turnstone")
        text = '<p>{}</p><p><a href="{}">{}</a></p>'
        return {"content": format_html(text, subject, link, link_text)}

    def item_link(self, item: Entry) -> str:
        return absolute(item[1].url or reverse("notifications"))

    def item_guid(self, item: Entry) -> str:
        return uri("notice", item[0].pk, item[0].created)

    def item_pubdate(self, item: Entry) -> datetime:
        return item[0].created

    def item_updateddate(self, item: Entry) -> datetime:
        """Return the time of the event: entries don't change."""
        return item[0].created


events = private(EventsFeed())
