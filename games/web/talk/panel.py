"""The chat of a match as a page shows it to a user."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from uuid import UUID, uuid4

from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy

from games.http.paging import Page, page_of
from games.kernel.errors import GameError
from games.matches.models import Match, Player
from games.talk import rooms, selectors
from games.talk.errors import MayNotWrite
from games.talk.models import Line, Room

SHOWN_LINES = 30
"""Number of lines of a room beside the board. The page of the chat has all of them."""

HINTS = {
    Room.PLAYERS: gettext_lazy("The players read this, and everybody after the match."),
    Room.SPECTATORS: gettext_lazy("Players read this only after the match."),
}


@dataclass(frozen=True)
class RoomPanel:
    """A room and a part of its lines, the oldest first."""

    room: Room
    page: Page
    is_alone: bool

    @property
    def title(self) -> str:
        """The title of the room. Empty if it is the only one."""
        return "" if self.is_alone else str(self.room.label)

    @property
    def lines(self) -> Sequence[Line]:
        """The lines, the oldest first."""
        return self.page.items[::-1]


@dataclass(frozen=True)
class ChatPanel:
    """The chat of a match for a user. ``typed`` is a line that was refused, for ``error``."""

    match: Match
    players: Sequence[Player]
    user: Any
    request: HttpRequest
    length: int = SHOWN_LINES
    typed: str = ""
    error: GameError | None = None

    @cached_property
    def rooms(self) -> list[RoomPanel]:
        """The rooms that the user may read, their own first. Comments only if there are any."""
        readable = rooms.readable(self.match, self.players, self.user)
        panels = [RoomPanel(room, self._page(room), len(readable) == 1) for room in readable]
        return [one for one in panels if one.room != Room.COMMENTS or one.page.items]

    def _page(self, room: Room) -> Page:
        lines = selectors.visible(self.user, room).filter(match=self.match)
        return page_of(lines, self.request, by="-created", key=room.value, length=self.length)

    @property
    def plays(self) -> bool:
        return rooms.plays(self.players, self.user)

    @property
    def hint(self) -> str:
        """Who reads the user's lines. Empty once everybody does."""
        return str(HINTS[rooms.own(self.players, self.user)]) if self.match.is_running else ""

    @cached_property
    def refusal(self) -> str:
        """Why the user may not write. Empty if they may."""
        try:
            rooms.check_may_write(self.user, self.players, timezone.now())
        except MayNotWrite as refusal:
            return str(refusal)
        return ""

    @cached_property
    def unread(self) -> int:
        """How many lines of the other players the user hasn't read. 0 for others."""
        if not self.plays or not self.last:
            return 0
        return selectors.unread(self.user, [self.match.pk]).get(self.match.pk, 0)

    @property
    def last(self) -> int:
        """The id of the last line that is shown, 0 without any."""
        return max((line.pk for room in self.rooms for line in room.page.items), default=0)

    @property
    def submission(self) -> UUID:
        """A new id for the next line."""
        return uuid4()

    @cached_property
    def note(self) -> str | None:
        """The user's private note about the match. ``None`` without an account."""
        if not self.user.is_authenticated or self.user.is_guest:
            return None
        return selectors.note_of(self.user, self.match.pk)


def submission_of(request: HttpRequest) -> UUID:
    """Return the submission id of a sent line. A new one if it is missing or malformed."""
    try:
        return UUID(request.POST.get("submission", ""))
    except ValueError:
        return uuid4()
