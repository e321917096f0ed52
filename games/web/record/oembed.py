"""oEmbed: other sites ask how to embed the page of a match (https://oembed.com)."""

from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

from django import forms
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.urls import Resolver404, resolve
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from games.kernel.language import labelled
from games.matches.errors import NoSuchMatch
from games.matches.models import Match
from games.web.cards import HOUR
from games.web.record.page import RecordPage
from games.web.record.sharing import HEIGHT, WIDTH

PAGES = ("match", "match-at", "match-share", "match-embed")
"""The URL names of pages that can be embedded."""


class OEmbedForm(forms.Form):
    url = forms.CharField(max_length=2000)
    maxwidth = forms.IntegerField(min_value=1, required=False)
    maxheight = forms.IntegerField(min_value=1, required=False)
    format = forms.CharField(max_length=10, required=False)


@require_safe
@cache_control(public=True, max_age=HOUR)
def oembed(request: HttpRequest) -> HttpResponse:
    """Return how to embed a position, as spectators see it. Scripts on any site may ask."""
    form = OEmbedForm(request.GET)
    if not form.is_valid():
        return JsonResponse({"errors": form.errors}, status=HTTPStatus.BAD_REQUEST)
    asked = form.cleaned_data
    if asked["format"] not in ("", "json"):
        return HttpResponse("The only format is json.", status=HTTPStatus.NOT_IMPLEMENTED)
    page = _read(asked["url"])
    size = {
        "width": min(asked["maxwidth"] or WIDTH, WIDTH),
        "height": min(asked["maxheight"] or HEIGHT, HEIGHT),
    }
    answer: dict[str, Any] = {
        "version": "1.0",
        "type": "rich",
        "provider_name": "Turnstone",
        "provider_url": settings.SITE_URL,
        "title": labelled(page.view.meta.name, page.view.heading),
        "html": render_to_string(
            "match/embed_line.html", {"page": page, "view": page.view, **size}
        ).strip(),
        **size,
        "cache_age": HOUR,
    }
    return JsonResponse(answer, headers={"Access-Control-Allow-Origin": "*"})


def _read(address: str) -> RecordPage:
    """Return the position of an address. The newest for the page of a match.

    :raises Http404: it isn't the address of a match here.
    """
    try:
        resolved = resolve(_path(address))
        if resolved.url_name not in PAGES:
            raise Http404("Only pages of matches can be embedded.")
        match_id = resolved.kwargs["match_id"]
        number = resolved.kwargs.get("number")
        if number is None:
            versions = Match.objects.filter(pk=match_id).values_list("version", flat=True)
            number = versions.first() or 0
        return RecordPage.read(match_id, number, AnonymousUser())
    except (Resolver404, NoSuchMatch) as unknown:
        raise Http404(str(unknown)) from unknown


def _path(address: str) -> str:
    """Return the path of an address of this site.

    :raises Http404: it is the address of another site, or invalid.
    """
    try:
        parts = urlsplit(address)
    except ValueError as broken:
        raise Http404(str(broken)) from broken
    if parts.scheme not in ("http", "https") or parts.netloc != urlsplit(settings.SITE_URL).netloc:
        raise Http404("This is an address of another site.")
    return parts.path
