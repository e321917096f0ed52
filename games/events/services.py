"""Actions of organisers, players and the site on tournaments. All functions take ``now``.

Every change locks the row of its tournament. Results are read from the matches, so a killed worker
leaves nothing half done, and running twice changes nothing.
"""

import secrets
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any
from uuid import uuid4

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop
from django_stubs_ext import StrOrPromise

from accounts import signup, texts
from accounts.models import User
from accounts.sanctions import standing
from games.events import conditions as conditions_of_entry
from games.events import notifications, results, rounds, selectors, waiting
from games.events.conditions import MAX_LEAST_MATCHES, RATINGS
from games.events.errors import EntryClosed, NoSuchTournament
from games.events.models import Entry, OrganiserAct, Round, Table, TableSeat, Tournament, Waiting
from games.events.signals import tournament_due, tournament_over
from games.events.tie_breaks import MOST, TIE_BREAKS, USUAL, USUAL_OF_SWISS
from games.kernel import params as parameters
from games.kernel import registry
from games.kernel.contract import Seat
from games.kernel.errors import GameError
from games.kernel.formatting import between
from games.kernel.two_players import PAIR
from games.kernel.views import Json
from games.lobby import reliability
from games.matches import services as matches
from games.matches.clock import DAY, Clock
from games.matches.clocks import standstill
from games.matches.clocks.timeouts import end_late_match
from games.matches.errors import Refused
from games.matches.isolation import IsolatedErrors
from games.matches.models import Match, Player
from games.matches.notify import push
from games.matches.pauses import Reason
from games.ratings import updating as ratings
from games.ratings.models import Rating
from games.talk import writing

Format = Tournament.Format
Status = Tournament.Status

MAX_ORGANISED = 3
"""How many open and running tournaments a user may organise."""

MAX_ENTERED = 10
"""How many open and running tournaments a user may be in or wait for."""

MAX_WAITING = 50
"""How many users may wait for a place in one tournament."""

MAX_PLAYERS: Mapping[str, int] = {
    Format.ROUND_ROBIN: 16,
    Format.SWISS: 128,
    Format.KNOCK_OUT: 128,
    Format.DOUBLE: 64,
    Format.GROUPS: 64,
}
MAX_AT_TABLES = 60
"""Maximum number of players of a round robin at tables of several seats."""

MAX_ROUNDS = 9
LEAST_PLAYERS = 3
LEAST_OF_GROUPS = 6
MAX_WAIT = 60 * DAY
"""How far away the start may be."""

ROUND_DAYS = (2, 120)
"""Minimum and maximum length of a round."""

FOR_PAIRS = gettext_lazy("Groups and double eliminations are for two players at a board.")
SHUT_OUT: Mapping[str, str] = {
    Entry.Why.GONE: gettext_noop("The account is closed or suspended."),
    Entry.Why.REMOVED: gettext_noop("The organiser has removed this player from the tournament."),
}
"""The reasons shown in matches of players whom a tournament removes."""

# Translators: {count} is always more than 1.
TOO_MANY_ROUNDS = gettext_lazy("A tournament has at most {count} rounds.")
FULL = gettext_lazy("This tournament is full. You can join the waiting list.")
MANY_WAIT = gettext_lazy("The waiting list is full.")
REMOVED = gettext_lazy("The organiser has removed you from this tournament.")
GUESTS = gettext_lazy("Guests can’t enter tournaments. Join first: you keep your matches.")


