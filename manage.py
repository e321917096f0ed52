#!/usr/bin/env python
"""Run Django's commands and the project's own, on this machine's local site by default."""

import os
import sys

from django.core.management import execute_from_command_line

PRODUCTION = ("SECRET_KEY", "SITE_URL", "DATABASE_URL", "REDIS_URL", "EMAIL_URL")
"""Variables that only production needs."""


def choose_settings() -> None:
    """Choose local settings if DJANGO_SETTINGS_MODULE is unset.

    A production machine that lacks this one variable must not get a local site by accident: its
    commands would change a database of their own and report success.

    :raises SystemExit: a variable of production is set.
    """
    if os.environ.get("DJANGO_SETTINGS_MODULE"):
        return
    found = [name for name in PRODUCTION if name in os.environ]
    if found:
        raise SystemExit(
            f"Turnstone cannot start: {', '.join(found)} set, but not DJANGO_SETTINGS_MODULE."
            " It is config.settings.production or config.settings.local."
        )
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings.local"


if __name__ == "__main__":
    choose_settings()
    execute_from_command_line(sys.argv)
