"""The small boards of lists."""

import logging
from http import HTTPStatus

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_safe

from games.kernel.errors import GameError
from games.kernel.palettes import PALETTES
from games.matches import selectors
from games.matches.errors import NoSuchMatch
from games.matches.view import thumbnails
from games.web.record.views import YEAR

log = logging.getLogger(__name__)


@require_safe
def thumbnail(
    request: HttpRequest, match_id: int, version: int, theme: str, digest: str
) -> HttpResponse:
    """The board of a match as a spectator sees it. An outdated address redirects."""
    if theme not in PALETTES:
        raise Http404("There is no such picture.")
    stored = thumbnails.stored(match_id, version, digest, theme)
    return _picture(stored) if stored else _drawn(match_id, version, digest, theme)


def _drawn(match_id: int, version: int, digest: str, theme: str) -> HttpResponse:
    try:
        snapshot = selectors.snapshot(match_id)
        current = (snapshot.match.version, thumbnails.look_of(snapshot.match))
        if current == (version, digest):
            return _picture(thumbnails.draw(snapshot, theme))
    except NoSuchMatch as unknown:
        raise Http404(str(unknown)) from unknown
    except GameError as unreadable:
        log.exception("Match %s cannot be drawn.", match_id)
        raise Http404("This match cannot be drawn.") from unreadable
    answer = redirect("match-thumbnail", match_id, current[0], theme, current[1])
    answer.status_code = HTTPStatus.TEMPORARY_REDIRECT
    answer.headers["Cache-Control"] = "no-cache"
    return answer


def _picture(svg: str) -> HttpResponse:
    answer = HttpResponse(svg, content_type="image/svg+xml")
    patch_cache_control(answer, public=True, max_age=YEAR, immutable=True)
    return answer
