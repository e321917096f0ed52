"""URL converters: ``<id:…>`` matches the primary key of a row, ``<anything:…>`` any text."""

from django.urls import register_converter
from django.urls.converters import IntConverter, PathConverter


class IdConverter(IntConverter):
    """A whole number below 10¹⁸, which fits a 64-bit column."""

    regex = "[0-9]{1,18}"


class AnythingConverter(PathConverter):
    """Any text, including slashes and, unlike Django's ``path``, line breaks."""

    regex = "(?s:.+)"


register_converter(IdConverter, "id")
register_converter(AnythingConverter, "anything")
