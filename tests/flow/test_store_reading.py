"""What the store reads by its own SQL: the same rows as by the ORM."""

from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from accounts import notifications
from accounts.models import Notification
from games.matches import listing, selectors, store
from games.matches.models import LogEntry, Match, Outage, Player, Sweep
from games.matches.store import driver
from tests.match_driver import begin

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


NOW = datetime(2031, 5, 1, 12, tzinfo=UTC)


@pytest.fixture(params=["die", "grim-reaper", "simple-life-or-death"])
def match(request, people):
    """A match that is under way."""
    found = begin(request.param, people, seats=2)
    found.play_on(6)
    return found


def values(row):
    """All that was read of a row."""
    names = [field.attname for field in row._meta.concrete_fields]
    return {name: row.__dict__[name] for name in names if name in row.__dict__}


def same(one, other):
    """Check that two rows hold the same, and leave out the same."""
    assert values(one) == values(other)
    assert one.get_deferred_fields() == other.get_deferred_fields()
    assert one == other
    assert not one._state.adding


def test_a_match_is_read_with_its_players_and_their_users(match, django_assert_num_queries):
    assert store.is_postgresql()
    with django_assert_num_queries(1):
        found = listing.read_snapshot(match.id)
        users = [player.user for player in found.players]
        assert all(player.match is found.match for player in found.players)
    same(found.match, Match.objects.get(pk=match.id))
    stored = Player.objects.filter(match=match.id).order_by("seat").select_related("user")
    for one, other, user in zip(found.players, stored, users, strict=True):
        same(one, other)
        same(user, other.user)
    assert type(found.players[0].nonce) is type(stored[0].nonce)


def test_a_part_of_a_log_is_read(match):
    found = store.run(store.log(match.match, 1, 4))
    expected = selectors.log(match.match, after=1, upto=4)
    assert [entry.number for entry in found] == [2, 3, 4]
    for one, other in zip(found, expected, strict=True):
        same(one, other)


def test_a_list_is_read_with_players_and_last_entries(
    match, people, monkeypatch, django_assert_num_queries
):
    begin("die", people[:2], size=3)
    # A match that changes while lists are read may stand in two of them.
    matches = [*Match.objects.order_by("pk"), match.match]
    with django_assert_num_queries(1):
        found = listing.with_last_entries(matches)
        names = [player.user.username for snapshot, _ in found for player in snapshot.players]
    monkeypatch.setattr(driver, "is_postgresql", lambda: False)
    expected = listing.with_last_entries(list(matches))
    assert [len(entries) for _, entries in found] == [1, 0, 1]
    for (one, last), (other, log) in zip(found, expected, strict=True):
        same(one.match, other.match)
        for player, stored in zip(one.players, other.players, strict=True):
            same(player, stored)
            same(player.user, stored.user)
        for entry, stored in zip(last, log, strict=True):
            same(entry, stored)
    assert len(names) == Player.objects.count() + len(found[0][0].players)


@pytest.mark.parametrize("late", [timedelta(), timedelta(minutes=2), timedelta(hours=1)])
def test_outages_are_those_that_the_models_tell(monkeypatch, late):
    """Of two that are over and, for each heartbeat that is late, one that is going on."""
    for hours in (5, 9):
        began = NOW - timedelta(hours=hours)
        Outage.objects.create(began=began, ended=began + timedelta(hours=1))
    for name in selectors.GAPS:
        Sweep.objects.update_or_create(name=name, defaults={"ran": NOW - late})
    found = selectors.pauses(NOW)
    monkeypatch.setattr(driver, "is_postgresql", lambda: False)
    assert found == selectors.pauses(NOW)
    assert len(found) == 2 + bool(late)


@pytest.mark.parametrize("seat", [0, 1])
def test_whether_another_match_waits(match, people, seat):
    other = begin("die", [people[1], people[0]], size=3)
    for but in (match.match, other.match):
        waiting = Player.objects.filter(user=people[seat], to_move=True).exclude(match=but)
        assert listing.has_waiting(people[seat], but=but) == waiting.exists()


def test_what_is_not_there_is_none(match):
    assert store.run(store.match_with_players(match.id + 1)) is None
    assert store.run(store.log(match.match, LogEntry.objects.count(), 1000)) == []


def test_the_secret_is_that_of_the_model(match):
    stored, found = Match.objects.get(pk=match.id).secret, store.run(store.secret(match.id))
    assert found == stored
    assert type(found) is type(stored)


def test_what_a_seat_has_sent(match):
    last = LogEntry.objects.filter(match=match.id).latest("number")
    assert store.run(store.was_sent(match.id, last.seat, last.submission))
    assert not store.run(store.was_sent(match.id, 1 - last.seat, last.submission))
    assert not store.run(store.was_sent(match.id, last.seat, uuid4()))


def test_what_waits_is_counted_for_whomever_it_is_asked(match, people):
    for n, user in enumerate(people[:2]):
        told = {"kind": "news", "payload": {}, "now": NOW}
        for _ in range(n + 1):
            notifications.notify(recipient=user, **told)
    seats = Player.objects.order_by("seat")
    waiting = [listing.count_waiting(user) for user in people[:2]]
    assert waiting == [int(seat.to_move) for seat in seats]
    unseen = Notification.objects.filter(seen_at=None)
    told = [unseen.filter(recipient=user, kind="news").count() for user in people[:2]]
    assert told == [1, 2]
    counted = [notifications.unseen(user) for user in people[:2]]
    assert all(count >= news for count, news in zip(counted, told, strict=True))
