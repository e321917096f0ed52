"""``manage.py verify_dice``: that the dice of exported matches were those committed to."""

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from games import verify_dice


class Command(BaseCommand):
    help = verify_dice.ABOUT
    requires_system_checks: tuple[str, ...] = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        verify_dice.add_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        if not verify_dice.verify(options["files"], sys.stdout, rolls=options["rolls"]):
            sys.exit(1)
