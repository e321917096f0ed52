"""The lobby's pages: a challenge made from the game's schema, shown, answered, withdrawn."""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.contrib.messages import get_messages
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games.kernel import registry
from games.lobby import commitments, services
from games.lobby.models import Challenge, Invitation
from games.matches.clock import PRESETS, Clock
from games.matches.models import Match, Pace
from games.web import parameters
from tests.example_games import heap
from tests.fixtures import NOW

pytestmark = pytest.mark.usefixtures("toy")

FILLED = {
    "seats": "2",
    "param-heap": "12",
    "audience": "open",
    "players": "",
    "seating": "random",
    "clock": "standard",
    "message": "Well met.",
    "lifetime": "7",
}


@pytest.fixture
def ada(client, people):
    client.force_login(people[0])
    return people[0]


@pytest.fixture
def send(client, ada):
    """Fill in the form of a challenge; what is ``None`` is left out."""

    def _send(**changed):
        own = ("commitment_token", "nonce_commitment", "strict_dice", "weekends_off")
        named = {name if name in own else name.replace("_", "-"): changed[name] for name in changed}
        filled = {**FILLED, **named}
        data = {name: value for name, value in filled.items() if value is not None}
        return client.post(reverse("challenge-new", args=["heap"]), data)

    return _send


def offer(creator, audience="open", now=None, **wishes):
    return services.challenge(
        creator=creator,
        audience=Challenge.Audience(audience),
        now=now or timezone.now(),
        **{"title": "heap", "params": {}, "clock": None, "seats": 2, **wishes},
    )


def page(challenge, token=""):
    if token:
        return reverse("challenge-link", args=[challenge.pk, token])
    return reverse("challenge", args=[challenge.pk])


def test_the_form_asks_to_sign_in(client):
    assert client.get(reverse("challenge-new", args=["heap"])).status_code == 302


def test_the_form_is_made_from_the_schema(client, ada):
    html = client.get(reverse("challenge-new", args=["heap"])).content.decode()
    assert '<input type="number" name="param-heap" value="10" min="1" max="100"' in html
    assert "Counters at the start." in html
    assert '<input type="checkbox" name="param-free"' in html
    assert '<input type="number" name="seats" value="2" min="2" max="4"' in html
    assert 'data-nonce="32"' in html


def test_a_link_to_the_form_can_name_a_player(client, ada):
    response = client.get(reverse("challenge-new", args=["heap"]), {"player": "bruno"})
    assert response.context["form"]["players"].value() == "bruno"
    assert response.context["form"]["audience"].value() == "named"


def test_a_challenge_is_made(send, ada):
    pending = commitments.make(ada)
    response = send(param_free="on", nonce="ab" * 32, commitment_token=pending.token)
    made = Challenge.objects.get()
    assert response.url == page(made)
    assert made.creator == ada
    assert made.params == {"heap": 12, "free": True}
    assert made.time_control == PRESETS["standard"]
    assert made.message == "Well met."
    assert made.expires - made.created == timedelta(days=7)
    assert (made.commitment, made.secret) == (pending.commitment, pending.secret)
    assert bytes(made.invitations.get().nonce) == b"\xab" * 32


def test_the_server_draws_the_nonce_where_the_browser_did_not(send):
    for bad in (None, "", "zz", "ab" * 31):
        send(nonce=bad)
    nonces = {bytes(place.nonce) for place in Invitation.objects.all()}
    assert len(nonces) == 4
    assert all(len(nonce) == 32 for nonce in nonces)


@pytest.mark.parametrize(
    ("asked", "clock"),
    [
        ({"clock": "brisk"}, PRESETS["brisk"]),
        ({"clock": "none"}, None),
        ({"clock": "per-move", "days": "2"}, Clock.per_move(2)),
        (
            {"clock": "custom", "start": "2", "increment": "6", "cap": "4"},
            Clock(timedelta(days=2), timedelta(hours=6), timedelta(days=4)),
        ),
        ({"clock": "brisk", "weekends_off": "on"}, replace(PRESETS["brisk"], weekends="UTC")),
        ({"clock": "none", "weekends_off": "on"}, None),
    ],
)
def test_clocks(send, asked, clock):
    send(**asked)
    assert Challenge.objects.get().time_control == clock


