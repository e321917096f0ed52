"""Reading the chat: what a user may read, and how much of it is new."""

from collections import Counter
from collections.abc import Collection
from typing import Any

from django.db.models import BigIntegerField, Count, F, OuterRef, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from accounts import blocks
from accounts.models import User
from games.matches.errors import NoSuchMatch
from games.matches.models import Match, Player
from games.talk import rooms
from games.talk.models import LastRead, Line, Muting, PrivateNote, Room


def visible(user: Any, room: Room) -> QuerySet[Line]:
    """Return the lines of a room without those of blocked and muted authors."""
    lines = Line.objects.filter(room=room).select_related("author")
    if not user.is_authenticated:
        return lines
    muted = Muting.objects.filter(user=user).values("muted")
    return lines.exclude(blocks.between(user, "author")).exclude(author__in=muted)


def readable(match_id: int, user: Any, room: Room | None = None) -> QuerySet[Line]:
    """Return the readable lines of a room of a match, by default the user's own.

    :raises NoSuchMatch: there is no such match.
    :raises NotAPlayer: the user may not enter the room now.
    """
    match, players = seated(match_id)
    asked = room or rooms.own(players, user)
    rooms.check_may_read(match, players, user, asked)
    return visible(user, asked).filter(match=match)


def comments(match: Match, user: Any) -> QuerySet[Line]:
    """Return the readable comments on the positions of a match. Empty while it runs."""
    lines = visible(user, Room.COMMENTS).filter(match=match)
    return lines.none() if match.is_running else lines


def comment_counts(match: Match, user: Any) -> dict[int, int]:
    """Return the numbers of readable comments by position, without zeros."""
    visible = comments(match, user).filter(hidden=None).order_by()
    return dict(visible.values_list("version").annotate(Count("pk")))


def seated(match_id: int) -> tuple[Match, list[Player]]:
    """Return a match and its players.

    :raises NoSuchMatch: there is no such match.
    """
    match = Match.objects.filter(pk=match_id).first()
    if match is None:
        raise NoSuchMatch(_("There is no match {number}.").format(number=match_id))
    return match, list(match.players.select_related("user"))


def unread(user: User, match_ids: Collection[int]) -> dict[int, int]:
    """Return the numbers of a player's unread lines by others, by match, without zeros.

    One query, and if there are such lines two more for authors whom the user has muted or blocked.

    :param match_ids: matches in which the user plays, at least one.
    """
    lines = _after_last_read(Line.objects.filter(room=Room.PLAYERS, match__in=match_ids), user)
    counted = lines.order_by().values_list("match", "author").annotate(Count("pk"))
    counts = list(counted)
    authors = {author for _, author, _ in counts}
    unheard = _unheard(user, authors) if authors else set()
    unread: Counter[int] = Counter()
    for match_id, author, count in counts:
        if author not in unheard:
            unread[match_id] += count
    return dict(unread)


def _unheard(user: User, authors: Collection[int]) -> set[int]:
    """Return the ids of authors whose lines a user doesn't see."""
    muted = Muting.objects.filter(user=user, muted__in=authors).values_list("muted", flat=True)
    return blocks.apart(user, authors) | set(muted)


def new_lines(user: User, room: Room) -> QuerySet[Line]:
    """Return the unread lines of others in a room that a user may see."""
    return _after_last_read(visible(user, room), user)


def _after_last_read(lines: QuerySet[Line], user: User) -> QuerySet[Line]:
    """Return a user's unread lines of others, without hidden ones."""
    read = LastRead.objects.filter(user=user, match=OuterRef("match")).values("line")
    last = Coalesce(Subquery(read), Value(0), output_field=BigIntegerField())
    fresh = lines.filter(hidden=None).exclude(author=user)
    return fresh.alias(last_read=last).filter(pk__gt=F("last_read"))


def note_of(user: User, match_id: int) -> str:
    """Return a user's private note about a match. Empty without one."""
    notes = PrivateNote.objects.filter(user=user, match_id=match_id)
    return notes.values_list("text", flat=True).first() or ""


def line_for(line_id: int, user: Any) -> Line | None:
    """Return a line that a user may read. ``None`` if it does not exist."""
    line = Line.objects.filter(pk=line_id).select_related("author", "match").first()
    if line is None:
        return None
    players = list(line.match.players.all())
    return line if line.room in rooms.readable(line.match, players, user) else None
