"""Titles with some of their parts replaced, for tests of what a bad one would do."""

import copy


def with_parts(title, **parts):
    """Return a copy of a title whose named attributes and methods are others."""
    changed = copy.copy(title)
    for name, part in parts.items():
        setattr(changed, name, part)
    return changed
