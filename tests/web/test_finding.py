"""Finding an opponent on pages and by program."""

import json
import re

import pytest
from django.urls import reverse
from django.utils import timezone

from games.lobby import services as lobby
from games.lobby.models import Challenge
from games.matches.clock import PRESETS
from tests.rated import establish

pytestmark = pytest.mark.django_db

FIND = "/lobby/find/"
SENT = {"game": "die", "pace": "standard", "rating_within": ""}


def post(creator, **terms):
    usual = {"clock": PRESETS["standard"], "rated": True}
    return lobby.challenge(
        creator=creator,
        title="die",
        params={},
        seats=2,
        audience=Challenge.Audience.OPEN,
        now=timezone.now(),
        **{**usual, **terms},
    )


def test_a_search_leads_to_a_challenge_and_then_to_a_match(client, people):
    client.force_login(people[0])
    posted = client.post(FIND, SENT, follow=True)
    html = posted.content.decode()
    assert "we posted your challenge" in html
    assert "/play/?game=die&amp;level=beginner" in html
    again = client.post(FIND, SENT, follow=True)
    assert again.redirect_chain[-1] == posted.redirect_chain[-1]
    client.force_login(people[1])
    begun = client.post(FIND, SENT)
    assert begun.url == reverse("match", args=[Challenge.objects.get().match_id])


def test_the_browsers_number_goes_into_the_dice(client, people):
    for user, nonce in ((people[0], "ab" * 32), (people[1], "cd" * 32)):
        client.force_login(user)
        html = client.get(FIND).content.decode()
        token = re.search('name="commitment_token" value="(.+?)"', html)[1]
        client.post(FIND, SENT | {"nonce": nonce, "commitment_token": token})
    players = Challenge.objects.get().match.players.order_by("user")
    assert [bytes(player.nonce).hex()[:2] for player in players] == ["ab", "cd"]
    assert all(player.nonce_is_own for player in players)


def test_the_form_stands_in_the_lobby_and_on_play_now(client, people):
    for page in ("/lobby/?game=die", "/play/?game=die"):
        assert FIND not in client.get(page).content.decode()
    client.force_login(people[0])
    for page in ("/lobby/?game=die", "/play/?game=die", f"{FIND}?game=die"):
        assert f'action="{FIND}"' in client.get(page).content.decode()


@pytest.mark.parametrize("wrong", [{"game": "chess"}, {"pace": "none"}, {"rating_within": "7"}])
def test_what_is_not_offered_is_refused(client, people, wrong):
    client.force_login(people[0])
    assert client.post(FIND, SENT | wrong).context["find_form"].errors
    assert not Challenge.objects.exists()


def test_a_refusal_is_said_on_the_page(client, people):
    for _ in range(20):
        post(people[0], lifetime=lobby.CHALLENGE_LIFETIME, message="")
    client.force_login(people[0])
    html = client.post(FIND, SENT | {"pace": "brisk"}).content.decode()
    assert "You have 20 open challenges already" in html


def test_while_waiting_other_challenges_of_the_game_are_offered(client, people):
    other = post(people[1], clock=None, rated=False)
    client.force_login(people[0])
    html = client.post(FIND, SENT, follow=True).content.decode()
    assert "Or accept one of these" in html
    assert other.get_absolute_url() in html


def test_the_reason_is_on_the_button(client, people):
    establish(people[0], 1900, title="die")
    posted = post(people[1], rating_within=100)
    client.force_login(people[0])
    why = "This challenge asks for a rating from 1400 to 1600; yours is 1900."
    for page in ("/lobby/", posted.get_absolute_url()):
        html = client.get(page).content.decode()
        assert why in html
        assert "disabled aria-describedby" in html
    assert "1400–1600" in client.get("/lobby/").content.decode()
    client.post(reverse("challenge-accept", args=[posted.pk]))
    posted.refresh_from_db()
    assert posted.status == "open"


def test_a_range_is_chosen_for_a_new_challenge(client, people):
    client.force_login(people[0])
    page = client.get("/games/die/challenge/")
    form = {name: field.initial for name, field in page.context["form"].fields.items()}
    sent = {name: value for name, value in form.items() if value not in (None, False)}
    client.post("/games/die/challenge/", sent | {"rating_within": "200", "days": "3"})
    made = Challenge.objects.get()
    assert (made.lowest_rating, made.highest_rating) == (1300, 1700)


def test_programs_find_opponents(client, people):
    client.force_login(people[0])

    def send(**sent):
        body = json.dumps({"title": "die", **sent})
        return client.post("/api/v1/challenges/find/", body, content_type="application/json")

    posted = send(rating_within=200)
    assert posted.status_code == 200
    found = posted.json()
    assert (found["status"], found["lowest_rating"], found["match"]) == ("open", 1300, None)
    client.force_login(people[1])
    begun = send().json()
    assert begun["id"] == found["id"]
    assert begun["match"] is not None
    assert send(title="chess").status_code == 422
