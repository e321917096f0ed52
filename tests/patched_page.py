"""What a page does with patches, for tests: ``static/js/net/`` in Python."""

import re

from games.matches import selectors
from games.matches.log import log_entries
from games.screen import match_parts
from games.screen.parts import apply, compose


def rendered(match_id, user_id=None):
    """Return the parts of a match as it is stored, for one of its players or for spectators."""
    snapshot = selectors.snapshot(match_id)
    return match_parts.parts_of(snapshot, log_entries.recent(snapshot.match), user_id)


_TARGET = re.compile(r'<a class="mark" data-mark="([^"]+)"[^>]* href="[^"?]*\?([^"]*)"')


class Shown:
    """The parts that a page holds, and the targets of its marks."""

    def __init__(self):
        self.parts, self.targets = {}, {}

    def take(self, message):
        """Apply the patch of a message; return the page as HTML."""
        for patch in (*message.get("steps", ()), message["patch"]):
            self.parts = apply(self.parts, patch)
        self.targets = message["targets"]
        return compose(self.parts)


def without_links(html):
    """Return HTML with marks of the board that are no links, and the query behind each mark."""
    targets = {name: query.replace("&amp;", "&") for name, query in _TARGET.findall(html)}
    plain = re.sub(r'(<a class="mark" [^>]*) href="[^"]*"', r'\1 role="img"', html)
    plain = plain.replace('<a class="mark" ', '<g class="mark" ')
    return re.sub("</[ag]>", "</>", plain), targets
