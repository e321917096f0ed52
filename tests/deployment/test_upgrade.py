"""Upgrades a database of release 5e90217, and checks that everything in it still works.

That release wrote ``upgrade/release_before.json.gz``: the rows of its tables by model, with values
as the fields' ``to_python`` reads them, and tokens of links in mails that it had sent.
"""

import gzip
import json
import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from uuid import uuid4

import pytest
from django.core.management.color import no_style
from django.db import connection, models, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import notifications, outbox
from accounts.models import Notification, User
from games.bots.tasks import bot_runs
from games.kernel import registry
from games.lobby import services as lobby
from games.lobby.models import Challenge
from games.matches import selectors, services, tasks
from games.matches.clocks import sweeps
from games.matches.log.verify import verify
from games.matches.models import ConditionalMoves, Match, StandingOrder
from games.matches.plans import conditional, orders

pytestmark = [pytest.mark.thorough, pytest.mark.django_db(transaction=True)]

FILE = Path(__file__).parent / "upgrade" / "release_before.json.gz"
BEFORE = {
    "accounts": "0002_address_changes",
    "match": "0001_squashed_0024_lean_indexes",
    "lobby": "0001_squashed_0010_renewals",
    "records": "0001_squashed_0003_collections",
    "moderation": "0001_squashed_0005_abandoned_seats",
    "study": "0003_names",
    **dict.fromkeys(("achievements", "clubs", "events", "explorer", "ladders", "news")),
    **dict.fromkeys(("noticeboards", "ratings", "teams")),
}
"""The schema of release 5e90217, for the applications that have changed or come since."""

THREAD_TIMEOUT = 60
THEN = datetime(2026, 9, 1, 12, tzinfo=UTC)


def migrate(changed):
    """Migrate the apps in ``changed`` to a migration each, all others to their newest.

    An app whose migration is None has no tables.
    """
    leaves = dict(MigrationExecutor(connection).loader.graph.leaf_nodes())
    targets = list({**leaves, **changed}.items())
    MigrationExecutor(connection).migrate(targets)
    kept = [target for target in targets if target[1]]
    return MigrationExecutor(connection).loader.project_state(kept).apps


def stored(model, rows):
    fields = {field.attname: field for field in model._meta.concrete_fields}
    for row in rows:
        yield model(**{name: _read(fields[name], value) for name, value in row.items()})


def _read(field, value):
    if isinstance(field, models.ForeignKey | models.JSONField) or value is None:
        return value
    return field.to_python(value)


def fill(apps, tables):
    """Write all rows in one transaction, so that foreign keys are checked at its end."""
    written = [apps.get_model(label) for label in tables]
    with transaction.atomic():
        for model, rows in zip(written, tables.values(), strict=True):
            model._base_manager.bulk_create(stored(model, rows))
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), written):
            cursor.execute(statement)


def record_as_applied(migrations):
    """Name these migrations of our applications, and no others, in ``django_migrations``."""
    applied = MigrationRecorder(connection).migration_qs
    applied.filter(app__in={app for app, _ in migrations}).delete()
    applied.bulk_create(applied.model(app=app, name=name) for app, name in migrations)


@pytest.fixture
def data():
    return json.loads(gzip.decompress(FILE.read_bytes()))


@pytest.fixture
def tables(data):
    return {label: rows for label, rows in data.items() if "." in label}


@pytest.fixture
def upgraded(data, tables):
    """Fill a database as release 5e90217 left it, then migrate it to the newest."""
    apps = migrate(BEFORE)
    try:
        fill(apps, tables)
        record_as_applied(data["migrations"])
    finally:
        migrate({})
    return data


@pytest.fixture
def people(upgraded):
    return list(User.objects.order_by("pk"))


def act(match, service, user, **given):
    outcome = service(
        match_id=match.pk,
        user=user,
        version=match.version,
        submission=uuid4(),
        now=THEN + timedelta(hours=1),
        **given,
    )
    _wait_for_threads()
    return outcome


def _wait_for_threads():
    """Wait for what a commit starts in threads: plans that go on, and bots that are to move.

    SQLite in memory is one cache that threads share: who meets a table there that another one
    writes fails at once ("database table is locked"), where with a file they would wait.
    """
    for runs in (tasks.plan_runs, bot_runs):
        runs.wait(THREAD_TIMEOUT)
        assert runs.is_idle


def client_of(user):
    client = Client()
    client.force_login(user)
    return client


def test_everything_goes_on_working(upgraded, people):
    for check in (
        every_match_is_whole,
        pages_answer,
        mails_go_out,
        matches_are_played_on,
        orders_and_queues_run,
        challenges_can_be_accepted,
        links_in_old_mails_work,
        late_matches_end,
    ):
        check(upgraded, people)
    assert {match.pk: verify(match.pk) for match in Match.objects.all()} == {
        match.pk: [] for match in Match.objects.all()
    }


