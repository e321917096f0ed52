"""Challenges between clubs, and their line-ups. All functions take ``now``.

Every change locks the row of its team match, so two leaders follow each other. Once both line-ups
are set, a tournament plays the matches, and :mod:`games.events` does the rest.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts import blocks
from accounts.models import User
from accounts.notification_emails import Payload
from accounts.sanctions import standing
from games.clubs import changes as clubs
from games.clubs.errors import NoSuchClub, NotALeader
from games.clubs.models import Club, LeaderAct
from games.events import services as events
from games.events import waiting as reserves
from games.events.models import Entry, Tournament, Waiting
from games.events.pairing.teams import divides
from games.kernel import params as parameters
from games.kernel import registry
from games.kernel.views import Json
from games.matches.clock import DAY, Clock
from games.matches.errors import Refused
from games.matches.isolation import IsolatedErrors
from games.ratings.models import Rating
from games.teams import notifications, selectors
from games.teams.errors import NoSuchTeamMatch
from games.teams.models import TeamMatch, TeamPlayer

Act = LeaderAct.Kind
Status = TeamMatch.Status
Pairing = TeamMatch.Pairing

BOARDS = (2, 50)
"""Minimum and maximum number of players of a club."""

MAX_MADE = 5
"""How many challenges of a club may wait for an answer."""

MAX_RECEIVED = 20
"""How many challenges to a club may wait for its answer."""

MAX_CURRENT = 10
"""How many accepted and running team matches a club may have."""

REST = timedelta(days=7)
"""How long a club that declined can't be challenged again by the same club."""

MAX_WAIT = 30 * DAY
"""How far away the day may be on which the line-ups are due."""

PLAYING = (7 * DAY, 240 * DAY)
"""Minimum and maximum time from the line-ups to the end."""

REMINDER = 2 * DAY
"""How long before the line-ups are due leaders and members are reminded."""

MAX_SIGNED_UP = 200
"""How many members may sign up for one club."""

MAX_OF_USER = 10
"""For how many team matches that haven't begun a user may sign up."""

CHALLENGER, CHALLENGED = 1, 2
WHICH = gettext_lazy("You are in both clubs. Say for which one.")
# Translators: {count} is always more than 1.
FEW = gettext_lazy("A line-up needs {count} players.")
NOT_SIGNED_UP = gettext_lazy("Only members who have signed up can be in the line-up.")
ONLY_MEMBERS = gettext_lazy("Only members of the clubs can play.")
ENOUGH = gettext_lazy("Enough members have signed up already.")

STATUSES = {
    Status.ASKED: gettext_lazy("This team match waits for an answer."),
    Status.ACCEPTED: gettext_lazy("This team match waits for the line-ups."),
    Status.BEGUN: gettext_lazy("This team match has begun."),
    Status.DECLINED: gettext_lazy("This team match is declined."),
    Status.WITHDRAWN: gettext_lazy("This team match is withdrawn."),
    Status.CANCELLED: gettext_lazy("This team match is cancelled."),
}
"""Why something can't be done, by the status."""

ENDED = {
    Tournament.Status.FINISHED: gettext_lazy("This team match is finished."),
    Tournament.Status.CANCELLED: gettext_lazy("This team match is cancelled."),
}


def locked(pk: int) -> TeamMatch:
    """Return a team match, locked until the transaction ends.

    :raises NoSuchTeamMatch: it does not exist.
    """
    rows = TeamMatch.objects.select_for_update(of=("self",), no_key=True)
    found = rows.select_related("first", "second", "tournament").filter(pk=pk).first()
    if found is None:
        raise NoSuchTeamMatch(_("There is no team match {number}.").format(number=pk))
    return found


def _check_status(team_match: TeamMatch, *statuses: Status) -> None:
    if team_match.status not in statuses:
        raise Refused(str(STATUSES[Status(team_match.status)]))


def _team(allowed: Sequence[int], team: int, otherwise: Refused) -> int:
    """Return the team for which somebody acts. ``team`` is 0 if they don't say.

    :raises Refused: they may not, or could mean both.
    """
    chosen = [one for one in allowed if team in (0, one)]
    if not chosen:
        raise otherwise
    if len(chosen) > 1:
        raise Refused(str(WHICH))
    return chosen[0]


