"""`manage.py reset_second_factor`: let somebody in who has lost the second factor."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from accounts.models import User
from accounts.security import second_factor


class Command(BaseCommand):
    help = (
        "Remove the second factors and recovery codes of an account and end its sessions, so that "
        "its password alone signs in. Make sure first who asks for it."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", help="the name of the account")

    def handle(self, *args: Any, name: str, **options: Any) -> None:
        user = User.objects.named(name)
        if user is None:
            raise CommandError(f"There is no account with the name {name}.")
        count = second_factor.reset(user, by="the command line", now=timezone.now())
        self.stdout.write(f"{user.username} had {count} second factors and sets of recovery codes.")
