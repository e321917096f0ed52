"""Template tags for the log of a match: a turn hardly changes, so it is kept as it was written.

What may change about it, as how long ago its entries were made, is compared each time.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import repeat
from typing import Any

from django import template
from django.template.context import Context
from django.utils import timezone
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe

from games.kernel.contract import Colour, Seat
from games.matches import formatting
from games.matches.log_lines import Line
from games.matches.log_turns import Turn
from games.matches.presentation import MatchPresentation
from games.templatetags.parts import place_of

register = template.Library()

CURRENT = ' aria-current="step"'

NOTHING_KEPT = (None, "")


@register.simple_tag(takes_context=True)
def log_turns(
    context: Context,
    page: MatchPresentation,
    current: int | None = None,
    *,
    newest_first: bool = False,
    comments: Mapping[int, int] | None = None,
) -> SafeString:
    """Return the log by turns: whose each was, and its entries, linked to the positions after them.

    A long notation is folded away. ``current`` is the number of the entry that is being shown,
    ``comments`` how many comments there are, by position. Each turn is a part of
    the page.
    """
    log = _Log(page, current, comments or {}, newest_first=newest_first)
    shown = [log.turn(turn) for turn in page.turns]
    place = place_of(context)
    if place is not None:
        names = (f"turn {turn.lines[0].entry.number}" for turn in page.turns)
        shown = [place(name, text) for name, text in zip(names, shown, strict=True)]
    # Heads and rows are escaped.
    return mark_safe("".join(reversed(shown) if newest_first else shown))  # noqa: S308


class _Log:
    """A log as one page shows it."""

    def __init__(
        self,
        page: MatchPresentation,
        current: int | None,
        comments: Mapping[int, int],
        *,
        newest_first: bool,
    ) -> None:
        self._viewer, self._address, self._now = page.viewer, page.address, timezone.now()
        self._current, self._comments, self._newest_first = current, comments, newest_first
        self._reader = page.viewer, timezone.get_current_timezone_name(), newest_first
        self._heads: dict[int | None, str] = {}

    def turn(self, turn: Turn) -> str:
        """Return a turn as an item of the list, as it was written before if it says the same."""
        head = self._head(turn)
        ages = [formatting.ago(line.entry.at, self._now) for line in turn.lines]
        notes = [*map(self._note, turn.lines)]
        said = turn.lines, head, ages, notes
        kept: dict[Any, Any] = turn.lines[0].entry.__dict__.setdefault("_turns", {})
        before, text = kept.get(self._reader, NOTHING_KEPT)
        if before != said:
            text = self._written(turn, head, ages)
            kept[self._reader] = said, text
        return str(text)

    def _note(self, line: Line) -> tuple[bool, int]:
        """Return whether an entry is the one that is shown, and how many comments it has."""
        number = line.entry.number
        return number == self._current, self._comments.get(number, 0)

    def _head(self, turn: Turn) -> str:
        """Return whose turn some entries belong to."""
        if turn.seat not in self._heads:
            self._heads[turn.seat] = _head(turn, self._viewer)
        return self._heads[turn.seat]

    def _written(self, turn: Turn, head: str, ages: Sequence[str]) -> str:
        rows = [*map(self._row, turn.lines, ages, repeat(turn.seat))]
        shown = "".join(reversed(rows) if self._newest_first else rows)
        order = " reversed" if self._newest_first else ""
        return f'<li class="log-turn">{head}<ol class="log-entries"{order}>{shown}</ol></li>'

    def _row(self, line: Line, age: str, seat: int | None) -> str:
        """Return an entry as an item of the list; of another seat than whose turn it was, so."""
        entry, link = line.entry, f"{self._address}{line.entry.number}/"
        is_current, comments = self._note(line)
        is_other = line.colour is not None and entry.seat != seat
        swatch = _swatch(entry.seat or 0, line.colour) if is_other and line.colour else ""
        told = conditional_escape(" ".join(line.sentences))
        taken_back = " <em>Taken back.</em>" if line.taken_back else ""
        code = format_html('<code class="log-move">{}</code>', line.text) if line.text else ""
        dice = format_html(' data-dice="{}"', line.dice_text) if line.dice else ""
        notation = f'<details class="notation"><summary>Notation</summary>{code}</details>'
        return (
            f'<li class="log-row{" log-undone" * line.taken_back}" value="{entry.number}"{dice}>'
            f'<a class="log-link" href="{link}" data-n="{entry.number}"'
            f"{CURRENT * is_current}>"
            f'<span class="log-number">{entry.number}</span><span class="log-text">{swatch}'
            f'<span class="log-told">{told}{taken_back}</span>'
            f"{f' {code}' if code and not line.is_long else ''}</span></a>"
            f'<time datetime="{formatting.machine_readable(entry.at)}"'
            f' title="{conditional_escape(formatting.exact(entry.at))}">'
            f"{conditional_escape(age)}</time>"
            f"{comment_count(comments)}{notation if line.is_long else ''}</li>"
        )


def _head(turn: Turn, viewer: Seat | None) -> str:
    if turn.player is None:
        return '<h3 class="log-by">The match</h3>'
    swatch = _swatch(turn.player.seat, turn.colour) if turn.colour else ""
    name = "You" if turn.player.seat == viewer else turn.player.user.shown_name
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


@register.simple_tag
def comment_count(number: int) -> str:
    """Return how many comments there are on a position, as HTML; empty for none."""
    if not number:
        return ""
    words = formatting.counted(number, "comment")
    return format_html('<span class="log-comments">{}</span>', words)
