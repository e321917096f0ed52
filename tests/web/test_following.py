"""Following players, who may challenge whom, and how many matches are enough."""

import pytest
from django.test import Client
from django.utils import timezone

from accounts import blocks
from accounts.models import Notification
from games.lobby import follows, services
from games.lobby.models import Challenge, ChallengePreferences, Follow
from games.lobby.personal_data import LobbyData
from games.matches import services as matches
from games.matches.errors import Refused
from tests.web.test_blocks import accept, offer

pytestmark = pytest.mark.usefixtures("toy")

PLAYING, FOLLOWING = "/account/playing/", "/account/following/"
PEOPLE = "/account/people/"
SAVED = "/account/preferences/#challenges"


@pytest.fixture
def ada(client, people):
    client.force_login(people[0])
    return people[0]


def follow(user, other):
    follows.follow(user=user, other=other, now=timezone.now())


def prefer(user, **fields):
    ChallengePreferences.objects.update_or_create(user=user, defaults=fields)


@pytest.mark.parametrize("page", [PLAYING, FOLLOWING, f"{FOLLOWING}bruno/"])
def test_visitors_are_asked_to_sign_in(people, page):
    for answer in (Client().get(page), Client().post(page)):
        assert answer.url.startswith("/account/login/")


def test_following_on_pages(client, ada, start, people):
    assert "You don’t follow anybody." in client.get(FOLLOWING, follow=True).content.decode()
    assert ">Follow</button>" in client.get("/players/bruno/").content.decode()
    assert client.post(f"{FOLLOWING}bruno/").url == "/players/bruno/"
    assert ">Unfollow</button>" in client.get("/players/bruno/").content.decode()
    assert "They have no running matches" in client.get(PEOPLE).content.decode()
    play = start(seats=3)
    assert f"/matches/{play.id}/" in client.get(PEOPLE).content.decode()
    client.post(f"{FOLLOWING}bruno/", {"unfollow": "1"})
    assert not Follow.objects.exists()
    assert client.post(f"{FOLLOWING}nobody/").status_code == 404


def test_nobody_follows_past_a_block(client, ada, people):
    blocks.block(user=people[1], other=ada, now=timezone.now())
    assert "You cannot follow" in client.post(f"{FOLLOWING}bruno/", follow=True).content.decode()
    with pytest.raises(Refused):
        follow(ada, ada)
    assert not Follow.objects.exists()


def test_followers_hear_of_open_challenges_alone(people):
    ada, bruno, clara, daniel = people
    for user in (ada, clara, daniel):
        follow(user, bruno)
    blocks.block(user=bruno, other=daniel, now=timezone.now())
    offer(bruno, "open")
    offer(bruno, "link")
    offer(bruno, "named", ada)
    told = Notification.objects.filter(kind="challenge-posted").order_by("recipient")
    assert [row.recipient for row in told] == [ada, clara]
    assert list(follows.followed(daniel)) == []


def test_who_may_challenge_me(people):
    ada, bruno = people[:2]
    prefer(bruno, challengers="nobody")
    with pytest.raises(Refused, match="takes no challenges"):
        offer(ada, "named", bruno)
    prefer(bruno, challengers="followed")
    with pytest.raises(Refused, match="players they follow"):
        offer(ada, "named", bruno)
    follow(bruno, ada)
    offer(ada, "named", bruno)
    assert Challenge.objects.count() == 1


def test_a_rematch_may_be_asked_for_by_who_is_not_followed(play, people):
    play.act(matches.resign, 0)
    prefer(people[1], challengers="followed")
    services.rematch(match=play.match, user=people[0], now=timezone.now())
    assert Challenge.objects.count() == 1


def test_no_more_matches_than_wanted(start, people):
    ada, bruno, clara, _ = people
    start()
    prefer(ada, most_matches=1)
    for refused in (
        lambda: offer(ada, "open"),
        lambda: offer(clara, "named", ada),
        lambda: accept(offer(clara, "open"), ada),
    ):
        with pytest.raises(Refused, match="as many matches"):
            refused()
    prefer(ada, most_matches=2)
    accept(offer(clara, "open"), ada)
    offer(bruno, "open")


def test_what_is_preferred_is_kept(client, ada):
    page = client.get(PLAYING, follow=True).content.decode()
    assert "You have 0 matches with people now" in page
    refused = client.post(PLAYING, {"challengers": "nobody", "most_matches": "501"})
    assert 'value="501"' in refused.content.decode()
    assert client.post(PLAYING, {"challengers": "nobody", "most_matches": "7"}).url == SAVED
    found = ChallengePreferences.objects.get(user=ada)
    assert (found.challengers, found.most_matches) == ("nobody", 7)
    client.post(PLAYING, {"challengers": "anybody", "most_matches": ""})
    assert ChallengePreferences.objects.get(user=ada).most_matches is None


def test_it_belongs_to_ones_own_data_and_goes_with_the_account(people):
    ada, bruno = people[:2]
    follow(ada, bruno)
    prefer(ada, most_matches=3)
    data = LobbyData().export(ada)["challenges"]
    assert data["follows"][0]["player"] == "bruno"
    assert data["preferences"] == [{"challengers": "anybody", "most_matches": 3}]
    LobbyData().delete(ada, timezone.now())
    assert not Follow.objects.exists()
    assert not ChallengePreferences.objects.exists()


@pytest.mark.parametrize("blocker", [0, 1])
def test_where_one_has_blocked_the_other_no_page_offers_to_follow(client, ada, people, blocker):
    follow(ada, people[1])
    blocks.block(user=people[blocker], other=people[1 - blocker], now=timezone.now())
    page = client.get("/players/bruno/").content.decode()
    assert "Unfollow" not in page
    assert ">Follow</button>" not in page
    assert (">Unblock</button>" in page) == (blocker == 0)
