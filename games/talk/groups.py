"""The channel groups of the readers of a room. Messages only say that something was written."""

from games.matches.models import Match, Player
from games.matches.notify import push
from games.talk import rooms
from games.talk.models import Line, Room


def group(match_id: int, room: str) -> str:
    return f"chat.{match_id}.{room}"


def changed(line: Line) -> None:
    """Notify the pages of a room, once this is committed, that a line is new or has changed."""
    push.tell(group(line.match_id, line.room), "chat.changed")


def of_reader(match_id: int, user: object) -> list[str]:
    """Return the groups of a reader's match page, by what the reader may read."""
    match = Match.objects.filter(pk=match_id).first()
    if match is None:
        return []
    players = list(Player.objects.filter(match=match))
    readable: tuple[Room, ...] = rooms.readable(match, players, user)
    return [group(match_id, room) for room in readable]