@transaction.atomic
def create(
    *,
    organiser: User | None,
    name: str,
    title: str,
    params: Mapping[str, Json],
    clock: Clock,
    format: Format,  # noqa: A002 - the word that players know
    most: int,
    starts: datetime,
    round_days: int,
    now: datetime,
    least: int = LEAST_PLAYERS,
    seats: int = 2,
    rounds: int = 0,
    rated: bool = True,
    about: str = "",
    begins_when_full: bool = True,
    pause_hours: int = 0,
    series: str = "",
    number: int = 0,
    **conditions: Any,
) -> Tournament:
    """Announce a tournament. Without an ``organiser`` it is one of the site.

    One of a ``series`` has its ``number`` in it, instead of a name.

    ``conditions`` are conditions of entry, ``late_until`` and ``tie_breaks``.

    :raises BadParams: the game doesn't offer these parameters or this number of seats.
    :raises Refused: the name, sizes or dates are invalid, or the organiser may not organise
        another.
    """
    name = texts.one_line(name)
    if not name and not series:
        raise Refused(_("A tournament needs a name."))
    complete = parameters.for_match(registry.get(title), seats, params)
    check_terms(format, seats=seats, least=least, most=most, rounds=rounds)
    check_conditions(format, **conditions)
    if organiser is not None:
        check_organiser(organiser, f"{name} {about}", now)
        check_dates(starts, round_days, now)
        check_club(organiser, conditions.get("club_id"))
    usual = USUAL_OF_SWISS if format == Format.SWISS else USUAL
    conditions["tie_breaks"] = list(conditions.get("tie_breaks") or usual)
    return Tournament.objects.create(
        organiser=organiser,
        own_name=name,
        about=about,
        title=title,
        params=complete,
        clock=clock.dump(),
        format=format,
        seats=seats,
        rounds=rounds,
        least=least,
        most=most,
        starts=starts,
        begins_when_full=begins_when_full,
        round_days=round_days,
        rated=rated,
        pause_hours=pause_hours,
        series=series,
        number=number,
        seed=secrets.token_hex(16),
        created=now,
        **conditions,
    )


STATUSES: Mapping[str, StrOrPromise] = {
    Status.OPEN: gettext_lazy("This tournament is open for entry."),
    Status.RUNNING: gettext_lazy("This tournament is running."),
    Status.FINISHED: gettext_lazy("This tournament is finished."),
    Status.CANCELLED: gettext_lazy("This tournament is cancelled."),
}


def closed(tournament: Tournament) -> str:
    """Return why something can't be done with a tournament: its status."""
    return str(STATUSES[tournament.status])


def check_dates(starts: datetime, round_days: int, now: datetime) -> None:
    """:raises Refused: the start is past or too far away, or rounds are too short or too long."""
    if not now < starts <= now + MAX_WAIT:
        # Translators: {count} is always more than 1.
        words = _("The start must be within the next {count} days.")
        raise Refused(words.format(count=MAX_WAIT.days))
    low, high = ROUND_DAYS
    if not low <= round_days <= high:
        raise Refused(_("A round lasts {least} to {most} days.").format(least=low, most=high))


def check_club(organiser: User, club_id: int | None) -> None:
    """:raises Refused: the organiser is no member of the club whose members may enter."""
    if club_id and not conditions_of_entry.is_member(organiser, club_id):
        raise Refused(_("You can choose a club of which you are a member."))


def check_conditions(
    how: Format,
    *,
    rating_low: int | None = None,
    rating_high: int | None = None,
    least_matches: int = 0,
    least_reliability: int = 0,
    by_invitation: bool = False,
    club_id: int | None = None,
    late_until: int = 0,
    tie_breaks: Sequence[str] = (),
) -> None:
    """Check conditions of entry, late entry and tie-breaks.

    :raises Refused: one is out of range, or two contradict each other.
    """
    low, high = RATINGS
    if any(one is not None and not low <= one <= high for one in (rating_low, rating_high)):
        raise Refused(
            _("Ratings as conditions are from {low} to {high}.").format(low=low, high=high)
        )
    if rating_low is not None and rating_high is not None and rating_low > rating_high:
        raise Refused(_("The lowest rating is above the highest, so nobody could enter."))
    if not 0 <= least_matches <= MAX_LEAST_MATCHES:
        # Translators: {count} is always more than 1.
        words = _("You can ask for at most {count} ended matches.")
        raise Refused(words.format(count=MAX_LEAST_MATCHES))
    if least_reliability not in reliability.MINIMUM_CHOICES:
        raise Refused(_("This reliability can’t be asked for."))
    if late_until and how != Format.SWISS:
        raise Refused(_("Only Swiss tournaments have late entry."))
    if not 0 <= late_until <= MAX_ROUNDS:
        raise Refused(TOO_MANY_ROUNDS.format(count=MAX_ROUNDS))
    if len(tie_breaks) > MOST or not set(tie_breaks) <= set(TIE_BREAKS):
        # Translators: {count} is always more than 1.
        raise Refused(_("Choose at most {count} of the tie-breaks.").format(count=MOST))
    if len(set(tie_breaks)) < len(tie_breaks):
        raise Refused(_("You have chosen a tie-break twice."))


