"""The record of a match as text, with its log in words.

Exports are always in English, since people keep them, send them and import them elsewhere.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any
from urllib.parse import urljoin

from django.conf import settings
from django.utils import translation

from games.matches import formatting
from games.matches.log.lines import LogLine
from games.matches.view.match_view import MatchView
from games.records import text as records


def text(
    shown: MatchView,
    record: dict[str, Any],
    address: str,
    lines: Callable[[], Sequence[LogLine]],
) -> str:
    """Return a record as text.

    ``address`` is that of its page. ``lines`` words its whole log. ``shown`` must not have worded
    anything yet.
    """
    with translation.override(settings.LANGUAGE_CODE):
        log = [records.TextLine(line.text, _words(line)) for line in lines()]
        return records.write(record, dict(_facts(shown, address)), log, _end(shown))


def _facts(shown: MatchView, address: str) -> Iterator[tuple[str, str]]:
    meta = shown.meta
    match = shown.match
    yield "Event", f"Match {match.pk}" if match.pk else "An imported match"
    yield "Site", urljoin(settings.SITE_URL, address)
    yield "Date", f"{match.created:%Y.%m.%d}"
    yield "Game", meta.name
    yield "Designer", meta.designer
    if shown.params:
        yield "Parameters", shown.params
    yield "TimeControl", formatting.clock(match.time_control)
    former = [
        f"{colour.name} was played by {one.user.shown_name} until entry {one.until}"
        for colour, one in shown.substitutions
    ]
    if former:
        yield "Substitutes", "; ".join(former)


def _words(line: LogLine) -> str:
    undone = ["(taken back)"] if line.taken_back else []
    return " ".join([*line.sentences, *undone])


def _end(shown: MatchView) -> str:
    if not shown.outcome:
        return "The match is still running."
    ending = f" {shown.ending}." if shown.ending else ""
    ranking = f" {shown.ranking}." if shown.ranking else ""
    return f"{records.RESULT}{shown.outcome_heading}.{ending}{ranking}"