def test_weekends_follow_the_zone_of_the_creator_into_the_match(client, send, ada, people):
    User.objects.filter(pk=ada.pk).update(time_zone="Asia/Tokyo")
    assert "(Tokyo)" in client.get(reverse("challenge-new", args=["heap"])).content.decode()
    send(clock="standard", weekends_off="on")
    made = Challenge.objects.get()
    User.objects.filter(pk=ada.pk).update(time_zone="UTC")
    assert "weekends do not count (Tokyo)" in client.get(page(made)).content.decode()
    services.accept(challenge_id=made.pk, user=people[1], now=timezone.now())
    assert Match.objects.get().time_control == replace(PRESETS["standard"], weekends="Asia/Tokyo")


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"clock": "per-move", "days": ""}, "days"),
        ({"clock": "per-move", "days": "31"}, "days"),
        ({"clock": "custom", "start": "5", "increment": "1", "cap": "4"}, "cap"),
        ({"clock": "custom", "start": "", "increment": "1", "cap": "4"}, "start"),
        ({"clock": "sundial"}, "clock"),
        ({"clock": None}, "clock"),
        ({"param_heap": "0"}, "param-heap"),
        ({"param_heap": "many"}, "param-heap"),
        ({"seats": "7"}, "seats"),
        ({"audience": "everybody"}, "audience"),
        ({"audience": "named"}, "players"),
        ({"audience": "named", "players": "nobody"}, "players"),
        ({"seating": "on the table"}, "seating"),
        ({"message": "x" * 501}, "message"),
        ({"lifetime": "61"}, "lifetime"),
        ({"lifetime": "9" * 30}, "lifetime"),
    ],
)
def test_what_cannot_be_is_refused_beside_its_field(send, asked, field):
    response = send(**asked)
    assert response.status_code == 200
    assert response.context["form"].errors[field]
    assert not Challenge.objects.exists()


def test_a_refused_form_keeps_what_was_typed(send):
    html = send(audience="named", players="nobody-here", message="My <word>").content.decode()
    assert "There is no player called “nobody-here”." in html
    assert 'value="nobody-here"' in html
    assert "My &lt;word&gt;" in html
    assert 'name="param-heap" value="12"' in html


def test_the_service_says_why_it_refuses(send):
    html = send(audience="named", players="ada").content.decode()
    assert "You cannot challenge yourself." in html
    html = send(audience="named", players="bruno, clara").content.decode()
    assert "A match for 2 needs the names of another player." in html
    assert not Challenge.objects.exists()


def test_names_are_found_without_regard_to_case(send, people):
    send(seats="3", audience="named", players="BRUNO ,clara,")
    made = Challenge.objects.get()
    assert {place.user for place in made.invitations.all()} == set(people[:3])


def test_people_who_left_cannot_be_challenged(send, people):
    User.objects.filter(pk=people[1].pk).update(is_active=False)
    assert send(audience="named", players="bruno").context["form"].errors["players"]


def test_the_lobby_lists_open_challenges_alone(client, people):
    offer(people[0], message="for all")
    offer(people[0], "named", invited=[people[1]], message="for bruno")
    offer(people[0], "link", message="by link")
    html = client.get(reverse("lobby")).content.decode()
    assert "for all" in html
    assert "for bruno" not in html
    assert "by link" not in html


def test_the_lobby_shows_mine_and_those_sent_to_me_on_top(client, people):
    offer(people[1], "named", invited=[people[0]])
    offer(people[0])
    offer(people[2])
    client.force_login(people[0])
    context = client.get(reverse("lobby")).context
    assert [c.creator for c in context["received"]] == [people[1]]
    assert [c.creator for c in context["made"]] == [people[0]]
    assert [c.creator for c in context["page"].items] == [people[2]]


def test_the_lobby_is_filtered_by_game(client, people):
    offer(people[0], message="here")
    assert b"here" in client.get(reverse("lobby"), {"game": "heap"}).content
    Challenge.objects.update(title="gone")
    registry.titles()["gone"] = heap.TITLE
    assert b"here" not in client.get(reverse("lobby"), {"game": "heap"}).content


def test_accepting_starts_the_match(client, people):
    challenge = offer(people[0])
    client.force_login(people[1])
    assert b"Accept and begin" in client.get(page(challenge)).content
    response = client.post(reverse("challenge-accept", args=[challenge.pk]), {"nonce": "cd" * 32})
    match = Match.objects.get()
    assert response.url == reverse("match", args=[match.pk])
    assert bytes(match.players.get(user=people[1]).nonce) == b"\xcd" * 32
    again = client.get(page(challenge)).content.decode()
    assert "The match has begun." in again
    assert reverse("match", args=[match.pk]) in again


