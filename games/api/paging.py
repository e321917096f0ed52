"""Pagination of lists (:mod:`games.http.paging`)."""

from collections.abc import Callable, Sequence
from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiParameter, inline_serializer
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param

from games.api.serializers import dump_all
from games.http.paging import page_of
from games.matches.numbered_pages import NumberedPage

MAX_PAGES = 1000

PLACE = OpenApiParameter(
    "page", str, description="Where the page begins; `next` and `previous` are addresses with it."
)


def listed(item: type[serializers.BaseSerializer[Any]]) -> serializers.Serializer[Any]:
    """Return the serializer of a page of a list, for the OpenAPI document."""
    name = f"PageOf{item.__name__.removesuffix('Serializer')}"
    fields = {
        "items": item(many=True),
        "next": serializers.CharField(
            allow_null=True, help_text="The address of the next page. Null on the last one."
        ),
        "previous": serializers.CharField(
            allow_null=True, help_text="The address of the page before. Null on the first one."
        ),
    }
    return inline_serializer(name, fields)


def answer(
    request: Request,
    rows: QuerySet[Any],
    by: str,
    dump: Callable[[Sequence[Any]], Any],
    among: QuerySet[Any] | None = None,
) -> Response:
    """Return the requested page of a list, with links to the adjacent ones.

    With ``among`` a page may be short although others follow (:func:`games.http.paging.page_of`).
    """
    page = page_of(rows, request._request, by=by, among=among)
    beside = {"next": page.older, "previous": page.newer}
    return Response(
        {"items": dump(page.items), **{key: _at(request, at) for key, at in beside.items()}}
    )


def numbered(
    request: Request, page: NumberedPage[Any], item: type[serializers.Serializer[Any]]
) -> Response:
    """Return a page of a list whose pages have numbers, with links to the adjacent ones."""
    return Response(
        {
            "items": dump_all(item, page.items),
            "next": _at(request, page.older),
            "previous": _at(request, page.newer),
        }
    )


def number_field() -> serializers.IntegerField:
    """Return the query parameter of a list whose pages have numbers."""
    return serializers.IntegerField(
        min_value=1, max_value=MAX_PAGES, default=1, help_text="The number of the page, from 1."
    )


def _at(request: Request, place: str | int) -> str | None:
    address = request.build_absolute_uri()
    return replace_query_param(address, "page", place) if place else None
