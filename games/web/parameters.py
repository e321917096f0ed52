"""Form fields from the JSON Schema of a game's parameters."""

from collections.abc import Callable, Mapping
from typing import Any

from django import forms

from games.http.archive import PREFIX
from games.kernel import registry
from games.kernel.contract import Meta
from games.kernel.errors import BadParams
from games.kernel.language import gettext
from games.kernel.params import for_match
from games.kernel.views import Json
from games.matches import formatting

MAX_RADIO_BUTTONS = 4
"""Maximum number of values that are radio buttons. Otherwise there is a list."""


class ParametersForm(forms.Form):
    """A form with the parameters of a game, and the number of players if that varies.

    A subclass adds these ``fields`` and sets ``meta``.
    """

    meta: Meta

    @property
    def parameter_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.fields if name.startswith(PREFIX)]

    @property
    def seat_count(self) -> int:
        return self.cleaned_data.get("seats") or self.meta.seats[0]

    def clean(self) -> dict[str, Any]:
        """Refuse parameters that don't suit the number of players."""
        cleaned = super().clean() or self.cleaned_data
        if not self.errors:
            try:
                for_match(registry.get(self.meta.slug), self.seat_count, params(cleaned))
            except BadParams as refusal:
                self.add_error(None, str(refusal))
        return cleaned


def fields(meta: Meta) -> dict[str, forms.Field]:
    """Return a form field for each parameter of a game, by its name in forms."""
    properties = meta.params.get("properties", {})
    return {PREFIX + name: field(schema) for name, schema in properties.items()}


def field(schema: Mapping[str, Json]) -> forms.Field:
    """Return the form field for one property of a schema."""
    if "enum" in schema:
        return _choice(schema)
    makers: Mapping[str, Callable[[Mapping[str, Json]], forms.Field]] = {
        "boolean": _yes_or_no,
        "integer": _whole_number,
        "number": _number,
    }
    return makers.get(schema.get("type", "string"), _text)(schema)


def params(cleaned: Mapping[str, Any]) -> dict[str, Json]:
    """Return the parameters in the cleaned data of a form, without the empty ones.

    Those take their defaults.
    """
    return {
        name.removeprefix(PREFIX): value
        for name, value in cleaned.items()
        if name.startswith(PREFIX) and value not in (None, "")
    }


def _common(schema: Mapping[str, Json]) -> dict[str, Any]:
    return {
        "label": gettext(schema["title"]) if "title" in schema else None,
        "help_text": gettext(schema["description"]) if schema.get("description") else "",
        "initial": schema.get("default"),
    }


def _choice(schema: Mapping[str, Json]) -> forms.Field:
    values = {str(value): value for value in schema["enum"]}
    few = len(values) <= MAX_RADIO_BUTTONS
    return forms.TypedChoiceField(
        **_common(schema) | {"initial": str(schema.get("default"))},
        choices=[(key, formatting.parameter(value)) for key, value in values.items()],
        coerce=values.__getitem__,
        widget=forms.RadioSelect if few else forms.Select,
    )


def _yes_or_no(schema: Mapping[str, Json]) -> forms.Field:
    return forms.BooleanField(**_common(schema), required=False)


def _whole_number(schema: Mapping[str, Json]) -> forms.Field:
    low, high = schema.get("minimum"), schema.get("maximum")
    return forms.IntegerField(**_common(schema), min_value=low, max_value=high)


def _number(schema: Mapping[str, Json]) -> forms.Field:
    low, high = schema.get("minimum"), schema.get("maximum")
    return forms.FloatField(**_common(schema), min_value=low, max_value=high)


def _text(schema: Mapping[str, Json]) -> forms.Field:
    return forms.CharField(**_common(schema), max_length=schema.get("maxLength", 100))
