"""Work out all ratings again."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from games.kernel import registry
from games.ratings import updating
from games.ratings.models import RatedMatch


class Command(BaseCommand):
    help = (
        "Forget the ratings, and work out every rated match again in its order. The numbers come"
        " out as before, unless rows were repaired. Pages show what is worked out so far; when it"
        " is stopped, the scheduled job goes on."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("games", nargs="*", help="slugs of games; all games by default")

    def handle(self, *args: Any, games: list[str], **options: Any) -> None:
        for title in games or registry.titles():
            registry.get(title)
            updating.rebuild(title)
            while updating.update(title, most=1):
                self.stdout.write(f"{title}: {_done(title)} matches")
            self.stdout.write(f"{title}: {_done(title)} matches, all that have ended")


def _done(title: str) -> int:
    return RatedMatch.objects.filter(title=title).count()
