"""`manage.py reencrypt`: encrypt stored keys again after a change of the secret key."""

from argparse import ArgumentParser
from typing import Any

from cryptography.fernet import InvalidToken
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from accounts.delivery import push
from accounts.security import second_factor

MAX_NAMES = 20
"""How many accounts an error names."""


class Command(BaseCommand):
    help = (
        "Encrypt the keys of second factors and of pushes under SECRET_KEY. Afterwards no key in "
        "SECRET_KEY_FALLBACKS is needed for them. It can run while the site does, and again."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--new-push-key",
            action="store_true",
            help="If no key of the site reads the key of pushes, make another one. Browsers have "
            "to turn pushes on again; their owners are notified.",
        )

    def handle(self, *args: Any, new_push_key: bool, **options: Any) -> None:
        count = 0
        lost = []
        for factor in second_factor.with_keys().select_related("user").iterator():
            try:
                count += second_factor.renew(factor)
            except InvalidToken:
                lost.append(factor.user.username)
        problems = []
        if lost:
            names = sorted({*lost})
            more = ", …" if len(names) > MAX_NAMES else ""
            problems.append(
                f"{len(lost)} second factors and sets of recovery codes, of: "
                f"{', '.join(names[:MAX_NAMES])}{more}"
            )
        try:
            count += push.renew_key()
        except InvalidToken:
            if new_push_key:
                push.replace_key(now=timezone.now())
            else:
                problems.append("the key of pushes (--new-push-key makes another one)")
        self.stdout.write(f"Encrypted {count} key{'s' * (count != 1)} under SECRET_KEY.")
        if problems:
            raise CommandError(
                f"Neither SECRET_KEY nor SECRET_KEY_FALLBACKS reads {'; '.join(problems)}."
            )
