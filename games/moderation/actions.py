"""Actions of moderators: each has a reason, is logged, and notifies the people concerned."""

from datetime import datetime, timedelta

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext_noop

from accounts import names
from accounts.models import NAME_TAKEN, User
from accounts.sanctions import standing
from accounts.sanctions.models import Sanction
from config.addresses import path_of
from games.achievements.tasks import give_later
from games.clubs import selectors as club_selectors
from games.clubs import services as clubs
from games.clubs.models import Club, Membership
from games.events import services as events
from games.kernel.contract import Seat
from games.lobby import selectors as lobby
from games.lobby import services as lobby_services
from games.matches import services
from games.matches.clocks import standstill, time_given
from games.matches.models import Match, Player
from games.moderation import abandoned, cases, log, notifications
from games.moderation.errors import ModerationRefused, NotYours
from games.moderation.models import Case
from games.moderation.notifications import said
from games.noticeboards import services as noticeboards
from games.noticeboards.models import Post
from games.ratings import updating as ratings
from games.ratings.tasks import rate_later
from games.talk import services as talk
from games.talk.models import Line
from games.teams import services as teams
from games.teams.models import TeamMatch

MAX_SUSPENSION = timedelta(days=366)

BANNED = gettext_noop("The moderators have banned this player.")
"""The reason that opponents read for a ban. The real one is for the player alone."""


@transaction.atomic
def sanction(
    case: Case,
    kind: Sanction.Kind,
    *,
    moderator: User,
    reason: str,
    now: datetime,
    until: datetime | None = None,
) -> Sanction:
    """Impose a sanction on the suspect of a case, and notify them.

    :raises NotYours: the moderator may not work on the case.
    :raises ModerationRefused: the suspect is a superuser, the end is missing or wrong, or the same
        sanction is in force already, as after a double click.
    """
    cases.claim(case, moderator=moderator, now=now)
    suspect = User.objects.get(pk=case.suspect_id)
    _check_can_impose(suspect, kind, until, now)
    imposed = standing.impose(
        suspect, kind, reason=reason, moderator=moderator, now=now, until=until
    )
    details = f"until {until:%Y-%m-%d %H:%M} UTC" if until else ""
    log.write(kind, moderator=moderator, case=case, reason=reason, now=now, details=details)
    url = reverse("standing")
    notifications.notify([suspect.pk], subject=said(kind.value), text=reason, url=url, now=now)
    if kind == Sanction.Kind.BAN:
        abandoned.declare_all(suspect, moderator=moderator, reason=BANNED, now=now)
        clubs.leave_all(suspect, now=now)
    elif imposed.locks:
        notifications.notify_opponents(suspect, is_back=False, now=now)
    if imposed.locks:
        lobby_services.leave_pending(suspect, now)
        events.take_out_later(suspect)
    return imposed


def _check_can_impose(
    suspect: User, kind: Sanction.Kind, until: datetime | None, now: datetime
) -> None:
    if suspect.is_superuser:
        raise ModerationRefused("Nothing is imposed on a superuser.")
    ends = kind in (Sanction.Kind.MUTE, Sanction.Kind.SUSPENSION)
    if ends and (until is None or not now < until <= now + MAX_SUSPENSION):
        raise ModerationRefused("Say until when: within a year from now.")
    if any(
        (active.kind, active.until) == (kind, until) for active in standing.active(suspect, now)
    ):
        raise ModerationRefused("This is imposed already.")