def test_a_match_of_three_waits_for_the_last_seat(client, people):
    challenge = offer(people[0], seats=3)
    client.force_login(people[1])
    response = client.post(reverse("challenge-accept", args=[challenge.pk]), follow=True)
    assert b"You have a seat." in response.content
    assert b"Leave this seat" in response.content
    assert not Match.objects.exists()


def test_declining_gives_a_reason(client, people):
    challenge = offer(people[0], "named", invited=[people[1]])
    client.force_login(people[1])
    response = client.post(
        reverse("challenge-decline", args=[challenge.pk]), {"reason": "No time"}, follow=True
    )
    assert b"This challenge is declined." in response.content
    client.force_login(people[0])
    assert b'<q dir="auto">No time</q>' in client.get(page(challenge)).content


def test_withdrawing(client, people):
    challenge = offer(people[0])
    client.force_login(people[0])
    assert b"Withdraw" in client.get(page(challenge)).content
    response = client.post(reverse("challenge-withdraw", args=[challenge.pk]), follow=True)
    assert b"This challenge is withdrawn." in response.content


@pytest.mark.parametrize(
    ("action", "reader", "sentence"),
    [
        ("accept", 2, "This challenge is meant for others."),
        ("decline", 2, "You have not been invited to this challenge."),
        ("withdraw", 1, "Only its creator withdraws a challenge."),
    ],
)
def test_what_is_not_ones_own_is_refused(client, people, action, reader, sentence):
    challenge = offer(people[0], "named", invited=[people[1]])
    client.force_login(people[reader])
    client.post(reverse(f"challenge-{action}", args=[challenge.pk]))
    assert sentence in client.get(reverse("lobby")).content.decode()
    challenge.refresh_from_db()
    assert challenge.is_open


def test_an_expired_challenge_is_refused_in_words(client, people):
    challenge = offer(people[0], now=NOW)
    client.force_login(people[1])
    response = client.post(reverse("challenge-accept", args=[challenge.pk]), follow=True)
    assert "This challenge has expired." in response.content.decode()


@pytest.mark.parametrize("action", ["accept", "decline", "withdraw"])
def test_answers_are_posted_by_who_is_signed_in(client, people, action):
    challenge = offer(people[0])
    address = reverse(f"challenge-{action}", args=[challenge.pk])
    assert client.post(address).url.startswith(reverse("account_login"))
    client.force_login(people[1])
    assert client.get(address).status_code == 405


@pytest.mark.parametrize("number", ["0", "999", "9" * 30])
@pytest.mark.parametrize("action", ["", "accept/", "decline/", "withdraw/"])
def test_an_unknown_challenge_is_not_found(client, ada, number, action):
    address = f"/challenges/{number}/{action}"
    response = client.post(address) if action else client.get(address)
    assert response.status_code == 404


def test_named_challenges_are_seen_by_those_named(client, people):
    challenge = offer(people[0], "named", invited=[people[1]])
    assert client.get(page(challenge)).status_code == 404
    for reader, status in ((0, 200), (1, 200), (2, 404)):
        client.force_login(people[reader])
        assert client.get(page(challenge)).status_code == status


def test_a_challenge_by_link_opens_with_its_link_alone(client, people):
    challenge = offer(people[0], "link")
    assert client.get(page(challenge)).status_code == 404
    assert client.get(page(challenge, "x" * 43)).status_code == 404
    assert client.get(page(challenge, "é")).status_code == 404
    html = client.get(page(challenge, challenge.token)).content.decode()
    assert "You play as a guest" in html
    client.force_login(people[3])
    accept = reverse("challenge-accept", args=[challenge.pk])
    client.post(accept, {"token": "wrong"})
    assert not Match.objects.exists()
    client.post(accept, {"token": challenge.token})
    assert Match.objects.get().players.filter(user=people[3]).exists()


def test_only_the_creator_is_shown_the_link(client, people):
    challenge = offer(people[0], "link")
    client.force_login(people[0])
    address = f"http://testserver{page(challenge, challenge.token)}"
    assert address in client.get(page(challenge)).content.decode()
    opened = offer(people[0])
    assert opened.token not in client.get(page(opened)).content.decode()


