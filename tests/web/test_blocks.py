"""Blocks: what they prevent, and that they notify nobody."""

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts import blocks
from accounts.models import Block, User
from games.lobby import services
from games.lobby.errors import NotInvited
from games.lobby.models import Challenge
from games.matches.errors import Refused
from games.matches.models import Match
from games.matches.services import resign
from tests.fixtures import NOW

pytestmark = pytest.mark.usefixtures("toy")


@pytest.fixture
def ada(client, people):
    client.force_login(people[0])
    return people[0]


def offer(creator, audience, *invited, seats=2):
    return services.challenge(
        creator=creator,
        title="heap",
        params={},
        clock=None,
        seats=seats,
        audience=Challenge.Audience(audience),
        invited=invited,
        now=timezone.now(),
    )


def block(user, other):
    blocks.block(user=user, other=other, now=NOW)


def accept(challenge, user):
    return services.accept(challenge_id=challenge.pk, user=user, now=timezone.now())


def test_neither_challenges_the_other(people):
    ada, bruno, clara, _ = people
    block(ada, bruno)
    with pytest.raises(Refused, match="ada takes no challenges from you"):
        offer(bruno, "named", ada)
    with pytest.raises(Refused, match="You have blocked bruno"):
        offer(ada, "named", bruno)
    with pytest.raises(Refused):
        offer(bruno, "named", clara, ada, seats=3)
    offer(clara, "named", ada)
    assert Challenge.objects.count() == 1


def test_neither_takes_a_seat_beside_the_other(people):
    ada, bruno, clara, daniel = people
    block(ada, bruno)
    for creator, guest in ((ada, bruno), (bruno, ada)):
        made = offer(creator, "open")
        with pytest.raises(NotInvited):
            accept(made, guest)
    several = offer(clara, "open", seats=3)
    accept(several, bruno)
    with pytest.raises(NotInvited):
        accept(several, ada)
    accept(several, daniel)
    assert Match.objects.count() == 1


def test_a_block_after_the_invitation_counts(people):
    ada, bruno, *_ = people
    made = offer(ada, "named", bruno)
    block(bruno, ada)
    with pytest.raises(NotInvited):
        accept(made, bruno)


def test_open_challenges_are_hidden_from_both(client, people):
    ada, bruno, clara, _ = people
    made = [offer(person, "open").pk for person in (ada, bruno, clara)]
    block(ada, bruno)
    for reader, hidden in ((ada, made[1]), (bruno, made[0])):
        client.force_login(reader)
        page = client.get(reverse("lobby")).content.decode()
        assert f'"/challenges/{hidden}/"' not in page
        assert f'"/challenges/{made[2]}/"' in page
    client.logout()
    page = client.get(reverse("lobby")).content.decode()
    assert all(f'"/challenges/{pk}/"' in page for pk in made)


def test_matches_under_way_go_on_and_have_no_rematch(play, people):
    block(people[0], people[1])
    play.move(0, "1")
    play.move(1, "1")
    play.act(resign, 1)
    with pytest.raises(Refused):
        services.rematch(match=play.match, user=people[1], now=NOW)


def test_a_block_is_made_and_taken_away_on_pages(client, ada, people):
    assert "You have not blocked anybody." in client.get("/account/people/").content.decode()
    assert ">Block</button>" in client.get("/players/bruno/").content.decode()
    for _ in range(2):
        page = client.post("/account/blocks/bruno/", follow=True).content.decode()
        assert "You have blocked bruno." in page
    assert Block.objects.get().blocked == people[1]
    page = client.get("/players/bruno/").content.decode()
    assert ">Unblock</button>" in page
    assert "challenge/?player=bruno" not in page
    client.post("/account/blocks/bruno/", {"unblock": "1"})
    assert not Block.objects.exists()


def test_who_is_blocked_sees_nothing_of_it(client, ada, people):
    block(people[1], ada)
    page = client.get("/players/bruno/").content.decode()
    assert ">Block</button>" in page
    assert "challenge/?player=bruno" in page
    assert "bruno" not in client.get("/account/people/").content.decode()


@pytest.mark.parametrize("name", ["ada", "nobody", "bot-casual", "%00", "no%2Fbody"])
def test_there_are_people_whom_nobody_blocks(client, ada, name):
    User.objects.create(username="bot-casual", is_bot=True)
    assert client.post(f"/account/blocks/{name}/").status_code == 404
    assert not Block.objects.exists()


def test_signing_in_comes_first_and_reading_changes_nothing(client, ada):
    assert client.get("/account/blocks/bruno/").status_code == 405
    client.logout()
    for answer in (client.get("/account/blocks/"), client.post("/account/blocks/bruno/")):
        assert answer.url.startswith(reverse("account_login"))
    assert not Block.objects.exists()
