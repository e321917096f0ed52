"""Challenges with one click, and what a page of a challenge tells who waits on it."""

import re
from datetime import timedelta

import pytest
from django.core.cache import cache
from django.utils import timezone

from accounts import blocks
from games.kernel import registry
from games.lobby import services as lobby
from games.lobby.models import Challenge
from games.web.pages.views import _usual_wait

pytestmark = pytest.mark.django_db
every_game = pytest.mark.parametrize("slug", list(registry.titles()))


@pytest.fixture
def ada(client, people):
    client.force_login(people[0])
    return people[0]


def post(creator, now=None, **terms):
    wanted = {
        "title": "die",
        "params": {},
        "clock": None,
        "seats": 2,
        "audience": Challenge.Audience.OPEN,
    }
    return lobby.challenge(creator=creator, now=now or timezone.now(), **{**wanted, **terms})


@every_game
def test_one_click_posts_standard_settings(client, ada, slug):
    page = client.get(f"/games/{slug}/challenge/").content.decode()
    assert "You challenge anybody to a rated match of" in page
    assert "<details open" not in page
    answer = sent(client, slug)
    made = Challenge.objects.get()
    assert answer.url == made.get_absolute_url()
    assert (made.audience, made.time_control.start) == ("open", timedelta(days=3))
    schema = registry.get(slug).meta.params.get("properties", {})
    assert made.params == {name: field["default"] for name, field in schema.items()}
    assert not made.strict_dice
    assert made.bots_from is None


def test_one_click_challenges_the_player_of_the_profile(client, ada, people):
    address = f"/games/die/challenge/?player={people[1].username}"
    page = client.get(address).content.decode()
    assert f"You challenge {people[1].username} to a rated match of DIE (standard board)." in page
    assert page.count("btn-main") == 1
    sent(client, "die", address)
    made = Challenge.objects.get()
    assert made.audience == Challenge.Audience.NAMED
    assert made.invitations.exclude(user=ada).get().user == people[1]
    assert made.rated


def test_settings_are_unfolded_where_they_are_wanted(client, ada):
    page = client.get("/games/die/challenge/?settings=open").content.decode()
    assert '<details class="more challenge-options" open>' in page


def test_an_error_unfolds_the_settings(client, ada):
    page = client.post("/games/die/challenge/", {"audience": "nobody"}).content.decode()
    assert '<details class="more challenge-options" open>' in page


def filled_in(client, address):
    """Return the fields of a form for a challenge, as a browser sends them."""
    form = client.get(address).context["form"]
    fields = {bound.html_name: bound.value() for bound in form}
    shown = {"shown": form.sentence}
    return shown | {
        name: value for name, value in fields.items() if value is not None and value is not False
    }


def sent(client, slug="dice-is-health", address="", **changes):
    """Send the form of a challenge as a browser with scripts does."""
    page = address or f"/games/{slug}/challenge/"
    fields = filled_in(client, page)
    del fields["shown"]
    return client.post(page, fields | changes)


def sentence(client, slug="die", **changes):
    address = f"/games/{slug}/challenge/"
    fields = filled_in(client, address) | {"sentence": "1"} | changes
    return client.get(address, fields).content.decode()


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"param-size": "6", "clock": "none"}, ["DIE (size 6).", "There is no clock."]),
        ({"clock": "per-move", "days": "2"}, ["Clock: 2 days per turn."]),
        ({"rated": "0", "seating": "first"}, ["a friendly match", "You begin."]),
        ({"audience": "named", "players": "bruno"}, ["You challenge bruno to"]),
        ({"audience": "named", "players": "nobody"}, ["There is no player called “nobody”."]),
        ({"audience": "link"}, ["You challenge anybody with the link to"]),
        ({"rating_within": "200"}, ["anybody rated within 200 points of you"]),
        ({"bots_after": "24", "bot_level": "strong"}, ["within a day, bot-strong does."]),
        ({"keep_up_to": "3", "lifetime": "1"}, ["until you have 3 matches", "after 1 day."]),
    ],
)
def test_a_sentence_says_the_whole_challenge(client, ada, people, changes, said):
    for part in said:
        assert part in sentence(client, **changes)


