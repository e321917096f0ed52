"""The facts of Dice Is Health, Strength, and Money."""

from games.kernel.contract import UNNAMED, Colour, Meta

MAX_ROUNDS = 500
ROUNDS = 100

BACK = "back"
ROUNDS_UP = "rounds-up"
"""The endings by the rules."""

META = Meta(
    slug="dice-is-health",
    name="Dice Is Health, Strength, and Money",
    designer=UNNAMED,
    year=None,
    summary=(
        "A chase around two rings whose bridges keep turning: gather dice, beat a monster for a"
        " trinket, and be the first back in the middle with it and three dice."
    ),
    seats=(2, 4),
    colours=(
        Colour("Red", "r"),
        Colour("Blue", "b"),
        Colour("Green", "g"),
        Colour("Yellow", "y"),
    ),
    params={
        "type": "object",
        "properties": {
            "rounds": {
                "type": "integer",
                "minimum": 0,
                "maximum": MAX_ROUNDS,
                "default": ROUNDS,
                "examples": [0, 50, ROUNDS],
                "title": "Rounds",
                "wording": {"0": "endless", "1": "1 round", "": "{} rounds"},
                "description": (
                    "After this many rounds the match is a draw between all who are still in;"
                    " 0 plays on until somebody wins."
                ),
            },
        },
        "additionalProperties": False,
    },
    endings={
        BACK: "A player is back in the middle with a trinket and three dice, and wins.",
        ROUNDS_UP: (
            "The agreed number of rounds has been played: a draw between all who are still in."
        ),
    },
    rules_version=1,
    goal="Be the first on the inner ring with a trinket and three dice.",
    terms="The rule sheet names neither its designer nor any terms.",
    has_chance=True,
)
"""The game's description and parameters."""


def name_of(seat: int) -> str:
    return META.colours[seat].name
