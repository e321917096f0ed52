"""Read all rated matches for the explorer again."""

from collections.abc import Collection, Iterator

from games.explorer import counting
from games.management.rebuilding import RebuildCommand


class Command(RebuildCommand):
    help = (
        "Forget the positions in the explorer and read every rated match that has ended again."
        " Boards show what has been read so far. When it is stopped, the scheduled job goes on."
    )
    done = "read"

    def rebuild(self, titles: Collection[str]) -> Iterator[int]:
        return counting.rebuild(titles)
