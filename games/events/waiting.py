"""The waiting list of a tournament, and substitutes for players who leave after the start.

Callers of functions that write hold the lock of the tournament.
"""

from datetime import datetime

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext_lazy, gettext_noop

from accounts import blocks
from accounts.models import User
from accounts.sanctions import standing
from games.events import notifications, selectors
from games.events.models import Entry, TableSeat, Tournament, Waiting
from games.events.rounds import planned
from games.kernel.contract import Seat
from games.kernel.errors import GameError
from games.matches.models import FormerPlayer, LogEntry
from games.matches.play import substitutes

Format = Tournament.Format

NO_SUBSTITUTES = gettext_lazy("This tournament takes no substitutes any more.")
LEFT = gettext_lazy("You have left this tournament, so you can’t come back as a substitute.")
APART = gettext_lazy(
    "You can’t be a substitute here: you have blocked a player, or a player has blocked you."
)
REASON = gettext_noop("A player left the tournament.")
REASON_OF_TEAMS = gettext_noop("A club replaced its player.")


def is_kept(tournament: Tournament) -> bool:
    """Whether people may join the waiting list, or take a free place, now.

    Leaders choose the reserves of a team match.
    """
    if tournament.is_for_teams:
        return False
    if tournament.is_open:
        return True
    if not tournament.is_running:
        return False
    if tournament.format == Format.SWISS:
        return _goes_on(tournament)
    return _hands_matches_over(tournament) and _without_a_move(tournament).exists()


def has_substitutes(tournament: Tournament) -> bool:
    """Whether this kind of tournament has substitutes after the start."""
    return tournament.format == Format.SWISS or _hands_matches_over(tournament)


def refusal(tournament: Tournament, user: User) -> str:
    """Return why a user can't join a waiting list. Empty if they can."""
    if tournament.is_open:
        return ""
    if _has_left(tournament, user):
        return str(LEFT)
    return str(APART) if _is_apart(tournament, user) else ""


def _has_left(tournament: Tournament, user: User) -> bool:
    """Whether a user has left, even if a substitute took over their place or their matches."""
    handed_over = FormerPlayer.objects.filter(
        user=user, match__tournament_table__round__tournament=tournament
    )
    return tournament.entries.filter(user=user).exists() or handed_over.exists()


def is_vacant(tournament: Tournament) -> bool:
    """Whether a player of a running tournament has left whose place can be taken at once."""
    return tournament.format == Format.SWISS and _vacant(tournament).exists()


def _vacant(tournament: Tournament) -> QuerySet[Entry]:
    """Return the entries of players who left and have no substitute, the earliest first."""
    left = tournament.entries.exclude(left=None)
    return left.filter(substitute=None).order_by("left", "pk")


def fill(tournament: Tournament, now: datetime) -> None:
    """Give free places to those who have waited longest.

    In a Swiss tournament that has begun, these are the places of players who left.
    """
    if tournament.is_open:
        free = tournament.most - tournament.entries.count()
        places: list[Entry | None] = [None] * max(free, 0)
    elif tournament.is_running and tournament.format == Format.SWISS and _goes_on(tournament):
        places = list(_vacant(tournament))
    else:
        return
    for place in places:
        first = _first(tournament)
        if first is None:
            return
        entry = Entry.objects.create(
            tournament=tournament,
            user=first.user,
            joined=now,
            replaces=place,
            number=_next_number(tournament) if place else None,
        )
        first.delete()
        notifications.moved_up(entry, now, matches=0)


def _next_number(tournament: Tournament) -> int:
    last = tournament.entries.order_by("-number").first()
    return (last.number or 0) + 1 if last else 1


def next_round(tournament: Tournament) -> int:
    """Return the number of the next round of a Swiss tournament. 0 if there is none to pair."""
    if tournament.format != Format.SWISS or not (tournament.is_open or tournament.is_running):
        return 0
    if tournament.is_running and not _goes_on(tournament):
        return 0
    return tournament.played_rounds.count() + 1


def takes_late(tournament: Tournament) -> bool:
    """Whether players may still enter a tournament that has begun, from its next round on."""
    if not tournament.is_running or tournament.format != Format.SWISS:
        return False
    begun = tournament.played_rounds.count()
    # Until the first round is drawn, its field is fixed.
    return 0 < begun < tournament.late_until and _goes_on(tournament)


