"""Template tags for the log of a match: its rows never change, so each is rendered once.

What follows from the clock of the reader, how long ago an entry was made, is put in each time.
"""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

from django import template
from django.utils import timezone
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe

from games.kernel.contract import Colour
from games.matches import formatting
from games.matches.log_lines import Line
from games.matches.log_turns import Turn
from games.matches.presentation import MatchPresentation

register = template.Library()

CURRENT = ' aria-current="step"'

Parts = tuple[str, str, str]
"""A row before the time that an entry was made, that time exactly, and the row after it."""


@register.simple_tag
def log_turn(
    turn: Turn, page: MatchPresentation, current: int | None = None, *, newest_first: bool = False
) -> SafeString:
    """Return a turn of the log: whose it was, and its entries, linked to the positions after them.

    A long notation is folded away. ``current`` is the number of the entry that is being shown.
    """
    seat = turn.player.seat if turn.player else None
    zone = timezone.get_current_timezone_name()
    rows = _Rows(page.address, seat, current, timezone.now(), zone)
    lines: Iterable[Line] = reversed(turn.lines) if newest_first else turn.lines
    order = " reversed" if newest_first else ""
    # Head and rows are escaped.
    return mark_safe(  # noqa: S308
        f'<li class="log-turn">{_head(turn, page)}'
        f'<ol class="log-entries"{order}>{"".join(map(rows.row, lines))}</ol></li>'
    )


def _head(turn: Turn, page: MatchPresentation) -> str:
    """Return whose turn some entries belong to."""
    if turn.player is None:
        return '<h3 class="log-by">The match</h3>'
    name = "You" if turn.player == page.own else turn.player.user.shown_name
    swatch = _swatch(turn.player.seat, turn.colour) if turn.colour else ""
    return f'<h3 class="log-by">{swatch}{conditional_escape(name)}</h3>'


@cache
def _swatch(seat: int, colour: Colour) -> str:
    return format_html(
        '<i class="swatch seat-{} hue-{}" title="{}">{}</i> ',
        seat,
        colour.name.lower(),
        colour.name,
        colour.letter.upper(),
    )


@dataclass(frozen=True)
class _Rows:
    """The rows of a turn; those of other seats than whose turn it was have a swatch."""

    address: str
    seat: int | None
    current: int | None
    now: datetime
    zone: str

    def row(self, line: Line) -> str:
        """Return an entry as an item of the list."""
        entry = line.entry
        is_other = line.colour is not None and entry.seat != self.seat
        is_current = entry.number == self.current
        # All that the row follows from.
        key = (line.text, line.sentences, line.taken_back, is_other, is_current, self.zone)
        link = f"{self.address}{entry.number}/"
        before, exact, after = _parts(line, key, link, is_other=is_other, is_current=is_current)
        said = conditional_escape(formatting.ago(entry.at, self.now))
        moment = f'<time datetime="{entry.at.isoformat()}" title="{exact}">{said}</time>'
        return before + moment + after


def _parts(line: Line, key: Hashable, link: str, *, is_other: bool, is_current: bool) -> Parts:
    """Return a row as it was rendered before, else render it."""
    kept: dict[Any, Parts] = line.entry.__dict__.setdefault("_rows", {})
    found = kept.get(key)
    if found is None:
        found = kept[key] = _rendered(line, link, is_other=is_other, is_current=is_current)
    return found


def _rendered(line: Line, link: str, *, is_other: bool, is_current: bool) -> Parts:
    entry = line.entry
    swatch = _swatch(entry.seat or 0, line.colour) if is_other and line.colour else ""
    told = conditional_escape(" ".join(line.sentences))
    taken_back = " <em>Taken back.</em>" if line.taken_back else ""
    code = format_html('<code class="log-move">{}</code>', line.text) if line.text else ""
    dice = format_html(' data-dice="{}"', line.dice_text) if line.dice else ""
    before = (
        f'<li class="log-row{" log-undone" * line.taken_back}" value="{entry.number}"{dice}>'
        f'<a class="log-link" href="{link}" data-n="{entry.number}"'
        f"{CURRENT * is_current}>"
        f'<span class="log-number">{entry.number}</span><span class="log-text">{swatch}'
        f'<span class="log-told">{told}{taken_back}</span>'
        f"{f' {code}' if code and not line.is_long else ''}</span></a>"
    )
    notation = f'<details class="notation"><summary>Notation</summary>{code}</details>'
    exact = conditional_escape(formatting.exact(entry.at))
    return before, exact, f"{notation if line.is_long else ''}</li>"
