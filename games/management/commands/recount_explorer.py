"""Read all rated matches for the explorer again."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from games.explorer import counting
from games.kernel import registry

EVERY = 1000


class Command(BaseCommand):
    help = (
        "Forget the positions in the explorer and read every rated match that has ended again."
        " Boards show what has been read so far. When it is stopped, the scheduled job goes on."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("games", nargs="*", help="slugs of games; all games by default")

    def handle(self, *args: Any, games: list[str], **options: Any) -> None:
        titles = games or list(registry.titles())
        for title in titles:
            registry.get(title)
        done = 0
        for done in counting.rebuild(titles):
            if done % EVERY == 0:
                self.stdout.write(f"{done} matches read")
        self.stdout.write(f"{done} matches read.")
