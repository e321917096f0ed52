"""Preconditions of changes of a match. Each check refuses by raising."""

from django.utils.translation import gettext as _

from accounts.models import User
from games.kernel.contract import Seat
from games.kernel.dice import no_dice
from games.kernel.errors import ChanceError, MatchOver
from games.matches.errors import TOO_EARLY, OutOfTime, Refused, StaleMove
from games.matches.log import log_entries
from games.matches.models import LogEntry
from games.matches.update import MatchUpdate


def late_seats(update: MatchUpdate) -> list[Seat]:
    """Return the seats whose time has run out, the earliest deadline first."""
    if not update.snapshot.match.is_running:
        return []
    waiting = sorted(
        (player for player in update.snapshot.players if player.deadline),
        key=lambda player: (player.deadline, player.seat),
    )
    return [Seat(player.seat) for player in waiting if update.late(Seat(player.seat))]


def check_in_time(update: MatchUpdate, seat: Seat) -> None:
    """Check that the match is running and nobody's time has run out.

    :raises MatchOver: it has ended.
    :raises OutOfTime: somebody's time has run out.
    """
    if not update.snapshot.match.is_running:
        raise MatchOver(_("The match has ended."))
    late = late_seats(update)
    if seat in late:
        raise OutOfTime(_("Your time ran out before this arrived."))
    if late:
        raise OutOfTime(_("The match has changed: somebody's time ran out. Please look again."))


def check_fresh(update: MatchUpdate, seat: Seat, version: int) -> None:
    """Check that a change was made for the current version of the match.

    If several seats may act at once, only later entries of the same seat count.

    :raises StaleMove: the match has changed since ``version``.
    """
    now = update.snapshot.match.version
    is_later = update.player(seat).version <= version < now
    if not (is_later and len(update.snapshot.actors) > 1):
        check_unchanged(update, version)


def check_unchanged(update: MatchUpdate, version: int) -> None:
    """:raises StaleMove: the match has changed since ``version``."""
    now = update.snapshot.match.version
    if version != now:
        raise StaleMove(
            _(
                "The match has changed since: this was for version {version}, it is at {now}."
                " Please look again."
            ).format(version=version, now=now)
        )


def check_no_chance(update: MatchUpdate, seat: Seat, text: str) -> None:
    """Check that a move which isn't the last of its submission rolls no dice.

    The match's own dice aren't used for this check: the duration of a roll could reveal its
    outcome.

    :raises Refused: it needs dice.
    """
    title = update.snapshot.title
    try:
        title.play(update.state, seat, title.parse(text), no_dice())
    except ChanceError:
        raise Refused(_(TOO_EARLY)) from None


def check_not_out(update: MatchUpdate, seat: Seat) -> None:
    """:raises Refused: the rules have eliminated the seat."""
    if seat in update.snapshot.title.eliminated(update.snapshot.state):
        raise Refused(_("You are out of this match, and have no say in it any more."))


def check_may_offer(update: MatchUpdate, seat: Seat, offer: str = "") -> None:
    """Check that a seat may make an offer: the same once after each move, and one at a time.

    :param offer: its text in the log. Empty for one to end the match.
    :raises Refused: it may not.
    """
    if update.player(seat).dropped:
        raise Refused(_("You have left this match."))
    check_not_out(update, seat)
    if any(player.agrees_to_close or player.agrees_to for player in update.snapshot.players):
        raise Refused(_("An offer is open already."))
    log = log_entries.recent(update.snapshot.match)
    undone = {entry.undoes for entry in log}
    for entry in reversed(log):
        if entry.kind == LogEntry.Kind.PLAY and entry.number not in undone:
            return
        if entry.kind == LogEntry.Kind.OFFER and (entry.seat, entry.text) == (seat, offer):
            raise Refused(_("You have offered this already since the last move."))


def check_moderation(update: MatchUpdate, reason: str) -> None:
    """Check that a moderator gives a reason, and that the match is running.

    :raises Refused: there is no reason.
    :raises MatchOver: the match has ended.
    """
    check_reason(reason)
    if not update.snapshot.match.is_running:
        raise MatchOver("The match has ended already.")


def check_no_player(update: MatchUpdate, moderator: User) -> None:
    """:raises Refused: the moderator has a seat in the match."""
    if update.snapshot.seat_of(moderator) is not None:
        raise Refused("You play in this match. Leave it to another moderator.")


def check_reason(reason: str) -> None:
    if not reason.strip():
        raise Refused("A reason is needed: the players will read it.")