def _led_team(team_match: TeamMatch, leader: User, team: int = 0) -> int:
    who = selectors.reader(team_match, leader)
    return _team(list(who.leads), team, NotALeader(str(clubs.ONLY_LEADERS)))


def _log(kind: LeaderAct.Kind, team_match: TeamMatch, team: int, **parts: Any) -> None:
    """Log what a leader of one of the clubs did. ``parts`` are those of :func:`clubs.log`."""
    clubs.log(
        team_match.clubs[team - 1],
        kind=kind,
        title=team_match.title,
        team_match=team_match.pk,
        other=team_match.clubs[2 - team],
        **parts,
    )


# --- The challenge --------------------------------------------------------------------------------


@transaction.atomic
def challenge(
    *,
    club_id: int,
    leader: User,
    opponent_id: int,
    title: str,
    params: Mapping[str, Json],
    clock: Clock,
    boards: int,
    due: datetime,
    ends: datetime,
    now: datetime,
    seats: int = 2,
    rated: bool = True,
    pairing: Pairing = Pairing.RATING,
) -> TeamMatch:
    """Challenge another club, whose leaders are notified.

    :raises NotALeader: only leaders challenge.
    :raises NoSuchClub: one of the clubs does not exist.
    :raises BadParams: the game doesn't offer these parameters or this number of seats.
    :raises Refused: a number or a date is out of range, or the other club can't be challenged.
    """
    club, _own = clubs.locked_by_leader(club_id, leader)
    if title not in registry.titles():
        raise Refused(_("There is no such game."))
    complete = parameters.for_match(registry.get(title), seats, params)
    _check_size(title, seats, boards)
    _check_dates(due, ends, now)
    if standing.is_shut_out(leader, now):
        raise Refused(str(clubs.CANNOT_JOIN))
    opponent = _opponent(club, leader, opponent_id, now)
    made = TeamMatch.objects.create(
        first=club,
        second=opponent,
        challenger=leader,
        title=title,
        params=complete,
        clock=clock.dump(),
        seats=seats,
        boards=boards,
        rated=rated,
        pairing=pairing,
        due=due,
        ends=ends,
        created=now,
    )
    _log(Act.CHALLENGE, made, CHALLENGER, leader=leader, now=now)
    notifications.challenged(made, now)
    return made


def _check_size(title: str, seats: int, boards: int) -> None:
    low, high = BOARDS
    if not low <= boards <= high:
        words = _("A team match has {least} to {most} players of each club.")
        raise Refused(words.format(least=low, most=high))
    smallest, _most = registry.get(title).meta.seats
    if not divides(boards, (smallest, seats)):
        # Translators: {count} and {seats} are always more than 1.
        words = _("{count} players don’t divide into boards of {seats}. Choose another number.")
        raise Refused(words.format(count=2 * boards, seats=seats))


def _check_dates(due: datetime, ends: datetime, now: datetime) -> None:
    if not now < due <= now + MAX_WAIT:
        # Translators: {count} is always more than 1.
        words = _("The line-ups must be due within {count} days.")
        raise Refused(words.format(count=MAX_WAIT.days))
    least, most = PLAYING
    if not due + least <= ends <= due + most:
        words = _("The end must be {least} to {most} days after the line-ups are due.")
        raise Refused(words.format(least=least.days, most=most.days))


def _opponent(club: Club, leader: User, opponent_id: int, now: datetime) -> Club:
    """Return the other club.

    :raises NoSuchClub: it does not exist.
    :raises Refused: it can't be challenged.
    """
    if club.pk == opponent_id:
        raise Refused(_("A club can’t challenge itself."))
    # Without a lock: clubs that challenge each other would wait for each other.
    opponent = Club.objects.filter(pk=opponent_id).first()
    if opponent is None:
        raise NoSuchClub(_("There is no club {number}.").format(number=opponent_id))
    if not opponent.is_open:
        raise Refused(str(clubs.CLOSED))
    if blocks.apart(leader, selectors.leaders(opponent)):
        raise Refused(_("You can’t challenge this club."))
    asked = TeamMatch.objects.filter(status=Status.ASKED)
    if asked.filter(first=club).count() >= MAX_MADE:
        # Translators: {count} is always more than 1.
        words = _("{count} challenges of your club wait for an answer already.")
        raise Refused(words.format(count=MAX_MADE))
    if asked.filter(second=opponent).count() >= MAX_RECEIVED:
        raise Refused(_("This club has too many challenges to answer."))
    if asked.filter(first=club, second=opponent).exists():
        raise Refused(_("Your challenge to this club waits for an answer already."))
    declined = TeamMatch.objects.filter(first=club, second=opponent, status=Status.DECLINED)
    if declined.filter(closed__gt=now - REST).exists():
        # Translators: {count} is always more than 1.
        words = _("This club has declined. You can ask again after {count} days.")
        raise Refused(words.format(count=REST.days))
    return opponent


