"""The facts of Precary-Ice, and the types of its events.

In events pieces are written as in positions: ``["Q", x, y, angle]``. The trace that is kept beside
a move shows the tower of its ``place`` event: one body a piece, in the order of the tower, the new
one last.

| type | data | |
|---|---|---|
| ``place`` | ``piece``, ``at``, ``tilt``, ``tremor`` | the seat held a piece ``at`` so many mm over the axis, tilted by so many degrees; ``tremor`` is what the hand added to both |
| ``stand`` | ``total`` | the tower stands; the new total is on the sheet |
| ``fall`` | ``ms``, ``written``, ``total``, ``pieces`` | the tower fell, ``ms`` milliseconds after the piece was let go; was there time to write; what the sheet says now; the heap |
| ``bonus`` | ``total``, ``pieces`` | all pieces stand; the total with the bonus |
| ``incident`` | | the seat's tower was knocked over and rebuilt; its turn is lost |
| ``die`` | ``die``, ``piece`` | the die (null: not rolled, one size is left) gives the seat its next piece |
| ``round`` | ``round``, ``scores``, ``starter`` | the round is over; its scores by seat (null for who has left); who begins the next one (null: none follows) |
| ``leave`` | | the seat dropped out; its tower is taken away |

``turn`` and ``end`` are those of every game; ``end`` has ``sums`` too, the points of each seat.
"""  # noqa: E501

from games.kernel.contract import Colour, Meta

TURNS = "turns"
FREE = "free"
STEADY = "steady"
NORMAL = "normal"
SHAKY = "shaky"

PLACE = "place"
STAND = "stand"
FALL = "fall"
BONUS = "bonus"
INCIDENT = "incident"
DIE = "die"
ROUND = "round"
LEAVE = "leave"

MIN_SEATS = 2
MAX_SEATS = 6
MAX_ROUNDS = 7

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
                "description": "How many towers each builds; 0 is one more than there are players.",
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
    goal="Build your tower as high as you dare before it falls.",
    terms=(
        "Eric Zuckerman published the game in November 1999. Ideas for it came from Paul"
        " Livingston, Ginger Markley and Mike Sugarbaker; Michelle Lepovic and Gill Stanfield"
        " tested it."
    ),
    has_chance=True,
    observes=True,
)
"""What the site says of the game, and what a challenger may choose."""


def name_of(seat: int) -> str:
    """Return the name of a seat: that of its first colour."""
    return META.colours[seat].name
