"""Writing chat lines, private notes and greetings, and muting players."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID, uuid4

from django.db import transaction
from django.utils.translation import gettext as _

from accounts import texts
from accounts.models import User
from games.matches.errors import NoSuchMatch
from games.matches.models import Match, Player
from games.talk import groups, notifications, rooms, selectors
from games.talk.errors import MayNotWrite, NoLine
from games.talk.models import (
    MAX_LINE_LENGTH,
    MAX_NOTE_LENGTH,
    Greeting,
    LastRead,
    Line,
    Muting,
    PrivateNote,
    Room,
)
from games.talk.writing import written_once


class SavedLine(NamedTuple):
    """A line, and whether it had been written before under the same submission id."""

    line: Line
    repeated: bool


def say(*, match_id: int, user: User, text: str, submission: UUID, now: datetime) -> SavedLine:
    """Write a line in a user's own room of a match, and notify the players.

    :raises NoSuchMatch: there is no such match.
    :raises MayNotWrite: the user may not write here, or nobody would read it.
    :raises NoLine: the text is invalid.
    """
    match, players = selectors.seated(match_id)
    fields = {"author": user, "text": clean(text), "submission": submission, "created": now}
    rooms.check_may_write(user, players, now)
    room = rooms.own(players, user)
    listeners = rooms.listeners(players, user) if room == Room.PLAYERS else ()
    return _written_once(Line(match=match, room=room, version=match.version, **fields), listeners)


def comment(
    *, match_id: int, number: int, user: User, text: str, submission: UUID, now: datetime
) -> SavedLine:
    """Write a comment on the position after entry ``number`` of an ended match.

    :raises NoSuchMatch: there is no such match, or it has no such entry.
    :raises MayNotWrite: the user may not write, or not yet.
    :raises NoLine: the text is invalid.
    """
    match = selectors.seated(match_id)[0]
    if number > match.version:
        text = _("Match {match} has no entry {number}.")
        raise NoSuchMatch(text.format(match=match_id, number=number))
    fields = {"author": user, "text": clean(text), "submission": submission, "created": now}
    rooms.check_may_comment(match, user, now)
    return _written_once(Line(match=match, room=Room.COMMENTS, version=number, **fields), ())


def _written_once(line: Line, listeners: Collection[int]) -> SavedLine:
    """Write a line once per submission. ``listeners`` are ids of users."""
    submission = {"match": line.match, "author": line.author, "submission": line.submission}
    return SavedLine(*written_once(line, lambda: _write(line, listeners), **submission))


@transaction.atomic
def _write(line: Line, listeners: Collection[int]) -> None:
    line.save(force_insert=True)
    if listeners:
        notifications.said(line, listeners, line.created)
    groups.changed(line)


MOST_TYPED = 10
"""Maximum length of a text, as a multiple, before invisible characters are removed."""


def clean(text: str, longest: int = MAX_LINE_LENGTH) -> str:
    """Strip invisible characters and surrounding space.

    :raises NoLine: nothing is left, or too much.
    """
    if len(text) > MOST_TYPED * longest:
        raise NoLine(_too_long(longest, len(text)))
    kept = texts.lines(text)
    if not kept:
        raise NoLine(_("There is nothing in it."))
    if len(kept) > longest:
        raise NoLine(_too_long(longest, len(kept)))
    return kept


def _too_long(longest: int, length: int) -> str:
    text = _("That is too long: {most} characters are the most, these are {count}.")
    return text.format(most=longest, count=length)


def mark_read(*, match_id: int, user: User, line_id: int) -> None:
    """Note that a user has read the chat of a match up to a line. Never moves back."""
    last = Line.objects.filter(match_id=match_id, pk__lte=line_id).order_by("-pk").first()
    if last is None:
        return
    read = LastRead.objects.filter(user=user, match_id=match_id)
    if not read.filter(line__gte=last.pk).exists() and not read.update(line=last.pk):
        LastRead.objects.bulk_create(
            [LastRead(user=user, match_id=match_id, line=last.pk)], ignore_conflicts=True
        )


@transaction.atomic
def hide(line: Line, *, now: datetime) -> bool:
    """Hide a line from everybody. ``False`` if it was hidden."""
    changed = Line.objects.filter(pk=line.pk, hidden=None).update(hidden=now)
    groups.changed(line)
    return bool(changed)


@transaction.atomic
def restore(line: Line) -> bool:
    """Show a hidden line again. ``False`` if it wasn't hidden."""
    changed = Line.objects.filter(pk=line.pk, hidden__isnull=False).update(hidden=None)
    groups.changed(line)
    return bool(changed)


def mute(*, user: User, other: User, now: datetime) -> None:
    """Hide another user's lines from a user. Muting twice is harmless.

    :raises MayNotWrite: both are the same.
    """
    if user.pk == other.pk:
        raise MayNotWrite(_("Nobody mutes themselves."))
    Muting.objects.get_or_create(user=user, muted=other, defaults={"created": now})


def unmute(*, user: User, other: User) -> None:
    Muting.objects.filter(user=user, muted=other).delete()


def keep_note(*, match_id: int, user: User, text: str, now: datetime) -> None:
    """Save a user's private note about a match. An empty text deletes it.

    :raises NoSuchMatch: there is no such match.
    :raises NoLine: it is too long.
    """
    match = selectors.seated(match_id)[0]
    if not text.strip():
        PrivateNote.objects.filter(user=user, match=match).delete()
        return
    kept = {"text": clean(text, MAX_NOTE_LENGTH), "changed": now}
    PrivateNote.objects.update_or_create(user=user, match=match, defaults=kept)


def set_greeting(*, user: User, text: str) -> None:
    """Save the line that is written for a user when a match begins. An empty text removes it.

    :raises NoLine: it is too long.
    """
    if not text.strip():
        Greeting.objects.filter(user=user).delete()
        return
    Greeting.objects.update_or_create(user=user, defaults={"text": clean(text)})


def greet(match: Match, *, now: datetime) -> None:
    """Write the greetings of the players of a match that has just begun, in seat order.

    They cause no notifications: the start of the match has its own.
    """
    players = list(match.players.select_related("user"))
    texts = dict(Greeting.objects.filter(user__seats__match=match).values_list("user", "text"))
    for player in players:
        if player.user_id in texts and _may_greet(player.user, players, now):
            fields = {"author": player.user, "text": texts[player.user_id], "created": now}
            line = Line(match=match, room=Room.PLAYERS, version=match.version, **fields)
            line.submission = uuid4()
            line.save(force_insert=True)


def _may_greet(user: User, players: Sequence[Player], now: datetime) -> bool:
    try:
        rooms.check_may_write(user, players, now)
    except MayNotWrite:
        return False
    return True