@transaction.atomic
def answer(*, team_match_id: int, leader: User, accepts: bool, now: datetime) -> TeamMatch:
    """Accept or decline a challenge, as a leader of the other club.

    :raises NotALeader: only leaders of the challenged club answer.
    :raises Refused: it was answered already, or one of the clubs plays too many team matches.
    """
    team_match = locked(team_match_id)
    _led_team(team_match, leader, CHALLENGED)
    _check_status(team_match, Status.ASKED)
    if not accepts:
        _close(team_match, Status.DECLINED, now)
        _log(Act.DECLINE, team_match, CHALLENGED, leader=leader, now=now)
        notifications.declined(team_match, leader, now)
        return team_match
    for pk in sorted(club.pk for club in team_match.clubs):
        club = clubs.locked(pk)
        if current_of(club) >= MAX_CURRENT:
            # Translators: {count} is always more than 1.
            words = _("{club} has {count} team matches already.")
            raise Refused(words.format(club=club.name, count=MAX_CURRENT))
    team_match.status = Status.ACCEPTED
    team_match.save(update_fields=["status"])
    _log(Act.ACCEPT, team_match, CHALLENGED, leader=leader, now=now)
    notifications.accepted(team_match, leader, now)
    return team_match


def current_of(club: Club) -> int:
    """Return how many accepted and running team matches a club has."""
    rows = TeamMatch.objects.filter(selectors.of(club))
    return rows.filter(Q(status=Status.ACCEPTED) | selectors.running()).count()


def _close(team_match: TeamMatch, status: Status, now: datetime) -> None:
    team_match.status = status
    team_match.closed = now
    team_match.save(update_fields=["status", "closed"])
    team_match.players.all().delete()


@transaction.atomic
def cancel(*, team_match_id: int, leader: User, now: datetime) -> TeamMatch:
    """Withdraw a challenge, or cancel a team match that hasn't begun, as a leader.

    :raises NotALeader: only leaders of the clubs cancel, and only the challenger's withdraw.
    :raises Refused: it has begun, or is closed already.
    """
    team_match = locked(team_match_id)
    team = _led_team(team_match, leader, CHALLENGER if team_match.status == Status.ASKED else 0)
    _check_status(team_match, *TeamMatch.WAITING)
    if team_match.status == Status.ASKED:
        _close(team_match, Status.WITHDRAWN, now)
        _log(Act.WITHDRAW, team_match, team, leader=leader, now=now)
        return team_match
    club = team_match.clubs[team - 1].name
    _cancel(team_match, {"code": notifications.BY_LEADERS, "club": club}, now)
    _log(Act.CANCEL, team_match, team, leader=leader, now=now)
    return team_match


@transaction.atomic
def cancel_by_moderator(*, team_match_id: int, reason: str, now: datetime) -> TeamMatch:
    """Cancel a team match that hasn't begun, for a reason that both sides read.

    :raises NoSuchTeamMatch: it does not exist.
    :raises Refused: it has begun, or is closed already.
    """
    team_match = locked(team_match_id)
    _check_status(team_match, *TeamMatch.WAITING)
    team_match.reason = reason
    team_match.save(update_fields=["reason"])
    _cancel(team_match, {"code": notifications.BY_MODERATORS, "reason": reason}, now)
    return team_match


def _cancel(team_match: TeamMatch, why: Payload, now: datetime) -> None:
    """Cancel a locked team match. ``why`` is a code of the notification with its parts."""
    notifications.cancelled(team_match, why, now)
    _close(team_match, Status.CANCELLED, now)


