"""Errors as JSON: ``{"code": …, "detail": …}`` with the status of their kind."""

from typing import Any

from rest_framework.exceptions import Throttled, ValidationError
from rest_framework.response import Response
from rest_framework.views import exception_handler

from accounts.limits import TooMany
from games.api.shapes import refusal
from games.http.echo import shorten_echo
from games.http.errors import status_of
from games.kernel.errors import GameError


def answer(error: Exception, context: dict[str, Any]) -> Response | None:
    """Return the response to an error; ``None`` for an unexpected one, which Django reports."""
    if isinstance(error, GameError):
        return Response(refusal(error.code, shorten_echo(str(error))), status_of(error))
    if isinstance(error, TooMany):
        error = Throttled(error.wait)
    response = exception_handler(error, context)
    if response is None:
        return None
    if isinstance(error, ValidationError):
        response.data = refusal("invalid", error.detail)
    else:
        code = getattr(error, "default_code", "error")
        response.data = refusal(code, str(response.data["detail"]))
    return response
