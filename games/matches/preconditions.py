"""What must hold before a match is changed; each check refuses by raising."""

from uuid import UUID

from accounts.models import User
from games.kernel.contract import Seat
from games.kernel.dice import no_dice
from games.kernel.errors import ChanceError, MatchOver
from games.matches import store
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
        raise MatchOver("The match has ended.")
    late = late_seats(update)
    if seat in late:
        raise OutOfTime("Your time ran out before this arrived.")
    if late:
        raise OutOfTime("The match has changed: somebody's time ran out. Please look again.")


def check_new(update: MatchUpdate, seat: Seat, submission: UUID) -> None:
    """Check that a submission was not made before.

    The database would refuse it too, but only after the dice have been rolled: how long that takes
    could tell the outcome of a move that is then not made.

    :raises StaleMove: it was made before.
    """
    if not update.snapshot.has_chance:
        return
    is_sent = update.is_sent
    if is_sent is None:
        is_sent = store.run(store.was_sent(update.snapshot.match.pk, seat, submission))
    if is_sent:
        raise StaleMove("This was sent before.")


def check_fresh(update: MatchUpdate, seat: Seat, version: int) -> None:
    """Check that a change was made for the current version of the match.

    Where several seats may act at once, only later entries of the same seat count.

    :raises StaleMove: the match has changed since ``version``.
    """
    now = update.snapshot.match.version
    is_later = update.player(seat).version <= version < now
    if not (is_later and len(update.snapshot.actors) > 1):
        check_unchanged(update, version)


def check_unchanged(update: MatchUpdate, version: int) -> None:
    """Check that a change was made for the current version.

    :raises StaleMove: the match has changed since ``version``.
    """
    now = update.snapshot.match.version
    if version != now:
        raise StaleMove(
            f"The match has changed since: this was for version {version},"
            f" it is at {now}. Please look again."
        )


def check_no_chance(update: MatchUpdate, seat: Seat, text: str) -> None:
    """Check that a move which is followed by another in its submission rolls no dice.

    The dice of the match are not used for it: how long a roll takes could tell its outcome.

    :raises Refused: it needs dice.
    """
    title = update.snapshot.title
    try:
        title.play(update.state, seat, title.parse(text), no_dice())
    except ChanceError:
        raise Refused(TOO_EARLY) from None


def check_not_out(update: MatchUpdate, seat: Seat) -> None:
    """Check that the rules have not put a seat out of the match.

    :raises Refused: they have.
    """
    if seat in update.snapshot.title.eliminated(update.snapshot.state):
        raise Refused("You are out of this match, and have no say in it any more.")


def check_may_offer(update: MatchUpdate, seat: Seat, offer: str = "") -> None:
    """Check that a seat may make an offer: the same once after each move, and one at a time.

    :param offer: what the log says of it; empty for one to end the match.

    :raises Refused: it may not.
    """
    if update.player(seat).dropped:
        raise Refused("You have left this match.")
    check_not_out(update, seat)
    if any(player.agrees_to_close or player.agrees_to for player in update.snapshot.players):
        raise Refused("An offer is open already.")
    log = log_entries.recent(update.snapshot.match)
    undone = {entry.undoes for entry in log}
    for entry in reversed(log):
        if entry.kind == LogEntry.Kind.PLAY and entry.number not in undone:
            return
        if entry.kind == LogEntry.Kind.OFFER and (entry.seat, entry.text) == (seat, offer):
            raise Refused("You have offered this already since the last move.")


def check_moderation(update: MatchUpdate, reason: str) -> None:
    """Check that a moderator gives a reason, and that the match is running.

    :raises Refused: there is no reason.
    :raises MatchOver: the match has ended.
    """
    check_reason(reason)
    if not update.snapshot.match.is_running:
        raise MatchOver("The match has ended already.")


def check_no_player(update: MatchUpdate, moderator: User) -> None:
    """Check that a moderator has no seat in the match.

    :raises Refused: they have.
    """
    if update.snapshot.seat_of(moderator) is not None:
        raise Refused("You play in this match. Leave it to another moderator.")


def check_reason(reason: str) -> None:
    """Check that a moderator gives a reason.

    :raises Refused: there is none.
    """
    if not reason.strip():
        raise Refused("A reason is needed: the players will read it.")
