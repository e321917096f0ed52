"""What can be reported: players, matches, lines of chat, and what other applications register."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from accounts.models import User
from games.kernel import registry
from games.matches.models import Match
from games.moderation.errors import NoSuchSubject
from games.talk import selectors as talk
from games.talk.models import Line


@dataclass(frozen=True)
class Subject:
    """Something that was reported: what it is called, where it is, and who may have done it.

    ``quote`` is the text that was reported, such as a chat line, as it stands now.
    """

    label: str
    url: str
    suspects: Sequence[User]
    quote: str = ""


Find = Callable[[int, User], Subject]
"""Finds a subject by its id, as a user may see it; raises `NoSuchSubject`."""

_finders: dict[str, Find] = {}


def register(name: str, find: Find) -> None:
    """Make a kind of subject known, such as ``chat-line``; called once, when applications start."""
    _finders[name] = find


def find(name: str, subject_id: int, user: User) -> Subject:
    """Return what somebody wants to report.

    :raises NoSuchSubject: it is not there, or not for this user.
    """
    finder = _finders.get(name)
    if finder is None:
        raise NoSuchSubject("There is nothing like this to report.")
    return finder(subject_id, user)


def found(subject: str, user: User) -> Subject | None:
    """Return what a report is about, as ``match:12``; ``None`` where it is gone."""
    name, _, number = subject.partition(":")
    try:
        return find(name, int(number), user)
    except NoSuchSubject:
        return None


def register_own() -> None:
    """Register players, matches and lines of chat."""
    register("player", _player)
    register("match", _match)
    register("chat-line", _line)


def _player(user_id: int, user: User) -> Subject:
    suspect = User.objects.filter(pk=user_id, is_active=True, is_bot=False).first()
    if suspect is None:
        raise NoSuchSubject("There is no such player.")
    return Subject(suspect.username, suspect.get_absolute_url(), [suspect])


def _match(match_id: int, user: User) -> Subject:
    match = Match.objects.filter(pk=match_id).first()
    if match is None:
        raise NoSuchSubject("There is no such match.")
    people = User.objects.filter(seats__match=match, is_bot=False, is_active=True)
    title = registry.titles().get(match.title)
    name = title.meta.name if title else match.title
    return Subject(f"{name}, match {match.pk}", match.get_absolute_url(), list(people))


def _line(line_id: int, user: User) -> Subject:
    line = _line_for_desk(line_id) if user.has_perm("moderation.use_desk") else None
    line = line or talk.line_for(line_id, user)
    if line is None:
        raise NoSuchSubject("There is no such line.")
    label = f"line {line.pk} in match {line.match_id}"
    return Subject(label, line.get_absolute_url(), [line.author], line.text)


def _line_for_desk(line_id: int) -> Line | None:
    """Return a line that a moderator may have to look at, wherever it was written."""
    return Line.objects.filter(pk=line_id).select_related("author", "match").first()
