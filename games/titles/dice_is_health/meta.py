"""The facts of Dice Is Health, Strength, and Money."""

from games.kernel.contract import UNNAMED, Colour, Meta
from games.kernel.language import gettext_noop

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
    summary=gettext_noop(
        "A chase around two rings whose bridges keep turning: gather dice, beat a monster for a"
        " trinket, and be the first back in the middle with it and three dice."
    ),
    seats=(2, 4),
    colours=(
        Colour(gettext_noop("Red"), "r"),
        Colour(gettext_noop("Blue"), "b"),
        Colour(gettext_noop("Green"), "g"),
        Colour(gettext_noop("Yellow"), "y"),
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
                "title": gettext_noop("Maximum rounds"),
                "wording": {
                    "0": gettext_noop("endless"),
                    "1": gettext_noop("1 round at most"),
                    "": gettext_noop("{} rounds at most"),
                },
                "description": gettext_noop(
                    "After this many rounds the match is a draw between all who are still in;"
                    " 0 plays on until somebody wins."
                ),
            },
        },
        "additionalProperties": False,
    },
    endings={
        BACK: gettext_noop(
            "A player is back in the middle with a trinket and three dice, and wins."
        ),
        ROUNDS_UP: gettext_noop(
            "The agreed number of rounds has been played: a draw between all who are still in."
        ),
    },
    ending_names={BACK: gettext_noop("Back in the middle"), ROUNDS_UP: gettext_noop("Rounds up")},
    rules_version=1,
    goal=gettext_noop("Be the first on the inner ring with a trinket and three dice."),
    terms=gettext_noop("The rule sheet names neither its designer nor any terms."),
    has_chance=True,
)
"""The game's description and parameters."""


def name_of(seat: int) -> str:
    """Return what readers call a seat."""
    return META.colours[seat].shown_name
