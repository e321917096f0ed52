"""Notifications about team matches."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from django.db.models import CharField, Q, QuerySet, Value
from django.db.models.functions import Cast, Concat
from django.urls import reverse
from django.utils.formats import date_format

from accounts import notification_emails, notifications
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
    did = f"{team_match.second.name} has accepted the challenge"
    _news(team_match, selectors.leaders(team_match.first), did, CALL, now)
    members = Membership.objects.filter(club__in=team_match.clubs).exclude(user=by)
    users = set(members.values_list("user", flat=True))
    users -= set(selectors.leaders(team_match.first))
    _notify(CALLED, team_match, users, now)


def declined(team_match: TeamMatch, by: User, now: datetime) -> None:
    did = f"{team_match.second.name} has declined the challenge"
    _news(team_match, set(selectors.leaders(team_match.first)) - {by.pk}, did, "", now)


def cancelled(team_match: TeamMatch, why: str, now: datetime) -> None:
    """Notify the leaders and everybody who has signed up; ``why`` is a sentence."""
    users = {*_leaders(team_match), *team_match.players.values_list("user", flat=True)}
    _news(team_match, users, "The team match is cancelled", why, now)


def line_up_set(team_match: TeamMatch, team: int, now: datetime) -> None:
    """Notify the leaders of the other club that it is their turn, without saying who plays."""
    other = team_match.clubs[2 - team]
    did = f"{team_match.clubs[team - 1].name} has set its line-up"
    more = "Both line-ups are shown, and the matches begin, once yours is set."
    _news(team_match, selectors.leaders(other), did, more, now)


def line_up_broken(team_match: TeamMatch, team: int, names: Sequence[str], now: datetime) -> None:
    """Notify the leaders of a club that their line-up has to be set again."""
    verb = "doesn’t" if len(names) == 1 else "don’t"
    did = f"{formatting.names(names)} {verb} play after all"
    club = team_match.clubs[team - 1]
    _news(team_match, selectors.leaders(club), did, "The line-up has to be set again.", now)


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


def _news(team_match: TeamMatch, users: Iterable[int], did: str, more: str, now: datetime) -> None:
    _notify(NEWS, team_match, users, now, did=did, more=more)


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

CALL = "Members can sign up now, and the leaders set the line-up."


def _name(payload: Payload) -> str:
    return f"{payload['first']} – {payload['second']}"


def _due(payload: Payload, reader: User) -> str:
    return date_format(datetime.fromisoformat(payload["due"]).astimezone(reader.zone), "j F Y, H:i")


def _of_challenge(payload: Payload, reader: User) -> str:
    return (
        f"They ask for a team match of {payload['game']} with {payload['boards']} players of each"
        f" club. You can accept until {_due(payload, reader)}."
    )


def _of_call(payload: Payload, reader: User) -> str:
    return (
        f"Your club plays a team match of {payload['game']} and needs {payload['boards']} players."
        f" Sign up on its page if you want to play. The line-up is due on {_due(payload, reader)}."
    )


def _of_due(payload: Payload, reader: User) -> str:
    return (
        f"Set the line-up of {payload['club']} by {_due(payload, reader)}. Without it the team"
        " match is cancelled."
    )


def _result(payload: Payload) -> str:
    first, second = payload["points"]
    return f"{payload['first']} {first} : {second} {payload['second']}"


def _of_result(payload: Payload, _reader: User) -> str:
    if not payload["winner"]:
        return "The team match is a draw."
    return f"{payload['winner']} has won the team match."


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
        "A club challenges one that you lead to a team match",
        lambda payload: f"{payload['first']} challenges {payload['second']}",
        _of_challenge,
        more={"current": _unanswered, "group": CHALLENGED},
    ),
    NEWS: WordedKind(
        "News of a team match that you lead or signed up for",
        lambda payload: f"{_name(payload)}: {payload['did']}",
        lambda payload, _reader: str(payload["more"]),
    ),
    CALLED: WordedKind(
        "A team match of your club needs players",
        lambda payload: f"{_name(payload)}: sign up if you want to play",
        _of_call,
        more={"current": _signing_up, "is_quiet": True},
    ),
    DUE: WordedKind(
        "A line-up that you have to set is due soon",
        lambda payload: f"{_name(payload)}: the line-up of {payload['club']} is due soon",
        _of_due,
        more={"current": _unset},
    ),
    OVER: WordedKind(
        "A team match that you led or played in is over",
        _result,
        _of_result,
    ),
}
"""The kinds about team matches, in the order of the preferences."""


def register() -> None:
    notification_emails.register(KINDS, _url)
