"""The log in partitions: begun without a copy, and played in as before."""

from types import SimpleNamespace

import psycopg
import pytest

from tests.deployment.programs import run

pytestmark = [pytest.mark.postgres, pytest.mark.slow]

PLAY = """
from uuid import uuid4
from django.utils import timezone
from bench import people
from games.matches import services
from games.matches.models import LogEntry, Match

players, script = people.make(2, "pair"), people.script()

def move(match, times=1):
    match = Match.objects.get(pk=match.pk)
    _, text = script.moves[match.version]
    submission = uuid4()
    for _ in range(times):
        services.play_move(
            match_id=match.pk, user=players[match.version % 2], texts=[text],
            version=match.version, submission=submission, now=timezone.now(),
        )

def play(begin):
    for match in Match.objects.all():
        move(match, times=2)
    for _ in range(begin):
        script.play(players, 8)
"""
"""Makes a move in each match, the same one twice, and begins other matches."""

ON_ONE_CONNECTION = f"""
{PLAY}
from django.core.management import call_command
play(1)
call_command("partition_logs", "--ahead", "2")
play(2)
"""

LATER_MIGRATION = """
from django.db import connection, models
from games.matches.models import LogEntry
with connection.schema_editor() as editor:
    field = models.TextField(default="", db_default="")
    field.set_attributes_from_name("later")
    field.model = LogEntry
    editor.add_field(LogEntry, field)
    for constraint in LogEntry._meta.constraints:
        editor.remove_constraint(LogEntry, constraint)
        editor.add_constraint(LogEntry, constraint)
    for index in LogEntry._meta.indexes:
        editor.remove_index(LogEntry, index)
        editor.add_index(LogEntry, index)
    editor.remove_field(LogEntry, field)
"""

NAMES = """
SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint
 WHERE conrelid = %(table)s::regclass AND contype <> 'p' AND contype <> 'n'
 UNION SELECT relname, '' FROM pg_index JOIN pg_class ON oid = indexrelid
 WHERE indrelid = %(table)s::regclass AND NOT indisprimary
"""
"""The constraints and indexes of a table that migrations may name, without the primary key."""

ROWS = "SELECT tableoid::regclass::text, array_agg(DISTINCT match_id) FROM match_move GROUP BY 1"

TABLES = ("match_move", "match_checkpoint")


@pytest.fixture
def site(production):
    """A site of its own with two matches."""
    with production.database() as url:
        variables = {**production.variables, "DATABASE_URL": url}

        def do(*command):
            done = run("manage.py", *command, **variables)
            assert done.returncode == 0, done.stderr
            return done.stdout

        def ask(query, **values):
            with psycopg.connect(url, autocommit=True) as connection:
                found = connection.execute(query, values)
                return found.fetchall() if found.description else []

        def play(*, begin):
            do("shell", "--command", f"{PLAY}\nplay({begin})")
            assert "0 differences" in do("verify_matches", "--jobs", "1")

        play(begin=2)
        yield SimpleNamespace(do=do, ask=ask, play=play)


def test_matches_go_on_in_their_partition_and_later_ones_in_the_next(site):
    names = {table: set(site.ask(NAMES, table=table)) for table in TABLES}
    assert "match_checkpoint: the last partition begins with match 4.\n" in site.do(
        "partition_logs", "--ahead", "2"
    )
    assert {table: set(site.ask(NAMES, table=table)) for table in TABLES} == names
    site.play(begin=3)
    assert dict(site.ask(ROWS)) == {"match_move_0": [1, 2, 3], "match_move_4": [4, 5]}
    site.do("partition_logs", "--ahead", "1")
    site.play(begin=1)
    expected = {"match_move_0": [1, 2, 3], "match_move_4": [4, 5], "match_move_6": [6]}
    assert dict(site.ask(ROWS)) == expected
    ids = site.ask("SELECT count(*) = count(DISTINCT id) FROM match_move")
    assert ids == [(True,)]


@pytest.mark.thorough
def test_statements_prepared_before_go_on(site):
    site.do("shell", "--command", ON_ONE_CONNECTION)
    site.play(begin=1)
    assert dict(site.ask(ROWS)) == {"match_move_0": [1, 2, 3, 4], "match_move_5": [5, 6]}


@pytest.mark.thorough
def test_a_partition_that_waits_for_its_first_match_is_the_last(site):
    first = site.do("partition_logs")
    assert "1000002" in first
    assert site.do("partition_logs") == first


@pytest.mark.thorough
def test_a_later_migration_finds_what_it_names(site):
    site.do("partition_logs", "--ahead", "2")
    site.play(begin=2)
    site.do("shell", "--command", LATER_MIGRATION)
    site.do("migrate", "--check")
    site.play(begin=1)


@pytest.mark.thorough
def test_a_run_that_was_killed_is_made_up_for(site):
    """Its constraint is left, which would refuse matches to come."""
    site.ask(
        "ALTER TABLE match_move ADD CONSTRAINT bound_of_partition CHECK (match_id < 3) NOT VALID"
    )
    site.do("partition_logs", "--ahead", "1")
    site.play(begin=1)
    assert dict(site.ask(ROWS)) == {"match_move_0": [1, 2], "match_move_3": [3]}


@pytest.mark.thorough
def test_a_failed_run_leaves_nothing(site):
    """A table of the partition's name is there already."""
    site.ask("CREATE TABLE match_move_3 ()")
    with pytest.raises(AssertionError, match="match_move_3"):
        site.do("partition_logs", "--ahead", "1")
    site.play(begin=1)
    assert dict(site.ask(ROWS)) == {"match_move": [1, 2, 3]}
