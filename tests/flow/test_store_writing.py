"""A change written as one statement: the same rows as by steps, all or none."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import islice
from uuid import UUID, uuid5

import pytest
from django.contrib.sessions.models import Session
from django.db import DataError, IntegrityError
from django.utils import timezone

from accounts.models import Notification, User
from accounts.sessions import SessionStore
from games.matches import services, store
from games.matches.models import Checkpoint, LogEntry, Match, Player
from games.matches.store import NotPermitted, Permit, driver
from games.matches.update import MatchUpdate
from tests.match_driver import begin

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]

NAMES = UUID(int=11)
NOW = datetime(2031, 5, 1, 12, tzinfo=UTC)
MODELS = (LogEntry, Player, Checkpoint)


@pytest.fixture(autouse=True)
def _needs_the_database():
    assert store.is_postgresql()


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


def entries(seat):
    """What happens in a match: moves, an offer, its refusal, a take-back, a resignation."""
    yield services.offer_close, seat, {}
    yield services.decline_offer, 1 - seat, {}
    yield services.resign, seat, {}


def play(match, seed):
    """Let the same happen in a match, at the same moments."""
    Match.objects.filter(pk=match.id).update(created=NOW, changed=NOW)
    Player.objects.filter(match=match.id, to_move=True).update(
        clock_since=NOW, deadline=NOW + timedelta(days=3), remind_at=NOW + timedelta(days=2)
    )
    moment = NOW
    for number in range(27):
        moment += timedelta(minutes=1)
        snapshot = match.table
        if not snapshot.actors:
            return
        seat = snapshot.actors[0]
        moves = list(islice(snapshot.title.moves(snapshot.state, seat), 20))
        text = str(moves[(seed * number) % len(moves)])
        act(match, services.play_move, seat, moment, number, texts=[text])
    if actors := match.table.actors:
        for number, (service, seat, how) in enumerate(entries(actors[0]), start=100):
            act(match, service, seat, moment + timedelta(minutes=number), number, **how)


def act(match, service, seat, now, number, **how):
    service(
        match_id=match.id,
        user=match.people[seat],
        version=match.match.version,
        submission=uuid5(NAMES, str(number)),
        now=now,
        **how,
    )


@pytest.mark.parametrize(("slug", "chosen"), [("die", {"size": 6}), ("grim-reaper", {})])
def test_it_writes_what_the_models_write(people, monkeypatch, slug, chosen):
    at_once, by_steps = (begin(slug, people, **chosen) for _ in range(2))
    play(at_once, 7)
    monkeypatch.setattr(driver, "is_postgresql", lambda: False)
    play(by_steps, 7)
    found, expected = rows(at_once.id), rows(by_steps.id)
    assert found == expected
    assert len(found["LogEntry"]) > 4
    assert len(found["told"]) > 2
    assert found["Checkpoint"] or len(found["LogEntry"]) < Checkpoint.EVERY


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
        submission=uuid5(NAMES, "x"),
        part=3,
        moderator=people[2],
        reason="why's that",
    )
    entry.kind = LogEntry.Kind.PLAY
    assert store.commit(replace(change, log=[entry]))
    stored = LogEntry.objects.get(match=change.match)
    for field in LogEntry._meta.concrete_fields:
        if not field.primary_key:
            assert getattr(stored, field.attname) == getattr(entry, field.attname), field.name


@pytest.mark.parametrize("stale", [{"version": 1}, {"epoch": 1}])
def test_where_another_change_was_first_nothing_is_written(change, stale):
    before = rows(change.match.pk)
    assert not store.commit(replace(change, **stale))
    assert rows(change.match.pk) == before
    assert store.commit(change)
    assert not store.commit(change)
    assert LogEntry.objects.filter(match=change.match).count() == 1


def test_a_row_that_is_refused_lets_nothing_be_written_and_is_not_quoted(change):
    before = rows(change.match.pk)
    change.players[0].rank = 0
    change.players[0].dropped = "secret-word"[:10]
    with pytest.raises(IntegrityError) as refused:
        store.commit(change)
    assert "secret" not in str(refused.value)
    assert rows(change.match.pk) == before


def test_what_is_too_long_is_refused_and_not_cut(change):
    change.notifications[0].kind = "k" * 41
    before = rows(change.match.pk)
    with pytest.raises(DataError):
        store.commit(change)
    assert rows(change.match.pk) == before


def test_who_was_told_already_is_told_no_second_time(change):
    Notification.objects.bulk_create(
        replace_pk(notification) for notification in change.notifications
    )
    assert store.commit(change)
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
    assert store.commit(alone) == [False, False]
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


def both(statement):
    """The result of a statement that reads, by SQL and by the ORM."""
    return store.run(statement), statement.plain()


def test_a_change_is_written_while_its_permit_holds(change, permit):
    assert both(store.is_permitted(permit, change.match.pk)) == (True, True)
    assert store.commit(change, permit) == [False, False]
    # The next one is too late, which is no fault of the permit.
    assert store.commit(change, permit) is None


@pytest.mark.parametrize("lose", LOSSES)
def test_a_change_is_not_written_once_its_permit_is_lost(change, permit, lose):
    lose(permit)
    before = rows(change.match.pk)
    assert both(store.is_permitted(permit, change.match.pk)) == (False, False)
    assert store.write(change, permit).plain() is None
    with pytest.raises(NotPermitted):
        store.commit(change, permit)
    assert rows(change.match.pk) == before
    assert store.commit(change), "the change itself is sound"


def test_a_permit_is_for_a_seat_of_the_match(change, permit, people):
    other = begin("die", people[1:3], size=3)
    assert both(store.is_permitted(permit, other.id)) == (False, False)
    update = MatchUpdate.load(other.id, NOW)
    update.play(0, "c3")
    update.finalize()
    with pytest.raises(NotPermitted):
        store.commit(update.change(), permit)


def test_a_permit_shows_no_secrets():
    assert repr(Permit("key", 1, "hash")) == "Permit(user_id=1)"
