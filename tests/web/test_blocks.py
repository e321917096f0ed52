"""Blocks: what they prevent, and that they notify nobody."""

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts import blocks
from accounts.models import Block, Notification, User
from games.ladders import services as ladders
from games.lobby import follows, selectors, services
from games.lobby.errors import ChallengeClosed, NotInvited
from games.lobby.models import Challenge, Invitation
from games.matches.errors import Refused
from games.matches.models import Match
from games.matches.services import resign
from tests.fixtures import NOW

pytestmark = pytest.mark.usefixtures("toy")

APART = "You cannot take a seat with these players."


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


@pytest.mark.parametrize("by", [0, 1])
def test_a_block_ends_a_challenge_between_the_two(client, people, by):
    ada, bruno, *_ = people
    made = offer(ada, "named", bruno)
    user, other = people[by], people[1 - by]
    client.force_login(user)
    client.post(f"/account/blocks/{other.username}/")
    made.refresh_from_db()
    assert made.status == ["withdrawn", "declined"][by]
    with pytest.raises(ChallengeClosed):
        accept(made, bruno)
    client.force_login(bruno)
    assert "challenges you" not in client.get(reverse("notifications")).content.decode()
    for address in ("home", "my-matches", "lobby"):
        page = client.get(reverse(address)).content.decode()
        assert made.get_absolute_url() not in page


def test_a_block_ends_a_rematch_that_is_asked_for(client, play, people):
    play.act(resign, 0)
    asked = services.rematch(match=play.match, user=people[0], now=timezone.now())
    block(people[1], people[0])
    asked.refresh_from_db()
    assert not asked.is_pending
    for user, words in (
        (people[0], "bruno takes no challenges from you."),
        (people[1], "You have blocked ada."),
    ):
        client.force_login(user)
        page = client.get(play.match.get_absolute_url()).content.decode()
        assert f"No rematch now. {words}" in page
        assert "/rematch/" not in page


def test_a_block_ends_a_challenge_to_three_in_which_both_are(people):
    ada, bruno, clara, _ = people
    made = offer(clara, "named", ada, bruno, seats=3)
    accept(made, bruno)
    block(ada, bruno)
    made.refresh_from_db()
    assert made.status == "declined"


def test_a_block_frees_a_seat_of_an_open_challenge(people):
    ada, bruno, clara, daniel = people
    made = offer(clara, "open", seats=3)
    accept(made, ada)
    block(clara, ada)
    assert services.refusal(selectors.get(made.pk), ada, NOW) == APART
    own = offer(daniel, "open", seats=4)
    for user in (ada, bruno):
        accept(own, user)
    block(ada, bruno)
    assert [seat.user for seat in selectors.taken(selectors.get(own.pk))] == [daniel, bruno]
    for challenge in (made, own):
        challenge.refresh_from_db()
        assert challenge.is_open
    assert not Notification.objects.filter(kind="challenge-declined", recipient=clara).exists()


def test_a_block_ends_what_waits_for_the_dice(people):
    ada, bruno, *_ = people
    made = offer(ada, "open")
    services.change(made.pk, lambda challenge: _reveal(challenge, bruno), now=timezone.now())
    block(ada, bruno)
    made.refresh_from_db()
    assert made.status == "withdrawn"


def _reveal(challenge, user):
    Invitation.objects.create(challenge=challenge, user=user, state=Invitation.State.TAKEN)
    challenge.status = Challenge.Status.REVEALING


def test_a_block_leaves_other_challenges_alone(people):
    ada, bruno, clara, _ = people
    others = [offer(ada, "named", clara), offer(bruno, "open"), offer(clara, "named", bruno)]
    block(ada, bruno)
    for challenge in others:
        challenge.refresh_from_db()
        assert challenge.is_open


def test_on_a_ladder_a_block_declines(people, django_capture_on_commit_callbacks):
    ada, bruno, *_ = people
    for user in (bruno, ada):
        ladders.join(user=user, title="heap", now=NOW)
    one = ladders.challenge(user=ada, other=bruno, title="heap", now=timezone.now())
    with django_capture_on_commit_callbacks(execute=True):
        block(bruno, ada)
    one.refresh_from_db()
    assert one.outcome == "forfeited", "the place can't be kept by a block"


def test_a_challenge_is_hidden_whose_seats_somebody_blocked_has_taken(client, people):
    ada, bruno, clara, daniel = people
    made = offer(clara, "open", seats=3)
    accept(made, bruno)
    block(ada, bruno)
    row = f'<a class="btn btn-small" href="{made.get_absolute_url()}">View'
    for reader, expected in ((ada, False), (daniel, True)):
        client.force_login(reader)
        for address in ("home", "lobby"):
            assert (row in client.get(reverse(address)).content.decode()) == expected
    client.force_login(ada)
    listed = client.get("/api/v1/challenges/").json()["items"]
    assert listed == []
    page = client.get(made.get_absolute_url()).content.decode()
    assert APART in page
    assert 'disabled aria-describedby="refusal"' in page


def test_a_followed_players_challenge_is_not_listed_after_a_block(client, people):
    ada, bruno, *_ = people
    follows.follow(user=ada, other=bruno, now=NOW)
    offer(bruno, "open")
    client.force_login(ada)
    assert "has posted" in client.get(reverse("notifications")).content.decode()
    block(bruno, ada)
    assert "has posted" not in client.get(reverse("notifications")).content.decode()


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
