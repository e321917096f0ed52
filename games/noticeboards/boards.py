"""The boards: who may read and write on which."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from accounts import signup
from accounts.models import User
from accounts.sanctions import standing
from games.clubs import selectors as clubs
from games.clubs.models import Club
from games.events import selectors as events
from games.events.models import Entry, Tournament
from games.kernel import registry
from games.matches.errors import Refused
from games.noticeboards.models import Topic


@dataclass(frozen=True)
class Board:
    """The board of a club, of the game with a slug, or of a tournament."""

    club: Club | None = None
    game: str = ""
    tournament: Tournament | None = None

    @classmethod
    def of(cls, topic: Topic) -> "Board":
        return cls(topic.club, topic.game, topic.tournament)

    @property
    def name(self) -> str:
        """The name of its owner: the club, the game, or the tournament."""
        if self._row is not None:
            return self._row.name
        title = registry.titles().get(self.game)
        return title.meta.name if title else self.game

    @property
    def home(self) -> str:
        """The address of its owner."""
        return self._row.get_absolute_url() if self._row else reverse("game", args=[self.game])

    @property
    def _row(self) -> Club | Tournament | None:
        return self.club or self.tournament

    def address(self, suffix: str = "") -> str:
        """Return the address of a page of the board: ``-new``, ``-feed``, or the board itself."""
        kind = "club" if self.club else "event" if self.tournament else "game"
        key = self._row.pk if self._row else self.game
        return reverse(f"{kind}-noticeboard{suffix}", args=[key])

    def may_read(self, user: Any) -> bool:
        """Whether a user, who may be anonymous, may read it."""
        if self.tournament is not None:
            return True
        if self.club is None:
            return self.game in registry.titles()
        return self.club.is_open and clubs.may_look_inside(self.club, user)

    def check_may_write(self, user: Any, now: datetime) -> None:
        """:raises Refused: the user may not write here now."""
        if not user.is_authenticated:
            raise Refused(_("Sign in to write."))
        if user.is_guest:
            raise Refused(_("Join to write: guests only read."))
        if self.club is not None and clubs.membership(self.club, user) is None:
            raise Refused(_("Only members of the club write here."))
        if self.tournament is not None and not self._is_of_tournament(self.tournament, user):
            raise Refused(_("Only the players and organisers of the tournament write here."))
        if signup.awaits_confirmation(user):
            raise Refused(_("Confirm your email address to write."))
        if standing.is_muted(user, now):
            raise Refused(str(standing.MUTED))

    def _is_of_tournament(self, tournament: Tournament, user: User) -> bool:
        """Whether a user plays in a tournament or organises it. Moderators count, too."""
        entered = tournament.entries.filter(user=user).exclude(why=Entry.Why.REMOVED)
        return (
            entered.exists() or events.organises(tournament, user) or user.has_perm(clubs.MODERATES)
        )

    def refusal(self, user: Any, now: datetime) -> str:
        """Return why a user may not write here now. Empty if they may."""
        try:
            self.check_may_write(user, now)
        except Refused as refusal:
            return str(refusal)
        return ""
