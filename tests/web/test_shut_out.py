"""Banned and suspended players: what others read of them, and what they are not offered."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.sanctions import standing
from accounts.sanctions.models import Sanction
from games.ladders import services as ladders
from games.lobby import follows, services
from games.lobby.models import Challenge
from games.matches.errors import Refused
from games.matches.services import resign
from tests.fixtures import NOW

pytestmark = pytest.mark.usefixtures("toy")

BAN = Sanction.Kind.BAN
SUSPENSION = Sanction.Kind.SUSPENSION
SAID = {BAN: "bruno is banned.", SUSPENSION: "bruno is suspended and can’t play at the moment."}


@pytest.fixture
def ada(client, people):
    client.force_login(people[0])
    return people[0]


@pytest.fixture(params=SAID)
def kind(request, people):
    """Bruno is banned or suspended."""
    now = timezone.now()
    until = now + timedelta(days=2) if request.param == SUSPENSION else None
    standing.impose(
        people[1], request.param, reason="Insults.", moderator=people[3], now=now, until=until
    )
    return request.param


def offer(creator, *invited):
    return services.challenge(
        creator=creator,
        title="heap",
        params={},
        clock=None,
        seats=len(invited) + 1,
        audience=Challenge.Audience.NAMED,
        invited=invited,
        now=timezone.now(),
    )


def test_their_page_says_so_and_offers_nothing(client, ada, kind):
    page = client.get("/players/bruno/").content.decode()
    assert SAID[kind] in page
    assert "Insults." not in page
    assert "challenge/?player=bruno" not in page
    assert "/players/bruno/follow/" not in page


def test_who_follows_them_may_stop(client, ada, people, kind):
    follows.follow(user=ada, other=people[1], now=NOW)
    page = client.get("/players/bruno/").content.decode()
    assert ">Unfollow</button>" in page


def test_a_program_reads_it(client, people, kind):
    assert client.get("/api/v1/players/bruno/").json()["restriction"] == kind
    assert client.get("/api/v1/players/ada/").json()["restriction"] == ""


def test_nobody_challenges_them(client, ada, people, kind):
    with pytest.raises(Refused, match=SAID[kind]):
        offer(ada, people[1])
    with pytest.raises(Refused):
        offer(ada, people[2], people[1])
    address = reverse("challenge-new", args=["heap"])
    form = client.get(address, {"player": "bruno"}).context["form"]
    page = client.post(address, form.data).content.decode()
    assert SAID[kind] in page
    assert not Challenge.objects.exists()


def test_nor_on_a_ladder(client, ada, people, kind):
    for user in people[1], ada:
        ladders.join(user=user, title="heap", now=NOW)
    page = client.get(reverse("game-ladder", args=["heap"])).content.decode()
    assert SAID[kind] in page
    with pytest.raises(Refused, match=SAID[kind]):
        ladders.challenge(user=ada, other=people[1], title="heap", now=timezone.now())


def test_nor_to_a_rematch(client, ada, play, people, kind):
    play.act(resign, 0)
    page = client.get(play.match.get_absolute_url()).content.decode()
    assert f"{play.match.get_absolute_url()}rematch/" not in page
    with pytest.raises(Refused, match=SAID[kind]):
        services.rematch(match=play.match, user=ada, now=timezone.now())


def test_after_a_suspension_all_is_as_before(client, ada, people):
    now = timezone.now()
    ended = now - timedelta(minutes=1)
    standing.impose(people[1], SUSPENSION, reason="x", moderator=people[3], now=NOW, until=ended)
    page = client.get("/players/bruno/").content.decode()
    assert "challenge/?player=bruno" in page
    assert "suspended" not in page
    offer(ada, people[1])
