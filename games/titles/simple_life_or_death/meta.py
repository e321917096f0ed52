"""The facts of Simple Life or Death."""

from collections.abc import Mapping

from games.kernel.contract import Colour, Meta
from games.kernel.views import Json

MIN_SIZE = 16
MAX_SIZE = 48
CLOCKWISE = "clockwise"
COUNTERCLOCKWISE = "counterclockwise"
CARDS = "cards"
TWO_D6 = "2d6"
ONE_D12 = "1d12"
POLYHEDRAL = "polyhedral"
SIDES = {"d6": 6, "d8": 8, "d12": 12}
"""Sides of the dice by which all pieces move, unless they are polyhedral."""

MAX_ROUNDS = 200

LAST_LEFT = "last-left"
ALL_GONE = "all-gone"
ROUNDS_UP = "rounds-up"
"""The endings by the rules."""


def _number(title: str, description: str, low: int, high: int, **more: Json) -> Mapping[str, Json]:
    kind = {"type": "integer", "minimum": low, "maximum": high, "default": low}
    return {**kind, **more, "title": title, "description": description}


def _choice(title: str, wording: str, description: str, *values: str) -> Mapping[str, Json]:
    kind = {"type": "string", "enum": list(values), "default": values[0]}
    return {**kind, "title": title, "description": description, "wording": {"": wording}}


def _side(title: str, what: str, wording: str) -> Mapping[str, Json]:
    description = f"Squares {what}. On a larger board it takes longer to meet."
    return _number(title, description, MIN_SIZE, MAX_SIZE, wording={"": wording})


META = Meta(
    slug="simple-life-or-death",
    name="Simple Life or Death",
    designer="Fred Poutre",
    year=2005,
    summary=(
        "Pyramids roam a wide board, climb on one another, and fight with hidden cards. The last"
        " player with a piece left wins."
    ),
    seats=(2, 6),
    colours=tuple(
        Colour(name, name[0].lower())
        for name in ("Red", "Orange", "Yellow", "Green", "Blue", "Purple")
    ),
    params={
        "type": "object",
        "properties": {
            "width": _side("Width", "from left to right", "{} wide"),
            "height": _side("Height", "from bottom to top", "{} high"),
            "order": _choice(
                "Order of turns",
                "{}",
                "Whether turns pass up or down the list of players.",
                *(CLOCKWISE, COUNTERCLOCKWISE),
            ),
            "combat": _choice(
                "Combat",
                "fights with {}",
                "Attack and defend with playing cards, or roll two six-sided dice or one"
                " twelve-sided die each.",
                *(CARDS, TWO_D6, ONE_D12),
            ),
            "movement": _choice(
                "Movement",
                "all pieces move by {}",
                "Polyhedral: d4 or d6 for small pieces, d8 or d10 for medium, d12 or d20 for"
                " large ones. Otherwise one, two or three of the dice named.",
                *(POLYHEDRAL, *SIDES),
            ),
            "rounds": _number(
                "Rounds",
                "After this many rounds the match is closed and trophies decide; 0 plays it out."
                " With 30, a player who keeps running away can’t make it endless.",
                *(0, MAX_ROUNDS),
                examples=[0, 30],
                wording={"0": "endless", "1": "1 round", "": "{} rounds"},
            ),
        },
        "additionalProperties": False,
    },
    endings={
        LAST_LEFT: "Only one player still has a piece, and wins.",
        ALL_GONE: "The last pieces left the board together; their owners are ranked by trophies.",
        ROUNDS_UP: "The agreed number of rounds has been played; trophies decide.",
    },
    rules_version=1,
    goal="Have the last piece on the board.",
    terms=(
        "Fred Poutre entered the game in the Icehouse Game Design Competition of spring 2005,"
        " where it came seventh."
    ),
    has_chance=True,
    rolls_for_first=True,
    has_secrets=True,
    has_queue=True,
)
"""The game's description and parameters."""
