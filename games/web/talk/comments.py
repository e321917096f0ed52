"""The comments on a position of an ended match, on the page of its record."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from uuid import UUID, uuid4

from django.utils import timezone

from games.kernel.errors import GameError
from games.matches.models import Match
from games.talk import rooms, selectors
from games.talk.errors import MayNotWrite
from games.talk.models import Line

MAX_SHOWN = 50
"""Number of comments shown with a position. The chat has all of them."""


@dataclass(frozen=True)
class CommentsPanel:
    """Comments on the position after entry ``number``.

    ``typed`` is one that was refused, for ``error``.
    """

    match: Match
    user: Any
    number: int
    typed: str = ""
    error: GameError | None = None

    @cached_property
    def _latest(self) -> Sequence[Line]:
        lines = selectors.comments(self.match, self.user).filter(version=self.number)
        return list(lines.order_by("-created", "-pk")[: MAX_SHOWN + 1])

    @property
    def lines(self) -> Sequence[Line]:
        """The latest comments, the oldest first."""
        return self._latest[:MAX_SHOWN][::-1]

    @property
    def has_more(self) -> bool:
        """Whether there are earlier ones."""
        return len(self._latest) > MAX_SHOWN

    @cached_property
    def refusal(self) -> str:
        """Why the user may not comment. Empty if they may."""
        try:
            rooms.check_may_comment(self.match, self.user, timezone.now())
        except MayNotWrite as refusal:
            return str(refusal)
        return ""

    @property
    def submission(self) -> UUID:
        """A new id for the next comment."""
        return uuid4()