def check_terms(how: Format, *, seats: int, least: int, most: int, rounds: int) -> None:
    if how == Format.TEAMS:
        raise Refused(_("Clubs challenge each other to team matches on their own pages."))
    if seats != PAIR and how in (Format.DOUBLE, Format.GROUPS):
        raise Refused(str(FOR_PAIRS))
    limit = most_players(how, seats)
    fewest = fewest_players(how, seats)
    if not fewest <= least <= most <= limit:
        # Translators: {numbers} is one number or a range, such as 3 to 16.
        words = _("This kind of tournament is for {numbers} players.")
        raise Refused(words.format(numbers=between(fewest, limit)))
    if not 0 <= rounds <= MAX_ROUNDS:
        raise Refused(TOO_MANY_ROUNDS.format(count=MAX_ROUNDS))


def fewest_players(how: Format, seats: int) -> int:
    """Return the minimum number of players of a format."""
    return LEAST_OF_GROUPS if how == Format.GROUPS else max(LEAST_PLAYERS, seats)


def most_players(how: Format, seats: int) -> int:
    """Return the maximum number of players of a format."""
    tables = how == Format.ROUND_ROBIN and seats != PAIR
    return MAX_AT_TABLES if tables else MAX_PLAYERS[how]


def check_organiser(organiser: User, text: str, now: datetime) -> None:
    """Check that a user may organise one more tournament, with such texts.

    :raises Refused: they are a guest, unconfirmed or muted, or organise too many.
    """
    if organiser.is_guest:
        raise Refused(_("Guests can’t organise tournaments. Join first."))
    if signup.awaits_confirmation(organiser):
        raise Refused(_("Confirm your email address first: then you can organise tournaments."))
    writing.check_may_write(organiser, text, now)
    organiser.lock()
    mine = Tournament.objects.filter(organiser=organiser)
    if mine.filter(status__in=Tournament.CURRENT).count() >= MAX_ORGANISED:
        # Translators: {count} is always more than 1.
        words = _("You organise {count} tournaments already. Wait until one is over.")
        raise Refused(words.format(count=MAX_ORGANISED))


# --- Players ------------------------------------------------------------------------------------


def locked(pk: int) -> Tournament:
    """Lock the row of a tournament until the transaction ends.

    :raises NoSuchTournament: it does not exist.
    """
    tournament = Tournament.objects.select_for_update().filter(pk=pk).first()
    if tournament is None:
        raise NoSuchTournament(_("There is no tournament {number}.").format(number=pk))
    return tournament


@transaction.atomic
def join(*, tournament_id: int, user: User, now: datetime, link: str = "") -> Tournament:
    """Enter a tournament, which may begin with the last player. Entering twice has no effect.

    ``link`` is the secret part of an address that the organiser gave away. Players who enter late
    play from the next round on.

    :raises EntryClosed: it takes no more players.
    :raises Refused: the user may not enter.
    """
    tournament = locked(tournament_id)
    if tournament.is_open:
        drop_gone(tournament, now)
    if tournament.entries.filter(user=user, left=None).exists():
        return tournament
    is_late = waiting.takes_late(tournament)
    if not tournament.is_open and not is_late:
        raise EntryClosed(closed(tournament))
    if tournament.entries.filter(left=None).count() >= tournament.most:
        raise EntryClosed(str(FULL))
    _check_entrant(user)
    _check_conditions(tournament, user, link, now)
    if is_late:
        waiting.enter_late(tournament, user, now)
    else:
        Entry.objects.create(tournament=tournament, user=user, joined=now)
        begin_if_full(tournament, now)
    tell(tournament)
    return tournament


