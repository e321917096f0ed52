"""A page in named parts, and the patch that turns what a page shows into what it shows next.

A part is HTML in which slots stand for other parts, such as the marks of the board or the turns of
the log. So a patch holds just the parts that changed: of a move, the cells it touched.
``static/js/net/patches.js`` does the same in the browser.
"""

import re
from collections.abc import Mapping
from typing import TypeAlias

Parts: TypeAlias = Mapping[str, str]
"""The HTML of each part by its name."""

Patch: TypeAlias = dict[str, str | None]
"""The parts that changed; ``None`` for one that is gone."""

ROOT_PART = "page"
"""The name of the part that holds all others."""

_SLOT = re.compile("<!--part (.*?)-->")


def slot(name: str) -> str:
    """Return the comment that stands for a part.

    Text that players wrote is escaped, so it can't hold a slot.
    """
    return f"<!--part {name}-->"


def compose(parts: Parts, name: str = ROOT_PART) -> str:
    """Return a part with the parts that its slots stand for."""
    return _SLOT.sub(lambda found: compose(parts, found[1]), parts[name])


def patch(old: Parts, new: Parts) -> Patch:
    """Return the patch with which :func:`apply` makes the new page of the old one."""
    gone: Patch = dict.fromkeys(old.keys() - new.keys())
    return {name: text for name, text in new.items() if old.get(name) != text} | gone


def apply(old: Parts, changes: Patch) -> dict[str, str]:
    """Return the parts after a patch."""
    return {name: text for name, text in {**old, **changes}.items() if text is not None}
