"""The record of a match as a text to read."""

from collections.abc import Iterator, Sequence

from games.matches import formatting
from games.matches.log_lines import Line
from games.matches.presentation import MatchPresentation


def text(shown: MatchPresentation, lines: Sequence[Line] | None = None) -> str:
    """Return who played what and how it went, with a line for each entry of the log.

    ``lines`` are all of them, where the log that is shown is a part.
    """
    told = map(_line, shown.lines if lines is None else lines)
    return "\n".join((*_head(shown), "", *told, "", _end(shown), ""))


def _head(shown: MatchPresentation) -> Iterator[str]:
    meta, match = shown.meta, shown.match
    designer = f" by {meta.author}" if meta.designer else ""
    params = f" ({shown.params})" if shown.params else ""
    yield f"{meta.name}{designer}{params}"
    name = f"Match {match.pk}" if match.pk else "An imported match"
    yield f"{name}, begun {match.created:%Y-%m-%d %H:%M} UTC"
    yield f"Clock: {formatting.clock(match.time_control)}"
    for player in shown.players:
        own = " (you)" if player == shown.own else ""
        yield f"{shown.colour_of(player).name}: {player.user.shown_name}{own}"
    for colour, former in shown.substitutions:
        yield f"{colour.name} was played by {former.user.shown_name} until entry {former.until}"


def _line(line: Line) -> str:
    notation = f"[{line.text}]" if line.text else ""
    undone = "(taken back)" if line.taken_back else ""
    parts = (f"{line.entry.number}.", *line.sentences, notation, undone)
    return " ".join(filter(None, parts))


def _end(shown: MatchPresentation) -> str:
    if not shown.outcome:
        return "The match is still running."
    ending = f" {shown.ending}." if shown.ending else ""
    ranking = f" {shown.ranking}." if shown.ranking else ""
    return f"Result: {shown.outcome_heading}.{ending}{ranking}"
