"""Template tags for every page: navigation, counts, form fields."""

from datetime import datetime
from typing import Any, NamedTuple
from urllib.parse import urljoin

from django import template
from django.conf import settings
from django.forms import BoundField
from django.forms.widgets import CheckboxInput, CheckboxSelectMultiple, RadioSelect
from django.template.context import Context
from django.urls import NoReverseMatch, reverse
from django.utils.encoding import escape_uri_path
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from accounts import notifications, signup
from accounts.delivery import muting, readers
from accounts.models import User
from config.addresses import path_of
from games.http.echo import shorten_echo
from games.http.paging import Page
from games.kernel import registry
from games.kernel.contract import Meta
from games.matches import listing
from games.matches.models import Match, Watch
from games.matches.notify import watching
from games.matches.notify.notifications import page_key

register = template.Library()


@register.simple_tag(takes_context=True)
def nav_link(context: Context, name: str, label: str, *parts: str) -> SafeString:
    """Show a link to a page, marked when it or one of its ``parts`` is the one being shown."""
    is_current = page_name(context.get("request")) in (name, *parts)
    mark = mark_safe(' aria-current="page"') if is_current else ""
    return format_html('<a href="{}"{}>{}</a>', path_of(name), mark, label)


def page_name(request: Any) -> str:
    """Return the URL name of the page being shown; empty if there is none."""
    match = getattr(request, "resolver_match", None)
    return (match.url_name or "") if match else ""


class Header(NamedTuple):
    """The counts that every page shows a user, and when the account will be deleted.

    ``deletion`` is ``None`` if it won't.
    """

    waiting: int
    unseen: int
    deletion: datetime | None


def header_of(request: Any, user: User) -> Header:
    """Return what every page shows a user, read once for a request."""
    if not hasattr(request, "header"):
        unseen, due = notifications.unseen_and_deletion(user)
        request.header = Header(listing.count_waiting(user), unseen, due)
    header: Header = request.header
    return header


@register.simple_tag(takes_context=True)
def waiting_count(context: Context, user: User) -> int:
    """Return how many matches wait for a user's move."""
    return header_of(context["request"], user).waiting


@register.simple_tag(takes_context=True)
def unseen_count(context: Context, user: User) -> int:
    """Return how many notifications a user has not seen."""
    return header_of(context["request"], user).unseen


@register.simple_tag(takes_context=True)
def pending_deletion(context: Context, user: User) -> datetime | None:
    """Return when a user's account will be deleted; ``None`` if it won't."""
    return header_of(context["request"], user).deletion


@register.simple_tag
def guest_matches(user: User) -> int:
    """Return how many matches a guest would keep by joining."""
    return listing.count_all(user)


@register.simple_tag
def refused_address(user: User) -> str:
    """Return the address that has refused a user's mails too often; empty if it has not."""
    return readers.refused_address(user)


@register.simple_tag
def is_muted(user: User, match_id: int) -> bool:
    """Whether a user gets no mails about a match."""
    return muting.is_muted(user, page_key(match_id))


@register.simple_tag
def watch_of(user: User, match: Match) -> Watch | None:
    """Return how a user watches a match; ``None`` if they do not."""
    return watching.of(user, match)


@register.simple_tag
def all_games() -> list[Meta]:
    """Return the facts of every game, by name."""
    return [title.meta for title in registry.titles().values()]


@register.simple_block_tag
def captured(content: str) -> str:
    """Keep what a part of a page says, ``as`` a variable, to say it again."""
    return content


@register.simple_tag(takes_context=True)
def canonical_address(context: Context) -> str:
    """Return the address of the page for search engines; empty on pages without a request."""
    request = context.get("request")
    return whole_address(escape_uri_path(request.path)) if request else ""


@register.filter
def whole_address(path: str) -> str:
    """Return an address with the site's host."""
    return urljoin(settings.SITE_URL, path)


@register.simple_tag
def site_address(name: str, *args: Any) -> str:
    """Return the whole address of a page, with the site's host."""
    return whole_address(reverse(name, args=args))


@register.simple_tag
def sent_mails() -> str:
    """Return where mails can be read that are kept as files; empty where they are sent."""
    try:
        return reverse("mails")
    except NoReverseMatch:
        return ""


@register.simple_tag
def awaited_address(user: User) -> str:
    """Return the address that a user still has to confirm; empty if there is none."""
    return signup.known_awaited_address(user)


@register.simple_tag
def source_url() -> str:
    """Return where the source of the site can be had; empty if the operator does not say."""
    return str(settings.SOURCE_URL)


@register.filter
def short_echo(message: Any) -> str:
    """Return a message with at most 80 characters of each value that was sent."""
    return shorten_echo(str(message))


@register.filter
def widget_is(field: BoundField, kind: str) -> bool:
    """Whether a field is a single ``checkbox``, or a set of ``choices`` to tick."""
    widget = field.field.widget
    if kind == "checkbox":
        return isinstance(widget, CheckboxInput)
    return isinstance(widget, RadioSelect | CheckboxSelectMultiple)


@register.simple_tag(takes_context=True)
def page_address(context: Context, page: Page, place: str) -> str:
    """Return the address of another page of a list: ``page.newer``, ``page.older``."""
    asked = context["request"].GET.copy()
    asked[page.key] = place
    return f"?{asked.urlencode()}"
