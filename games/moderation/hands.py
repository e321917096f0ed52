"""Hidden hands of running matches, which moderators see only by unlocking them with a reason."""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from games.kernel.contract import Seat
from games.kernel.svg import Drawing
from games.matches import selectors
from games.matches.selectors import MatchSnapshot
from games.matches.view.match_view import MatchView
from games.moderation import cases, log, notifications
from games.moderation.errors import ModerationRefused, NotYours
from games.moderation.models import Case
from games.moderation.notifications import said


@transaction.atomic
def unlock(
    case: Case, match_id: int, seat: Seat, *, moderator: User, reason: str, now: datetime
) -> Drawing:
    """Return the board as a seat sees it now, and notify all players with the reason.

    Each look is a separate unlocking.

    :raises NoSuchMatch: it doesn't exist.
    :raises NotYours: the moderator may not look into the case or the match.
    :raises ModerationRefused: the suspect doesn't play in the match, or nothing in it is hidden.
    """
    cases.claim(case, moderator=moderator, now=now)
    snapshot = _checked(case, match_id, seat, moderator)
    holder = snapshot.players[seat].user
    details = f"seat {seat + 1}, {holder.username}, after entry {snapshot.match.version}"
    log.write(
        "unlock-hand",
        moderator=moderator,
        user=holder,
        match_id=match_id,
        case=case,
        reason=reason,
        now=now,
        details=details,
    )
    notifications.notify(
        [player.user_id for player in snapshot.players if not player.is_bot],
        subject=said("hand-shown", name=holder.username),
        text=reason,
        url=snapshot.match.get_absolute_url(),
        now=now,
    )
    return MatchView(snapshot.table, seat, []).drawing


def _checked(case: Case, match_id: int, seat: Seat, moderator: User) -> MatchSnapshot:
    """Return a match in which a moderator may look at a hand.

    :raises NoSuchMatch: it doesn't exist.
    :raises NotYours: the moderator plays in it.
    :raises ModerationRefused: the suspect doesn't play in it, it has no such seat, or nothing is
        hidden.
    """
    snapshot = selectors.snapshot(match_id)
    if snapshot.seat_of(moderator) is not None:
        raise NotYours("You play in this match.")
    if snapshot.seat_of(case.suspect) is None or seat >= len(snapshot.players):
        raise ModerationRefused("The suspect does not play in this match, or it has no such seat.")
    if not snapshot.match.is_running or not snapshot.title.meta.has_secrets:
        raise ModerationRefused("Nothing is hidden in this match.")
    return snapshot
