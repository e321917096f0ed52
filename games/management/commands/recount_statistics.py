"""Count all matches again for the statistics."""

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from games.statistics import counting
from games.statistics.models import MatchCounts, Progress


class Command(BaseCommand):
    help = (
        "Forget the statistics of games and players, and count every match that has ended again."
        " Pages show what is counted so far; when it is stopped, the scheduled job goes on."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        counting.rebuild()
        while counting.update(now=timezone.now()):
            self.stdout.write(f"{self._counted()} matches counted")
        self.stdout.write(f"{self._counted()} matches counted: all that have ended.")

    def _counted(self) -> int:
        run = Progress.objects.get(pk=Progress.THE_ONE).run
        return MatchCounts.objects.filter(run=run).count()
