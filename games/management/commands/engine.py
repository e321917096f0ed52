"""``manage.py engine``: the rules of the games for other programs, a JSON object a line."""

import sys
from typing import Any

from django.core.management.base import BaseCommand

from games.engine import serve


class Command(BaseCommand):
    help = "Speak the engine protocol (docs/engine.md) on standard input and output."
    requires_system_checks: tuple[str, ...] = ()

    def handle(self, *args: Any, **options: Any) -> None:
        serve(sys.stdin.buffer, sys.stdout.buffer)