@transaction.atomic
def lift(imposed: Sanction, *, moderator: User, reason: str, now: datetime) -> None:
    """Lift a sanction and notify its user.

    :raises NotYours: the moderator may not lift it.
    :raises ModerationRefused: it is lifted already.
    """
    check_may_decide(imposed, moderator)
    was_shut_out = standing.is_shut_out(imposed.user, now)
    if not standing.lift(imposed, now=now):
        raise ModerationRefused("It is lifted already.")
    if imposed.kind == Sanction.Kind.BAN:
        abandoned.take_back(imposed.user, moderator=moderator, now=now)
    if was_shut_out and not standing.is_shut_out(imposed.user, now):
        notifications.notify_opponents(imposed.user, is_back=True, now=now)
    log.write(
        "lift", moderator=moderator, user=imposed.user, reason=reason, now=now, details=imposed.kind
    )
    notifications.notify(
        [imposed.user_id],
        subject=said(f"{imposed.kind}-lifted"),
        text=reason,
        url=reverse("standing"),
        now=now,
    )


def appeals(moderator: User) -> list[Sanction]:
    """Return the appeals that a moderator may answer, the earliest due first."""
    waiting = Sanction.objects.filter(appealed__isnull=False, answered=None)
    if not moderator.is_superuser:
        waiting = waiting.exclude(user__in=cases.officials())
    others = waiting.exclude(user=moderator).select_related("user").order_by("answer_due")
    return [
        appealed
        for appealed in others
        if may_answer(appealed, moderator) and not cases.plays_with(moderator, appealed.user_id)
    ]


@transaction.atomic
def answer_appeal(
    imposed: Sanction, *, moderator: User, reason: str, lifts: bool, now: datetime
) -> None:
    """Answer an appeal.

    :raises NotYours: the moderator imposed the sanction, or only superusers may answer.
    :raises ModerationRefused: there is no appeal, or it is answered already.
    """
    check_may_decide(imposed, moderator)
    if not may_answer(imposed, moderator):
        raise NotYours("You imposed this. Leave the appeal to somebody else.")
    try:
        standing.answer(imposed, reason, now=now)
    except standing.InvalidSanction as refusal:
        raise ModerationRefused(str(refusal)) from refusal
    if lifts:
        lift(imposed, moderator=moderator, reason=reason, now=now)
        return
    log.write("refuse-appeal", moderator=moderator, user=imposed.user, reason=reason, now=now)
    url = reverse("standing")
    notifications.notify(
        [imposed.user_id], subject=said("appeal-answered"), text=reason, url=url, now=now
    )


def may_answer(imposed: Sanction, moderator: User) -> bool:
    """Whether a moderator may answer an appeal: not if they imposed the sanction."""
    return imposed.moderator_id != moderator.pk or moderator.is_superuser


def check_may_decide(imposed: Sanction, moderator: User) -> None:
    """Check that a moderator may see and decide about a sanction.

    :raises NotYours: it is on them or one of their opponents, or only superusers may decide.
    """
    cases.check_may_judge(moderator, imposed.user_id)
    if imposed.user_id == moderator.pk:
        raise NotYours("This is about you. Leave it to somebody else.")
    if cases.plays_with(moderator, imposed.user_id):
        raise NotYours("You are playing with them. Leave it to somebody else.")


@transaction.atomic
def rename(case: Case, name: str, *, moderator: User, reason: str, now: datetime) -> None:
    """Rename the suspect of a case.

    :raises NotYours: the moderator may not work on the case.
    :raises ModerationRefused: the name is invalid or taken.
    """
    cases.claim(case, moderator=moderator, now=now)
    suspect = User.objects.get(pk=case.suspect_id)
    before = suspect.username
    try:
        names.validate(name)
        with transaction.atomic():
            suspect.username = name
            suspect.save(update_fields=["username"])
    except ValidationError as error:
        raise ModerationRefused(" ".join(error.messages)) from error
    except IntegrityError as error:
        raise ModerationRefused(NAME_TAKEN) from error
    log.write(
        "rename",
        moderator=moderator,
        user=suspect,
        case=case,
        reason=reason,
        now=now,
        details=f"was {before}",
    )
    url = suspect.get_absolute_url()
    subject = said("renamed", name=name)
    notifications.notify([suspect.pk], subject=subject, text=reason, url=url, now=now)