def test_the_sentence_of_a_game_for_many_says_how_many_play(client, ada):
    said = sentence(client, "simple-life-or-death", seats="4", strict_dice="on")
    assert ", 4 players)" in said
    assert "The dice are strict." in said


def test_without_scripts_a_changed_challenge_is_shown_before_it_is_sent(client, ada):
    address = "/games/die/challenge/"
    changed = filled_in(client, address) | {"param-size": "6"}
    answer = client.post(address, changed)
    assert not Challenge.objects.exists()
    page = answer.content.decode()
    assert "You changed the challenge." in page
    assert "DIE (size 6)." in page
    client.post(address, changed | {"shown": answer.context["form"].sentence})
    assert Challenge.objects.get().params == {"size": 6}


def test_a_bot_may_come_after_a_while(client, ada):
    before = timezone.now()
    sent(client, bots_after="24", bot_level="strong")
    made = Challenge.objects.get()
    assert made.bot_level == "strong"
    day = timedelta(days=1)
    assert before + day <= made.bots_from <= timezone.now() + day
    assert (
        "nobody takes the seat, a bot does" in client.get(made.get_absolute_url()).content.decode()
    )


def test_a_challenge_for_many_says_how_many_seats_are_free(client, ada):
    soon = timezone.now() + timedelta(hours=1)
    made = post(ada, title="simple-life-or-death", seats=6)
    Challenge.objects.filter(pk=made.pk).update(bots_from=soon, bot_level="casual")
    page = client.get(made.get_absolute_url()).content.decode()
    assert "5 seats are free." in page
    assert "If seats are still free, bots take them" in page
    assert "a bot does" not in page


def test_the_picture_of_a_challenge_has_its_players_and_its_board(client, ada):
    def picture(seats, **params):
        made = post(ada, title="simple-life-or-death", seats=seats, params=params)
        page = client.get(made.get_absolute_url()).content.decode()
        return re.search(r'aria-label="(Board of [^"]*)"', page)[1]

    of_two, of_six = picture(2), picture(6, width=24, height=20)
    assert of_two.startswith("Board of 16 by 16 squares. Pieces on it: Red 7, Orange 10.")
    assert of_six.startswith("Board of 24 by 20 squares.")
    for colour in ("Red", "Orange", "Yellow", "Green", "Blue", "Purple"):
        assert colour in of_six


def test_a_challenge_that_is_reposted_says_so_to_its_creator(client, ada, people):
    sent(client, keep_up_to="3")
    page = client.get(Challenge.objects.get().get_absolute_url()).content.decode()
    assert "It is reposted until you have 3 matches of it." in page
    client.force_login(people[1])
    page = client.get(Challenge.objects.get().get_absolute_url()).content.decode()
    assert "reposted" not in page


def test_a_bot_comes_to_open_challenges_only(client, ada):
    sent(client, bots_after="1", audience="link")
    assert Challenge.objects.get().bots_from is None


@pytest.mark.parametrize("changes", [{"bots_after": "7"}, {"bot_level": "godlike"}])
def test_other_waits_and_levels_are_refused(client, ada, changes):
    assert sent(client, **changes).status_code == 200
    assert not Challenge.objects.exists()


def test_bots_do_not_play_with_strict_dice(client, ada):
    answer = sent(client, bots_after="1", strict_dice="on")
    assert "Bots play without strict dice" in answer.content.decode()
    assert not Challenge.objects.exists()


def test_own_open_challenges_stand_in_my_matches(client, ada, people):
    assert "Your open challenges" not in client.get("/home/").content.decode()
    made = post(ada)
    page = client.get("/home/").content.decode()
    assert "Your open challenges" in page
    assert made.get_absolute_url() in page
    lobby.accept(challenge_id=made.pk, user=people[1], now=timezone.now())
    assert "Your open challenges" not in client.get("/home/").content.decode()


def test_home_tells_of_a_challenge_that_waits(client, ada, people):
    made = post(people[1], audience=Challenge.Audience.NAMED, invited=[ada])
    page = client.get("/").content.decode()
    assert "Challenges to you" in page
    assert made.get_absolute_url() in page


