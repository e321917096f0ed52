"""Each statement that reads finds in one query what the models hold."""

from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from accounts import notifications
from accounts.models import Notification
from games.matches import listing, selectors, store
from games.matches.models import LogEntry, Match, Outage, Player, Sweep
from tests.match_driver import begin

pytestmark = pytest.mark.django_db


NOW = datetime(2031, 5, 1, 12, tzinfo=UTC)


@pytest.fixture(params=["die", "grim-reaper", "simple-life-or-death"])
def match(request, people):
    """A match that is under way."""
    found = begin(request.param, people, seats=2)
    found.play_on(6)
    return found


@pytest.fixture
def ask(django_assert_num_queries):
    """Runs a statement, in one query."""

    def run(statement):
        with django_assert_num_queries(1):
            return store.run(statement)

    return run


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


def same_players(found, match):
    """Check the players of a match, and that they refer to their users and the match as read."""
    expected = Player.objects.filter(match=match).select_related("user").order_by("seat")
    assert len(found) == len(expected) > 1
    for one, other in zip(found, expected, strict=True):
        same(one, other)
        same(one._state.fields_cache["user"], other.user)
        assert one._state.fields_cache["match"] is match
        assert type(one.nonce) is type(other.nonce)


def test_a_match_is_read_with_its_players_and_their_users(match, ask):
    found, players = ask(store.match_with_players(match.id))
    same(found, Match.objects.get(pk=match.id))
    same_players(players, found)


def test_a_match_that_does_not_exist_is_none(match, ask):
    assert ask(store.match_with_players(match.id + 1)) is None


def test_a_match_without_players_has_none(match, ask):
    Player.objects.all().delete()
    found, players = ask(store.match_with_players(match.id))
    same(found, Match.objects.get(pk=match.id))
    assert players == []


@pytest.mark.parametrize(
    ("after", "most", "numbers"), [(3, 25, [4, 5, 6]), (0, 2, [5, 6]), (6, 25, [])]
)
def test_a_match_is_read_with_the_end_of_its_log(match, ask, after, most, numbers):
    (found, players), entries = ask(store.match_with_log(match.id, after, most))
    same(found, Match.objects.get(pk=match.id))
    same_players(players, found)
    assert [entry.number for entry in entries] == numbers
    for entry in entries:
        same(entry, LogEntry.objects.get(match=match.id, number=entry.number))


def test_a_match_that_does_not_exist_has_no_log(match, ask):
    assert ask(store.match_with_log(match.id + 1, 0, 25)) == (None, [])


def test_a_list_is_read_with_players_and_last_entries(match, people, ask):
    begin("die", people[:2], size=3)
    # A match that changes while lists are read may stand in two of them.
    matches = [*Match.objects.order_by("pk"), match.match]
    players, entries = ask(store.players_and_last_entries(matches))
    by_id = {match.pk: match for match in matches}
    assert players.keys() == by_id.keys()
    for match_id, seats in players.items():
        same_players(seats, by_id[match_id])
    assert entries.keys() == {match.id}
    same(entries[match.id], LogEntry.objects.get(match=match.id, number=match.match.version))


def test_a_list_without_matches_is_empty():
    assert listing.with_last_entries([]) == []


def test_the_match_in_two_lists_has_its_last_entry_in_both(match, people):
    begin("die", people[:2], size=3)
    matches = [*Match.objects.order_by("pk"), match.match]
    found = listing.with_last_entries(matches)
    assert [len(entries) for _, entries in found] == [1, 0, 1]
    assert all(found[0][0].players)
    assert len(found[2][0].players) == 2


@pytest.mark.parametrize("late", [timedelta(), timedelta(minutes=2), timedelta(hours=1)])
def test_outages(late, ask):
    """Two that are over and, for each heartbeat that is late, one that is going on."""
    began = [NOW - timedelta(hours=hours) for hours in (9, 5)]
    over = [(moment, moment + timedelta(hours=1)) for moment in began]
    for moment, ended in over:
        Outage.objects.create(began=moment, ended=ended)
    for name in selectors.GAPS:
        Sweep.objects.update_or_create(name=name, defaults={"ran": NOW - late})
    found, beats = ask(store.outages(tuple(selectors.GAPS)))
    assert sorted(found) == over
    assert beats == dict.fromkeys(selectors.GAPS, NOW - late)
    assert len(selectors.outages_until(NOW)) == 2 + bool(late)


def test_the_secret(match, ask):
    found, expected = ask(store.secret(match.id)), Match.objects.get(pk=match.id).secret
    assert found == expected
    assert type(found) is type(expected)
    assert "hidden" in repr(found)


def test_what_a_seat_has_sent(match, ask):
    last = LogEntry.objects.filter(match=match.id).latest("number")
    assert ask(store.was_sent(match.id, last.seat, last.submission))
    assert not ask(store.was_sent(match.id, 1 - last.seat, last.submission))
    assert not ask(store.was_sent(match.id, last.seat, uuid4()))


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