@transaction.atomic
def withdraw_challenges(case: Case, *, moderator: User, reason: str, now: datetime) -> None:
    """Withdraw all open challenges of the suspect, and notify them.

    :raises NotYours: the moderator may not work on the case.
    :raises ModerationRefused: there are no open challenges.
    """
    cases.claim(case, moderator=moderator, now=now)
    suspect = case.suspect
    pending = [made for made in lobby.made(suspect) if made.creator_id == suspect.pk]
    if not pending:
        raise ModerationRefused("There is no open challenge by this player.")
    for challenge in pending:
        lobby_services.withdraw(challenge_id=challenge.pk, user=suspect, now=now)
    details = f"{len(pending)} challenge{'' if len(pending) == 1 else 's'}"
    log.write(
        "withdraw",
        moderator=moderator,
        case=case,
        reason=reason,
        now=now,
        details=details,
    )
    subject = said("challenges-withdrawn")
    notifications.notify([suspect.pk], subject=subject, text=reason, url=reverse("lobby"), now=now)


@transaction.atomic
def clear_tournaments(case: Case, *, moderator: User, reason: str, now: datetime) -> None:
    """Cancel the tournaments of the suspect that haven't begun, and erase the texts of all.

    :raises NotYours: the moderator may not work on the case.
    :raises ModerationRefused: the suspect has organised none.
    """
    cases.claim(case, moderator=moderator, now=now)
    suspect = case.suspect
    count = events.clear_texts(organiser=suspect, now=now)
    if not count:
        raise ModerationRefused("This player has organised no tournaments.")
    details = f"{count} tournament{'' if count == 1 else 's'}"
    log.write(
        "clear-events",
        moderator=moderator,
        case=case,
        reason=reason,
        now=now,
        details=details,
    )
    subject = said("tournaments-cleared")
    notifications.notify([suspect.pk], subject=subject, text=reason, url=reverse("events"), now=now)


@transaction.atomic
def close_club(case: Case, club_id: int, *, moderator: User, reason: str, now: datetime) -> None:
    """Close a club that the suspect leads or has founded, and notify its members.

    :raises NotYours: the moderator may not work on the case.
    :raises ModerationRefused: the suspect neither leads nor founded such a club.
    :raises Refused: it is closed already.
    """
    cases.claim(case, moderator=moderator, now=now)
    club = _club(case, club_id)
    leaders = _leaders(club)
    clubs.close_by_moderator(club_id=club_id, now=now)
    log.write(
        "close-club",
        moderator=moderator,
        case=case,
        reason=reason,
        now=now,
        details=f"club {club.pk}",
    )
    subject = said("club-closed", club=club.name)
    url = club.get_absolute_url()
    notifications.notify(leaders, subject=subject, text=reason, url=url, now=now)


@transaction.atomic
def clear_club(case: Case, club_id: int, *, moderator: User, reason: str, now: datetime) -> None:
    """Erase the name, the text and the messages of a club of the suspect.

    :raises NotYours: the moderator may not work on the case.
    :raises ModerationRefused: the suspect neither leads nor founded such a club.
    """
    cases.claim(case, moderator=moderator, now=now)
    club = clubs.clear_texts(club_id=_club(case, club_id).pk)
    teams.rename(club)
    log.write(
        "clear-club",
        moderator=moderator,
        case=case,
        reason=reason,
        now=now,
        details=f"club {club.pk}",
    )
    subject = said("club-cleared")
    url = club.get_absolute_url()
    notifications.notify(_leaders(club), subject=subject, text=reason, url=url, now=now)


