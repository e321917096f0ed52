"""Move entry: where to hold the next piece, then how to tilt it."""

import re
from dataclasses import replace

from msgspec import structs

from games.kernel.completion import folded
from games.kernel.contract import Seat
from games.kernel.language import gettext
from games.kernel.options import Choice, NumberField, Options, Span
from games.titles.precary_ice.moves import STEEPEST, WIDEST, parse
from games.titles.precary_ice.pieces import by_size
from games.titles.precary_ice.state import Held, Preview, State
from games.titles.precary_ice.story import forecast

WORD = "place"
STARTED = re.compile(
    r"place\s*([+-]?|[+-]?[0-9]{1,2}\.|[+-]?[0-9]{1,2}(?:\.[0-9])?\s*[+-])", re.IGNORECASE
)
"""The beginnings of placements that end within a number."""

UPRIGHT = re.compile(r"place\s*[+-]?[0-9]{1,2}(?:\.[0-9])?\s*", re.IGNORECASE)
"""A placement without its tilt."""


def options(state: State, seat: Seat, typed: str) -> Options:
    """Return how the typed text of a seat may continue.

    :raises MalformedMove: no placement begins like this.
    """
    if seat not in state.actors:
        return Options(complete=False, next=())
    start = folded(typed)
    letter = state.towers[seat].next or "P"
    marks = (f"tower-{seat}",)
    if len(start) < len(WORD) and WORD.startswith(start):
        rest = WORD[len(start) :] if start else f"{WORD} "
        label = by_size(
            letter,
            gettext("Place the pawn"),
            gettext("Place the drone"),
            gettext("Place the queen"),
        )
        prompt = by_size(
            letter,
            gettext("Aim the pawn, then release it."),
            gettext("Aim the drone, then release it."),
            gettext("Aim the queen, then release it."),
        )
        choice = Choice(rest, label, marks)
        return Options(complete=False, next=(choice,), prompt=prompt)
    blank = "" if typed[-1:].isspace() else " "
    if start == WORD:
        return _ask(_place(blank, letter, marks))
    if STARTED.fullmatch(typed.strip()):
        return Options(complete=False, next=(), prompt=gettext("Finish the number."))
    place = parse(typed)
    held = Held(seat, place.at, place.tilt)
    view = Preview(**structs.asdict(state), held=held)
    known = forecast(state.towers[seat])
    if not UPRIGHT.fullmatch(typed.strip()):
        return Options(complete=True, next=(), view=view, forecast=known)
    return replace(_ask(_tilt(blank, marks), complete=True, view=view), forecast=known)


def _ask(span: Span, *, complete: bool = False, view: Preview | None = None) -> Options:
    """Return options that ask for a number, with a form for it."""
    return Options(complete, (span,), span.label, view, forms=((NumberField(span),),))


def _place(blank: str, letter: str, marks: tuple[str, ...]) -> Span:
    far = WIDEST / 10
    question = by_size(
        letter,
        gettext("Move the pawn left (-) or right (+) of the axis, in millimetres."),
        gettext("Move the drone left (-) or right (+) of the axis, in millimetres."),
        gettext("Move the queen left (-) or right (+) of the axis, in millimetres."),
    )
    return Span(-far, far, 0.1, blank + "{:+.1f}", question, marks)


def _tilt(blank: str, marks: tuple[str, ...]) -> Span:
    question = gettext("Tilt it left (+) or right (-), in degrees, or release it.")
    return Span(-STEEPEST, STEEPEST, 1, blank + "{:+d}", question, marks)