# --- The players ----------------------------------------------------------------------------------


@transaction.atomic
def sign_up(*, team_match_id: int, user: User, now: datetime, team: int = 0) -> TeamMatch:
    """Say that one will play for one's club. Repeating it has no effect.

    :raises Refused: the user isn't a member, has signed up for the other club, or may not play, or
        the list is full.
    """
    team_match = locked(team_match_id)
    _check_status(team_match, Status.ACCEPTED)
    if player := team_match.players.filter(user=user).first():
        if team not in (0, player.team):
            raise Refused(_("You have signed up for the other club. Take that back first."))
        return team_match
    who = selectors.reader(team_match, user)
    team = _team(list(who.member_of), team, Refused(str(ONLY_MEMBERS)))
    if why := standing.refusal(user, now):
        raise Refused(why)
    user.lock()
    own = TeamPlayer.objects.filter(user=user, team_match__status=Status.ACCEPTED)
    if own.count() >= MAX_OF_USER:
        # Translators: {count} is always more than 1.
        words = _("You have signed up for {count} team matches already.")
        raise Refused(words.format(count=MAX_OF_USER))
    if team_match.players.filter(team=team).count() >= MAX_SIGNED_UP:
        raise Refused(str(ENOUGH))
    TeamPlayer.objects.create(team_match=team_match, user=user, team=team, joined=now)
    return team_match


def drop_out(*, team_match_id: int, user: User, now: datetime) -> TeamMatch:
    """Take back that one will play, or leave a team match that has begun.

    Before the beginning, a line-up without the player has to be set again. Afterwards a reserve of
    the club takes over, if the player hasn't moved, or the player's matches are resigned.

    :raises Refused: the user isn't in it, or it is over.
    """
    with transaction.atomic():
        team_match = locked(team_match_id)
        if team_match.tournament_id is None:
            _check_status(team_match, Status.ACCEPTED)
            player = team_match.players.filter(user=user).first()
            if player is None:
                raise Refused(_("You haven’t signed up."))
            _remove(team_match, [player], now)
            return team_match
    events.leave(tournament_id=team_match.tournament_id, user=user, now=now)
    return team_match


def _remove(team_match: TeamMatch, players: Sequence[TeamPlayer], now: datetime) -> None:
    """Delete players of a locked team match. Line-ups without them have to be set again."""
    gone = {one.pk: one for one in players}
    TeamPlayer.objects.filter(pk__in=gone).delete()
    for team in {one.team for one in players if one.board is not None}:
        names = [one.user.shown_name for one in players if one.team == team and one.board]
        _unset(team_match, team)
        notifications.line_up_broken(team_match, team, names, now)


def _unset(team_match: TeamMatch, team: int) -> None:
    column = "first_set" if team == 1 else "second_set"
    setattr(team_match, column, None)
    team_match.save(update_fields=[column])
    team_match.players.filter(team=team).update(board=None)


@transaction.atomic
def set_line_up(
    *, team_match_id: int, leader: User, players: Sequence[int], now: datetime, team: int = 0
) -> TeamMatch:
    """Set the line-up of a club: ids of users, the first board first.

    Leaders can change it until both are set. Then both are shown, and the matches begin.

    :raises NotALeader: only leaders set it.
    :raises Refused: it is too late, or the players are too few, too many or not signed up.
    """
    team_match = locked(team_match_id)
    team = _led_team(team_match, leader, team)
    _check_status(team_match, Status.ACCEPTED)
    _drop_gone(team_match, now)
    if len(players) != team_match.boards:
        raise Refused(FEW.format(count=team_match.boards))
    signed_up = {one.user_id: one for one in team_match.players.filter(team=team)}
    if len(set(players)) < len(players) or not set(players) <= set(signed_up):
        raise Refused(str(NOT_SIGNED_UP))
    is_changed = team_match.line_ups_set[team - 1]
    _unset(team_match, team)
    for board, user in enumerate(players, start=1):
        signed_up[user].board = board
        signed_up[user].save(update_fields=["board"])
    column = "first_set" if team == 1 else "second_set"
    setattr(team_match, column, now)
    team_match.save(update_fields=[column])
    _log(Act.LINE_UP, team_match, team, leader=leader, now=now)
    if all(team_match.line_ups_set):
        _begin(team_match, now)
    elif not is_changed:
        notifications.line_up_set(team_match, team, now)
    return team_match


