"""Template tags for the log of a match: its rows never change, so each is rendered once.

What follows from the clock of the reader, how long ago an entry was made, is put in each time.
"""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache, lru_cache
from typing import Any

from django import template
from django.utils import timezone
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe
from markupsafe import escape

from games.kernel.contract import Colour
from games.matches import formatting
from games.matches.log_lines import Line
from games.matches.log_turns import Turn
from games.matches.presentation import MatchPresentation

register = template.Library()

CURRENT = ' aria-current="step"'

KNOWN = 4096
"""Headings of turns that are kept as they were written before."""

Parts = tuple[str, str]
"""A row before the words how long ago an entry was made, and after them."""


@register.simple_tag
def log_turns(
    page: MatchPresentation,
    current: int | None = None,
    *,
    newest_first: bool = False,
    comments: Mapping[int, int] | None = None,
) -> SafeString:
    """Return the log by turns: whose each was, and its entries, linked to the positions after them.

    A long notation is folded away. ``current`` is the number of the entry that is being shown,
    ``comments`` how many comments there are, by position.
    """
    zone = timezone.get_current_timezone_name()
    rows = _Rows(page.address, current, timezone.now(), zone, comments or {})
    shown = (_turn(turn, page, rows, newest_first=newest_first) for turn in page.turns)
    # Heads and rows are escaped.
    return mark_safe("".join(reversed([*shown]) if newest_first else shown))  # noqa: S308


def _turn(turn: Turn, page: MatchPresentation, rows: "_Rows", *, newest_first: bool) -> str:
    seat = turn.player.seat if turn.player else None
    lines: Iterable[Line] = reversed(turn.lines) if newest_first else turn.lines
    shown = "".join([rows.row(line, seat) for line in lines])
    order = " reversed" if newest_first else ""
    return (
        f'<li class="log-turn">{_head(turn, page)}<ol class="log-entries"{order}>{shown}</ol></li>'
    )


def _head(turn: Turn, page: MatchPresentation) -> str:
    """Return whose turn some entries belong to."""
    if turn.player is None:
        return '<h3 class="log-by">The match</h3>'
    name = "You" if turn.player.seat == page.viewer else turn.player.user.shown_name
    return _named(turn.player.seat, turn.colour, name)


@lru_cache(KNOWN)
def _named(seat: int, colour: Colour | None, name: str) -> str:
    swatch = _swatch(seat, colour) if colour else ""
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
    """The rows of a log."""

    address: str
    current: int | None
    now: datetime
    zone: str
    comments: Mapping[int, int]

    def row(self, line: Line, seat: int | None) -> str:
        """Return an entry as an item of the list; of another seat than whose turn it was, so."""
        entry = line.entry
        is_other = line.colour is not None and entry.seat != seat
        is_current = entry.number == self.current
        said = comment_count(self.comments.get(entry.number, 0))
        # All that the row follows from.
        key = (line.text, line.sentences, line.taken_back, is_other, is_current, self.zone, said)
        link = f"{self.address}{entry.number}/"
        before, after = _parts(line, key, link, said, is_other=is_other, is_current=is_current)
        return f"{before}{escape(formatting.ago(entry.at, self.now))}{after}"


def comment_count(number: int) -> str:
    """Return how many comments there are on a position, as HTML; empty for none."""
    if not number:
        return ""
    words = formatting.counted(number, "comment")
    return format_html('<span class="log-comments">{}</span>', words)


def _parts(
    line: Line, key: Hashable, link: str, said: str, *, is_other: bool, is_current: bool
) -> Parts:
    """Return a row as it was rendered before, else render it."""
    kept: dict[Any, Parts] = line.entry.__dict__.setdefault("_rows", {})
    found = kept.get(key)
    if found is None:
        found = kept[key] = _rendered(line, link, said, is_other=is_other, is_current=is_current)
    return found


def _rendered(line: Line, link: str, said: str, *, is_other: bool, is_current: bool) -> Parts:
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
        f'<time datetime="{entry.at.isoformat()}"'
        f' title="{conditional_escape(formatting.exact(entry.at))}">'
    )
    notation = f'<details class="notation"><summary>Notation</summary>{code}</details>'
    return before, f"</time>{said}{notation if line.is_long else ''}</li>"