@transaction.atomic
def cancel_team_match(
    case: Case, team_match_id: int, *, moderator: User, reason: str, now: datetime
) -> None:
    """Cancel a team match of a club that the suspect leads or has founded, before it begins.

    Leaders of both clubs, and those who have signed up, read the reason.

    :raises NotYours: the moderator may not work on the case, or is a member of one of the clubs.
    :raises ModerationRefused: there is no such team match of the suspect.
    :raises Refused: it has begun, or is closed already.
    """
    cases.claim(case, moderator=moderator, now=now)
    led = club_selectors.led_by(case.suspect)
    of_suspect = Q(first__in=led) | Q(second__in=led) | Q(challenger=case.suspect)
    found = TeamMatch.objects.filter(of_suspect, pk=team_match_id).first()
    if found is None:
        raise ModerationRefused("The suspect leads no club of such a team match.")
    if Membership.objects.filter(user=moderator, club__in=(found.first_id, found.second_id)):
        raise NotYours("You are a member of one of the clubs. Leave it to another moderator.")
    teams.cancel_by_moderator(team_match_id=team_match_id, reason=reason, now=now)
    log.write(
        "cancel-team-match",
        moderator=moderator,
        case=case,
        reason=reason,
        now=now,
        details=f"team match {team_match_id}",
    )


def _club(case: Case, club_id: int) -> Club:
    club = club_selectors.led_by(case.suspect).filter(pk=club_id).first()
    if club is None:
        raise ModerationRefused("The suspect neither leads nor founded this club.")
    return club


def _leaders(club: Club) -> list[int]:
    return [one.user_id for one in club_selectors.leaders_of(club)]


def end_match(
    case: Case, match_id: int, *, annul: bool, moderator: User, reason: str, now: datetime
) -> None:
    """Close or annul a match of the suspect, and give its players the reason.

    :raises GameError: the moderator may not end it, or it can't be ended.
    """
    cases.claim(case, moderator=moderator, now=now)
    _seat(case, match_id)
    service = services.annul if annul else services.close
    with transaction.atomic():
        action, done = ("annul", "match-annulled") if annul else ("end", "match-ended")
        subject = said(done, match=match_id)
        _log_and_notify(
            action, subject, case, match_id, moderator=moderator, reason=reason, now=now
        )
        service(match_id=match_id, moderator=moderator, reason=reason, now=now)


def stop_clocks(
    case: Case,
    match_id: int,
    until: datetime | None = None,
    *,
    moderator: User,
    reason: str,
    now: datetime,
) -> None:
    """Stop the clocks of a match of the suspect, until a time or until resumed.

    :raises GameError: the moderator may not do so, or the clocks can't be stopped.
    """
    cases.claim(case, moderator=moderator, now=now)
    _seat(case, match_id)
    with transaction.atomic():
        subject = said("clocks-stopped", match=match_id)
        _log_and_notify(
            "stop-clocks", subject, case, match_id, moderator=moderator, reason=reason, now=now
        )
        standstill.stop_clocks(
            match_id=match_id, moderator=moderator, reason=reason, now=now, until=until
        )


def run_clocks(case: Case, match_id: int, *, moderator: User, reason: str, now: datetime) -> None:
    """Resume the clocks of a match of the suspect.

    :raises GameError: the moderator may not do so, or no moderator has stopped them.
    """
    cases.claim(case, moderator=moderator, now=now)
    _seat(case, match_id)
    with transaction.atomic():
        subject = said("clocks-resumed", match=match_id)
        _log_and_notify(
            "run-clocks", subject, case, match_id, moderator=moderator, reason=reason, now=now
        )
        standstill.resume_clocks(match_id=match_id, moderator=moderator, reason=reason, now=now)