def _drop_gone(team_match: TeamMatch, now: datetime) -> None:
    """Delete players who left their club, or whose accounts are closed, suspended or banned."""
    gone: list[TeamPlayer] = []
    for team, club in zip(selectors.TEAMS, team_match.clubs, strict=True):
        of_team = team_match.players.filter(team=team).select_related("user")
        gone += of_team.filter(selectors.cannot_play(club))
    _remove(team_match, gone, now)


def _begin(team_match: TeamMatch, now: datetime) -> None:
    """Begin the matches of a locked team match. Members outside of the line-ups are reserves."""
    line_ups = [_line_up(team_match, team) for team in selectors.TEAMS]
    tournament = events.begin_team_match(
        teams=(line_ups[0], line_ups[1]),
        now=now,
        name=str(team_match),
        title=team_match.title,
        params=team_match.params,
        clock=team_match.clock,
        seats=team_match.seats,
        rated=team_match.rated,
        ends=team_match.ends,
        round_days=max((team_match.ends - now).days, 1),
    )
    Waiting.objects.bulk_create(
        Waiting(tournament=tournament, user=one.user, joined=one.joined, team=one.team)
        for one in team_match.players.filter(board=None).select_related("user")
    )
    team_match.tournament = tournament
    team_match.status = Status.BEGUN
    team_match.save(update_fields=["tournament", "status"])
    team_match.players.all().delete()


def _line_up(team_match: TeamMatch, team: int) -> list[User]:
    """Return the players of a team, the first board first."""
    players = [one for one in selectors.players_of(team_match, team) if one.board is not None]
    users = [one.user for one in players]
    if team_match.pairing == Pairing.RATING:
        rows = Rating.objects.filter(title=team_match.title, user__in=users)
        known = dict(rows.values_list("user", "mu"))
        users.sort(key=lambda user: -known.get(user.pk, 0))
    return users


@transaction.atomic
def replace(
    *, team_match_id: int, leader: User, user: User, substitute: User, now: datetime
) -> TeamMatch:
    """Replace a player who hasn't moved yet by another member of the club.

    :raises NotALeader: only leaders of the player's club do.
    :raises Refused: the player has moved, or the other one can't step in.
    """
    team_match = locked(team_match_id)
    if team_match.tournament_id is None:
        raise Refused(_("It hasn’t begun: change the line-up instead."))
    tournament = events.locked(team_match.tournament_id)
    entry = tournament.entries.filter(user=user, left=None).first()
    if entry is None or not tournament.is_running:
        words = _("{name} doesn’t play in this team match.")
        raise Refused(words.format(name=user.username))
    team = _led_team(team_match, leader, entry.team)
    _check_substitute(team_match, tournament, entry, substitute, now)
    if not reserves.may_hand_over(tournament, entry):
        words = _("{name} has moved already, so nobody can step in.")
        raise Refused(words.format(name=user.username))
    if not reserves.swap(tournament, entry, substitute, now):
        raise Refused(_("A match of this player has just ended, so nobody can step in."))
    _log(Act.REPLACE, team_match, team, leader=leader, now=now, about=user)
    events.tell(tournament)
    return team_match


def _check_substitute(
    team_match: TeamMatch, tournament: Tournament, entry: Entry, substitute: User, now: datetime
) -> None:
    name = substitute.username
    if entry.team not in selectors.reader(team_match, substitute).member_of:
        raise Refused(_("{name} is not a member of the club.").format(name=name))
    reserve = tournament.waiting.filter(user=substitute).first()
    if reserve is None or reserve.team != entry.team:
        words = _("{name} hasn’t signed up as a reserve of the club.")
        raise Refused(words.format(name=name))
    if not substitute.is_active or standing.is_shut_out(substitute, now):
        raise Refused(_("{name} can’t play at the moment.").format(name=name))
    if why := reserves.refusal(tournament, substitute):
        # Translators: {why} is a sentence.
        raise Refused(_("{name} can’t step in: {why}").format(name=name, why=why))


