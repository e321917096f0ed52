"""What has to be so before a player changes a match; each check refuses by raising."""

from uuid import UUID

from games.kernel.contract import Seat
from games.kernel.dice import no_dice
from games.kernel.errors import ChanceError, MatchOver
from games.matches.errors import TOO_EARLY, OutOfTime, Refused, StaleMove
from games.matches.models import LogEntry
from games.matches.update import MatchUpdate


def late_seats(draft: MatchUpdate) -> list[Seat]:
    """Return the seats whose time has run out, those first whose deadline was first."""
    if not draft.snapshot.match.is_running:
        return []
    waiting = sorted(
        (player for player in draft.snapshot.players if player.deadline),
        key=lambda player: (player.deadline, player.seat),
    )
    return [Seat(player.seat) for player in waiting if draft.late(Seat(player.seat))]


def check_running(draft: MatchUpdate, seat: Seat) -> None:
    """Check that the match runs and nobody's time is out."""
    if not draft.snapshot.match.is_running:
        raise MatchOver("The match has ended.")
    late = late_seats(draft)
    if seat in late:
        raise OutOfTime("Your time ran out before this arrived.")
    if late:
        raise OutOfTime("The match has changed: somebody's time ran out. Please look again.")


def check_new(draft: MatchUpdate, seat: Seat, submission: UUID) -> None:
    """Check that a submission was not made before.

    The database would refuse it too, but not before chance has spoken: how long that takes could
    tell what would come of a move that is then not made.
    """
    if not draft.snapshot.title.meta.has_chance:
        return
    if LogEntry.objects.filter(
        match=draft.snapshot.match, seat=seat, submission=submission
    ).exists():
        raise StaleMove("This was sent before.")


def check_fresh(draft: MatchUpdate, seat: Seat, version: int) -> None:
    """Check that a change was made for the match as it is.

    Where several may act at once, only what its own seat has done since counts.
    """
    match = draft.snapshot.match
    if version == match.version:
        return
    several = len(draft.snapshot.actors) > 1
    if not several or not draft.player(seat).version <= version <= match.version:
        raise StaleMove(
            f"The match has changed since: this was for version {version},"
            f" it is at {match.version}. Please look again."
        )


def check_no_chance(draft: MatchUpdate, seat: Seat, text: str) -> None:
    """Check that a move to be followed by another draws nothing.

    It is not made to find that out: how long that takes could tell what would come of it.
    """
    title = draft.snapshot.title
    try:
        title.rules.play(draft.state, seat, title.parse(text), no_dice())
    except ChanceError:
        raise Refused(TOO_EARLY) from None
