"""Fill an empty site with sample players and matches."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from games import demo


class Command(BaseCommand):
    help = "Make sample players and matches (only where the settings allow samples)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--seed", type=int, default=1, help="which samples (default 1)")

    def handle(self, *args: Any, **options: Any) -> None:
        password = getattr(settings, "DEMO_PASSWORD", "")
        if not password:
            raise CommandError("This site takes no samples: its settings have no DEMO_PASSWORD.")
        demo.fill(now=timezone.now(), password=password, seed=options["seed"])
        self.stdout.write(
            f"Sample players: {', '.join(demo.NAMES)}; they all sign in with {password}"
        )
