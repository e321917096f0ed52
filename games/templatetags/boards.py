"""Template tags for boards, players and the choices of move entry."""

import logging
from collections.abc import Sequence
from typing import Any

from django import template
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from games.kernel import example_positions, packed_marks, svg
from games.kernel.contract import AnyTitle, Params, Tally
from games.kernel.errors import BrokenPosition
from games.kernel.options import Choice
from games.matches import formatting
from games.matches.models import Player
from games.matches.presentation import MatchPresentation

register = template.Library()
log = logging.getLogger(__name__)


@register.simple_tag
def list_board(row: MatchPresentation) -> SafeString:
    """Return the board of a match in a list, with what its last entry did highlighted.

    It is empty for a position that cannot be read, which must not take the whole list down.
    """
    try:
        return _svg(row.drawing, f"m{row.match.pk}-")
    except BrokenPosition:
        log.exception("Match %s cannot be drawn.", row.match.pk)
        return SafeString("")


@register.simple_tag
def example_board(title: AnyTitle, params: Params | None = None, ids: str = "s") -> SafeString:
    """Return a board of a game in the middle of an example match with these parameters.

    ``ids`` is the prefix of the ids in it, another for each time that a page shows it.
    """
    return _svg(
        example_positions.example_drawing(title.meta.slug, params), f"{ids}-{title.meta.slug}-"
    )


def _svg(drawing: svg.Drawing, ids: str) -> SafeString:
    # Drawings are built from elements that escape what they are given.
    return mark_safe(svg.render(drawing, ids=ids, marks=False))  # noqa: S308


@register.inclusion_tag("partials/player.html")
def player_name(player: Player, shown: MatchPresentation) -> dict[str, Any]:
    """Show a player: the seat's colour and letter, and the name."""
    return {"player": player, "colour": shown.colour_of(player)}


@register.simple_tag
def tallies(player: Player, shown: MatchPresentation) -> Sequence[Tally]:
    """Return the numbers on a player's strip."""
    return shown.tallies_of(player)


@register.simple_tag
def place(player: Player, shown: MatchPresentation) -> str:
    """Return a player's place in an ended match: ``won``, ``3rd``, ``2nd, shared``."""
    return formatting.place(player, shown.players)


@register.simple_tag
def choice_options(choices: Sequence[Choice], chosen: str) -> SafeString:
    """Return choices as options of a list.

    Where there are many, an option leaves out what its label says already: a value or a mark of
    the same text.
    """
    is_lean = len(choices) > packed_marks.PLENTY
    listed = (
        _option(choice, is_chosen=choice.text == chosen, is_lean=is_lean) for choice in choices
    )
    # What choices hold is escaped.
    return mark_safe("".join(listed))  # noqa: S308


def _option(choice: Choice, *, is_chosen: bool, is_lean: bool) -> str:
    said, marks = choice.label if is_lean else None, " ".join(choice.marks)
    value = "" if choice.text == said else f' value="{escape(choice.text)}"'
    data = "" if marks in ("", said) else f' data-marks="{escape(marks)}"'
    return f"<option{value}{' selected' * is_chosen}{data}>{escape(choice.label)}</option>"