def _check_conditions(tournament: Tournament, user: User, link: str, now: datetime) -> None:
    if selectors.is_removed(tournament, user):
        raise Refused(str(REMOVED))
    if why := conditions_of_entry.refusal_of(tournament, user, link, now):
        raise Refused(why)


def begin_if_full(tournament: Tournament, now: datetime) -> None:
    """Begin a tournament that begins when full, if it is."""
    if tournament.begins_when_full and tournament.entries.count() >= tournament.most:
        begin(tournament, now)


@transaction.atomic
def wait(*, tournament_id: int, user: User, now: datetime, link: str = "") -> Tournament:
    """Join the waiting list. A free place is taken at once. Waiting twice has no effect.

    :raises EntryClosed: nobody can step in any more, or too many wait.
    :raises Refused: the user may not enter, has left it, or is blocked by a player.
    """
    tournament = locked(tournament_id)
    is_in = tournament.entries.filter(user=user, left=None).exists()
    if is_in or tournament.waiting.filter(user=user).exists():
        return tournament
    if not waiting.is_kept(tournament):
        raise EntryClosed(str(waiting.NO_SUBSTITUTES))
    _check_entrant(user)
    if why := waiting.refusal(tournament, user):
        raise Refused(why)
    _check_conditions(tournament, user, link, now)
    if tournament.waiting.count() >= MAX_WAITING:
        raise EntryClosed(str(MANY_WAIT))
    Waiting.objects.create(tournament=tournament, user=user, joined=now)
    waiting.fill(tournament, now)
    if tournament.is_open:
        drop_gone(tournament, now)
        begin_if_full(tournament, now)
    tell(tournament)
    return tournament


def _check_entrant(user: User) -> None:
    if user.is_guest:
        raise Refused(str(GUESTS))
    if user.is_program:
        raise Refused(_("Accounts of bots can’t enter tournaments."))
    if signup.awaits_confirmation(user):
        raise Refused(_("Confirm your email address first: then you can enter tournaments."))
    if user.is_bot:
        return
    user.lock()
    entered = Entry.objects.filter(user=user, left=None, tournament__status__in=Tournament.CURRENT)
    if entered.count() + Waiting.objects.filter(user=user).count() >= MAX_ENTERED:
        # Translators: {count} is always more than 1.
        words = _("You are in {count} tournaments already. Wait until one is over.")
        raise Refused(words.format(count=MAX_ENTERED))


def leave(*, tournament_id: int, user: User, now: datetime) -> Tournament:
    """Leave a tournament or its waiting list.

    Once it has begun, a substitute takes over the running matches, or they are resigned.

    :raises Refused: the user isn't in it, or it is over.
    """
    with transaction.atomic():
        tournament = locked(tournament_id)
        entry = tournament.entries.filter(user=user, left=None).first()
        waited = tournament.waiting.filter(user=user).delete()[0]
        if entry is None:
            if not waited:
                raise Refused(_("You are not in this tournament."))
        elif tournament.is_open:
            entry.delete()
            waiting.fill(tournament, now)
        elif tournament.is_running:
            take_out(tournament, entry, Entry.Why.WITHDREW, now)
        else:
            raise EntryClosed(closed(tournament))
        tell(tournament)
    if tournament.is_running:
        advance(tournament.pk, now=now)
    return selectors.get(tournament_id)


def take_out(tournament: Tournament, entry: Entry, why: Entry.Why, now: datetime) -> None:
    """Remove a player after the start, and let a substitute step in if somebody waits."""
    if waiting.hand_over(tournament, entry, now):
        return
    entry.left = now
    entry.why = why
    entry.save(update_fields=["left", "why"])
    waiting.fill(tournament, now)


