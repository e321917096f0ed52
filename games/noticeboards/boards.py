"""The boards: who may read and write on which."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.urls import reverse

from accounts import signup
from accounts.sanctions import standing
from games.clubs import selectors as clubs
from games.clubs.models import Club
from games.kernel import registry
from games.matches.errors import Refused
from games.noticeboards.models import Topic


@dataclass(frozen=True)
class Board:
    """The board of a club, or of the game with a slug."""

    club: Club | None = None
    game: str = ""

    @classmethod
    def of(cls, topic: Topic) -> "Board":
        return cls(topic.club, topic.game)

    @property
    def name(self) -> str:
        """The name of the club or the game."""
        if self.club is not None:
            return self.club.name
        title = registry.titles().get(self.game)
        return title.meta.name if title else self.game

    @property
    def home(self) -> str:
        """The address of the club or the game."""
        return self.club.get_absolute_url() if self.club else reverse("game", args=[self.game])

    def address(self, suffix: str = "") -> str:
        """Return the address of a page of the board: ``-new``, ``-feed``, or the board itself."""
        kind, key = ("club", self.club.pk) if self.club else ("game", self.game)
        return reverse(f"{kind}-noticeboard{suffix}", args=[key])

    def may_read(self, user: Any) -> bool:
        """Whether a user, who may be anonymous, may read it."""
        if self.club is None:
            return self.game in registry.titles()
        own = clubs.membership(self.club, user)
        return self.club.is_open and clubs.sees_inside(self.club, user, own)

    def check_may_write(self, user: Any, now: datetime) -> None:
        """:raises Refused: the user may not write here now."""
        if not user.is_authenticated:
            raise Refused("Sign in to write.")
        if user.is_guest:
            raise Refused("Join to write: guests only read.")
        if self.club is not None and clubs.membership(self.club, user) is None:
            raise Refused("Only members of the club write here.")
        if signup.awaits_confirmation(user):
            raise Refused("Confirm your email address to write.")
        if standing.is_muted(user, now):
            raise Refused(standing.MUTED)

    def refusal(self, user: Any, now: datetime) -> str:
        """Return why a user may not write here now. Empty if they may."""
        try:
            self.check_may_write(user, now)
        except Refused as refusal:
            return str(refusal)
        return ""
