"""Subjects of reports: players, matches, chat lines, tournaments, clubs and others."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.db.models import Q
from django.utils.translation import gettext

from accounts.models import User
from games.clubs import selectors as clubs
from games.clubs.errors import NoSuchClub
from games.clubs.models import Membership, Message
from games.events.models import Tournament
from games.kernel import registry
from games.matches.models import Match
from games.moderation.errors import NoSuchSubject
from games.noticeboards import selectors as noticeboards
from games.noticeboards.errors import NoSuchTopic
from games.talk import selectors as talk
from games.talk.models import Line
from games.teams import selectors as teams
from games.teams.errors import NoSuchTeamMatch


@dataclass(frozen=True)
class Subject:
    """A subject of reports: its name, its address and its possible suspects.

    ``quote`` is the reported text, such as a chat line, as it is now.
    """

    label: str
    url: str
    suspects: Sequence[User]
    quote: str = ""


Find = Callable[[int, User], Subject]
"""Finds a subject by its id, as a user may see it. Raises `NoSuchSubject`."""

_finders: dict[str, Find] = {}


def register(name: str, find: Find) -> None:
    """Register a kind of subject, such as ``chat-line``. Called once at startup."""
    _finders[name] = find


def find(name: str, subject_id: int, user: User) -> Subject:
    """Return a subject as a user may see it.

    :raises NoSuchSubject: it doesn't exist, or this user can't see it.
    """
    finder = _finders.get(name)
    if finder is None:
        raise NoSuchSubject(gettext("There is nothing like this to report."))
    return finder(subject_id, user)


def found(subject: str, user: User) -> Subject | None:
    """Return a subject by its key, such as ``match:12``. ``None`` if it is gone."""
    name, _, number = subject.partition(":")
    try:
        return find(name, int(number), user)
    except NoSuchSubject:
        return None


def register_own() -> None:
    """Register what players, talk, tournaments, clubs and noticeboards have to report."""
    register("player", _player)
    register("match", _match)
    register("chat-line", _line)
    register("tournament", _tournament)
    register("club", _club)
    register("club-message", _club_message)
    register("team-match", _team_match)
    register("post", _post)


def _player(user_id: int, user: User) -> Subject:
    suspect = User.objects.filter(pk=user_id, is_active=True, is_bot=False).first()
    if suspect is None:
        raise NoSuchSubject(gettext("There is no such player."))
    return Subject(suspect.username, suspect.get_absolute_url(), [suspect])


def _match(match_id: int, user: User) -> Subject:
    match = Match.objects.filter(pk=match_id).first()
    if match is None:
        raise NoSuchSubject(gettext("There is no such match."))
    people = User.objects.filter(seats__match=match, is_bot=False, is_active=True)
    title = registry.titles().get(match.title)
    name = title.meta.name if title else match.title
    return Subject(
        gettext("{game}, match {number}").format(game=name, number=match.pk),
        match.get_absolute_url(),
        list(people),
    )


def _tournament(tournament_id: int, user: User) -> Subject:
    tournament = Tournament.objects.filter(pk=tournament_id).select_related("organiser").first()
    if tournament is None or tournament.organiser is None:
        raise NoSuchSubject(gettext("There is no such tournament of a player."))
    text = f"{tournament.name}\n{tournament.about}".strip()
    return Subject(
        gettext("tournament {number}").format(number=tournament.pk),
        tournament.get_absolute_url(),
        [tournament.organiser],
        text,
    )


def _club(club_id: int, user: User) -> Subject:
    """Return a club with its leaders. Of a private one, others quote the name alone."""
    try:
        club = clubs.get(club_id)
    except NoSuchClub as unknown:
        raise NoSuchSubject(str(unknown)) from unknown
    leaders = [one.user for one in clubs.leaders_of(club)]
    own = clubs.membership(club, user)
    text = f"{club.name}\n{club.about}" if clubs.sees_inside(club, user, own) else club.name
    return Subject(
        gettext("club {number}").format(number=club.pk),
        club.get_absolute_url(),
        leaders,
        text.strip(),
    )


def _club_message(message_id: int, user: User) -> Subject:
    message = Message.objects.filter(pk=message_id).select_related("club", "author").first()
    may_read = message is not None and (
        clubs.membership(message.club, user) is not None or user.has_perm(clubs.MODERATES)
    )
    if message is None or not may_read:
        raise NoSuchSubject(gettext("There is no such message."))
    label = gettext("message to the members of club {number}").format(number=message.club_id)
    return Subject(label, message.club.get_absolute_url(), [message.author], message.text)


def _team_match(team_match_id: int, user: User) -> Subject:
    """Return a team match with the leaders of both clubs, and the leader who has challenged."""
    try:
        found = teams.get(team_match_id)
    except NoSuchTeamMatch as unknown:
        raise NoSuchSubject(str(unknown)) from unknown
    leaders = Membership.objects.filter(club__in=found.clubs, led_since__isnull=False)
    responsible = User.objects.filter(Q(pk__in=leaders.values("user")) | Q(pk=found.challenger_id))
    return Subject(
        gettext("team match {number}").format(number=found.pk),
        found.get_absolute_url(),
        list(responsible.order_by("username")),
    )


def _post(post_id: int, user: User) -> Subject:
    """Return a post of a noticeboard, the first one with the subject of its topic."""
    try:
        post = noticeboards.post(post_id, user)
    except NoSuchTopic as unknown:
        raise NoSuchSubject(str(unknown)) from unknown
    label = gettext("post {number} in topic {topic}").format(number=post.pk, topic=post.topic_id)
    text = f"{post.topic.subject}\n{post.text}"
    return Subject(label, post.get_absolute_url(), [post.author], text)


def _line(line_id: int, user: User) -> Subject:
    line = talk.line_for(line_id, user)
    if line is None and user.has_perm("moderation.use_desk"):
        line = Line.objects.filter(pk=line_id).select_related("author", "match").first()
    if line is None:
        raise NoSuchSubject(gettext("There is no such line."))
    label = gettext("line {number} in match {match}").format(number=line.pk, match=line.match_id)
    return Subject(label, line.get_absolute_url(), [line.author], line.text)