@transaction.atomic
def cancel(*, tournament_id: int, user: User, now: datetime) -> Tournament:
    """Cancel a tournament that hasn't begun, as its organiser.

    :raises Refused: it has begun, or somebody else organises it.
    """
    tournament = locked(tournament_id)
    if tournament.organiser_id != user.pk:
        raise Refused(_("Only the organiser can cancel a tournament."))
    if not tournament.is_open:
        raise EntryClosed(closed(tournament))
    cancel_open(tournament, notifications.ORGANISER, now)
    OrganiserAct.objects.create(
        tournament=tournament, at=now, actor=user, kind=OrganiserAct.Kind.CANCEL
    )
    return tournament


def clear_texts(*, organiser: User, now: datetime) -> int:
    """Cancel a user's tournaments that haven't begun, and erase the texts of all.

    Returns how many there are.
    """
    own = list(Tournament.objects.filter(organiser=organiser).values_list("pk", flat=True))
    for pk in own:
        with transaction.atomic():
            tournament = locked(pk)
            if tournament.is_open:
                # Players are told under the name that they know.
                cancel_open(tournament, notifications.ORGANISER, now)
            tournament.own_name = ""
            tournament.about = ""
            tournament.save(update_fields=["own_name", "about"])
    return len(own)


def cancel_open(tournament: Tournament, why: str, now: datetime) -> None:
    tournament.status = Status.CANCELLED
    tournament.ended = now
    tournament.save(update_fields=["status", "ended"])
    notifications.cancelled(tournament, why, now)
    tell(tournament)
    tournament.waiting.all().delete()


def tell(tournament: Tournament) -> None:
    """Update the open pages of a tournament, and of the people who play or wait in it."""
    Tournament.objects.filter(pk=tournament.pk).update(changes=F("changes") + 1)
    players = tournament.entries.values_list("user", flat=True)
    waiting_users = tournament.waiting.values_list("user", flat=True)
    push.event_changed(tournament.pk, [*players, *waiting_users])


# --- Rounds -------------------------------------------------------------------------------------


def start_due(pk: int, *, now: datetime) -> None:
    """Start a tournament whose date has come, or cancel it if too few have entered."""
    with transaction.atomic():
        tournament = locked(pk)
        if not tournament.is_open or now < tournament.starts:
            return
        drop_gone(tournament, now)
        waiting.fill(tournament, now)
        if tournament.entries.count() < tournament.least:
            cancel_open(tournament, notifications.TOO_FEW, now)
        else:
            begin(tournament, now)
            tell(tournament)


def begin(tournament: Tournament, now: datetime) -> None:
    """Number the players, and leave the first round to the worker, since a draw may take long."""
    tournament.status = Status.RUNNING
    tournament.began = now
    tournament.save(update_fields=["status", "began"])
    entries = selectors.entries_of(tournament)
    known = Rating.objects.filter(title=tournament.title, user__in=[one.user_id for one in entries])
    rounds.draw(entries, dict(known.values_list("user", "mu")), tournament.seed)
    Entry.objects.bulk_update(entries, ["number"])
    if not waiting.has_substitutes(tournament):
        tournament.waiting.all().delete()
    advance_later(tournament.pk)


def begin_team_match(
    *, teams: tuple[Sequence[User], Sequence[User]], now: datetime, **terms: Any
) -> Tournament:
    """Begin a match of two teams, whose players are in the order of their boards.

    ``terms`` are columns of the tournament. The caller has checked everything.
    """
    size = len(teams[0]) + len(teams[1])
    tournament = Tournament.objects.create(
        format=Format.TEAMS,
        status=Status.RUNNING,
        least=size,
        most=size,
        starts=now,
        began=now,
        created=now,
        seed=secrets.token_hex(16),
        **terms,
    )
    Entry.objects.bulk_create(
        Entry(tournament=tournament, user=user, joined=now, team=team, number=2 * board + team)
        for team, players in enumerate(teams, start=1)
        for board, user in enumerate(players)
    )
    advance_later(tournament.pk)
    return tournament


def advance_later(pk: int) -> None:
    transaction.on_commit(lambda: tournament_due.send(Tournament, tournament_id=pk), robust=True)


def take_out_later(user: User) -> None:
    """Let the worker remove a restricted user from tournaments, once this is committed."""
    for tournament in selectors.of_player(user):
        advance_later(tournament.pk)


