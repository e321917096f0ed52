"""Notifications about team matches."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from django.db.models import CharField, Q, QuerySet, Value
from django.db.models.functions import Cast, Concat
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts import dates, notification_emails, notifications
from accounts.models import User
from accounts.notification_emails import Payload, WordedKind
from games.clubs.models import Membership
from games.events.standings import in_words
from games.kernel import registry
from games.matches import formatting
from games.teams import selectors
from games.teams.models import TeamMatch

CHALLENGED = "team-challenged"
NEWS = "team-news"
CALLED = "team-called"
DUE = "team-due"
OVER = "team-over"

ACCEPTED = "accepted"
DECLINED = "declined"
CANCELLED = "cancelled"
LINE_UP_SET = "line-up-set"
LINE_UP_BROKEN = "line-up-broken"

BY_LEADERS = "leaders"
BY_MODERATORS = "moderators"
CLUB_CLOSED = "closed"
NOT_ANSWERED = "not-answered"
NO_LINE_UP = "no-line-up"

PAGE = "team:"
"""Prefix of the key of a team match's page."""


def page_key(team_match_id: int) -> str:
    """Return the key of a team match's page, under which presence is stored."""
    return f"{PAGE}{team_match_id}"


def challenged(team_match: TeamMatch, now: datetime) -> None:
    """Notify the leaders of the challenged club."""
    _notify(CHALLENGED, team_match, selectors.leaders(team_match.second), now)


def accepted(team_match: TeamMatch, by: User, now: datetime) -> None:
    """Notify the leaders of the challenging club, and ask the members of both to sign up."""
    leaders = selectors.leaders(team_match.first)
    _news(team_match, leaders, ACCEPTED, now, club=team_match.second.name)
    members = Membership.objects.filter(club__in=team_match.clubs).exclude(user=by)
    users = set(members.values_list("user", flat=True))
    users -= set(selectors.leaders(team_match.first))
    _notify(CALLED, team_match, users, now)


def declined(team_match: TeamMatch, by: User, now: datetime) -> None:
    leaders = set(selectors.leaders(team_match.first)) - {by.pk}
    _news(team_match, leaders, DECLINED, now, club=team_match.second.name)


def cancelled(team_match: TeamMatch, why: Payload, now: datetime) -> None:
    """Notify the leaders and everybody who has signed up; ``why`` is a code with its parts."""
    users = {*_leaders(team_match), *team_match.players.values_list("user", flat=True)}
    _news(team_match, users, CANCELLED, now, why=why)


def line_up_set(team_match: TeamMatch, team: int, now: datetime) -> None:
    """Notify the leaders of the other club that it is their turn, without saying who plays."""
    other = team_match.clubs[2 - team]
    club = team_match.clubs[team - 1].name
    _news(team_match, selectors.leaders(other), LINE_UP_SET, now, club=club)


def line_up_broken(team_match: TeamMatch, team: int, names: Sequence[str], now: datetime) -> None:
    """Notify the leaders of a club that their line-up has to be set again."""
    leaders = selectors.leaders(team_match.clubs[team - 1])
    _news(team_match, leaders, LINE_UP_BROKEN, now, names=list(names))


def due_soon(team_match: TeamMatch, now: datetime) -> None:
    """Remind leaders who haven't set their line-up, and members who haven't signed up."""
    for club, is_set in zip(team_match.clubs, team_match.line_ups_set, strict=True):
        if is_set:
            continue
        leaders = set(selectors.leaders(club))
        _notify(DUE, team_match, leaders, now, club=club.name)
        signed_up = team_match.players.values("user")
        members = Membership.objects.filter(club=club).exclude(user__in=signed_up)
        _notify(CALLED, team_match, set(members.values_list("user", flat=True)) - leaders, now)


