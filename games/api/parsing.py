"""Parsing of request bodies."""

from collections.abc import Mapping
from typing import IO, Any

from django.http import HttpRequest
from django.utils.translation import gettext
from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser


class Json(JSONParser):
    """A JSON parser that refuses deeply nested input instead of crashing."""

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        """:raises ParseError: the body isn't JSON, or is nested too deeply."""
        request: Any = stream
        if isinstance(request, HttpRequest):
            # kept so that error reports can redact it
            _ = request.body
        try:
            return super().parse(stream, media_type, parser_context)
        except RecursionError:
            raise ParseError(gettext("JSON parse error - nested too deep")) from None