def advance(pk: int, *, now: datetime) -> None:
    """Remove restricted players, end late matches, and begin what the results allow."""
    with transaction.atomic():
        tournament = locked(pk)
        if tournament.is_open:
            drop_gone(tournament, now)
        if not tournament.is_running:
            return
        for entry in _gone(tournament):
            take_out(tournament, entry, Entry.Why.GONE, now)
    # Matches are changed outside of the lock, each by itself, as players change them.
    for table in selectors.tables_of(tournament):
        if table.match is not None and table.match.is_running:
            with IsolatedErrors(f"Match {table.match_id}"):
                _tend(tournament, table, now)
    with transaction.atomic():
        tournament = locked(pk)
        if tournament.is_running and _go_on(tournament, now):
            tell(tournament)


def drop_gone(tournament: Tournament, now: datetime) -> None:
    """Give the places of closed, suspended and banned accounts to people who wait.

    The tournament hasn't begun.
    """
    gone = _gone(tournament)
    for entry in gone:
        entry.delete()
    if gone:
        waiting.fill(tournament, now)
        tell(tournament)


def _gone(tournament: Tournament) -> list[Entry]:
    """Return the entries whose accounts are closed, suspended or banned."""
    still_in = tournament.entries.filter(left=None).select_related("user")
    shut_out = Q(user__in=standing.shutting_out().values("user"))
    return list(still_in.filter(Q(user__is_active=False) | shut_out))


def _tend(tournament: Tournament, table: Table, now: datetime) -> None:
    """Do to a running match what has happened to its tournament."""
    if table.match is None:
        return
    if table.settled is not None:
        reason = f"The pairing was settled: {table.reason}"
        matches.annul(match_id=table.match.pk, moderator=None, reason=reason, now=now)
        return
    if table.ended is None:
        _end_early(tournament, table, now)
    is_stopped = standstill.is_stopped(table.match, Reason.TOURNAMENT, now)
    if bool(tournament.paused) != is_stopped:
        stop, resume = standstill.stop_for_tournament, standstill.resume_for_tournament
        set_clocks = resume if is_stopped else stop
        with suppress(GameError):
            # Somebody moved meanwhile, or the match has ended: the next sweep looks again.
            set_clocks(match_id=table.match.pk, now=now)


def _end_early(tournament: Tournament, table: Table, now: datetime) -> None:
    if table.match is None:
        return
    if (tournament.paused or now) >= table.round.deadline:
        end_late_match(match_id=table.match.pk, now=now)
        return
    for seat in table.table_seats.all():
        player = table.match.players.get(seat=seat.seat)
        if seat.entry.left is not None and player.user_id == seat.entry.user_id:
            _leave(table.match, player, seat.entry.why, now)


def _leave(match: Match, player: Player, why: str, now: datetime) -> None:
    """Resign a match for a player who withdrew, or remove a restricted one."""
    match.refresh_from_db(fields=["version", "status"])
    if player.dropped or not match.is_running:
        return
    try:
        if why in SHUT_OUT:
            if why == Entry.Why.REMOVED and match.rated:
                # Organisers have no say in ratings.
                ratings.leave_out(match, now)
            matches.remove(
                match_id=match.pk,
                seat=Seat(player.seat),
                moderator=None,
                reason=SHUT_OUT[why],
                now=now,
            )
        else:
            matches.resign(
                match_id=match.pk,
                user=player.user,
                version=match.version,
                submission=uuid4(),
                now=now,
            )
    except GameError:
        # Somebody moved meanwhile, or the match can't be read: the next sweep looks again.
        return


