"""Documentation of the API: OpenAPI, the reference page, and the guides."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe
from markdown_it import MarkdownIt

from games.api import events
from games.api import openapi as description
from games.api.errors import kinds
from games.records import record

HOUR = 3600

ANY_SITE = {"Access-Control-Allow-Origin": "*"}
"""Lets scripts of all sites read a response."""

Schema = Mapping[str, Any]

GUIDES = Path(__file__).with_name("guides")
"""The folder of the guides. Each starts with its title and a paragraph of summary."""

PRE = '<pre tabindex="0">'
"""Code wider than the page has to be focusable so that the keyboard can scroll it."""

_markdown = MarkdownIt()


@dataclass(frozen=True)
class Field:
    """``default`` is JSON, or empty."""

    name: str
    kind: SafeString
    is_required: bool
    text: SafeString
    default: str


@dataclass(frozen=True)
class Operation:
    """An address with a method. ``answer`` is the type of its response."""

    method: str
    path: str
    summary: SafeString
    fields: tuple[Field, ...]
    answer: SafeString
    is_public: bool
    tag: str


@dataclass(frozen=True)
class EventKind:
    """A type of event on a stream, with the name of the schema of its fields."""

    type: str
    meaning: str
    shape: str


@dataclass(frozen=True)
class Stream:
    """A stream: its name in the OpenAPI document, its address, and its events."""

    name: str
    path: str
    kinds: tuple[EventKind, ...]
    examples: tuple[str, ...]


@dataclass(frozen=True)
class Guide:
    name: str
    title: str
    summary: str
    body: SafeString


@require_safe
@cache_control(public=True, max_age=HOUR)
def openapi(request: HttpRequest) -> HttpResponse:
    return HttpResponse(description.text(), content_type="application/json", headers=ANY_SITE)


@require_safe
@cache_control(public=True, max_age=HOUR)
def record_schema(request: HttpRequest) -> HttpResponse:
    """Serve the JSON Schema of the record of a match; its ``$id`` is its address here."""
    schema = {"$id": f"{settings.SITE_URL}{request.path}", **json.loads(record.SCHEMA.read_text())}
    text = json.dumps(schema, indent=2)
    return HttpResponse(text, content_type="application/schema+json", headers=ANY_SITE)


@require_safe
def reference(request: HttpRequest) -> HttpResponse:
    return render(request, "api/reference.html", _reference())


@require_safe
def guide_list(request: HttpRequest) -> HttpResponse:
    """Redirect to the list of guides, which is a part of the reference."""
    return HttpResponseRedirect(f"{reverse('api-docs')}#guides")


@require_safe
def guide(request: HttpRequest, name: str) -> HttpResponse:
    page = guides().get(name)
    if page is None:
        raise Http404("There is no such guide.")
    return render(request, "api/guide.html", {"guide": page})


@cache
def guides() -> dict[str, Guide]:
    """Return the guides by name, in the order of their file numbers."""
    pages = {}
    for file in sorted(GUIDES.glob("*.md")):
        title, summary, body = file.read_text(encoding="utf-8").split("\n\n", 2)
        name = file.stem.partition("-")[2]
        html = SafeString(_markdown.render(body).replace("<pre>", PRE))
        pages[name] = Guide(name, title.removeprefix("# "), summary, html)
    return pages


@cache
def _reference() -> dict[str, Any]:
    document = description.document()
    schemas = document["components"]["schemas"]
    operations = sorted(_operations(document), key=lambda one: (one.tag, one.path))
    texts = {tag["name"]: tag["description"] for tag in document["tags"]}
    own = "stream/"
    one_match = "matches/{match_id}/stream/"
    return {
        "groups": [
            (tag, texts[tag], list(group))
            for tag, group in groupby(operations, lambda one: one.tag)
        ],
        "shapes": [
            (name, _text(schema), list(_fields(schema, schemas)))
            for name, schema in schemas.items()
            if "properties" in schema
        ],
        "streams": [
            _stream(schemas, "OwnEvent", own, events.OWN_KINDS, events.OWN_EXAMPLES),
            _stream(
                schemas, "MatchStreamEvent", one_match, events.MATCH_KINDS, events.MATCH_EXAMPLES
            ),
        ],
        "problems": kinds(),
        "guides": guides().values(),
    }


def _stream(
    schemas: Schema,
    name: str,
    path: str,
    kinds: Sequence[events.EventKind],
    examples: Sequence[Schema],
) -> Stream:
    shapes = schemas[name]["discriminator"]["mapping"]
    rows = [EventKind(kind.type, kind.meaning, _name(shapes[kind.type])) for kind in kinds]
    texts = [json.dumps(one, indent=2, ensure_ascii=False) for one in examples]
    return Stream(name, path, tuple(rows), tuple(texts))


def _operations(document: Schema) -> Iterator[Operation]:
    schemas = document["components"]["schemas"]
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            parameters = [
                _field(one["name"], one, schemas) for one in operation.get("parameters", ())
            ]
            body = operation.get("requestBody", {}).get("content", {}).get("application/json")
            sent = _fields(schemas[_name(body["schema"]["$ref"])], schemas) if body else ()
            yield Operation(
                method.upper(),
                path,
                _html(operation["summary"]),
                (*parameters, *sent),
                _answer(operation, schemas),
                {} in operation.get("security", ()),
                operation["tags"][0],
            )


def _field(name: str, one: Schema, schemas: Schema, *, is_required: bool = False) -> Field:
    """Return the field for a parameter (which contains its schema) or a property (which is one)."""
    schema = one.get("schema", one)
    default = json.dumps(schema["default"]) if "default" in schema else ""
    needed = is_required or one.get("required") is True
    return Field(name, _kind(schema, schemas), needed, _text(one), default)


def _fields(schema: Schema, schemas: Schema, before: str = "") -> Iterator[Field]:
    """Yield the fields of an object and of its inline objects."""
    required = schema.get("required", ())
    for name, own in schema.get("properties", {}).items():
        path = f"{before}{name}"
        yield _field(path, own, schemas, is_required=name in required)
        suffix, inner = _inner(own)
        yield from _fields(inner, schemas, f"{path}{suffix}.")


def _inner(schema: Schema) -> tuple[str, Schema]:
    """Return the inline object of a field or of the items of a list."""
    if "items" in schema:
        return "[]", schema["items"]
    for one in schema.get("anyOf", ()):
        if "properties" in one:
            return "", one
    return "", schema


def _answer(operation: Schema, schemas: Schema) -> SafeString:
    good = next(code for code in operation["responses"] if code.startswith("2"))
    content = operation["responses"][good].get("content", {})
    for media_type, body in content.items():
        kind = _kind(body["schema"], schemas)
        return format_html("lines of {}", kind) if media_type.endswith("ndjson") else kind
    return SafeString("")


def _text(schema: Schema) -> SafeString:
    return _html(schema.get("description", ""))


def _html(text: str) -> SafeString:
    """Render the Markdown of a description as HTML."""
    return SafeString(_markdown.renderInline(text))


def _name(reference: str) -> str:
    return reference.rpartition("/")[2]


def _kind(schema: Schema, schemas: Schema) -> SafeString:
    """Return the type of a value in words, such as ``list of Match``, with links and choices."""
    if "$ref" in schema:
        name = _name(schema["$ref"])
        if "enum" in schemas[name]:
            return _kind(schemas[name], schemas)
        return format_html('<a href="#{0}">{0}</a>', name)
    for several in ("oneOf", "anyOf", "allOf"):
        if several in schema:
            parts = dict.fromkeys(_kind(one, schemas) for one in schema[several])
            return _joined(" or ", parts)
    values = [schema["const"]] if "const" in schema else schema.get("enum")
    if values is None:
        return _plain_kind(schema, schemas)
    texts = (json.dumps(value, ensure_ascii=False) for value in values)
    return _joined(", ", (format_html("<code>{}</code>", value) for value in texts))


def _plain_kind(schema: Schema, schemas: Schema) -> SafeString:
    kind = schema.get("type", "anything")
    names = list(kind) if isinstance(kind, list) else [kind]
    if "array" in names:
        items = _kind(schema.get("items", {}), schemas)
        names[names.index("array")] = format_html("list of {}", items)
    return format_html("{}{}", _joined(" or ", names), _limits(schema))


def _limits(schema: Schema) -> str:
    """Return the range of a number or the length of a text in words, empty without a limit."""
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is not None and high is not None:
        return f" from {low} to {high}"
    if low is not None:
        return f" from {low}"
    if "maxLength" in schema:
        return f" of up to {schema['maxLength']} characters"
    return ""


def _joined(separator: str, parts: Any) -> SafeString:
    return format_html_join(separator, "{}", ((part,) for part in parts))
