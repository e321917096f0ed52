"""The record of a match as a text to read."""

from collections.abc import Iterator

from games.web import formatting
from games.web.reading import LogRow, MatchPresentation


def text(reading: MatchPresentation) -> str:
    """Return who played what and how it went, a line for each entry of the log."""
    return "\n".join((*_head(reading), "", *map(_line, reading.log), "", _end(reading), ""))


def _head(reading: MatchPresentation) -> Iterator[str]:
    meta, match = reading.meta, reading.match
    designer = f" by {meta.author}" if meta.designer else ""
    params = f" ({reading.params})" if reading.params else ""
    yield f"{meta.name}{designer}{params}"
    yield f"Match {match.pk}, begun {match.created:%Y-%m-%d %H:%M} UTC"
    yield f"Clock: {formatting.clock(match.time_control)}"
    for player in reading.snapshot.players:
        yield f"{meta.colours[player.seat].name}: {player.user.username}"


def _line(row: LogRow) -> str:
    parts = (f"{row.move.number}.", row.line.text, *row.line.sentences)
    undone = " (taken back)" if row.line.taken_back else ""
    return " ".join(filter(None, parts)) + undone


def _end(reading: MatchPresentation) -> str:
    if not reading.outcome:
        return "The match is still running."
    ending = f" {reading.ending}." if reading.ending else ""
    ranking = f" {reading.ranking}." if reading.ranking else ""
    return f"Result: {reading.outcome}.{ending}{ranking}"