def unrate(case: Case, match_id: int, *, moderator: User, reason: str, now: datetime) -> None:
    """Take a match of the suspect out of the ratings; its result stays.

    :raises GameError: the moderator may not do so, or the match doesn't count anyway.
    """
    cases.claim(case, moderator=moderator, now=now)
    _seat(case, match_id)
    match = Match.objects.get(pk=match_id)
    if not match.rated:
        raise ModerationRefused("This match is friendly.")
    if Player.objects.filter(match=match, user=moderator).exists():
        raise NotYours("You play in this match.")
    with transaction.atomic():
        if not ratings.leave_out(match, now):
            raise ModerationRefused("This match is out of the ratings already.")
        subject = said("unrated", match=match_id)
        _log_and_notify(
            "unrate", subject, case, match_id, moderator=moderator, reason=reason, now=now
        )
        transaction.on_commit(lambda: rate_later(match), robust=True)
        transaction.on_commit(lambda: give_later(match), robust=True)


def remove(case: Case, match_id: int, *, moderator: User, reason: str, now: datetime) -> None:
    """Remove the suspect from a running match, as if they had resigned.

    :raises GameError: the moderator may not do so, or it can't be done.
    """
    cases.claim(case, moderator=moderator, now=now)
    seat = _seat(case, match_id)
    with transaction.atomic():
        subject = said("removed", name=case.suspect.shown_name, match=match_id)
        _log_and_notify(
            "remove", subject, case, match_id, moderator=moderator, reason=reason, now=now
        )
        services.remove(match_id=match_id, seat=seat, moderator=moderator, reason=reason, now=now)


@transaction.atomic
def abandon(case: Case, match_id: int, *, moderator: User, reason: str, now: datetime) -> None:
    """Mark the suspect's seat in a running match as abandoned and ask the opponents.

    :raises NotYours: the moderator may not work on the case or the match.
    :raises ModerationRefused: the suspect no longer plays in the match.
    """
    cases.claim(case, moderator=moderator, now=now)
    seat = Player.objects.filter(match=match_id, user=case.suspect_id, ended=None, dropped="")
    player = seat.select_related("user").first()
    if player is None:
        raise ModerationRefused("The suspect does not play in this match.")
    abandoned_seat = abandoned.declare(player, moderator=moderator, reason=reason, now=now)
    abandoned.notify_player(abandoned_seat, now)
    log.write("abandon", moderator=moderator, case=case, match_id=match_id, reason=reason, now=now)


@transaction.atomic
def give_time(
    case: Case, match_id: int, hours: int, *, moderator: User, reason: str, now: datetime
) -> None:
    """Give every other player of a match more time, and notify all players.

    :raises GameError: the match has ended or has no clock, or the moderator plays in it.
    """
    cases.claim(case, moderator=moderator, now=now)
    seat = _seat(case, match_id)
    if Player.objects.filter(match=match_id, user=moderator).exists():
        raise NotYours("You play in this match.")
    time_given.give(match_id, spare=seat, span=timedelta(hours=hours), now=now)
    details = f"{hours} hours for the opponents of {case.suspect.username}"
    log.write(
        "give-time",
        case=case,
        match_id=match_id,
        moderator=moderator,
        reason=reason,
        now=now,
        details=details,
    )
    url = path_of("match", match_id)
    people = _people(match_id)
    for recipients, code in (
        (people.exclude(user=case.suspect_id).filter(dropped=""), "more-time"),
        (people.filter(user=case.suspect_id), "more-time-for-opponents"),
    ):
        subject = said(code, count=hours, match=match_id)
        ids = recipients.values_list("user", flat=True)
        notifications.notify(ids, subject=subject, text=reason, url=url, now=now)


def _seat(case: Case, match_id: int) -> Seat:
    player = Player.objects.filter(match=match_id, user=case.suspect_id).first()
    if player is None:
        raise ModerationRefused("The suspect does not play in this match.")
    return Seat(player.seat)


def _log_and_notify(
    action: str,
    subject: notifications.Sentence,
    case: Case,
    match_id: int,
    *,
    moderator: User,
    reason: str,
    now: datetime,
) -> None:
    """Log an action about a match, and notify all its players."""
    log.write(action, moderator=moderator, case=case, match_id=match_id, reason=reason, now=now)
    ids = _people(match_id).values_list("user", flat=True)
    url = path_of("match", match_id)
    notifications.notify(ids, subject=subject, text=reason, url=url, now=now)


