"""The pictures of links: what they say, and that drawing them costs once."""

from datetime import timedelta
from functools import partial

import pytest
from django.core.cache import cache

from accounts.models import User
from games.events import services as events
from games.events.models import Tournament
from games.kernel import svg
from games.ladders import services as ladders
from games.matches.clock import PRESETS
from games.matches.view import cards, pictures
from tests import rated
from tests.fixtures import NOW
from tests.match_driver import fresh_cache, match_driver

__all__ = ["fresh_cache", "match_driver"]

DIE = "die"
establish = partial(rated.establish, title=DIE)


@pytest.fixture
def drawn(monkeypatch):
    """The words of each card that is drawn."""
    words = []
    draw = cards.Card._drawn

    def noted(card):
        words.append([card.heading, *(line for _, line in card.lines), card.last])
        return draw(card)

    monkeypatch.setattr(cards.Card, "_drawn", noted)
    return words


def picture(client, path):
    answer = client.get(path)
    assert answer["Content-Type"] == "image/png"
    assert answer["Cache-Control"].startswith("public")
    return answer.content


def test_a_profile_shows_the_ratings(client, people, drawn):
    establish(people[0], 1650)
    picture(client, "/players/ada/card.png")
    joined = people[0].date_joined
    assert drawn == [["ada", "1650  DIE", f"joined {joined:%B %Y}"]]


def test_a_leaderboard_shows_only_who_is_listed_there(client, people, drawn):
    for number, person in enumerate(people[:3]):
        establish(person, 1600 + 100 * number)
    rated_out = people[2]
    client.force_login(rated_out)
    client.post("/account/ratings/", {})
    picture(client, "/games/die/ratings/card.png")
    assert drawn == [["DIE ratings", "1. bruno  1700", "2. ada  1600", ""]]


def test_a_ladder_shows_its_top(client, people, drawn):
    ladders.join(user=people[0], title=DIE, now=NOW)
    picture(client, "/games/die/ladder/card.png")
    ((heading, *lines, last),) = drawn
    assert heading == "DIE ladder"
    assert len(lines) == 4
    assert last == "5 players"
    assert lines[0].startswith("1. ")


def test_a_tournament_shows_who_leads_and_its_new_name_at_once(client, people, drawn):
    made = events.create(
        organiser=people[0],
        title=DIE,
        name="Autumn Cup",
        params={},
        clock=PRESETS["standard"],
        format=Tournament.Format.SWISS,
        rounds=3,
        least=3,
        most=8,
        starts=NOW + timedelta(days=7),
        round_days=20,
        now=NOW,
    )
    path = f"{made.get_absolute_url()}card.png"
    picture(client, path)
    Tournament.objects.filter(pk=made.pk).update(own_name="Erased")
    picture(client, path)
    assert [words[0] for words in drawn] == ["Autumn Cup", "Erased"]
    assert drawn[0][-1] == "Swiss, 0 players"


def test_a_picture_is_drawn_once_and_only_drawing_counts(client, people, drawn, settings):
    settings.FORM_LIMITS = {**settings.FORM_LIMITS, "picture": {"account": ["1/h"]}}
    first = picture(client, "/players/ada/card.png")
    assert picture(client, "/players/ada/card.png") == first
    assert len(drawn) == 1
    assert client.get("/players/bruno/card.png").status_code == 429


def test_the_cache_holds_a_few_pictures_however_many_are_drawn(people, monkeypatch):
    """Anybody may ask for any position of any match, and each is another picture."""
    monkeypatch.setattr(pictures, "png", lambda *_, **__: bytes(1000))
    kept = {}
    monkeypatch.setattr(cards.cache, "set", lambda key, value, _: kept.update({key: value}))
    for number in range(20 * cards.SLOTS):
        cards.Card(f"match:{number}", svg.Drawing(10, 10, (), ""), "DIE").png()
    assert 1 < len(kept) <= cards.SLOTS


def test_a_picture_is_never_given_for_another(monkeypatch):
    monkeypatch.setattr(cards, "SLOTS", 1)
    first, second = (cards.Card(f"{n}", svg.Drawing(10, 10, (), ""), "DIE") for n in (1, 2))
    drawn = first.png()
    assert first.stored() == drawn
    assert second.stored() is None
    second.png()
    assert first.stored() is None


def test_a_player_gets_the_picture_that_spectators_get(match_driver, drawn):
    match_driver.play("c3")
    path = f"{match_driver.page}1/card.png"
    own = picture(match_driver.client(0), path)
    cache.clear()
    assert picture(match_driver.client(None), path) == own
    assert drawn[0] == ["DIE", "ada", "bruno", "After move 1"]


def test_a_card_of_a_players_view_is_refused(match_driver):
    class OwnView:
        viewer = 0

    with pytest.raises(ValueError, match="spectators"):
        cards.of_match(OwnView(), 0, "")


@pytest.mark.parametrize(
    "path",
    ["/players/nobody/card.png", "/games/chess/ladder/card.png", "/games/chess/ratings/card.png"],
)
def test_what_does_not_exist_has_no_picture(client, db, path, monkeypatch):
    monkeypatch.setattr(pictures, "png", None)
    assert client.get(path).status_code == 404


def test_a_closed_account_has_no_picture(client, people):
    User.objects.filter(pk=people[0].pk).update(is_active=False)
    assert client.get("/players/ada/card.png").status_code == 404