def over(team_match: TeamMatch, now: datetime) -> None:
    """Notify the players and the leaders of the result."""
    score = selectors.scores([team_match]).get(team_match.pk, selectors.NO_SCORE)
    won = selectors.winner(score)
    tournament = team_match.tournament
    players = tournament.entries.values_list("user", flat=True) if tournament else []
    fields = {
        "points": [in_words(one.points) for one in score],
        "winner": team_match.clubs[won - 1].name if won else "",
    }
    _notify(OVER, team_match, {*players, *_leaders(team_match)}, now, **fields)


def _leaders(team_match: TeamMatch) -> set[int]:
    return {user for club in team_match.clubs for user in selectors.leaders(club)}


def _news(
    team_match: TeamMatch, users: Iterable[int], news: str, now: datetime, **parts: object
) -> None:
    _notify(NEWS, team_match, users, now, news=news, **parts)


def _notify(
    kind: str, team_match: TeamMatch, users: Iterable[int], now: datetime, **fields: object
) -> None:
    payload = {
        "team_match": team_match.pk,
        "place": page_key(team_match.pk),
        "first": team_match.first.name,
        "second": team_match.second.name,
        "game": registry.get(team_match.title).meta.name,
        "boards": team_match.boards,
        "due": team_match.due.isoformat(),
        **fields,
    }
    notifications.notify_all(recipients=users, kind=kind, payload=payload, now=now)


# --- Words ----------------------------------------------------------------------------------------

NEWS_WORDS = {
    ACCEPTED: gettext_lazy("{club} has accepted the challenge"),
    DECLINED: gettext_lazy("{club} has declined the challenge"),
    CANCELLED: gettext_lazy("The team match is cancelled"),
    LINE_UP_SET: gettext_lazy("{club} has set its line-up"),
}

NEWS_DETAILS = {
    ACCEPTED: gettext_lazy("Members can sign up now, and the leaders set the line-up."),
    LINE_UP_SET: gettext_lazy("Both line-ups are shown, and the matches begin, once yours is set."),
    LINE_UP_BROKEN: gettext_lazy("The line-up has to be set again."),
}

REASONS = {
    BY_LEADERS: gettext_lazy("The leaders of {club} have cancelled it."),
    BY_MODERATORS: gettext_lazy("The moderators have cancelled it: {reason}"),
    CLUB_CLOSED: gettext_lazy("{club} is closed."),
    NOT_ANSWERED: gettext_lazy("{club} didn’t answer in time."),
}
"""Why a team match was cancelled, by the code."""


def _of_news(payload: Payload) -> str:
    # Translators: {match} are the names of two clubs, {news} is what has happened.
    return _("{match}: {news}").format(match=_name(payload), news=_happened(payload))


def _happened(payload: Payload) -> str:
    if "did" in payload:
        # A sentence of an earlier release.
        return str(payload["did"])
    if payload["news"] == LINE_UP_BROKEN:
        names = payload["names"]
        words = ngettext(
            "{names} doesn’t play after all", "{names} don’t play after all", len(names)
        )
        return words.format(names=formatting.names(names))
    return NEWS_WORDS[payload["news"]].format(club=payload.get("club", ""))


def _news_in_full(payload: Payload, _reader: User) -> str:
    if "more" in payload:
        # A sentence of an earlier release.
        return str(payload["more"])
    if "why" in payload:
        return _why(payload["why"])
    return str(NEWS_DETAILS.get(payload["news"], ""))


def _why(why: Payload) -> str:
    """Return why a team match was cancelled."""
    if why["code"] == NO_LINE_UP:
        clubs = why["clubs"]
        words = ngettext(
            "{clubs} didn’t set a line-up in time.",
            "{clubs} didn’t set line-ups in time.",
            len(clubs),
        )
        return words.format(clubs=formatting.names(clubs))
    return REASONS[why["code"]].format(club=why.get("club", ""), reason=why.get("reason", ""))


def _name(payload: Payload) -> str:
    return f"{payload['first']} – {payload['second']}"


def _due(payload: Payload) -> str:
    return dates.exactly(datetime.fromisoformat(payload["due"]))