def _people(match_id: int) -> QuerySet[Player]:
    return Player.objects.filter(match=match_id, is_bot=False)


@transaction.atomic
def hide_line(
    case: Case, line_id: int, *, restores: bool, moderator: User, reason: str, now: datetime
) -> None:
    """Hide or restore a chat line of the suspect, and notify them.

    :raises NotYours: the moderator may not work on the case, or plays in the match.
    :raises ModerationRefused: the suspect wrote no such line, or it is hidden or restored already.
    """
    cases.claim(case, moderator=moderator, now=now)
    line = Line.objects.filter(pk=line_id, author=case.suspect_id).first()
    if line is None:
        raise ModerationRefused("The suspect wrote no line of this number.")
    if Player.objects.filter(match=line.match_id, user=moderator).exists():
        raise NotYours("You play in this match.")
    if not (talk.restore(line) if restores else talk.hide(line, now=now)):
        raise ModerationRefused(
            "This line is shown." if restores else "This line is hidden already."
        )
    log.write(
        "restore-line" if restores else "hide-line",
        case=case,
        match_id=line.match_id,
        moderator=moderator,
        reason=reason,
        now=now,
        details=f"line {line.pk}",
    )
    subject = said("line-restored" if restores else "line-hidden")
    url = line.get_absolute_url()
    notifications.notify([line.author_id], subject=subject, text=reason, url=url, now=now)


@transaction.atomic
def hide_post(
    case: Case, post_id: int, *, restores: bool, moderator: User, reason: str, now: datetime
) -> None:
    """Hide or restore a post of the suspect, the first one with its topic, and notify them.

    :raises NotYours: the moderator may not work on the case.
    :raises ModerationRefused: the suspect wrote no such post, or it is hidden or restored already.
    """
    cases.claim(case, moderator=moderator, now=now)
    post = Post.objects.filter(pk=post_id, author=case.suspect_id).select_related("topic").first()
    if post is None:
        raise ModerationRefused("The suspect wrote no post of this number.")
    if not (noticeboards.restore(post) if restores else noticeboards.hide(post, now=now)):
        raise ModerationRefused(
            "This post is shown." if restores else "This post is hidden already."
        )
    log.write(
        "restore-post" if restores else "hide-post",
        moderator=moderator,
        case=case,
        reason=reason,
        now=now,
        details=f"post {post.pk}",
    )
    subject = said("post-restored" if restores else "post-hidden")
    url = post.topic.get_absolute_url() if restores else reverse("standing")
    notifications.notify([post.author_id], subject=subject, text=reason, url=url, now=now)


FIRST_POST = "The first post of an account, with a link"
"""The reason in the log of what is decided about posts that wait."""


@transaction.atomic
def decide_post(post_id: int, *, shows: bool, moderator: User, now: datetime) -> None:
    """Show a post that waits for a moderator, or hide it.

    :raises NotYours: it is the moderator's own, or an official's.
    :raises Refused: it doesn't wait any more.
    """
    post = Post.objects.filter(pk=post_id).select_related("topic", "author").first()
    if post is None or not post.waits or post.hidden:
        raise ModerationRefused("This post doesn’t wait any more.")
    cases.check_may_judge(moderator, post.author_id)
    if post.author_id == moderator.pk:
        raise NotYours("This is your own. Leave it to somebody else.")
    if shows:
        noticeboards.release(post_id)
    else:
        noticeboards.hide(post, now=now)
        notifications.notify(
            [post.author_id],
            subject=said("post-hidden"),
            text=said("looks-like-advertising"),
            url=reverse("standing"),
            now=now,
        )
    log.write(
        "show-post" if shows else "hide-post",
        moderator=moderator,
        user=post.author,
        reason=FIRST_POST,
        now=now,
        details=f"post {post.pk}",
    )
