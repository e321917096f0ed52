"""`verify_matches` with several processes, each with connections of its own."""

import os
from urllib.parse import urlsplit, urlunsplit

import pytest
from django.db import connection

from games.management.commands.verify_matches import CHUNK
from games.matches.models import Match
from tests.deployment.programs import run
from tests.fixtures import people
from tests.match_driver import begin

__all__ = ["people"]

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def verify_matches(*arguments):
    """Run the command as an operator does, on the database of this test."""
    server = urlsplit(os.environ["DATABASE_URL"])
    return run(
        "manage.py",
        "verify_matches",
        *arguments,
        DJANGO_SETTINGS_MODULE="config.settings.test",
        DATABASE_URL=urlunsplit(server._replace(path=f"/{connection.settings_dict['NAME']}")),
    )


def test_two_processes_share_the_matches_and_find_the_one_that_was_changed(people):
    drivers = [begin("die", people, size=3) for _ in range(CHUNK + 1)]
    done = verify_matches("--jobs", "2")
    assert f"{len(drivers)} matches replayed, 0 differences." in done.stdout, done.stderr
    Match.objects.filter(pk=drivers[-1].id).update(version=7)
    done = verify_matches("--jobs", "2")
    assert done.returncode == 1, done.stderr
    assert f"match {drivers[-1].id}: version" in done.stdout
