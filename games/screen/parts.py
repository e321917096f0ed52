"""A page in named parts, and the patch from what a page shows to what it should show.

A part is HTML in which slots stand for other parts, such as the marks of the board or the turns of
the log. So a patch contains only the parts that changed: for a move, the cells it touched.
``static/js/net/patches.js`` does the same in the browser.
"""

import re
from collections.abc import Mapping
from typing import TypeAlias

Parts: TypeAlias = Mapping[str, str]
"""The HTML of each part by its name."""

Patch: TypeAlias = dict[str, str | None]
"""The parts that changed. ``None`` for one that is gone."""

ROOT_PART = "page"
"""The name of the part that contains all others."""

_SLOT = re.compile("<!--part (.*?)-->")


def slot(name: str) -> str:
    """Return the comment that stands for a part.

    Players' texts are escaped, so they can't contain a slot.
    """
    return f"<!--part {name}-->"


def compose(parts: Parts, name: str = ROOT_PART) -> str:
    """Return a part with its slots filled."""
    return _SLOT.sub(lambda found: compose(parts, found[1]), parts[name])


def patch(old: Parts, new: Parts) -> Patch:
    """Return the patch with which :func:`apply` turns the old page into the new one."""
    gone: Patch = dict.fromkeys(old.keys() - new.keys())
    return {name: text for name, text in new.items() if old.get(name) != text} | gone


def apply(old: Parts, changes: Patch) -> dict[str, str]:
    return {name: text for name, text in {**old, **changes}.items() if text is not None}
