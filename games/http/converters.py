"""URL converters: ``<id:…>`` matches the primary key of a row."""

from django.urls import register_converter
from django.urls.converters import IntConverter


class IdConverter(IntConverter):
    """A whole number below 10¹⁸, which every database can hold."""

    regex = "[0-9]{1,18}"


register_converter(IdConverter, "id")