def _of_challenge(payload: Payload, reader: User) -> str:
    # Translators: {count} is always more than 1.
    words = _(
        "They ask for a team match of {game} with {count} players of each club. You can accept"
        " until {time}."
    )
    return words.format(game=payload["game"], count=payload["boards"], time=_due(payload))


def _of_call(payload: Payload, reader: User) -> str:
    # Translators: {count} is always more than 1.
    words = _(
        "Your club plays a team match of {game} and needs {count} players. Sign up on its page if"
        " you want to play. The line-up is due on {time}."
    )
    return words.format(game=payload["game"], count=payload["boards"], time=_due(payload))


def _of_due(payload: Payload, reader: User) -> str:
    words = _("Set the line-up of {club} by {time}. Without it the team match is cancelled.")
    return words.format(club=payload["club"], time=_due(payload))


def _result(payload: Payload) -> str:
    first, second = payload["points"]
    return f"{payload['first']} {first} : {second} {payload['second']}"


def _of_result(payload: Payload, _reader: User) -> str:
    if not payload["winner"]:
        return _("The team match is a draw.")
    return _("{club} has won the team match.").format(club=payload["winner"])


def _url(payload: Payload) -> str:
    return reverse("team-match", args=[payload["team_match"]])


def _keys(rows: QuerySet[TeamMatch]) -> QuerySet[Any, str]:
    key = Concat(Value(PAGE), Cast("pk", CharField()))
    return rows.order_by().values_list(key, flat=True).distinct()


def _unanswered(user: User) -> QuerySet[Any, str]:
    """Return the keys of the challenges that wait for a leader's answer."""
    led = Membership.objects.filter(user=user, led_since__isnull=False, club__closed=None)
    asked = TeamMatch.objects.filter(status=TeamMatch.Status.ASKED)
    return _keys(asked.filter(second__in=led.values("club")))


def _signing_up(user: User) -> QuerySet[Any, str]:
    """Return the keys of the team matches of a user's clubs that take players."""
    clubs = Membership.objects.filter(user=user, club__closed=None).values("club")
    taking = TeamMatch.objects.filter(status=TeamMatch.Status.ACCEPTED)
    return _keys(taking.filter(Q(first__in=clubs) | Q(second__in=clubs)))


def _unset(user: User) -> QuerySet[Any, str]:
    """Return the keys of the team matches whose line-up a leader still has to set."""
    led = Membership.objects.filter(user=user, led_since__isnull=False, club__closed=None)
    clubs = led.values("club")
    waiting = TeamMatch.objects.filter(status=TeamMatch.Status.ACCEPTED)
    first, second = Q(first__in=clubs, first_set=None), Q(second__in=clubs, second_set=None)
    return _keys(waiting.filter(first | second))


KINDS = {
    CHALLENGED: WordedKind(
        gettext_lazy("A club challenges one that you lead to a team match"),
        lambda payload: _("{club} challenges {other}").format(
            club=payload["first"], other=payload["second"]
        ),
        _of_challenge,
        more={"current": _unanswered, "group": CHALLENGED},
    ),
    NEWS: WordedKind(
        gettext_lazy("News of a team match that you lead or signed up for"),
        _of_news,
        _news_in_full,
    ),
    CALLED: WordedKind(
        gettext_lazy("A team match of your club needs players"),
        lambda payload: _("{match}: sign up if you want to play").format(match=_name(payload)),
        _of_call,
        more={"current": _signing_up, "is_quiet": True},
    ),
    DUE: WordedKind(
        gettext_lazy("A line-up that you have to set is due soon"),
        lambda payload: _("{match}: the line-up of {club} is due soon").format(
            match=_name(payload), club=payload["club"]
        ),
        _of_due,
        more={"current": _unset},
    ),
    OVER: WordedKind(
        gettext_lazy("A team match that you led or played in is over"),
        _result,
        _of_result,
    ),
}
"""The kinds about team matches, in the order of the preferences."""


def register() -> None:
    notification_emails.register(KINDS, _url)
