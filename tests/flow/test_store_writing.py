"""A change is written whole or not at all."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
from django.contrib.sessions.models import Session
from django.db import DataError, IntegrityError
from django.utils import timezone

from accounts.models import Notification, User
from accounts.sessions import SessionStore
from games.matches import store
from games.matches.models import Checkpoint, LogEntry, Match, Player
from games.matches.store import NotPermitted, Permit
from games.matches.update import IN_THREAD, MatchUpdate
from tests.match_driver import begin

pytestmark = pytest.mark.django_db

NOW = datetime(2031, 5, 1, 12, tzinfo=UTC)
MODELS = (LogEntry, Player, Checkpoint)


def rows(match_id):
    """All that is stored about a match, but for ids."""
    match = Match.objects.filter(pk=match_id).values().get()
    found = {"match": without(match, "id", "created", "changed", "ended")}
    for model in MODELS:
        about = model.objects.filter(match=match_id).order_by("pk").values()
        found[model.__name__] = [without(row, "id", "match_id") for row in about]
    told = Notification.objects.filter(payload__match=match_id).order_by("pk").values()
    found["told"] = [
        {**without(row, "id", "key"), "payload": without(row["payload"], "match", "place")}
        for row in told
        if row["kind"] != "match-started"
    ]
    for row in found["told"]:
        del row["page_key"]
    return found


def without(row, *names):
    return {name: value for name, value in row.items() if name not in names}


@pytest.fixture
def change(people):
    """A move that is worked out and not written yet."""
    update = MatchUpdate.load(begin("die", people, size=3).id, NOW)
    update.play(0, "c3")
    update.finalize()
    return update.change()


def test_every_field_of_an_entry_is_kept(change, people):
    entry = LogEntry(
        match=change.match,
        number=1,
        kind=LogEntry.Kind.TAKE_BACK,
        seat=1,
        text="it's 100 % “so”: \\ ; -- %s",
        chance=[1, {"x": [None, 0.5]}],
        sides=[6, None],
        trace={"frames": [[1, 2]]},
        events=[{"type": "é"}],
        undoes=None,
        at=NOW,
        thinking=timedelta(days=400, microseconds=1),
        time_left=timedelta(),
        submission=uuid4(),
        part=3,
        moderator=people[2],
        reason="why's that",
    )
    entry.kind = LogEntry.Kind.PLAY
    assert commit(replace(change, log=[entry]))
    stored = LogEntry.objects.get(match=change.match)
    for field in LogEntry._meta.concrete_fields:
        if not field.primary_key:
            assert getattr(stored, field.attname) == getattr(entry, field.attname), field.name


def test_the_changed_fields_are_kept(change):
    for player in change.players:
        player.time_left = timedelta(days=3, microseconds=7)
        player.deadline = player.clock_since = NOW + timedelta(microseconds=1)
        player.pauses = {"agreed": "2031-05-01T12:00:00+00:00"}
    assert commit(change)
    match = Match.objects.get(pk=change.match.pk)
    stored = {row.pk: row for row in Player.objects.filter(match=match)}
    same_fields(match, change.match, store.MATCH_FIELDS)
    for player in change.players:
        same_fields(stored[player.pk], player, store.PLAYER_FIELDS)


def test_a_checkpoint_and_notifications_are_kept(change):
    point = Checkpoint(match=change.match, number=1, position={"a": [1, "é", None, 0.1]})
    assert change.notifications
    assert commit(replace(change, checkpoints=[point]))
    assert Checkpoint.objects.get(match=change.match).position == point.position
    for told in change.notifications:
        stored = Notification.objects.get(key=told.key)
        names = {field.attname for field in Notification._meta.concrete_fields} - {"id"}
        same_fields(stored, told, names)


def same_fields(one, other, names):
    for name in names:
        assert getattr(one, name) == getattr(other, name), name


def commit(change, permit=None):
    return store.run(store.write(change, permit))


@pytest.mark.parametrize("stale", [{"version": 1}, {"epoch": 1}])
def test_where_another_change_was_first_nothing_is_written(change, stale):
    before = rows(change.match.pk)
    assert not commit(replace(change, **stale))
    assert rows(change.match.pk) == before
    assert commit(change)
    assert not commit(change)
    assert LogEntry.objects.filter(match=change.match).count() == 1


def test_a_row_that_is_refused_lets_nothing_be_written_and_is_not_quoted(change):
    before = rows(change.match.pk)
    change.players[0].rank = 0
    change.players[0].dropped = "secret-word"[:10]
    with pytest.raises(IntegrityError) as refused:
        commit(change)
    assert "secret" not in str(refused.value)
    assert rows(change.match.pk) == before


@pytest.mark.postgres
def test_what_is_too_long_is_refused_and_not_cut(change):
    change.notifications[0].kind = "k" * 41
    before = rows(change.match.pk)
    with pytest.raises(DataError):
        commit(change)
    assert rows(change.match.pk) == before


def test_who_was_told_already_is_told_no_second_time(change):
    Notification.objects.bulk_create(
        replace_pk(notification) for notification in change.notifications
    )
    assert commit(change)
    keys = [notification.key for notification in change.notifications]
    assert Notification.objects.filter(key__in=keys).count() == len(keys)


def replace_pk(notification):
    fields = {
        field.attname: getattr(notification, field.attname)
        for field in Notification._meta.concrete_fields
        if not field.primary_key
    }
    return Notification(**fields)


@pytest.fixture
def changes(people):
    """Moves in three matches, worked out and not written yet."""
    return [moved(people) for _ in range(3)]


def moved(people):
    match = begin("die", people, size=3)
    Player.objects.filter(match=match.id, to_move=True).update(clock_since=NOW)
    update = MatchUpdate.load(match.id, NOW)
    update.play(0, "c3")
    update.finalize()
    return update.change()


def test_several_are_written_as_each_by_itself(changes, people):
    alone = moved(people)
    assert commit(alone) == [False, False]
    assert store.commit_all(changes) == [[False, False]] * 3
    expected = rows(alone.match.pk)
    assert [rows(change.match.pk) for change in changes] == [expected] * 3


@pytest.mark.parametrize("stale", [{"version": 1}, {"epoch": 1}])
def test_of_several_only_those_are_written_that_nobody_changed_before(changes, stale):
    changes[1] = replace(changes[1], **stale)
    before = rows(changes[1].match.pk)
    assert store.commit_all(changes) == [[False, False], None, [False, False]]
    assert rows(changes[1].match.pk) == before
    written = LogEntry.objects.filter(match__in=[change.match.pk for change in changes])
    assert {entry.match_id for entry in written} == {changes[0].match.pk, changes[2].match.pk}


def test_of_several_a_row_that_is_refused_lets_none_be_written_and_is_not_quoted(changes):
    before = [rows(change.match.pk) for change in changes]
    changes[1].players[0].rank = 0
    changes[1].players[0].dropped = "secret-word"[:10]
    with pytest.raises(IntegrityError) as refused:
        store.commit_all(changes)
    assert "secret" not in str(refused.value)
    assert [rows(change.match.pk) for change in changes] == before


@pytest.fixture
def permit(change, people):
    """What the mover of the change may do, and does in a session."""
    session = SessionStore()
    session.create()
    return Permit(session.session_key, people[0].pk, people[0].password)


def expire(permit):
    Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))


def sign_out(permit):
    Session.objects.all().delete()


def change_password(permit):
    User.objects.filter(pk=permit.user_id).update(password="another")


def close(permit):
    User.objects.filter(pk=permit.user_id).update(is_active=False)


def restrict(permit):
    User.objects.filter(pk=permit.user_id).update(is_restricted=True)


def leave(permit):
    Player.objects.filter(user=permit.user_id).update(user=User.objects.create(username="sub"))


LOSSES = [expire, sign_out, change_password, close, restrict, leave]


def holds(permit, change):
    return store.run(store.is_permitted(permit, change.match.pk))


def test_a_change_is_written_while_its_permit_holds(change, permit):
    assert holds(permit, change)
    assert commit(change, permit) == [False, False]
    # The next one is too late, which is no fault of the permit.
    assert commit(change, permit) is None
    assert holds(permit, change)


@pytest.mark.parametrize("lose", LOSSES)
def test_a_change_is_not_written_once_its_permit_is_lost(change, permit, lose):
    lose(permit)
    before = rows(change.match.pk)
    assert not holds(permit, change)
    assert commit(change, permit) is None
    assert rows(change.match.pk) == before
    assert commit(change), "the change itself is sound"


def test_a_permit_is_for_a_seat_of_the_match(change, permit, people):
    update = MatchUpdate.load(begin("die", people[1:3], size=3).id, NOW)
    update.play(0, "c3")
    with pytest.raises(NotPermitted):
        store.at_once(update.commit_by(IN_THREAD, permit=permit))


def test_a_permit_shows_no_secrets():
    assert repr(Permit("key", 1, "hash")) == "Permit(user_id=1)"
