"""What commands that read the matches of some games again have in common."""

from abc import abstractmethod
from collections.abc import Collection, Iterator
from typing import Any, ClassVar

from django.core.management.base import BaseCommand, CommandParser

from games.kernel import registry

EVERY = 1000
"""The progress is printed after this many matches."""


class RebuildCommand(BaseCommand):
    """A command for the games that are named, or all of them.

    ``done`` is the participle of what it does to a match.
    """

    done: ClassVar[str]

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("games", nargs="*", help="slugs of games; all games by default")

    def handle(self, *args: Any, games: list[str], **options: Any) -> None:
        """:raises UnknownTitle: before anything is changed."""
        titles = games or list(registry.titles())
        for title in titles:
            registry.get(title)
        count = 0
        for count in self.rebuild(titles):
            if count % EVERY == 0:
                self.stdout.write(f"{count} matches {self.done}")
        self.stdout.write(f"{count} matches {self.done}{self.result()}.")

    @abstractmethod
    def rebuild(self, titles: Collection[str]) -> Iterator[int]:
        """Do the work, and yield the number of matches so far."""

    def result(self) -> str:
        """Return what to print at the end of the last line."""
        return ""
