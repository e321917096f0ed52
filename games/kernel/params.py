"""Parameters of a match: checked against the schema of the game, and completed from it."""

from collections.abc import Mapping

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

from games.kernel.contract import AnyGame, Meta
from games.kernel.errors import BadParams, quoted
from games.kernel.formatting import between
from games.kernel.views import Json


def for_match(title: AnyGame, seats: Json, raw: Json) -> dict[str, Json]:
    """Return the complete parameters of a match with this number of seats.

    :raises BadParams: the game can't be played so. The sentence says why.
    """
    low, high = title.meta.seats
    if type(seats) is not int or not low <= seats <= high:
        name, wanted = title.meta.name, between(low, high)
        raise BadParams(f"{name} is for {wanted} players, not {quoted(seats)}.")
    params = complete(title.meta, raw)
    if refusal := title.params_refusal(seats, params):
        raise BadParams(refusal)
    return params


def complete(meta: Meta, raw: Json) -> dict[str, Json]:
    """Return the parameters in the order of the schema, with defaults for missing ones.

    :raises BadParams: one is unknown, or has a value that the game doesn't offer.
    """
    if not isinstance(raw, Mapping):
        raise BadParams(f"Parameters are an object, not {quoted(raw)}.")
    schemas = meta.params["properties"]
    if unknown := sorted(set(map(str, raw)) - set(schemas)):
        known = ", ".join(schemas) or "none"
        raise BadParams(f"{meta.name} has no parameter {quoted(unknown[0])}. It has: {known}.")
    full = {name: _whole(raw.get(name, schema["default"])) for name, schema in schemas.items()}
    if error := best_match(Draft202012Validator(meta.params).iter_errors(full)):
        raise BadParams(f"{'.'.join(map(str, error.path)) or 'parameters'}: {error.message}.")
    return full


def with_defaults(meta: Meta, stored: Mapping[str, Json]) -> dict[str, Json]:
    """Return the parameters of a stored match, with defaults for those added later."""
    schemas = meta.params["properties"]
    return {**{name: schema["default"] for name, schema in schemas.items()}, **stored}


def changed(meta: Meta, params: Mapping[str, Json]) -> dict[str, Json]:
    """Return the parameters that differ from the defaults, in the order of ``params``."""
    schemas = meta.params.get("properties", {})
    return {
        name: value
        for name, value in params.items()
        if name not in schemas or schemas[name]["default"] != value
    }


def _whole(value: Json) -> Json:
    """Return 5 for 5.0: JSON doesn't tell them apart, positions do."""
    return int(value) if isinstance(value, float) and value.is_integer() else value