def _go_on(tournament: Tournament, now: datetime) -> bool:
    """Collect results, then begin the next round or finish. Return whether anything changed."""
    entries = selectors.entries_of(tournament)
    tables = selectors.tables_of(tournament, entries)
    open_before = sum(table.ended is None for table in tables)
    is_complete = results.collect(tournament, tables, tournament.paused or now)
    changed = open_before != sum(table.ended is None for table in tables)
    if not is_complete or tournament.paused:
        return changed
    last = tournament.played_rounds.order_by("-number").first()
    if last is not None and last.ended is None:
        last.ended = now
        last.save(update_fields=["ended"])
    if last is not None and now < tournament.pause_ends(last):
        return changed
    pairings = rounds.next_round(tournament, entries, tables)
    if pairings:
        notifications.round_begun(rounds.begin(tournament, pairings, entries, now), now)
    else:
        _finish(tournament, entries, tables, now)
    return True


def _finish(
    tournament: Tournament, entries: Sequence[Entry], tables: Sequence[Table], now: datetime
) -> None:
    tournament.status = Status.FINISHED
    tournament.ended = now
    tournament.save(update_fields=["status", "ended"])
    _place(tournament, entries, tables)
    tournament.waiting.all().delete()
    notifications.finished(tournament, entries, now)
    tournament_over.send(Tournament, tournament=tournament, now=now)


def _place(tournament: Tournament, entries: Sequence[Entry], tables: Sequence[Table]) -> None:
    """Store the final places. Players of a team match have none."""
    if tournament.is_for_teams:
        return
    places = {line.entrant: line.place for line in results.lines_of(tournament, entries, tables)}
    for entry in entries:
        entry.place = places[entry.pk] if entry.left is None else None
    Entry.objects.bulk_update(entries, ["place"])


def take_back_annulled() -> None:
    """Subtract the points of matches that moderators annulled after they were counted.

    Rounds that have begun stay as they are. So do results of knock-outs, whose next rounds depend
    on them.
    """
    counted = TableSeat.objects.filter(
        rank__isnull=False, table__match__status=Match.Status.ANNULLED
    )
    counted = counted.filter(table__settled=None).exclude(
        table__round__tournament__format__in=(Format.KNOCK_OUT, Format.DOUBLE)
    )
    counted = counted.exclude(
        table__round__tournament__format=Format.GROUPS, table__round__number__gt=1
    )
    pks = counted.values_list("table__round__tournament", flat=True).distinct()
    for pk in list(pks):
        with IsolatedErrors(f"Tournament {pk}"):
            _take_back(pk, counted)


@transaction.atomic
def _take_back(pk: int, counted: QuerySet[TableSeat]) -> None:
    tournament = locked(pk)
    counted.filter(table__round__tournament=pk).update(rank=None)
    if tournament.is_finished:
        entries = selectors.entries_of(tournament)
        _place(tournament, entries, selectors.tables_of(tournament, entries))
    tell(tournament)


def sweep(*, now: datetime) -> None:
    """Start due tournaments, advance running ones, remind players: each in a transaction."""
    due = Tournament.objects.filter(status=Status.OPEN, starts__lte=now)
    _each(list(due.values_list("pk", flat=True)), start_due, now)
    take_back_annulled()
    running = Tournament.objects.filter(status=Status.RUNNING)
    advance_each(list(running.values_list("pk", flat=True)), now=now)
    remind(now=now)


def advance_each(pks: Sequence[int], *, now: datetime) -> None:
    """Advance several tournaments. One that fails doesn't delay the others."""
    _each(pks, advance, now)


def remind(*, now: datetime) -> None:
    """Remind the players to move in rounds that end soon, once for each round."""
    running = Tournament.objects.filter(status=Status.RUNNING, paused=None)
    open_rounds = Round.objects.filter(ended=None, reminded=None, tournament__in=running)
    soon = open_rounds.filter(deadline__gt=now, deadline__lte=now + DAY)
    for made in soon.select_related("tournament"):
        if made.reminder <= now:
            with IsolatedErrors(f"The reminder of round {made.pk}"):
                _remind(made, now)


@transaction.atomic
def _remind(made: Round, now: datetime) -> None:
    if Round.objects.filter(pk=made.pk, reminded=None).update(reminded=now):
        notifications.round_ending(made, now)


def _each(pks: Sequence[int], step: Callable[..., None], now: datetime) -> None:
    for pk in pks:
        with IsolatedErrors(f"Tournament {pk}"):
            step(pk, now=now)