def test_the_seal_is_shown_and_the_secret_is_not(client, people):
    challenge = offer(people[0])
    html = client.get(page(challenge)).content.decode()
    assert "SHA-256" in html
    assert bytes(challenge.secret).hex() not in html


def test_a_parameter_of_every_kind_becomes_a_field():
    def made(**parts):
        return parameters.field({"title": "T", "description": "D", **parts})

    few = made(enum=["a", 2, True], default=2)
    assert few.choices == [("a", "a"), ("2", "2"), ("True", "yes")]
    assert few.clean("2") == 2
    assert few.widget.input_type == "radio"
    assert made(enum=list("abcdef"), default="a").widget.input_type == "select"
    number = made(type="integer", minimum=3, maximum=12, default=5)
    assert (number.min_value, number.max_value, number.initial) == (3, 12, 5)
    assert made(type="boolean", default=True).initial is True
    assert made(type="number", minimum=0, maximum=1, default=0.5).clean("0.25") == 0.25
    assert made(type="string", default="x").clean(" y ") == "y"
    assert (number.label, number.help_text) == ("T", "D")


def test_parameters_cannot_be_smuggled_in():
    cleaned = {"param-size": 5, "param-off": False, "param-empty": None, "title": "other"}
    assert parameters.params(cleaned) == {"size": 5, "off": False}


@pytest.mark.parametrize("answer", ["accept", "decline", "withdraw"])
@pytest.mark.parametrize("token", ["/", "a/b", "../..", "é", "x" * 44])
def test_a_token_that_is_none_is_answered_with_a_sentence(client, ada, people, answer, token):
    made = offer(people[1], audience="link")
    answered = client.post(reverse(f"challenge-{answer}", args=[made.pk]), {"token": token})
    assert (answered.status_code, answered.url) == (302, f"/challenges/{made.pk}/")
    told = [str(message) for message in get_messages(answered.wsgi_request)]
    assert told == ["The link to this challenge is incomplete. Please open it again."]


def test_the_lobby_says_how_fast_people_answer(client, toy, people):
    terms = {"title": "heap", "params": {}, "clock": PRESETS["standard"], "seats": 2}
    for person in people[:2]:
        services.challenge(
            creator=person, audience=Challenge.Audience.OPEN, now=timezone.now(), **terms
        )
    Pace.objects.create(user=people[0], median=timedelta(hours=5), answers=9, entry=1)
    Pace.objects.create(user=people[1], median=timedelta(hours=5), answers=2, entry=1)
    page = client.get("/lobby/").content.decode()
    assert page.count("5 hours") == 1


def test_the_lobby_lists_people_before_bots(client, people):
    offer(people[0], message="from a bot")
    offer(people[1], message="from a person")
    offer(people[2], message="from a program")
    User.objects.filter(pk=people[0].pk).update(is_bot=True)
    User.objects.filter(pk=people[2].pk).update(is_program=True)
    shown = client.get(reverse("lobby"))
    assert [c.creator for c in shown.context["page"].items] == [people[1]]
    assert {c.creator for c in shown.context["from_bots"]} == {people[0], people[2]}
    page = shown.content.decode()
    assert page.index("from a person") < page.index("Bots looking for a match")
    assert page.index("Bots looking for a match") < page.index("from a bot")


def test_an_empty_lobby_says_what_to_do(client, db):
    page = client.get(reverse("lobby"), {"game": "heap"}).content.decode()
    assert "Nobody is looking for a match of" in page
    assert 'href="/games/heap/challenge/"' in page
    assert 'href="/play/?game=heap"' in page


def test_a_challenge_in_the_lobby_has_a_picture_of_its_game(client, people):
    offer(people[0])
    assert "/games/heap/board-light.svg" in client.get(reverse("lobby")).content.decode()
    for theme in ("light", "dark"):
        picture = client.get(f"/games/heap/board-{theme}.svg")
        assert picture["Content-Type"] == "image/svg+xml"
        assert "public" in picture["Cache-Control"]
    assert client.get("/games/heap/board-neon.svg").status_code == 404
    assert client.get("/games/nothing/board-light.svg").status_code == 404


def test_the_pages_of_games_and_home_show_people_before_bots(client, people):
    offer(people[1], message="from a person")
    offer(people[0], message="from a bot")
    User.objects.filter(pk=people[0].pk).update(is_bot=True)
    client.force_login(people[2])
    for page in ("/", "/games/heap/"):
        html = client.get(page).content.decode()
        assert html.index("from a person") < html.index("from a bot")
