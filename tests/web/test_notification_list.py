"""The list of notifications leaves out what is over."""

import pytest

from accounts import notifications
from accounts.delivery.models import DeliverySettings
from accounts.models import Notification
from accounts.signals import notifications_changed
from games.lobby import follows
from games.lobby import services as lobby
from games.lobby.models import Challenge
from games.matches import services
from tests.fixtures import NOW

pytestmark = pytest.mark.django_db


def told(user):
    return [notification.kind for notification in notifications.listed(user)]


def test_notices_of_turns_that_were_taken_disappear(play):
    ada, bruno = play.people[:2]
    play.move(0, "1")
    play.move(1, "1")
    play.move(0, "1")
    assert told(bruno) == ["your-turn"], "of the turn that waits, not of the first"
    assert told(ada) == []
    play.move(1, "1")
    assert told(bruno) == []
    assert told(ada) == ["your-turn"]


def test_of_a_match_the_latest_stands_for_all(play):
    bruno = play.people[1]
    assert told(bruno) == ["match-started"]
    play.move(0, "1")
    play.act(services.resign, 0)
    assert told(bruno) == ["match-ended"]
    notifications.mark_seen(recipient=bruno, now=NOW)
    assert Notification.objects.filter(recipient=bruno).count() == 3


def test_an_offer_is_listed_as_long_as_it_is_open(play):
    bruno = play.people[1]
    play.act(services.offer_close, 0)
    assert told(bruno) == ["offer-made", "match-started"]
    play.act(services.decline_offer, 1)
    assert told(bruno) == ["match-started"]


def test_the_bell_counts_what_is_listed(play):
    bruno = play.people[1]
    for _ in range(3):
        play.move(0, "1")
        play.move(1, "1")
    assert Notification.objects.filter(recipient=bruno, seen_at=None).count() == 4
    assert notifications.unseen(bruno) == 0
    play.move(0, "1")
    assert notifications.unseen(bruno) == 1


def test_what_is_not_wanted_on_the_site_is_not_listed(play):
    bruno = play.people[1]
    DeliverySettings.objects.create(user=bruno, site_off=["your-turn"])
    play.move(0, "1")
    assert told(bruno) == ["match-started"]
    assert notifications.unseen(bruno) == 1


def test_the_page_shows_what_is_left(client, play):
    bruno = play.people[1]
    client.force_login(bruno)
    play.move(0, "1")
    assert "your turn" in client.get("/account/notices/").content.decode().lower()
    play.move(1, "1")
    rows = client.get("/account/notices/").context["rows"]
    assert rows == []


def test_the_bell_of_other_tabs_hears_what_the_list_has_shown(
    client, play, django_capture_on_commit_callbacks
):
    bruno, heard = play.people[1], []

    def hear(recipients, **_):
        heard.append(recipients)

    notifications_changed.connect(hear)
    client.force_login(bruno)
    for _ in range(2):
        with django_capture_on_commit_callbacks(execute=True):
            client.get("/account/notices/")
    notifications_changed.disconnect(hear)
    assert heard == [[bruno.pk]]
    assert notifications.unseen(bruno) == 0


@pytest.fixture
def challenge(toy, people):
    """Challenge bruno by name, or post an open challenge."""

    def _challenge(*invited):
        audience = Challenge.Audience.NAMED if invited else Challenge.Audience.OPEN
        return lobby.challenge(
            creator=people[0],
            title="heap",
            params={},
            clock=None,
            seats=2,
            audience=audience,
            invited=invited,
            now=NOW,
        )

    return _challenge


@pytest.mark.parametrize("answer", [lobby.accept, lobby.decline])
def test_a_challenge_is_listed_and_mailed_until_it_is_answered(challenge, people, answer):
    bruno = people[1]
    made = challenge(bruno)
    assert told(bruno) == ["challenge-received"]
    answer(challenge_id=made.pk, user=bruno, now=NOW)
    assert "challenge-received" not in told(bruno)
    row = Notification.objects.get(kind="challenge-received")
    assert notifications.outdated(bruno, [row], ()) == {row.pk: "over"}


def test_a_challenge_that_was_withdrawn_is_not_listed(challenge, people):
    made = challenge(people[1])
    lobby.withdraw(challenge_id=made.pk, user=people[0], now=NOW)
    assert told(people[1]) == []


def test_a_challenge_of_somebody_followed_is_listed_while_it_is_open(challenge, people):
    ada, bruno, clara = people[:3]
    follows.follow(user=bruno, other=ada, now=NOW)
    made = challenge()
    assert told(bruno) == ["challenge-posted"]
    lobby.accept(challenge_id=made.pk, user=clara, now=NOW)
    assert told(bruno) == []


def test_who_opens_a_challenge_has_seen_that_it_was_made(challenge, people, client):
    bruno = people[1]
    made = challenge(bruno)
    client.force_login(people[2])
    client.get(made.get_absolute_url())
    assert notifications.unseen(bruno) == 1
    client.force_login(bruno)
    client.get(made.get_absolute_url())
    assert notifications.unseen(bruno) == 0
