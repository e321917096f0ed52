"""``manage.py import_match``: take in exported matches as imported records."""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from accounts.models import User
from games.records import imports
from games.records.errors import Damaged, MayNotImport


class Command(BaseCommand):
    help = (
        "Take in exported matches (JSON or text): replay and check each, and keep it as an"
        " imported record of a user. Exits with 1 when one is damaged."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", type=Path, help="exported matches")
        parser.add_argument("--user", required=True, help="whose imported records they become")

    def handle(self, *args: Any, **options: Any) -> None:
        user = User.objects.named(options["user"])
        if user is None:
            raise CommandError(f"There is no user called {options['user']}.")
        results = [self._take_in(file, user) for file in options["files"]]
        if not all(results):
            sys.exit(1)

    def _take_in(self, file: Path, user: User) -> bool:
        """Import a file and print the outcome. ``False`` if it failed."""
        try:
            made = imports.take_in(user=user, data=file.read_bytes(), now=timezone.now())
        except (Damaged, MayNotImport, OSError) as refusal:
            self.stderr.write(f"{file}: {refusal}")
            return False
        self.stdout.write(f"{file}: {made.get_absolute_url()}")
        return True