def every_match_is_whole(upgraded, people):
    assert Match.objects.count() == len(upgraded["match.Match"])
    assert {match.title for match in Match.objects.all()} == set(registry.titles())
    for match in Match.objects.all():
        assert verify(match.pk) == []
        assert selectors.snapshot_of(match).state is not None
    for row in upgraded["match.Match"]:
        match = Match.objects.get(pk=row["id"])
        assert (match.commitment, match.status, match.version) == (
            row["commitment"],
            row["status"],
            row["version"],
        )


def pages_answer(upgraded, people):
    for client in (Client(), client_of(people[0])):
        paths = ["/", "/archive/", "/lobby/", "/players/ada/", "/players/bruno/?running=2"]
        for match in Match.objects.all():
            page = f"/matches/{match.pk}/"
            paths += [page, f"{page}0/", f"{page}{match.version}/", f"{page}export.json"]
            paths += [f"{page}export.txt", f"/api/v1{page}", f"/api/v1{page}log/"]
        for path in paths:
            assert client.get(path).status_code == 200, path
    for path in ("/home/", reverse("notifications")):
        assert client.get(path).status_code == 200, path
    for challenge in Challenge.objects.filter(audience="open"):
        assert Client().get(challenge.get_absolute_url()).status_code == 200


def matches_are_played_on(upgraded, people):
    played = set()
    for match in Match.objects.filter(status="running"):
        snapshot = selectors.snapshot_of(match)
        seat = snapshot.actors[0]
        moves = [str(m) for m in islice(snapshot.title.moves(snapshot.state, seat), 1)]
        act(match, services.play_move, snapshot.players[seat].user, texts=moves)
        played.add(match.title)
    assert played == set(registry.titles())
    assert all(verify(match.pk) == [] for match in Match.objects.all())


def orders_and_queues_run(upgraded, people):
    assert StandingOrder.objects.count() == len(upgraded["match.StandingOrder"]) == 1
    assert ConditionalMoves.objects.count() == len(upgraded["match.Queue"]) == 1
    orders.look(now=THEN)
    assert StandingOrder.objects.get().seen is not None
    for match_id in conditional.waiting():
        tasks.run_queues.delay(match_id)
    assert not ConditionalMoves.objects.filter(halted="", player__to_move=True).exists()


def challenges_can_be_accepted(upgraded, people):
    waiting = Challenge.objects.get(status="open", audience="open")
    started = lobby.accept(challenge_id=waiting.pk, user=people[1], now=THEN)
    _wait_for_threads()
    assert started.match is not None
    assert not started.match.strict_dice
    named = Challenge.objects.get(status="open", audience="named")
    assert lobby.accept(challenge_id=named.pk, user=people[1], now=THEN).match is not None
    linked = Challenge.objects.get(status="open", audience="link")
    found = lobby.accept(challenge_id=linked.pk, user=people[3], now=THEN, token=linked.token)
    assert found.match is not None
    assert found.match.players.count() == 3


def mails_go_out(upgraded, people):
    before = Notification.objects.filter(mail_state="due").count()
    assert before > 0
    assert {row["kind"] for row in upgraded["accounts.Notification"]} <= set(notifications.kinds())
    for _ in range(before):
        outbox.send_due(clock=timezone.now)
    assert not Notification.objects.filter(mail_state__in=["due", "failed"]).exists()


def links_in_old_mails_work(upgraded, people):
    (token,) = upgraded["links"]
    assert Client().post(reverse("unsubscribe", args=[token])).status_code in (200, 302)
    assert User.objects.get(username="ada").mail_off == ["turn"]


def late_matches_end(upgraded, people):
    late = THEN + timedelta(days=400)
    assert sweeps.overdue(now=late)
    for match_id in sweeps.overdue(now=late):
        assert services.time_out(match_id=match_id, now=late) is not None


def test_the_migrations_lead_back_too(upgraded, tables):
    """Going back as in `docs/running.md` keeps all rows."""
    try:
        apps = migrate(BEFORE)
        for label, rows in tables.items():
            assert apps.get_model(label)._base_manager.count() == len(rows), label
    finally:
        migrate({})


@pytest.mark.postgres
def test_the_same_holds_on_postgresql():
    """Those above run where there is no server, on SQLite."""
    elsewhere = {"DATABASE_URL": f"{os.environ['DATABASE_URL']}_upgraded", "CI": ""}
    command = [sys.executable, "-m", "pytest", "-q", "-m", "thorough and not postgres", __file__]
    done = subprocess.run(
        [*command, "-p", "no:cacheprovider"],
        env={**os.environ, **elsewhere},
        capture_output=True,
        text=True,
        check=False,
        timeout=280,
    )
    assert done.returncode == 0, done.stdout
    assert "2 passed" in done.stdout