def test_who_has_a_seat_is_brought_to_the_match(client, ada, people):
    made = post(ada)
    path = made.get_absolute_url()
    assert "data-begun" not in client.get(path).content.decode()
    lobby.accept(challenge_id=made.pk, user=people[1], now=timezone.now())
    assert "data-begun" in client.get(path).content.decode()
    client.force_login(people[2])
    assert "data-begun" not in client.get(path).content.decode()


@pytest.mark.parametrize("status", ["declined", "withdrawn", "expired"])
def test_a_challenge_that_is_over_leads_on(client, ada, status):
    made = post(ada)
    Challenge.objects.filter(pk=made.pk).update(status=status)
    page = client.get(made.get_absolute_url()).content.decode()
    assert "/games/die/bots/" in page
    assert "/lobby/?game=die" in page


def test_game_pages_say_how_fast_somebody_comes(client, people):
    assert "usually comes" not in client.get("/games/die/").content.decode()
    now = timezone.now() - timedelta(days=2)
    for minutes in (10, 100, 5000):
        made = post(people[0], now=now)
        later = now + timedelta(minutes=minutes)
        lobby.accept(challenge_id=made.pk, user=people[1], now=later)
    cache.clear()
    page = client.get("/games/die/").content.decode()
    assert "Somebody usually accepts within 2 hours." in page


@pytest.mark.parametrize(
    ("wait", "said"),
    [
        (timedelta(seconds=5), "1 hour"),
        (timedelta(hours=3), "3 hours"),
        (timedelta(hours=23, minutes=1), "1 day"),
        (timedelta(days=2, hours=1), "3 days"),
        (None, ""),
    ],
)
def test_waits_in_words(monkeypatch, wait, said):
    monkeypatch.setattr("games.lobby.selectors.usual_wait", lambda _: wait)
    assert _usual_wait("die") == said


def test_nobody_chooses_who_begins_where_a_roll_decides(client, ada):
    rolled = [title.meta for title in registry.titles().values() if title.meta.rolls_for_first]
    assert rolled
    for meta in rolled:
        for path in (f"/games/{meta.slug}/challenge/", f"/games/{meta.slug}/bots/"):
            assert "Who begins" not in client.get(path).content.decode()
        made = post(ada, title=meta.slug, seating=Challenge.Seating.FIRST)
        page = client.get(made.get_absolute_url()).content.decode()
        assert "<dt>Moves first</dt><dd>the player who rolls highest</dd>" in page
    made = post(ada, seating=Challenge.Seating.FIRST)
    assert (
        "<dt>Moves first</dt><dd>you</dd>" in client.get(made.get_absolute_url()).content.decode()
    )
    assert "Who begins" in client.get("/games/die/challenge/").content.decode()


def looking(client):
    """Return the part of the front page about those who look for players."""
    page = client.get("/").content.decode()
    return page.partition("Looking for players")[2].partition("</section>")[0]


def test_the_front_page_shows_an_open_challenge_as_it_is_now(client, ada, people):
    cache.clear()
    bruno = people[1]
    assert "Nobody is looking for a match" in looking(client)
    made = post(bruno, title="dice-is-health", seats=3)
    assert "1 of 3" in looking(client)
    lobby.accept(challenge_id=made.pk, user=people[2], now=timezone.now())
    assert "2 of 3" in looking(client)
    lobby.accept(challenge_id=made.pk, user=people[3], now=timezone.now())
    assert "Nobody is looking for a match" in looking(client)


def test_the_front_page_shows_no_challenge_of_who_is_blocked(client, ada, people):
    cache.clear()
    made = post(people[1])
    assert made.get_absolute_url() in looking(client)
    blocks.block(user=people[1], other=ada, now=timezone.now())
    assert made.get_absolute_url() not in looking(client)
    client.force_login(people[2])
    assert made.get_absolute_url() in looking(client)


def test_the_front_page_shows_a_challenge_to_the_reader_once(client, ada, people):
    cache.clear()
    made = post(people[1], audience=Challenge.Audience.NAMED, invited=[ada])
    page = client.get("/").content.decode()
    assert page.count(f'href="{made.get_absolute_url()}"') == 1
    assert "Challenges to you" in page
