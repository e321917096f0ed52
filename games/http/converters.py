"""Numbers in addresses: ``<id:…>`` is one that a database can hold."""

from django.urls import register_converter
from django.urls.converters import IntConverter


class IdConverter(IntConverter):
    """A whole number below 10¹⁸; a longer one is the number of nothing."""

    regex = "[0-9]{1,18}"


register_converter(IdConverter, "id")
