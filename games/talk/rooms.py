"""Who reads and writes where.

Players read their own room while the match runs, spectators theirs, if they have an account; once
it has ended everybody reads both, and comments on its positions. Players learn nothing from
spectators before.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

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
    """Return the room in which a user writes, as far as they may."""
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
    """Check that a user may read a room now.

    :raises NotAPlayer: they may not.
    """
    if room not in readable(match, players, user):
        raise NotAPlayer("This is not open to you while the match runs.")


def listeners(players: Sequence[Player], user: Any) -> set[int]:
    """Return the other people who play, by id."""
    return {one.user_id for one in players if not one.is_bot and one.user_id != user.pk}


def check_may_write(user: Any, players: Sequence[Player], now: datetime) -> None:
    """Check that a user may write in their own room.

    :raises MayNotWrite: they may not, or nobody would read it; the sentence says why.
    """
    _check_may_speak(user, now)
    if plays(players, user):
        _check_is_heard(user, players)


def check_may_comment(match: Match, user: Any, now: datetime) -> None:
    """Check that a user may comment on the positions of a match.

    :raises MayNotWrite: they may not, or the match is running; the sentence says why.
    """
    if match.is_running:
        raise MayNotWrite("Comments can be written when the match has ended.")
    _check_may_speak(user, now)
    if signup.awaits_confirmation(user):
        raise MayNotWrite("Confirm your mail address to comment.")


def _check_may_speak(user: Any, now: datetime) -> None:
    if not user.is_authenticated:
        raise MayNotWrite("Sign in to write.")
    if user.is_guest:
        raise MayNotWrite("Join to write: guests only read.")
    if standing.is_muted(user, now):
        raise MayNotWrite(standing.MUTED)


def _check_is_heard(user: User, players: Sequence[Player]) -> None:
    """Check that somebody else in the match reads the chat; it reveals no blocks."""
    others = listeners(players, user)
    if not others:
        raise MayNotWrite("Nobody else here reads a chat.")
    if blocks.apart(user, others) >= others:
        raise MayNotWrite("Nobody here can read what you write.")
