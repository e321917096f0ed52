"""The facts of DIE."""

from games.kernel.contract import Colour, Meta
from games.kernel.language import gettext_noop

MIN_SIZE = 3
MAX_SIZE = 12

NO_STONES = "no-stones"
"""The only ending by the rules."""

META = Meta(
    slug="die",
    name="DIE",
    designer="Mark Steere",
    year=2025,
    summary=gettext_noop(
        "Two colours grow on a hexagon of cells. Be the first to have no stones left."
    ),
    seats=(2, 2),
    colours=(Colour(gettext_noop("Red"), "r"), Colour(gettext_noop("Blue"), "b")),
    params={
        "type": "object",
        "properties": {
            "size": {
                "type": "integer",
                "minimum": MIN_SIZE,
                "maximum": MAX_SIZE,
                "default": 5,
                "title": gettext_noop("Size"),
                "description": gettext_noop("Cells along each side of the board."),
                "wording": {"": gettext_noop("size {}")},
            },
        },
        "additionalProperties": False,
    },
    endings={NO_STONES: gettext_noop("A player has no stones left on the board, and wins.")},
    ending_names={NO_STONES: gettext_noop("No stones")},
    rules_version=1,
    goal=gettext_noop("Be the first to have no stones left on the board."),
    terms=gettext_noop(
        "Mark Steere allows anybody to program the game free of charge, asks that its name and"
        " rules stay as they are, and that it be attributed to him."
    ),
)
