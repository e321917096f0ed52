"""Work out all achievements again."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from games.achievements import giving
from games.achievements.models import Award
from games.kernel import registry

EVERY = 1000


class Command(BaseCommand):
    help = (
        "Examine every rated match that has ended again, give and take back achievements as their"
        " records say, and count their players. Nothing changes unless games have new achievements"
        " or rows were repaired. Nobody is notified."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("games", nargs="*", help="slugs of games; all games by default")

    def handle(self, *args: Any, games: list[str], **options: Any) -> None:
        titles = games or list(registry.titles())
        for title in titles:
            registry.get(title)
        done = 0
        for done in giving.rebuild(titles, now=timezone.now()):
            if done % EVERY == 0:
                self.stdout.write(f"{done} matches examined")
        held = Award.objects.filter(is_first=True).count()
        self.stdout.write(f"{done} matches examined; players have {held} achievements.")