def enter_late(tournament: Tournament, user: User, now: datetime) -> Entry:
    """Enter a player with 0 points. The caller has checked that they may."""
    return Entry.objects.create(
        tournament=tournament, user=user, joined=now, number=_next_number(tournament)
    )


def hand_over(tournament: Tournament, entry: Entry, now: datetime) -> bool:
    """Give the place and the matches of a leaving player to the first on the waiting list.

    Only in tournaments whose matches all begin together, and before the player's first move and
    first result. Return whether a substitute plays on.
    """
    if not may_hand_over(tournament, entry):
        return False
    first = _first(tournament, entry.team)
    return first is not None and swap(tournament, entry, first.user, now)


def swap(tournament: Tournament, entry: Entry, user: User, now: datetime) -> bool:
    """Give the place and the matches of a player who hasn't moved to another user.

    Return whether that was possible.
    """
    seats = entry.table_seats.select_related("table")
    try:
        with transaction.atomic():
            for seat in seats:
                if seat.table.match_id is not None:
                    substitutes.swap_in(
                        match_id=seat.table.match_id,
                        seat=Seat(seat.seat),
                        user=user,
                        moderator=user,
                        reason=REASON_OF_TEAMS if tournament.is_for_teams else REASON,
                        now=now,
                    )
    except GameError:
        # A match has just ended, or can't be read.
        return False
    entry.user = user
    entry.joined = now
    entry.save(update_fields=["user", "joined"])
    tournament.waiting.filter(user=user).delete()
    notifications.moved_up(entry, now, matches=len(seats))
    return True


def successor(tournament: Tournament, entry: Entry) -> User | None:
    """Return who takes over a player's matches if they leave now. ``None`` if nobody does."""
    if not may_hand_over(tournament, entry):
        return None
    first = _next_in_line(tournament, entry.team)
    return first.user if first else None


def may_hand_over(tournament: Tournament, entry: Entry) -> bool:
    """Whether another user can take over a player's matches: before their first move."""
    return may_all_hand_over(tournament).filter(pk=entry.pk).exists()


def may_all_hand_over(tournament: Tournament) -> QuerySet[Entry]:
    """Return the players whose matches another user can take over."""
    unmoved = _without_a_move(tournament)
    return unmoved if _hands_matches_over(tournament) else unmoved.none()


def _hands_matches_over(tournament: Tournament) -> bool:
    return tournament.is_simultaneous or tournament.has_groups


def _goes_on(tournament: Tournament) -> bool:
    """Whether a Swiss tournament has another round."""
    rounds = planned(tournament, selectors.entries_of(tournament))
    return tournament.played_rounds.count() < rounds


def _without_a_move(tournament: Tournament) -> QuerySet[Entry]:
    """Return the active players who have neither moved nor a result."""
    moves = LogEntry.objects.filter(
        match=OuterRef("table__match"), seat=OuterRef("seat"), kind=LogEntry.Kind.PLAY
    )
    begun = TableSeat.objects.filter(Q(table__ended__isnull=False) | Exists(moves))
    still_in = tournament.entries.filter(left=None)
    return still_in.exclude(Exists(begun.filter(entry=OuterRef("pk"))))


def _first(tournament: Tournament, team: int = 0) -> Waiting | None:
    """Return who enters next. People whose accounts are closed or suspended lose their place.

    So do people who play already: an earlier release let them enter past the waiting list.
    """
    shut_out = Q(user__in=standing.shutting_out().values("user"))
    is_in = Q(user__in=tournament.entries.values("user"))
    tournament.waiting.filter(Q(user__is_active=False) | shut_out | is_in).delete()
    return _next_in_line(tournament, team)


def _next_in_line(tournament: Tournament, team: int = 0) -> Waiting | None:
    for one in selectors.waiting_of(tournament):
        if one.team != team:
            continue
        if tournament.is_open or not _is_apart(tournament, one.user):
            return one
    return None


def _is_apart(tournament: Tournament, user: User) -> bool:
    players = tournament.entries.filter(left=None).values_list("user", flat=True)
    return bool(blocks.apart(user, list(players)))
