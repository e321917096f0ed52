"""The facts of Precary-Ice."""

from games.kernel.contract import Colour, Meta

TURNS, FREE = "turns", "free"
STEADY, NORMAL, SHAKY = "steady", "normal", "shaky"

MOST_ROUNDS = 7

PLAYED_OUT = "played-out"
"""The way in which the rules end a match."""

META = Meta(
    slug="precary-ice",
    name="Precary-Ice",
    designer="Eric Zuckerman",
    year=1999,
    summary=(
        "A game of steady hands: build a tower of pyramids whose sizes a die tells, higher than"
        " the others, before it falls."
    ),
    seats=(2, 6),
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
                "maximum": MOST_ROUNDS,
                "default": 0,
                "title": "Rounds",
                "description": "How many towers each builds; 0 is one more than there are players.",
            },
            "pace": {
                "type": "string",
                "enum": [TURNS, FREE],
                "default": TURNS,
                "title": "Pace",
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
                "description": "How much the hand trembles as it lets a piece go.",
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
    terms=(
        "Eric Zuckerman published the game in November 1999. Ideas for it came from Paul"
        " Livingston, Ginger Markley and Mike Sugarbaker; Michelle Lepovic and Gill Stanfield"
        " tested it."
    ),
    has_chance=True,
    observes=True,
)
"""What the site says of the game, and what a challenger may choose."""
