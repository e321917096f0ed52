"""The facts of Grim Reaper."""

from collections.abc import Mapping, Sequence

from games.kernel.contract import Colour, Meta
from games.kernel.language import gettext, gettext_noop
from games.kernel.views import Json

SIZES = (6, 8)
SHORTEST_SPAN = 3
MAX_SPAN = 30
RESERVES = (1, 2, 3)

LAST_ALIVE = "last-alive"
CONNECTED = "connected"
NOBODY_ALIVE = "nobody-alive"
"""The endings by the rules."""


def _span(title: str, description: str, wording: str) -> Mapping[str, Json]:
    return {
        "type": "integer",
        "minimum": SHORTEST_SPAN,
        "maximum": MAX_SPAN,
        "default": 10,
        "title": title,
        "description": description,
        "wording": {"": wording},
    }


META = Meta(
    slug="grim-reaper",
    name="Grim Reaper",
    designer="Wyon Stansfeld",
    year=2007,
    summary=gettext_noop(
        "Two peoples mate, give birth, age and die. Outlive your opponent’s people, or join your"
        " two sides of the board."
    ),
    seats=(2, 2),
    colours=(Colour(gettext_noop("Red"), "r"), Colour(gettext_noop("Blue"), "b")),
    params={
        "type": "object",
        "properties": {
            "size": {
                "type": "integer",
                "enum": list(SIZES),
                "default": 6,
                "title": gettext_noop("Board"),
                "description": gettext_noop("Squares along each side of the board."),
                "wording": {"": gettext_noop("{0} × {0} board")},
            },
            "male_span": _span(
                gettext_noop("Life of males"),
                gettext_noop(
                    "How many turns a newborn male lives. With 6, generations pass quickly."
                ),
                gettext_noop("males live {} turns"),
            ),
            "female_span": _span(
                gettext_noop("Life of females"),
                gettext_noop(
                    "How many turns a newborn female lives. With 6, generations pass quickly."
                ),
                gettext_noop("females live {} turns"),
            ),
            "random_life": {
                "type": "boolean",
                "default": False,
                "title": gettext_noop("Random life"),
                "wording": {
                    "True": gettext_noop("random life"),
                    "False": gettext_noop("no random life"),
                },
                "description": gettext_noop(
                    "Each newborn lives a random number of turns: from 2 up to the life of its sex."
                ),
            },
            "reserve": {
                "type": "integer",
                "enum": list(RESERVES),
                "default": 1,
                "title": gettext_noop("Reserve"),
                "description": gettext_noop(
                    "Life reserve at the start, as a multiple of the average lifespan at birth."
                ),
                "wording": {
                    "2": gettext_noop("double reserve"),
                    "3": gettext_noop("triple reserve"),
                },
            },
        },
        "additionalProperties": False,
    },
    endings={
        LAST_ALIVE: gettext_noop(
            "Only one player is still alive, with a piece or a reserve, and wins."
        ),
        CONNECTED: gettext_noop(
            "A player's pieces join that player's two sides of the board, and win."
        ),
        NOBODY_ALIVE: gettext_noop(
            "Nobody is alive: the last pieces died together, and the match is drawn."
        ),
    },
    ending_names={
        LAST_ALIVE: gettext_noop("Last alive"),
        CONNECTED: gettext_noop("Connected"),
        NOBODY_ALIVE: gettext_noop("Nobody alive"),
    },
    rules_version=1,
    goal=gettext_noop("Outlive your opponent’s people, or join your two sides of the board."),
    terms=gettext_noop(
        "Rules for Grim Reaper © Wyon Stansfeld, who completed the game in July 2007; Aaron"
        " Dalton first programmed it for play by web."
    ),
    has_chance=True,
)
"""The game's description and parameters."""


def name_of(seat: int) -> str:
    return META.colours[seat].shown_name


def describe_result(ranks: Sequence[int]) -> str:
    """Return the outcome of a match, in a sentence."""
    winners = [seat for seat, rank in enumerate(ranks) if rank == 1]
    if len(winners) > 1:
        return gettext("The match is a draw.")
    return gettext("{player} has won.").format(player=name_of(winners[0]))
