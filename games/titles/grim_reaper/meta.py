"""The facts of Grim Reaper."""

from collections.abc import Mapping, Sequence

from games.kernel.contract import Colour, Meta
from games.kernel.views import Json

SIZES = (6, 8)
SHORTEST_SPAN = 3
MAX_SPAN = 30
RESERVES = (1, 2, 3)

LAST_ALIVE = "last-alive"
CONNECTED = "connected"
NOBODY_ALIVE = "nobody-alive"
"""The endings by the rules."""


def _span(whom: str, plural: str) -> Mapping[str, Json]:
    return {
        "type": "integer",
        "minimum": SHORTEST_SPAN,
        "maximum": MAX_SPAN,
        "default": 10,
        "title": f"Life of {plural}",
        "description": f"How many turns a newborn {whom} lives. With 6, generations pass quickly.",
        "wording": {"": f"{plural} live {{}} turns"},
    }


META = Meta(
    slug="grim-reaper",
    name="Grim Reaper",
    designer="Wyon Stansfeld",
    year=2007,
    summary=(
        "Two peoples mate, give birth, age and die. Outlive your opponent’s people, or join your"
        " two sides of the board."
    ),
    seats=(2, 2),
    colours=(Colour("Red", "r"), Colour("Blue", "b")),
    params={
        "type": "object",
        "properties": {
            "size": {
                "type": "integer",
                "enum": list(SIZES),
                "default": 6,
                "title": "Board",
                "description": "Squares along each side of the board.",
                "wording": {"": "{0} × {0} board"},
            },
            "male_span": _span("male", "males"),
            "female_span": _span("female", "females"),
            "random_life": {
                "type": "boolean",
                "default": False,
                "title": "Random life",
                "description": (
                    "Each newborn lives a random number of turns: from 2 up to the life of its sex."
                ),
            },
            "reserve": {
                "type": "integer",
                "enum": list(RESERVES),
                "default": 1,
                "title": "Reserve",
                "description": (
                    "Life reserve at the start, as a multiple of the average lifespan at birth."
                ),
                "wording": {"2": "double reserve", "3": "triple reserve"},
            },
        },
        "additionalProperties": False,
    },
    endings={
        LAST_ALIVE: "Only one player is still alive, with a piece or a reserve, and wins.",
        CONNECTED: "A player's pieces join that player's two sides of the board, and win.",
        NOBODY_ALIVE: "Nobody is alive: the last pieces died together, and the match is drawn.",
    },
    rules_version=1,
    goal="Outlive your opponent’s people, or join your two sides of the board.",
    terms=(
        "Rules for Grim Reaper © Wyon Stansfeld, who completed the game in July 2007; Aaron"
        " Dalton first programmed it for play by web."
    ),
    has_chance=True,
)
"""The game's description and parameters."""


def name_of(seat: int) -> str:
    return META.colours[seat].name


def describe_result(ranks: Sequence[int]) -> str:
    """Return the outcome of a match, in a sentence."""
    winners = [seat for seat, rank in enumerate(ranks) if rank == 1]
    return f"{name_of(winners[0])} has won." if len(winners) == 1 else "The match is a draw."
