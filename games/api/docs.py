"""The reference of the API: for programs as OpenAPI, for people as a page."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from games.api import openapi as description
from games.api.errors import kinds
from games.matches import record

HOUR = 3600

Schema = Mapping[str, Any]


@dataclass(frozen=True)
class Field:
    """A field of a body, or a parameter: its name, its type in words, and what it means."""

    name: str
    kind: str
    is_required: bool
    words: str


@dataclass(frozen=True)
class Operation:
    """An address with a method; ``answer`` is the name of what it answers."""

    method: str
    path: str
    summary: str
    fields: tuple[Field, ...]
    answer: str

    @property
    def tag(self) -> str:
        """The part of the API that it belongs to."""
        return self.path.removeprefix("/api/v1/").partition("/")[0]


@require_safe
@cache_control(public=True, max_age=HOUR)
def openapi(request: HttpRequest) -> HttpResponse:
    """The description of the API (OpenAPI 3.1)."""
    return HttpResponse(description.text(), content_type="application/json")


@require_safe
@cache_control(public=True, max_age=HOUR)
def record_schema(request: HttpRequest) -> HttpResponse:
    """The JSON Schema of the record of a match; its ``$id`` is the address that it has here."""
    schema = {"$id": f"{settings.SITE_URL}{request.path}", **json.loads(record.SCHEMA.read_text())}
    return HttpResponse(json.dumps(schema, indent=2), content_type="application/schema+json")


@require_safe
def reference(request: HttpRequest) -> HttpResponse:
    """The reference of the API as a page."""
    found = description.document()
    operations = sorted(_operations(found), key=lambda one: (one.tag, one.path))
    grouped = {tag: list(some) for tag, some in groupby(operations, lambda one: one.tag)}
    shapes = {
        name: (schema.get("description", ""), list(_fields(schema)))
        for name, schema in found["components"]["schemas"].items()
        if "properties" in schema
    }
    context = {"groups": grouped, "shapes": shapes, "problems": kinds()}
    return render(request, "api/reference.html", context)


def _operations(found: Schema) -> Iterator[Operation]:
    for path, methods in found["paths"].items():
        for method, operation in methods.items():
            given = [_parameter(one) for one in operation.get("parameters", ())]
            body = operation.get("requestBody", {}).get("content", {}).get("application/json")
            name = _name_of(body["schema"]) if body else ""
            sent = _fields(found["components"]["schemas"][name]) if name else ()
            yield Operation(
                method.upper(), path, operation["summary"], (*given, *sent), _answer(operation)
            )


def _parameter(one: Schema) -> Field:
    words = one.get("description", "")
    return Field(one["name"], _kind(one["schema"]), one.get("required", False), words)


def _fields(schema: Schema) -> Iterator[Field]:
    required = schema.get("required", ())
    for name, own in schema.get("properties", {}).items():
        yield Field(name, _kind(own), name in required, own.get("description", ""))


def _answer(operation: Schema) -> str:
    good = next(code for code in operation["responses"] if code.startswith("2"))
    content = operation["responses"][good].get("content", {}).get("application/json", {})
    return _kind(content["schema"]) if content else ""


def _name_of(schema: Schema) -> str:
    return str(schema.get("$ref", "")).rpartition("/")[2]


def _kind(schema: Schema) -> str:
    """Return the type of a value in words, such as ``list of Match``."""
    if name := _name_of(schema):
        return name
    for several in ("oneOf", "anyOf", "allOf"):
        if several in schema:
            return " or ".join(dict.fromkeys(_kind(one) for one in schema[several]))
    if "enum" in schema:
        return ", ".join(map(str, schema["enum"]))
    kind = schema.get("type", "anything")
    names = kind if isinstance(kind, list) else [kind]
    if "array" in names:
        return f"list of {_kind(schema.get('items', {}))}"
    return " or ".join(names)
