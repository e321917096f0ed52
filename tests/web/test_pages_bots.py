"""Pages on which bots are played, and how bots look on pages."""

import pytest

from games.bots.levels import LEVELS
from games.bots.users import user_of
from games.kernel import registry
from games.matches.models import Match

every_game = pytest.mark.parametrize("slug", list(registry.titles()))


@pytest.fixture
def ada(client, people):
    client.force_login(people[0])
    return people[0]


@every_game
def test_one_click_on_a_game_page_leads_to_a_board(client, ada, slug):
    page = client.get(f"/games/{slug}/").content.decode()
    for level in LEVELS:
        assert f'formaction="/games/{slug}/bots/{level.name}/"' in page
    answer = client.post(f"/games/{slug}/bots/casual/", follow=True)
    match = Match.objects.get()
    assert answer.redirect_chain[-1][0] == f"/matches/{match.pk}/"
    assert "bot-casual" in answer.content.decode()


@every_game
def test_other_settings_can_be_chosen(client, ada, slug):
    page = client.get("/play/", {"game": slug})
    fields = {field.html_name: field.value() for field in page.context["form"]}
    sent = {
        name: value for name, value in fields.items() if value is not None and value is not False
    }
    seats = registry.get(slug).meta.seats[1]
    client.post(f"/games/{slug}/bots/", {**sent, "level": "expert", "seats": seats})
    names = {player.user.username for player in Match.objects.get().players.all()}
    assert {"ada", "bot-expert"} <= names
    assert len(names) == seats


@every_game
def test_a_visitor_plays_as_a_guest(client, db, slug):
    answer = client.post(f"/games/{slug}/bots/casual/")
    assert answer.url == f"/matches/{Match.objects.get().pk}/"
    assert Match.objects.get().players.get(is_bot=False).user.is_guest


def test_an_unknown_level_or_a_mere_look_starts_nothing(client, ada):
    slug = next(iter(registry.titles()))
    client.post(f"/games/{slug}/bots/godlike/")
    client.get(f"/games/{slug}/bots/casual/")
    client.post(f"/games/{slug}/bots/", {"level": "godlike"})
    assert not Match.objects.exists()


def test_the_match_page_says_that_a_bot_thinks(client, ada):
    for slug in registry.titles():
        client.post(f"/games/{slug}/bots/strong/")
    heads = [client.get(f"/matches/{match.pk}/").content.decode() for match in Match.objects.all()]
    waiting = [page for page in heads if "is thinking" in page]
    mine = [m for m in Match.objects.all() if m.players.filter(user=ada, to_move=True).exists()]
    assert len(waiting) == len(heads) - len(mine)


def test_the_page_of_a_bot_says_what_it_is(client, db):
    user_of(LEVELS[0])
    page = client.get("/players/bot-beginner/").content.decode()
    assert "Bot ·" in page
    assert "sees what a player in its seat sees" in page


@every_game
def test_one_page_has_every_game_the_levels_and_the_board(client, db, slug):
    page = client.get("/play/", {"game": slug}).content.decode()
    for other in registry.titles():
        assert f'href="?game={other}"' in page
    assert f'href="?game={slug}" aria-current="true"' in page
    for level in LEVELS:
        assert f'value="{level.name}"' in page
    assert f'action="/games/{slug}/bots/"' in page
    assert client.get(f"/games/{slug}/bots/").url == f"/play/?game={slug}"


def test_an_unknown_game_is_not_chosen(client, db):
    assert client.get("/play/", {"game": "chess\0"}).status_code == 200


def test_what_was_chosen_is_still_there_after_an_error(client, ada):
    sent = {"level": "strong", "seating": "last", "param-size": "99"}
    page = client.post("/games/die/bots/", sent)
    assert page.status_code == 200
    assert page.context["form"].errors["param-size"]
    assert 'value="99"' in page.content.decode()
    assert page.context["form"]["level"].value() == "strong"
    assert not Match.objects.exists()
