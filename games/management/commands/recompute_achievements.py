"""Work out all achievements again."""

from collections.abc import Collection, Iterator

from django.utils import timezone

from games.achievements import giving
from games.achievements.models import Award
from games.management.rebuilding import RebuildCommand


class Command(RebuildCommand):
    help = (
        "Examine every rated match that has ended again, give and take back achievements as their"
        " records say, and count their players. Nothing changes unless games have new achievements"
        " or rows were repaired. Nobody is notified."
    )
    done = "examined"

    def rebuild(self, titles: Collection[str]) -> Iterator[int]:
        return giving.rebuild(titles, now=timezone.now())

    def result(self) -> str:
        held = Award.objects.filter(is_first=True).count()
        return f"; players have {held} achievements"
