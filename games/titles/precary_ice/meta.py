"""The facts of Precary-Ice."""

from games.kernel.contract import Colour, Meta

TURNS = "turns"
FREE = "free"
STEADY = "steady"
NORMAL = "normal"
SHAKY = "shaky"

MIN_SEATS = 2
MAX_SEATS = 6
MAX_ROUNDS = 7

PLAYED_OUT = "played-out"
"""The ending by the rules."""

META = Meta(
    slug="precary-ice",
    name="Precary-Ice",
    designer="Eric Zuckerman",
    year=1999,
    summary=(
        "A game of steady hands: a die gives you pyramids to stack. Score more than the others"
        " before your tower falls."
    ),
    seats=(MIN_SEATS, MAX_SEATS),
    colours=(
        Colour("Red", "r"),
        Colour("Orange", "o"),
        Colour("Yellow", "y"),
        Colour("Green", "g"),
        Colour("Blue", "b"),
        Colour("Purple", "p"),
    ),
    params={
        "type": "object",
        "properties": {
            "rounds": {
                "type": "integer",
                "minimum": 0,
                "maximum": MAX_ROUNDS,
                "default": 0,
                "title": "Rounds",
                "wording": {"0": "one more than players", "1": "1 round", "": "{} rounds"},
                "description": "Towers per player. 0 means one more than there are players.",
            },
            "pace": {
                "type": "string",
                "enum": [TURNS, FREE],
                "default": TURNS,
                "title": "Pace",
                "wording": {"": "{} pace"},
                "description": (
                    "Turns: one piece each, in order. Free: within a round everyone builds at"
                    " their own speed."
                ),
            },
            "hand": {
                "type": "string",
                "enum": [STEADY, NORMAL, SHAKY],
                "default": NORMAL,
                "title": "Hand",
                "wording": {"": "{} hand"},
                "description": "How much your hand trembles when you release a piece.",
            },
            "incidents": {
                "type": "boolean",
                "default": False,
                "title": "Incidents",
                "description": (
                    "Now and then a cat knocks a tower over: it is rebuilt, and the turn is lost."
                ),
            },
        },
        "additionalProperties": False,
    },
    endings={PLAYED_OUT: "All rounds have been played."},
    rules_version=1,
    goal="Score the most points before your tower falls.",
    terms=(
        "Eric Zuckerman published the game in November 1999. Ideas for it came from Paul"
        " Livingston, Ginger Markley and Mike Sugarbaker; Michelle Lepovic and Gill Stanfield"
        " tested it."
    ),
    has_chance=True,
    observes=True,
)
"""The game's description and parameters."""


def name_of(seat: int) -> str:
    """Return the name of a seat: that of its first colour."""
    return META.colours[seat].name
