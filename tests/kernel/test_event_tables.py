"""The events of all games in ``docs/engine.md`` are those that the games declare.

``python -m tests.kernel.test_event_tables`` writes them there.
"""

import inspect
import re
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path

from games.kernel import registry
from games.kernel.contract import Ended, Event, TurnEnded

PAGE = Path(__file__).parents[2] / "docs" / "engine.md"
COMMON = "Events"
"""The heading of the events that every game has."""

WIDTH = 120
LIST = r"(^#+ {}\n(?:(?!#|- ).*\n)*)((?:- .*\n(?:  .*\n)*)*)"
"""A heading with the text below it, and the list that follows; it may be empty yet."""


def lists() -> Iterator[tuple[str, str]]:
    """Yield each heading of the page with the list of events that belongs below it."""
    yield COMMON, listed((TurnEnded, Ended))
    for title in registry.titles().values():
        yield title.meta.name, listed(title.events)


def listed(events: Sequence[type[Event]]) -> str:
    """Return events as a list: the type, the fields, the docstring."""
    return "".join(f"{item(event)}\n" for event in events)


def item(event: type[Event]) -> str:
    """Return an event as an item of the list."""
    own = [name for name in event.__struct_encode_fields__ if name not in ("seat", "owners")]
    fields = f" ({', '.join(f'`{name}`' for name in own)})" if own else ""
    told = " ".join((inspect.getdoc(event) or "").split())
    words = told.replace("``", "`").replace("`None`", "null").replace("`False`", "`false`")
    return textwrap.fill(
        f"- `{event.tag()}`{fields}: {words}",
        WIDTH,
        subsequent_indent="  ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def written(page: str) -> str:
    """Return the page with the lists of today.

    :raises ValueError: a game has no heading there.
    """
    for heading, items in lists():
        pattern = LIST.format(re.escape(heading))
        found = re.search(pattern, page, re.MULTILINE)
        if not found:
            raise ValueError(f"{PAGE.name} has no heading {heading}.")
        page = page[: found.start(2)] + items + page[found.end(2) :]
    return page


def test_the_page_lists_the_events_that_games_declare():
    page = PAGE.read_text(encoding="utf-8")
    assert written(page) == page


def test_every_event_says_what_it_means():
    for title in registry.titles().values():
        for event in title.events:
            assert event.__doc__, event
            assert title.events.count(event) == 1


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
