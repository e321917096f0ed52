"""A move as a page sends it over its socket."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID


@dataclass(frozen=True)
class SentMove:
    """The moves of one submission, and the version of the match that they were made for."""

    version: int
    submission: UUID
    texts: tuple[str, ...]

    @classmethod
    def read(cls, message: Mapping[str, Any]) -> "SentMove | None":
        """Parse a message. ``None`` if it is malformed."""
        version = message.get("version")
        texts = message.get("texts")
        if not isinstance(version, int) or version < 0 or not isinstance(texts, list):
            return None
        if not texts or not all(isinstance(text, str) for text in texts):
            return None
        try:
            return cls(version, UUID(str(message.get("submission"))), tuple(texts))
        except ValueError:
            return None
