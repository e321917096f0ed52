"""Parameters of a match: checked against the schema of the game, and completed from it."""

from collections.abc import Mapping

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError, best_match

from games.kernel.contract import AnyGame, Meta
from games.kernel.errors import BadParams, quoted
from games.kernel.formatting import between
from games.kernel.language import gettext, gettext_noop
from games.kernel.views import Json

WRONG = {
    "minimum": gettext_noop("{value} is less than the minimum of {limit}"),
    "maximum": gettext_noop("{value} is greater than the maximum of {limit}"),
    "type": gettext_noop("{value} is not of type {limit}"),
    "enum": gettext_noop("{value} is not one of {limit}"),
}
"""What is wrong with a value, by the keyword of the schema that refuses it."""


def for_match(title: AnyGame, seats: Json, raw: Json) -> dict[str, Json]:
    """Return the complete parameters of a match with this number of seats.

    :raises BadParams: the game can't be played so. The sentence says why.
    """
    low, high = title.meta.seats
    if type(seats) is not int or not low <= seats <= high:
        message = gettext("{game} is for {wanted} players, not {seats}.")
        parts = {"game": title.meta.name, "wanted": between(low, high)}
        raise BadParams(message.format(**parts, seats=quoted(seats)))
    params = complete(title.meta, raw)
    if refusal := title.params_refusal(seats, params):
        raise BadParams(refusal)
    return params


def complete(meta: Meta, raw: Json) -> dict[str, Json]:
    """Return the parameters in the order of the schema, with defaults for missing ones.

    :raises BadParams: one is unknown, or has a value that the game doesn't offer.
    """
    if not isinstance(raw, Mapping):
        raise BadParams(gettext("Parameters are an object, not {value}.").format(value=quoted(raw)))
    schemas = meta.params["properties"]
    if unknown := sorted(set(map(str, raw)) - set(schemas)):
        message = gettext("{game} has no parameter {name}. It has: {known}.")
        known = ", ".join(schemas) or gettext("none")
        raise BadParams(message.format(game=meta.name, name=quoted(unknown[0]), known=known))
    full = {name: _whole(raw.get(name, schema["default"])) for name, schema in schemas.items()}
    if error := best_match(Draft202012Validator(meta.params).iter_errors(full)):
        where = ".".join(map(str, error.path)) or gettext("parameters")
        raise BadParams(f"{where}: {_why(error)}.")
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


def _why(error: ValidationError) -> str:
    """Say what is wrong with a value, as jsonschema does in English."""
    message = WRONG.get(str(error.validator))
    if message is None:
        return error.message
    values = {"value": quoted(error.instance), "limit": quoted(error.validator_value)}
    return gettext(message).format(**values)


def _whole(value: Json) -> Json:
    """Return 5 for 5.0: JSON doesn't tell them apart, positions do."""
    return int(value) if isinstance(value, float) and value.is_integer() else value
