"""Begin a new partition of the tables that hold the logs of matches."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.matches.store import is_postgresql, partitions


class Command(BaseCommand):
    help = (
        "Begin a new partition of the tables that hold the logs of matches, for matches to come."
        " Nobody waits for it. If it is interrupted, run it again."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--ahead",
            type=int,
            default=partitions.AHEAD,
            help=f"how many matches may begin meanwhile (default {partitions.AHEAD:,})",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if not is_postgresql():
            raise CommandError("Only PostgreSQL has partitions.")
        if options["ahead"] < 1:
            raise CommandError("--ahead takes a number of at least 1.")
        for table, first in partitions.begin(options["ahead"]).items():
            self.stdout.write(f"{table}: the last partition begins with match {first}.")
