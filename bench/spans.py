"""How much of a core the parts of some work take, each without the parts within it."""

import functools
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

Place = tuple[Any, str]
"""A class or module, and the name of a function in it."""


class Spans:
    """Seconds and calls by part; those of a part within another count for the inner one alone.

    Seconds are those of a core, of all threads. One thing is done at a time, in whatever thread.
    """

    def __init__(self) -> None:
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self.calls: Counter[str] = Counter()
        self._inner = 0.0

    @contextmanager
    def span(self, part: str) -> Iterator[None]:
        """Count what happens meanwhile for a part."""
        around, self._inner, began = self._inner, 0.0, time.process_time()
        try:
            yield
        finally:
            whole = time.process_time() - began
            self.seconds[part] += whole - self._inner
            self.calls[part] += 1
            self._inner = around + whole

    def watched(self, part: str, call: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function that does the same and counts for a part."""

        @functools.wraps(call)
        def watched(*args: Any, **kwargs: Any) -> Any:
            with self.span(part):
                return call(*args, **kwargs)

        return watched


@contextmanager
def watching(parts: Mapping[str, list[Place]]) -> Iterator[Spans]:
    """Watch functions while the block runs; what is called from elsewhere is not seen."""
    spans = Spans()
    patches = [
        patch.object(owner, name, spans.watched(part, getattr(owner, name)))
        for part, places in parts.items()
        for owner, name in places
    ]
    for each in patches:
        each.start()
    try:
        yield spans
    finally:
        for each in patches:
            each.stop()
