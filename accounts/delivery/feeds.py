"""Feeds for programs that cannot sign in: each reader has addresses that nobody can guess.

What is in an address is signed and not stored, so that nobody who reads the database can make one.
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
from django.utils.xmlutils import SimplerXMLGenerator
from django.views.decorators.http import require_safe

from accounts import notifications
from accounts.delivery.models import FeedAddress
from accounts.mail import absolute
from accounts.models import Notification, User
from accounts.notifications import Summary
from accounts.sanctions import standing

MOST = 50
"""The most entries of a feed."""

_signer = signing.Signer(salt="accounts.feeds")

View = Callable[..., HttpResponse]
Entry = tuple[Notification, Summary]


def renew(user: User, *, now: datetime) -> None:
    """Give a user new addresses; those of before lead nowhere from now on."""
    fresh = {"nonce": secrets.token_urlsafe(12), "created": now}
    FeedAddress.objects.update_or_create(user=user, defaults=fresh)


def end(user: User, **kwargs: object) -> None:
    """Let the addresses of a user lead nowhere; a receiver of signals of a new password, too.

    Somebody else may have seen them, who knew the old one.
    """
    FeedAddress.objects.filter(user=user).delete()


def token(user: User) -> str:
    """Return what the addresses of a user's feeds have in them; empty if there are none."""
    found = FeedAddress.objects.filter(user=user).first()
    return _signer.sign_object([user.pk, found.nonce]) if found else ""


def reader(token: str, *, now: datetime) -> User:
    """Return whose feeds are at the addresses with this token.

    :raises Http404: nobody's; or of somebody who may not enter the site now.
    """
    try:
        user_id, nonce = _signer.unsign_object(token)
    except (signing.BadSignature, ValueError) as error:
        raise Http404 from error
    found = FeedAddress.objects.select_related("user").filter(user=user_id, nonce=nonce).first()
    if found is None or not found.user.is_active or standing.is_shut_out(found.user, now):
        raise Http404
    return found.user


def private(view: View) -> View:
    """Let a feed be asked for anew each time, and be sent only where it has changed."""

    @wraps(view)
    def answered(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        response = view(request, *args, **kwargs)
        tag = f'"{hashlib.sha256(response.content).hexdigest()[:32]}"'
        response.headers["ETag"] = tag
        response.headers["Cache-Control"] = "private, no-cache"
        response.headers["X-Robots-Tag"] = "noindex"
        # The latest entry says nothing of those that are over and gone.
        response.headers.pop("Last-Modified", None)
        return get_conditional_response(request, tag, response=response) or response

    return require_safe(answered)


def uri(kind: str, pk: int, created: datetime) -> str:
    """Return the name of something for ever, whatever its address (RFC 4151)."""
    return f"tag:{urlsplit(settings.SITE_URL).hostname},{created:%Y-%m-%d}:{kind}-{pk}"


class _Atom(Atom1Feed):
    """A feed whose entries have content, and that stays the same while it is empty."""

    def add_item_elements(self, handler: SimplerXMLGenerator, item: dict[str, Any]) -> None:
        """Write an entry."""
        super().add_item_elements(handler, item)
        handler.addQuickElement("content", item["content"], {"type": "html"})

    def latest_post_date(self) -> datetime:
        """Return when the latest entry was written."""
        return super().latest_post_date() if self.items else datetime.fromtimestamp(0, UTC)


class EventsFeed(Feed[Entry, User]):
    """What a user is told, the latest first, as the list on the site has it."""

    feed_type = _Atom
    title = "Turnstone"
    subtitle = "What you are told"
    author_name = "Turnstone"

    def get_object(self, request: HttpRequest, token: str) -> User:
        """Return whose feed it is."""
        return reader(token, now=timezone.now())

    def link(self, user: User) -> str:
        """Return the page that says the same."""
        return absolute(reverse("notifications"))

    def feed_guid(self, user: User) -> str:
        """Return the name of the feed."""
        return uri("events", user.pk, user.date_joined)

    def items(self, user: User) -> list[Entry]:
        """Return the entries, with times as their reader's clocks show them."""
        told = notifications.listed(user).select_related("recipient")[:MOST]
        with timezone.override(user.zone):
            return [(one, notifications.summary(one)) for one in told]

    def item_title(self, item: Entry) -> str:
        """Return an entry in one line."""
        return item[1].subject

    def item_description(self, item: Entry) -> None:  # type: ignore[override]
        """Return no text below the line: without this Django writes the entry as Python has it."""

    def item_extra_kwargs(self, item: Entry) -> dict[str, Any]:
        """Return the content of an entry as HTML."""
        link, subject = self.item_link(item), item[1].subject
        text = '<p>{}</p><p><a href="{}">Open on Turnstone</a></p>'
        return {"content": format_html(text, subject, link)}

    def item_link(self, item: Entry) -> str:
        """Return the page that an entry is about."""
        return absolute(item[1].url or reverse("notifications"))

    def item_guid(self, item: Entry) -> str:
        """Return the name of an entry."""
        return uri("notice", item[0].pk, item[0].created)

    def item_pubdate(self, item: Entry) -> datetime:
        """Return when it happened."""
        return item[0].created

    def item_updateddate(self, item: Entry) -> datetime:
        """Return the same: entries do not change."""
        return item[0].created


events = private(EventsFeed())
