"""The pages of ladders, and ladders by program."""

import json

import pytest
from django.utils import timezone

from accounts.models import Notification, User
from games.ladders import services
from games.ladders.models import LadderChallenge, LadderPlace
from games.lobby import notification_emails
from games.lobby.models import Challenge

pytestmark = pytest.mark.django_db

LADDER = "/games/die/ladder/"
API = f"/api/v1{LADDER}"


@pytest.fixture
def ladder(people):
    """Four people on the ladder, ada on top."""
    services.Ladder.objects.create(title="die")
    now = timezone.now()
    for position, user in enumerate(people, 1):
        LadderPlace.objects.create(
            title="die", user=user, position=position, joined=now, active=now
        )
    return people


def page(client, address=LADDER):
    return client.get(address).content.decode()


def test_a_ladder_is_two_links_from_every_page(client):
    assert 'href="/events/"' in page(client, "/")
    assert f'href="{LADDER}"' in page(client, "/events/")


def test_an_empty_ladder_says_how_it_begins(client, people):
    assert "Nobody is on this ladder yet" in page(client)
    client.force_login(people[0])
    html = client.post(f"{LADDER}join/", follow=True).content.decode()
    assert "You are in place 5 of 5." in html
    assert html.count("bot-") >= 4
    _, _, leaving = html.partition("<summary>Leave the ladder</summary>")
    assert "You give up place 5" in leaving
    assert html.count(f'action="{LADDER}leave/"') == leaving.count(f'action="{LADDER}leave/"') == 1
    assert (
        "You have left the ladder." in client.post(f"{LADDER}leave/", follow=True).content.decode()
    )


def test_guests_read_why_they_cannot_join(client, people):
    guest = User.objects.create(username="guest-1", is_guest=True)
    client.force_login(guest)
    assert "Guests have no place on ladders" in page(client)
    client.post(f"{LADDER}join/")
    assert not LadderPlace.objects.exists()


def test_a_challenge_is_made_and_the_reason_is_on_the_button_after_it(client, ladder):
    ada, bruno = ladder[:2]
    client.force_login(bruno)
    made = client.post(f"{LADDER}challenge/", {"player": "ada"})
    one = LadderChallenge.objects.get()
    assert made.url == one.challenge.get_absolute_url()
    assert "If ada declines or doesn’t accept in time" in page(client, made.url)
    html = page(client)
    assert "You two have a ladder challenge or match already." in html
    assert "has challenged ada" in html
    client.force_login(ada)
    assert "bruno takes your place" in page(client, made.url)
    assert "challenged by bruno: answer" in page(client)
    told = Notification.objects.get(recipient=ada)
    subject = "bruno challenges you for your place on the ladder of DIE"
    assert notification_emails.challenge_email(told).subject == subject
    begun = client.post(f"/challenges/{one.challenge_id}/accept/")
    assert "/matches/" in begun.url
    assert "plays for the place of ada" in page(client)


def test_nobody_below_or_too_far_above_is_offered(client, ladder):
    client.force_login(ladder[1])
    assert page(client).count("ladder/challenge/") == 1
    refused = client.post(f"{LADDER}challenge/", {"player": "clara"}, follow=True)
    assert "You can challenge players up to 5 places above yours." in refused.content.decode()
    assert client.post(f"{LADDER}challenge/", {"player": "nobody"}).status_code == 404
    assert not Challenge.objects.exists()


def test_a_bot_accepts_and_the_match_opens(
    client, people, django_capture_on_commit_callbacks, monkeypatch
):
    monkeypatch.setattr("games.bots.tasks.think.apply_async", lambda **_: None)
    client.force_login(people[0])
    client.post(f"{LADDER}join/")
    with django_capture_on_commit_callbacks(execute=True):
        client.post(f"{LADDER}challenge/", {"player": "bot-beginner"})
    assert Challenge.objects.get().match is not None


def test_the_page_costs_the_same_for_any_number_of_players(
    client, ladder, django_assert_max_num_queries
):
    client.force_login(ladder[3])
    now = timezone.now()
    for number in range(60):
        user = User.objects.create(username=f"p{number}", email=f"p{number}@example.org")
        LadderPlace.objects.create(
            title="die", user=user, position=5 + number, joined=now, active=now
        )
    with django_assert_max_num_queries(20):
        page(client)


def test_programs_read_join_and_challenge(client, ladder):
    eva = User.objects.create(username="eva", email="eva@example.org")
    client.force_login(eva)

    def post(address, **sent):
        return client.post(f"{API}{address}", json.dumps(sent), content_type="application/json")

    assert post("join/").status_code == 204
    places = client.get(API).json()["items"]
    assert [place["name"] for place in places] == ["ada", "bruno", "clara", "daniel", "eva"]
    made = post("challenges/", name="daniel")
    assert made.status_code == 201
    assert made.json()["rated"] is True
    refused = post("challenges/", name="daniel")
    assert refused.status_code == 409
    assert "already" in refused.json()["detail"]
    assert post("leave/").status_code == 204
    assert len(client.get(API).json()["items"]) == 4
    assert client.get("/api/v1/games/chess/ladder/").status_code == 404
