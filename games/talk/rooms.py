"""Who may read and write in which room.

While the match runs, players read their own room, and spectators with an account theirs. Once it
has ended everybody reads both, and comments on its positions. Players learn nothing from spectators
before.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from accounts import blocks, signup
from accounts.models import User
from accounts.sanctions import standing
from games.matches.errors import NotAPlayer
from games.matches.models import Match, Player
from games.talk.errors import MayNotWrite
from games.talk.models import Room


def plays(players: Sequence[Player], user: Any) -> bool:
    """Whether a user, who may be anonymous, has a seat."""
    return user.pk is not None and any(player.user_id == user.pk for player in players)


def own(players: Sequence[Player], user: Any) -> Room:
    """Return the room in which a user writes, if they may."""
    return Room.PLAYERS if plays(players, user) else Room.SPECTATORS


def readable(match: Match, players: Sequence[Player], user: Any) -> tuple[Room, ...]:
    """Return the rooms that a user may read, their own first."""
    room = own(players, user)
    if not match.is_running:
        other = Room.SPECTATORS if room == Room.PLAYERS else Room.PLAYERS
        return (room, other, Room.COMMENTS)
    may_read = room == Room.PLAYERS or (user.is_authenticated and not user.is_guest)
    return (room,) if may_read else ()


def check_may_read(match: Match, players: Sequence[Player], user: Any, room: Room) -> None:
    """:raises NotAPlayer: the user may not read the room now."""
    if room not in readable(match, players, user):
        raise NotAPlayer(_("This is not open to you while the match runs."))


def listeners(players: Sequence[Player], user: Any) -> set[int]:
    """Return the ids of the other people who play."""
    return {one.user_id for one in players if not one.is_bot and one.user_id != user.pk}


def check_may_write(user: Any, players: Sequence[Player], now: datetime) -> None:
    """:raises MayNotWrite: the user may not write in their own room, or nobody would read it."""
    _check_may_speak(user, now)
    if plays(players, user):
        _check_is_heard(user, players)


def check_may_comment(match: Match, user: Any, now: datetime) -> None:
    """:raises MayNotWrite: the user may not comment on positions of the match, or it is running."""
    if match.is_running:
        raise MayNotWrite(_("Comments can be written when the match has ended."))
    _check_may_speak(user, now)
    if signup.awaits_confirmation(user):
        raise MayNotWrite(_("Confirm your mail address to comment."))


def _check_may_speak(user: Any, now: datetime) -> None:
    if not user.is_authenticated:
        raise MayNotWrite(_("Sign in to write."))
    if user.is_guest:
        raise MayNotWrite(_("Join to write: guests only read."))
    if standing.is_muted(user, now):
        raise MayNotWrite(standing.MUTED)


def _check_is_heard(user: User, players: Sequence[Player]) -> None:
    """Check that somebody else in the match reads the chat. The check reveals no blocks."""
    others = listeners(players, user)
    if not others:
        raise MayNotWrite(_("Nobody else here reads a chat."))
    if blocks.apart(user, others) >= others:
        raise MayNotWrite(_("Nobody here can read what you write."))
