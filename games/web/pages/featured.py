"""The match that the front page shows live."""

from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_cookie

from accounts.models import User
from games.kernel import registry
from games.matches.models import Match
from games.web.match_rows import rows

CACHE_SECONDS = 300
"""Seconds for which the section is cached, until the next move."""


@require_safe
@vary_on_cookie
@cache_control(private=True, no_cache=True)
def featured(request: HttpRequest, match_id: int) -> HttpResponse:
    """The section of a match, which scripts fetch after each change."""
    match = Match.objects.filter(pk=match_id).first()
    if match is None or not registry.is_known(match.title, match.rules_version):
        raise Http404(_("There is no such match, or its rules are not installed."))
    return HttpResponse(section_of(match, request.user))


def section_of(match: Match, reader: Any) -> SafeString:
    """Return a match as spectators see it, in the reader's language and theme.

    It contains no time of day, so readers in all zones share it.
    """
    theme = getattr(reader, "theme", User.Theme.AUTO)
    key = f"featured-section-1:{get_language()}:{match.pk}:{match.version}:{match.status}:{theme}"
    html: str | None = cache.get(key)
    if html is None:
        row = rows([match], AnonymousUser())[0]
        html = render_to_string("home/featured.html", {"row": row, "reader": reader})
        cache.set(key, html, CACHE_SECONDS)
    # Written by a template, which escapes what it is given.
    return mark_safe(html)  # noqa: S308
