"""Responses when the site itself fails."""

import sys

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.views.defaults import server_error
from psycopg.errors import ProtocolViolation
from psycopg_pool import PoolTimeout

RETRY_AFTER = 3
"""Seconds in ``Retry-After`` if all connections to the database are in use."""


def failed(request: HttpRequest) -> HttpResponse:
    """Say that the site is busy if no database connection was free, otherwise that it failed.

    Call it while the exception is being handled, as Django does.
    """
    if not is_busy(sys.exc_info()[1]):
        return server_error(request)
    # What a form sent isn't sent again without being asked for.
    is_repeated = request.method == "GET"
    # Rendered without the request: reading its user would need a connection.
    page = render_to_string("503.html", {"is_repeated": is_repeated})
    response = HttpResponse(page, status=503)
    response.headers["Retry-After"] = str(RETRY_AFTER)
    if is_repeated:
        response.headers["Refresh"] = str(RETRY_AFTER)
    response.headers["Cache-Control"] = "no-store"
    return response


def is_busy(error: BaseException | None) -> bool:
    """Whether no database connection was free or could be opened, here or by the pooler.

    PgBouncer's own errors are violations of the protocol (08P01).
    """
    while error is not None:
        if isinstance(error, PoolTimeout | ProtocolViolation):
            return True
        error = error.__cause__
    return False
