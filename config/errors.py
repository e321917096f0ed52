"""What is answered when the site itself fails."""

import sys
from functools import cache

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.views.defaults import server_error
from psycopg_pool import PoolTimeout

WAIT = 3
"""Seconds after which somebody who found all connections in use may ask again."""


def failed(request: HttpRequest) -> HttpResponse:
    """Say that the site is busy where no connection to the database was free, else that it failed.

    To be called while the exception is handled, as Django does.
    """
    if not is_busy(sys.exc_info()[1]):
        return server_error(request)
    # Drawn without the request: to look who asks would take a connection.
    response = HttpResponse(render_to_string("503.html"), status=503)
    response.headers["Retry-After"] = str(WAIT)
    response.headers["Cache-Control"] = "no-store"
    return response


@cache
def too_large_page() -> bytes:
    """Return the page for who sends a larger body than the server takes."""
    return render_to_string("413.html").encode()


def is_busy(error: BaseException | None) -> bool:
    """Whether all connections to the database were in use, or none could be opened."""
    while error is not None:
        if isinstance(error, PoolTimeout):
            return True
        error = error.__cause__
    return False
