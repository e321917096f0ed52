"""The match that the front page shows while it goes on."""

from datetime import timedelta
from functools import partial
from uuid import uuid4

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.cache import cache
from django.utils import timezone

from accounts.models import User
from games.http import activity
from games.matches import services
from games.matches.models import Match, Player, SetAside
from games.web.pages import front_page
from tests import rated
from tests.fixtures import NOW
from tests.match_driver import fresh_cache, match_driver

__all__ = ["fresh_cache", "match_driver"]

VISITOR = AnonymousUser()

establish = partial(rated.establish, title="heap")


def shown_to(reader):
    live = front_page.of_reader(reader, 4, timezone.now()).live
    return live and live.pk


@pytest.fixture
def between(start, people):
    """Start a match between people by number, in which the first has just moved."""

    def begin(first, second):
        play = start()
        play.move(0, "1")
        for seat, person in enumerate((first, second)):
            Player.objects.filter(match=play.id, seat=seat).update(user=people[person])
        Match.objects.filter(pk=play.id).update(changed=timezone.now())
        return play.id

    return begin


def test_people_come_before_bots_then_recent_moves_then_ratings(between, people):
    establish(people[2], 1900)
    establish(people[3], 1700)
    with_bot, old, high, low = (between(*pair) for pair in ((2, 3), (2, 3), (2, 3), (0, 1)))
    bot = User.objects.create(username="a-bot", is_bot=True)
    Player.objects.filter(match=with_bot, seat=1).update(user=bot)
    Match.objects.filter(pk=old).update(changed=timezone.now() - timedelta(days=2))
    chosen = [match_id for match_id, *_ in front_page.running(timezone.now())]
    assert chosen == [high, low, old, with_bot]


def test_a_match_in_which_nobody_moves_any_more_is_not_live(between):
    old = between(0, 1)
    Match.objects.filter(pk=old).update(changed=timezone.now() - timedelta(days=2))
    assert shown_to(VISITOR) is None
    assert front_page.of_reader(VISITOR, 4, timezone.now()).playing


def test_a_guest_who_tries_a_bot_is_not_shown_live(between, people):
    bot = User.objects.create(username="a-bot", is_bot=True)
    guest = User.objects.create(username="guest-1", is_guest=True)
    tried, member = between(0, 1), between(2, 3)
    Player.objects.filter(match=tried, seat=0).update(user=guest)
    Player.objects.filter(match__in=(tried, member), seat=1).update(user=bot)
    assert shown_to(VISITOR) == member
    assert shown_to(people[2]) is None


def test_finished_matches_of_bots_come_last(people, toy):
    now = timezone.now()
    bots = [User.objects.create(username=f"a-bot-{n}", is_bot=True) for n in "12"]
    old = rated.ended_match(people[:2], [1, 2], now - timedelta(days=3))
    mixed = rated.ended_match([people[0], bots[0]], [1, 2], now - timedelta(days=2))
    alone = rated.ended_match(bots, [1, 2], now)
    finished = front_page.of_reader(VISITOR, 4, now).finished
    assert [match.pk for match in finished] == [old.pk, mixed.pk, alone.pk]


def test_nobody_is_shown_their_own_match(between, people):
    establish(people[0], 1900)
    own, other = between(0, 1), between(2, 3)
    assert shown_to(VISITOR) == own
    assert shown_to(people[0]) == other
    assert shown_to(people[2]) == own


def test_matches_without_a_move_or_that_cannot_be_read_are_not_shown(start, between):
    start()
    broken = between(0, 1)
    SetAside.objects.create(match_id=broken, since=timezone.now(), part="rules")
    assert shown_to(VISITOR) is None


def test_a_match_whose_rules_this_process_does_not_have_is_not_shown(client, between):
    unknown = between(0, 1)
    assert shown_to(VISITOR) == unknown
    Match.objects.filter(pk=unknown).update(rules_version=99)
    assert shown_to(VISITOR) is None
    assert client.get("/").status_code == 200
    assert client.get(f"/featured/{unknown}/").status_code == 404


def test_the_front_page_shows_it_live_and_once(client, between):
    match_id = between(0, 1)
    page = client.get("/").content.decode()
    assert f' data-live="match={match_id}">' in page
    assert f'data-live-from="/featured/{match_id}/" data-version="1"' in page
    assert "Live now" in page
    assert "Being played now" not in page
    assert client.get(f"/featured/{match_id}/").content.decode() in page


def test_without_a_match_the_front_page_has_no_such_section(client, db):
    page = client.get("/").content.decode()
    assert 'id="featured"' not in page
    assert "data-live" not in page


def test_the_section_follows_the_match_to_its_end(client, between):
    match_id = between(0, 1)
    first = client.get(f"/featured/{match_id}/").content.decode()
    assert client.get(f"/featured/{match_id}/").content.decode() == first
    play = Match.objects.get(pk=match_id)
    services.resign(
        match_id=match_id,
        user=play.players.get(seat=0).user,
        version=1,
        submission=uuid4(),
        now=NOW,
    )
    ended = client.get(f"/featured/{match_id}/").content.decode()
    assert "Just ended" in ended
    assert 'data-version="2"' in ended
    assert "bruno won" in ended


def test_a_match_that_has_just_ended_is_followed_by_another(client, between, people):
    establish(people[0], 1900)
    first, second = between(0, 1), between(2, 3)
    assert shown_to(VISITOR) == first
    Match.objects.filter(pk=first).update(status="over", ended=timezone.now(), ending="resigned")
    assert shown_to(VISITOR) == second


def test_players_and_spectators_get_the_same(client, between, people):
    match_id = between(0, 1)
    there = client.get(f"/featured/{match_id}/").content
    for person in people[:3]:
        cache.clear()
        client.force_login(person)
        assert client.get(f"/featured/{match_id}/").content == there


def test_the_board_has_the_theme_of_its_reader(client, between, people):
    match_id = between(0, 1)
    User.objects.filter(pk=people[0].pk).update(theme="dark")
    assert "prefers-color-scheme" in client.get(f"/featured/{match_id}/").content.decode()
    client.force_login(people[0])
    section = client.get(f"/featured/{match_id}/").content.decode()
    assert "prefers-color-scheme" not in section
    assert "thumbnail-dark" in section


def test_what_all_are_shown_is_written_once_until_a_match_changes(
    client, between, people, monkeypatch
):
    match_id = between(0, 1)
    asked = []
    latest = activity.latest
    monkeypatch.setattr(activity, "latest", lambda now: asked.append(now) or latest(now))
    for reader in (2, 3):
        client.force_login(people[reader])
        assert b'id="featured"' in client.get("/").content
    assert len(asked) == 1
    Match.objects.filter(pk=match_id).update(clock_epoch=5)
    client.get("/")
    assert len(asked) == 2


def test_readers_share_neither_their_own_matches_nor_their_theme(client, between, people):
    between(0, 1)
    own = between(2, 1)

    def seen_by(reader):
        client.force_login(people[reader])
        return client.get("/").content.decode()

    assert f'"/matches/{own}/"' not in seen_by(2).partition('id="featured"')[2]
    assert f'"/matches/{own}/"' in seen_by(3).partition('id="featured"')[2]
    assert "(prefers-color-scheme: dark)" in seen_by(3)
    people[3].theme = User.Theme.DARK
    people[3].save()
    assert "(prefers-color-scheme: dark)" not in seen_by(3)


def test_a_match_that_does_not_exist_has_no_section(client, db):
    assert client.get("/featured/99/").status_code == 404
