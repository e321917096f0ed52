"""The facts of Precary-Ice."""

from games.kernel.contract import Colour, Meta
from games.kernel.language import gettext_noop

TURNS = gettext_noop("turns")
FREE = gettext_noop("free")
STEADY = gettext_noop("steady")
NORMAL = gettext_noop("normal")
SHAKY = gettext_noop("shaky")

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
    summary=gettext_noop(
        "A game of steady hands: a die gives you pyramids to stack. Score more than the others"
        " before your tower falls."
    ),
    seats=(MIN_SEATS, MAX_SEATS),
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
            "rounds": {
                "type": "integer",
                "minimum": 0,
                "maximum": MAX_ROUNDS,
                "default": 0,
                "title": gettext_noop("Rounds"),
                "wording": {
                    "0": gettext_noop("one more than players"),
                    "1": gettext_noop("1 round"),
                    "": gettext_noop("{} rounds"),
                },
                "description": gettext_noop(
                    "Towers per player. 0 means one more than there are players."
                ),
            },
            "pace": {
                "type": "string",
                "enum": [TURNS, FREE],
                "default": TURNS,
                "title": gettext_noop("Pace"),
                # Translators: as in "free pace".
                "wording": {"": gettext_noop("{} pace")},
                "description": gettext_noop(
                    "Turns: one piece each, in order. Free: within a round everyone builds at"
                    " their own speed."
                ),
            },
            "hand": {
                "type": "string",
                "enum": [STEADY, NORMAL, SHAKY],
                "default": NORMAL,
                "title": gettext_noop("Hand"),
                # Translators: as in "shaky hand".
                "wording": {"": gettext_noop("{} hand")},
                "description": gettext_noop(
                    "How much your hand trembles when you release a piece."
                ),
            },
            "incidents": {
                "type": "boolean",
                "default": False,
                "title": gettext_noop("Incidents"),
                "wording": {
                    "True": gettext_noop("incidents"),
                    "False": gettext_noop("no incidents"),
                },
                "description": gettext_noop(
                    "Now and then a cat knocks a tower over: it is rebuilt, and the turn is lost."
                ),
            },
        },
        "additionalProperties": False,
    },
    endings={PLAYED_OUT: gettext_noop("All rounds have been played.")},
    ending_names={PLAYED_OUT: gettext_noop("Played out")},
    rules_version=1,
    goal=gettext_noop("Score the most points before your tower falls."),
    terms=gettext_noop(
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
    return META.colours[seat].shown_name