@transaction.atomic
def sign_up_as_reserve(
    *, team_match_id: int, user: User, now: datetime, team: int = 0
) -> TeamMatch:
    """Say that one would step in for a player of one's club. Repeating it has no effect.

    :raises Refused: the user isn't a member, plays already, or may not play.
    """
    team_match = locked(team_match_id)
    if team_match.tournament_id is None:
        raise Refused(_("It hasn’t begun: sign up instead."))
    tournament = events.locked(team_match.tournament_id)
    if not tournament.is_running:
        raise Refused(str(ENDED[Tournament.Status(tournament.status)]))
    if tournament.waiting.filter(user=user).exists():
        return team_match
    if tournament.entries.filter(user=user, left=None).exists():
        raise Refused(_("You play in this team match already."))
    who = selectors.reader(team_match, user)
    team = _team(list(who.member_of), team, Refused(str(ONLY_MEMBERS)))
    if why := standing.refusal(user, now) or reserves.refusal(tournament, user):
        raise Refused(why)
    if tournament.waiting.filter(team=team).count() >= MAX_SIGNED_UP:
        raise Refused(str(ENOUGH))
    Waiting.objects.create(tournament=tournament, user=user, joined=now, team=team)
    events.tell(tournament)
    return team_match


# --- Scheduled, moderators and accounts that go ---------------------------------------------------


def sweep(*, now: datetime) -> None:
    """Cancel what is overdue, drop players who can't play any more, and remind clubs."""
    rows = TeamMatch.objects.filter(selectors.waiting()).order_by("pk")
    for pk in list(rows.values_list("pk", flat=True)):
        with IsolatedErrors(f"Team match {pk}"):
            _sweep(pk, now)
    # Reserves who left their club can't step in.
    for team_match in selectors.listed().filter(selectors.running()):
        with IsolatedErrors(f"Team match {team_match.pk}"):
            _drop_reserves(team_match)


@transaction.atomic
def _sweep(pk: int, now: datetime) -> None:
    team_match = locked(pk)
    if not team_match.is_waiting:
        return
    closed = [club for club in team_match.clubs if not club.is_open]
    if closed:
        _cancel(team_match, {"code": notifications.CLUB_CLOSED, "club": closed[0].name}, now)
    elif now >= team_match.due:
        _cancel(team_match, _overdue(team_match), now)
    else:
        _drop_gone(team_match, now)
        _remind(team_match, now)


def _remind(team_match: TeamMatch, now: datetime) -> None:
    """Remind leaders and members of a club without a line-up, once, when it is due soon."""
    # Halfway at the earliest, so that nobody is reminded right after they were asked.
    before = min(REMINDER, (team_match.due - team_match.created) / 2)
    is_due = team_match.status == Status.ACCEPTED and now >= team_match.due - before
    if is_due and team_match.reminded is None:
        team_match.reminded = now
        team_match.save(update_fields=["reminded"])
        notifications.due_soon(team_match, now)


def _overdue(team_match: TeamMatch) -> Payload:
    """Return why an overdue team match is cancelled: a code with its parts."""
    if team_match.status == Status.ASKED:
        return {"code": notifications.NOT_ANSWERED, "club": team_match.second.name}
    late = [
        club.name
        for club, is_set in zip(team_match.clubs, team_match.line_ups_set, strict=True)
        if not is_set
    ]
    return {"code": notifications.NO_LINE_UP, "clubs": late}


def _drop_reserves(team_match: TeamMatch) -> None:
    for team, club in zip(selectors.TEAMS, team_match.clubs, strict=True):
        rows = Waiting.objects.filter(tournament=team_match.tournament_id, team=team)
        rows.filter(selectors.cannot_play(club)).delete()


def drop_all(user: User, *, now: datetime) -> None:
    """Take a user out of all team matches that haven't begun."""
    own = TeamPlayer.objects.filter(user=user).order_by("team_match")
    for pk in list(own.values_list("team_match", flat=True)):
        drop_out(team_match_id=pk, user=user, now=now)
    TeamMatch.objects.filter(challenger=user).update(challenger=None)


def rename(club: Club) -> None:
    """Rename the tournaments of a club's team matches after moderators erased its name."""
    for one in selectors.of_club(club).filter(status=Status.BEGUN):
        Tournament.objects.filter(team_match=one).update(own_name=str(one))
