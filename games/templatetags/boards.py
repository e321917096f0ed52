"""Template tags for boards and for those who sit at them."""

import logging
from collections.abc import Sequence
from typing import Any

from django import template
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from games.kernel import packed_marks, svg
from games.kernel.contract import AnyTitle, Params
from games.kernel.errors import BrokenPosition
from games.kernel.options import Choice
from games.matches.models import LogEntry, Match, Player
from games.matches.presentation import board as drawing_of
from games.matches.selectors import MatchSnapshot, snapshot_of
from games.web import example_positions, formatting

register = template.Library()
log = logging.getLogger(__name__)


@register.simple_tag
def board(match: Match | MatchSnapshot, viewer: Any, last: LogEntry | None = None) -> SafeString:
    """Return the board of a match as a viewer may see it, what ``last`` did lit on it.

    A match that today's rules cannot read has none: it must not take its whole list down.
    """
    snapshot = match if isinstance(match, MatchSnapshot) else snapshot_of(match)
    try:
        drawing = drawing_of(snapshot, snapshot.seat_of(viewer), [last] if last else [])
    except BrokenPosition:
        log.exception("Match %s cannot be drawn.", snapshot.match.pk)
        return SafeString("")
    return _svg(drawing, f"m{snapshot.match.pk}-")


@register.simple_tag
def sample_board(title: AnyTitle, params: Params | None = None, ids: str = "s") -> SafeString:
    """Return a board of a game in the middle of an example match with these parameters.

    Where a page shows it twice, ``ids`` tells the two apart.
    """
    return _svg(example_positions.sample(title.meta.slug, params), f"{ids}-{title.meta.slug}-")


def _svg(drawing: svg.Drawing, ids: str) -> SafeString:
    # Drawings are built from elements that escape what they are given.
    return mark_safe(svg.render(drawing, ids=ids, marks=False))  # noqa: S308


@register.inclusion_tag("partials/player.html")
def player_name(player: Player, match: Match | MatchSnapshot) -> dict[str, Any]:
    """Show a player: the seat's colour and letter, the name, the place once there is one."""
    snapshot = match if isinstance(match, MatchSnapshot) else snapshot_of(match)
    return {"player": player, "colour": snapshot.title.meta.colours[player.seat]}


@register.simple_tag
def place(player: Player, match: MatchSnapshot) -> str:
    """Return a player's place in an ended match: ``won``, ``3rd``, ``2nd, shared``."""
    return formatting.place(player, match.players)


@register.simple_tag
def choice_options(choices: Sequence[Choice], chosen: str) -> SafeString:
    """Return choices as options of a list.

    In a crowd an option leaves out what its own words say: its value, or the mark of that name.
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
    lit = "" if marks in ("", said) else f' data-marks="{escape(marks)}"'
    return f"<option{value}{' selected' * is_chosen}{lit}>{escape(choice.label)}</option>"
