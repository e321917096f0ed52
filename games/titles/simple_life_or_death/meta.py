"""The facts of Simple Life or Death."""

from collections.abc import Mapping

from games.kernel.contract import Colour, Meta
from games.kernel.language import gettext_noop
from games.kernel.views import Json

MIN_SIZE = 16
MAX_SIZE = 48
CLOCKWISE = gettext_noop("clockwise")
COUNTERCLOCKWISE = gettext_noop("counterclockwise")
CARDS = gettext_noop("cards")
TWO_D6 = "2d6"
ONE_D12 = "1d12"
POLYHEDRAL = gettext_noop("polyhedral")
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


META = Meta(
    slug="simple-life-or-death",
    name="Simple Life or Death",
    designer="Fred Poutre",
    year=2005,
    summary=gettext_noop(
        "Pyramids roam a wide board, climb on one another, and fight with hidden cards. The last"
        " player with a piece left wins."
    ),
    seats=(2, 6),
    colours=(
        Colour(gettext_noop("Red"), "r"),
        Colour(gettext_noop("Orange"), "o"),
        Colour(gettext_noop("Yellow"), "y"),
        Colour(gettext_noop("Green"), "g"),
        Colour(gettext_noop("Blue"), "b"),
        Colour(gettext_noop("Purple"), "p"),
    ),
    params={
        "type": "object",
        "properties": {
            "width": _number(
                gettext_noop("Width"),
                gettext_noop(
                    "Squares from left to right. On a larger board it takes longer to meet."
                ),
                *(MIN_SIZE, MAX_SIZE),
                wording={"": gettext_noop("{} wide")},
            ),
            "height": _number(
                gettext_noop("Height"),
                gettext_noop(
                    "Squares from bottom to top. On a larger board it takes longer to meet."
                ),
                *(MIN_SIZE, MAX_SIZE),
                wording={"": gettext_noop("{} high")},
            ),
            "order": _choice(
                gettext_noop("Order of turns"),
                "{}",
                gettext_noop("Whether turns pass up or down the list of players."),
                *(CLOCKWISE, COUNTERCLOCKWISE),
            ),
            "combat": _choice(
                gettext_noop("Combat"),
                # Translators: as in "fights with cards", "fights with 2d6".
                gettext_noop("fights with {}"),
                gettext_noop(
                    "Attack and defend with playing cards, or roll two six-sided dice or one"
                    " twelve-sided die each."
                ),
                *(CARDS, TWO_D6, ONE_D12),
            ),
            "movement": _choice(
                gettext_noop("Movement"),
                # Translators: as in "all pieces move by d12".
                gettext_noop("all pieces move by {}"),
                gettext_noop(
                    "Polyhedral: d4 or d6 for small pieces, d8 or d10 for medium, d12 or d20 for"
                    " large ones. Otherwise one, two or three of the dice named."
                ),
                *(POLYHEDRAL, *SIDES),
            ),
            "rounds": _number(
                gettext_noop("Maximum rounds"),
                gettext_noop(
                    "After this many rounds the match is closed and trophies decide; 0 plays it"
                    " out. With 30, a player who keeps running away can’t make it endless."
                ),
                *(0, MAX_ROUNDS),
                examples=[0, 30],
                wording={
                    "0": gettext_noop("endless"),
                    "1": gettext_noop("1 round at most"),
                    "": gettext_noop("{} rounds at most"),
                },
            ),
        },
        "additionalProperties": False,
    },
    endings={
        LAST_LEFT: gettext_noop("Only one player still has a piece, and wins."),
        ALL_GONE: gettext_noop(
            "The last pieces left the board together; their owners are ranked by trophies."
        ),
        ROUNDS_UP: gettext_noop("The agreed number of rounds has been played; trophies decide."),
    },
    ending_names={
        LAST_LEFT: gettext_noop("Last left"),
        ALL_GONE: gettext_noop("All gone"),
        ROUNDS_UP: gettext_noop("Rounds up"),
    },
    rules_version=1,
    goal=gettext_noop("Have the last piece on the board."),
    terms=gettext_noop(
        "Fred Poutre entered the game in the Icehouse Game Design Competition of spring 2005,"
        " where it came seventh."
    ),
    has_chance=True,
    rolls_for_first=True,
    has_secrets=True,
    has_queue=True,
)
"""The game's description and parameters."""
