"""Emblems of clubs: a shape of two colours with a sign in its middle.

The style sheet knows the colours (``static/css/pages/clubs.css``).
"""

from functools import cache

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from games.clubs.models import Club, Colour, Shape, Sign

SHAPES = {
    Shape.SHIELD: (
        "M6 5h52v27c0 15-11 24-26 29C17 56 6 47 6 32z",
        "M6 32c0 15 11 24 26 29c15-5 26-14 26-29z",
    ),
    Shape.CIRCLE: ("M32 3a29 29 0 1 1 0 58a29 29 0 1 1 0-58z", "M3 32a29 29 0 0 0 58 0z"),
    Shape.SQUARE: ("M5 5h54v54H5z", "M5 32h54v27H5z"),
    Shape.HEXAGON: ("M18 5h28l16 27-16 27H18L2 32z", "M2 32h60L46 59H18z"),
    Shape.DIAMOND: ("M32 1l31 31-31 31L1 32z", "M1 32h62L32 63z"),
}
"""Outline and lower half of each shape, in a square of 64."""

SIGNS = {
    Sign.STAR: "M32 19l3.800 8.700 9.500.9-7.200 6.200 2.200 9.300-8.300-4.900-8.300 4.900"
    " 2.200-9.300-7.200-6.200 9.500-.9z",
    Sign.SUN: "M32 25a7 7 0 1 1 0 14a7 7 0 1 1 0-14z M31 18h2v4h-2z M31 42h2v4h-2z M18 31h4v2h-4z"
    " M42 31h4v2h-4z M22.800 21.400l2.800 2.800-1.400 1.400-2.800-2.800z"
    " M39.800 38.400l2.800 2.800-1.400 1.400-2.800-2.800z"
    " M41.200 21.400l1.400 1.400-2.800 2.800-1.400-1.400z"
    " M24.200 38.400l1.400 1.400-2.800 2.800-1.400-1.400z",
    Sign.MOON: "M36 19a13.500 13.500 0 1 0 8.500 20A11 11 0 1 1 36 19z",
    Sign.TREE: "M32 18l8 10h-4l6 8h-8v9h-4v-9h-8l6-8h-4z",
    Sign.WAVES: "M19 27q3.300-5 6.500 0t6.500 0t6.500 0t6.500 0v3q-3.300 5-6.500 0t-6.500 0"
    "t-6.500 0t-6.500 0z M19 36q3.300-5 6.500 0t6.500 0t6.500 0t6.500 0v3q-3.300 5-6.500 0"
    "t-6.500 0t-6.500 0t-6.500 0z",
    Sign.TOWER: "M23 20h4v3h3v-3h4v3h3v-3h4v9h-2v12h2v4H23v-4h2V29h-2z M30 36v9h4v-9z",
    Sign.BIRD: "M19 36c6 1 9-3 11-8c1-4 5-6 8-5l2-1 0 2 5 2-5 2c1 8-4 14-11 14l-3 3v-3"
    "c-4-1-6-3-7-6z",
    Sign.PIPS: "M22 22h20v20H22z M27 25.500a1.800 1.800 0 1 0 0 3.600a1.800 1.800 0 1 0 0-3.600z"
    " M32 30.200a1.800 1.800 0 1 0 0 3.600a1.800 1.800 0 1 0 0-3.600z"
    " M37 34.900a1.800 1.800 0 1 0 0 3.600a1.800 1.800 0 1 0 0-3.600z",
}
"""The path of each sign, on a disc of radius 18 in the middle."""

COLOURS = {
    Colour.RED: "emblem-red",
    Colour.BLUE: "emblem-blue",
    Colour.GREEN: "emblem-green",
    Colour.YELLOW: "emblem-yellow",
    Colour.ORANGE: "emblem-orange",
    Colour.PURPLE: "emblem-purple",
}
"""The class of each colour."""

DISC = mark_safe('<circle class="emblem-disc" cx="32" cy="32" r="18"/>')


def club_emblem(club: Club) -> SafeString:
    """Return the emblem of a club. It stands beside the name, so it needs none itself."""
    return _emblem(club.shape, club.colour, club.second_colour, club.sign)


@cache
def _emblem(shape: str, colour: str, second: str, sign: str) -> SafeString:
    parts = _shape(Shape(shape), Colour(colour), Colour(second))
    return _svg(format_html("{}{}{}", parts, DISC, _sign(Sign(sign))))


def shape_label(shape: Shape) -> SafeString:
    """Return the label of a choice, with its picture."""
    outline, _ = SHAPES[shape]
    return _label(format_html('<path class="emblem-sign" d="{}"/>', outline), shape.label)


def sign_label(sign: Sign) -> SafeString:
    return _label(format_html("{}{}", DISC, _sign(sign)), sign.label)


def colour_label(colour: Colour) -> SafeString:
    drawn = format_html('<rect class="{}" width="64" height="64"/>', COLOURS[colour])
    return _label(drawn, colour.label)


def _label(drawn: SafeString, name: object) -> SafeString:
    return format_html("{} {}", _svg(drawn), name)


def _shape(shape: Shape, colour: Colour, second: Colour) -> SafeString:
    outline, lower = SHAPES[shape]
    text = '<path class="{}" d="{}"/><path class="{}" d="{}"/><path class="emblem-edge" d="{}"/>'
    return format_html(text, COLOURS[colour], outline, COLOURS[second], lower, outline)


def _sign(sign: Sign) -> SafeString:
    return format_html('<path class="emblem-sign" fill-rule="evenodd" d="{}"/>', SIGNS[sign])


def _svg(drawn: SafeString) -> SafeString:
    text = '<svg class="emblem" viewBox="0 0 64 64" aria-hidden="true">{}</svg>'
    return format_html(text, drawn)
