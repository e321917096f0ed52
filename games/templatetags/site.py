"""Template tags for every page: navigation, counts, form fields."""

from typing import Any

from django import template
from django.conf import settings
from django.forms import BoundField
from django.forms.widgets import CheckboxInput, CheckboxSelectMultiple, RadioSelect
from django.template.context import Context
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from accounts import notifications
from games.http.echo import shorten_echo
from games.kernel import registry
from games.kernel.contract import Meta
from games.matches import listing
from games.web.paging import Page

register = template.Library()


@register.simple_tag(takes_context=True)
def aria_current(context: Context, *names: str) -> SafeString:
    """Return the attribute that marks a link to the page being shown, given its URL names."""
    match = getattr(context.get("request"), "resolver_match", None)
    here = match is not None and match.url_name in names
    return SafeString(' aria-current="page"' if here else "")


@register.simple_tag(takes_context=True)
def nav_link(context: Context, name: str, label: str) -> SafeString:
    """Return a link to a page, marked when it is the one being shown."""
    return format_html('<a href="{}"{}>{}</a>', reverse(name), aria_current(context, name), label)


@register.simple_tag
def waiting_count(user: Any) -> int:
    """Return how many matches wait for a user's move."""
    return listing.count_waiting(user)


@register.simple_tag
def unseen_count(user: Any) -> int:
    """Return how many notifications a user has not seen."""
    return notifications.unseen(user)


@register.simple_tag
def all_games() -> list[Meta]:
    """Return the facts of every game, by name."""
    return [title.meta for title in registry.titles().values()]


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
