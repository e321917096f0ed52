"""The channel groups of those who read a room: a message says only that something was said."""

from games.matches.models import Match, Player
from games.matches.notify import push
from games.talk import rooms
from games.talk.models import Line, Room


def group(match_id: int, room: str) -> str:
    """Return the channel group of the pages that show a room."""
    return f"chat.{match_id}.{room}"


def changed(line: Line) -> None:
    """Tell the pages of a room, once this is committed, that a line is new or has changed."""
    push.tell(group(line.match_id, line.room), "chat.changed")


def of_reader(match_id: int, user: object) -> list[str]:
    """Return the groups that the page of a match is in, by what its reader may read."""
    match = Match.objects.filter(pk=match_id).first()
    if match is None:
        return []
    players = list(Player.objects.filter(match=match))
    readable: tuple[Room, ...] = rooms.readable(match, players, user)
    return [group(match_id, room) for room in readable]
