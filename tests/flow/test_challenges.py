"""Challenges: who may make, see, accept, decline and withdraw them, and how a match begins."""

from datetime import timedelta

import pytest

from accounts.models import Notification
from games.kernel.dice import commitment, match_key
from games.kernel.errors import BadParams, UnknownTitle
from games.lobby import selectors, services
from games.lobby.errors import ChallengeClosed, NoSuchChallenge, NotInvited
from games.lobby.models import Challenge, Invitation
from games.matches.clock import PRESETS, Clock
from games.matches.errors import NotAPlayer, Refused
from games.matches.models import Match
from games.matches.selectors import snapshot
from tests.fixtures import NOW

DAY = timedelta(days=1)
pytestmark = pytest.mark.usefixtures("toy")


@pytest.fixture
def offer(people):
    """Offer a match: ``offer(audience="open", seats=2, …)``, by ada unless said otherwise."""

    def _offer(audience="open", **kwargs):
        kwargs = {
            "creator": people[0],
            "title": "heap",
            "params": {},
            "clock": PRESETS["standard"],
            "seats": 2,
            "audience": Challenge.Audience(audience),
            "now": NOW,
            **kwargs,
        }
        return services.challenge(**kwargs)

    return _offer


def accept(challenge, user, **kwargs):
    return services.accept(challenge_id=challenge.pk, user=user, now=NOW + DAY, **kwargs)


def test_a_challenge_completes_its_parameters(offer):
    challenge = offer(params={"heap": 20})
    assert challenge.params == {"heap": 20, "free": False}
    assert challenge.time_control == PRESETS["standard"]
    assert challenge.expires == NOW + services.CHALLENGE_LIFETIME


@pytest.mark.parametrize(
    ("kwargs", "error"),
    [
        ({"params": {"heap": 0}}, BadParams),
        ({"params": {"unheard": 1}}, BadParams),
        ({"seats": 1}, BadParams),
        ({"seats": 5}, BadParams),
        ({"title": "ludo"}, UnknownTitle),
        ({"lifetime": timedelta()}, Refused),
        ({"lifetime": timedelta(days=61)}, Refused),
    ],
)
def test_what_cannot_be_offered(offer, kwargs, error):
    with pytest.raises(error):
        offer(**kwargs)
    assert not Challenge.objects.exists()


def test_the_people_named_must_fit_the_seats(offer, people):
    ada, bruno, clara, _ = people
    for invited in ([], [bruno, clara], [ada]):
        with pytest.raises(Refused):
            offer("named", invited=invited)
    with pytest.raises(Refused):
        offer("named", seats=3, invited=[bruno, bruno])
    with pytest.raises(Refused):
        offer("open", invited=[bruno])
    assert not Challenge.objects.exists()


def test_nobody_floods_the_lobby(offer):
    for _ in range(services.MAX_OPEN):
        offer()
    with pytest.raises(Refused, match="withdraw one"):
        offer()


def test_the_last_seat_starts_the_match(offer, people):
    challenge = offer(seats=3)
    accept(challenge, people[1])
    assert not Match.objects.exists()
    done = accept(challenge, people[2])
    assert done.status == "started"
    match = Match.objects.get()
    assert done.match == match
    assert {player.user for player in snapshot(match.pk).players} == set(people[:3])
    assert match.created == NOW + DAY


def test_the_dice_are_committed_before_anyone_accepts(offer, people):
    challenge = offer()
    committed = commitment(bytes(challenge.secret))
    accept(challenge, people[1], nonce=b"n" * 32)
    at = snapshot(Match.objects.get().pk)
    assert commitment(bytes(at.match.secret)) == committed
    assert sorted(bytes(p.nonce) for p in at.players if p.user == people[1]) == [b"n" * 32]
    key = match_key(bytes(at.match.secret), [bytes(p.nonce) for p in at.players])
    assert at.dice()._key == key


@pytest.mark.parametrize(("seating", "first"), [("first", "ada"), ("last", "bruno")])
def test_who_begins(offer, people, seating, first):
    challenge = offer(seating=Challenge.Seating(seating))
    match = accept(challenge, people[1]).match
    assert snapshot(match.pk).players[0].user.username == first


@pytest.mark.slow
def test_random_seating_is_random(offer, people):
    firsts = set()
    for _ in range(30):
        match = accept(offer(), people[1]).match
        firsts.add(snapshot(match.pk).players[0].user.username)
    assert firsts == {"ada", "bruno"}


def test_accepting_twice_is_harmless(offer, people):
    challenge = offer()
    first = accept(challenge, people[1])
    assert accept(challenge, people[1]).match == first.match
    assert Match.objects.count() == 1
    waiting = offer(seats=3)
    accept(waiting, people[1])
    accept(waiting, people[1])
    assert Invitation.objects.filter(challenge=waiting, state="taken").count() == 2


def test_one_does_not_play_oneself(offer, people):
    challenge = offer()
    assert accept(challenge, people[0]).status == "open"
    assert not Match.objects.exists()


def test_a_started_challenge_takes_nobody_else(offer, people):
    challenge = offer()
    accept(challenge, people[1])
    with pytest.raises(ChallengeClosed, match="started"):
        accept(challenge, people[2])


def test_a_named_challenge_is_for_those_named(offer, people):
    ada, bruno, clara, _ = people
    challenge = offer("named", invited=[bruno])
    assert Notification.objects.get().recipient == bruno
    with pytest.raises(NotInvited):
        accept(challenge, clara)
    for stranger in (clara, None):
        with pytest.raises(NoSuchChallenge):
            selectors.get_for(challenge.pk, stranger)
    assert selectors.get_for(challenge.pk, ada) == selectors.get_for(challenge.pk, bruno)
    assert [list(selectors.received(u)) for u in (ada, bruno, clara)] == [[], [challenge], []]
    assert [selectors.first_received(u, 4) for u in (ada, bruno)] == [[], [challenge]]
    accept(challenge, bruno)
    assert Match.objects.exists()


def test_a_challenge_by_link_is_for_those_who_have_it(offer, people):
    challenge = offer("link")
    with pytest.raises(NotInvited):
        accept(challenge, people[1])
    with pytest.raises(NotInvited):
        accept(challenge, people[1], token="x" * 43)
    with pytest.raises(NoSuchChallenge):
        selectors.get_for(challenge.pk, people[1], "")
    assert selectors.get_for(challenge.pk, None, challenge.token) == challenge
    assert not selectors.open_to_all().exists()
    accept(challenge, people[1], token=challenge.token)
    assert Match.objects.exists()


def test_a_token_opens_no_named_challenge(offer, people):
    challenge = offer("named", invited=[people[1]])
    with pytest.raises(NotInvited):
        accept(challenge, people[2], token=challenge.token)


def test_declining_ends_a_named_challenge(offer, people):
    challenge = offer("named", invited=[people[1]])
    services.decline(challenge_id=challenge.pk, user=people[1], reason="No time.", now=NOW)
    challenge.refresh_from_db()
    assert challenge.status == "declined"
    assert Invitation.objects.get(user=people[1]).reason == "No time."
    assert Notification.objects.get(kind="challenge-declined").recipient == people[0]
    with pytest.raises(ChallengeClosed):
        accept(challenge, people[1])


def test_a_seat_is_given_back_while_others_are_awaited(offer, people):
    challenge = offer(seats=3)
    accept(challenge, people[1])
    services.decline(challenge_id=challenge.pk, user=people[1], now=NOW)
    challenge.refresh_from_db()
    assert challenge.is_open
    with pytest.raises(Refused, match="already"):
        services.decline(challenge_id=challenge.pk, user=people[1], now=NOW)
    accept(challenge, people[1])
    assert accept(challenge, people[2]).status == "started"


@pytest.mark.parametrize("seat", [0, 2])
def test_only_who_was_invited_declines(offer, people, seat):
    challenge = offer("named", invited=[people[1]])
    with pytest.raises(NotInvited):
        services.decline(challenge_id=challenge.pk, user=people[seat], now=NOW)


def test_withdrawing(offer, people):
    challenge = offer()
    with pytest.raises(Refused, match="creator"):
        services.withdraw(challenge_id=challenge.pk, user=people[1], now=NOW)
    services.withdraw(challenge_id=challenge.pk, user=people[0], now=NOW)
    with pytest.raises(ChallengeClosed, match="withdrawn"):
        accept(challenge, people[1])
    with pytest.raises(ChallengeClosed):
        services.withdraw(challenge_id=challenge.pk, user=people[0], now=NOW)


def test_an_expired_challenge_is_refused_before_it_is_swept(offer, people):
    challenge = offer(lifetime=timedelta(hours=1))
    with pytest.raises(ChallengeClosed, match="expired"):
        accept(challenge, people[1])
    assert services.expire(now=NOW + DAY) == 1
    assert services.expire(now=NOW + DAY) == 0
    challenge.refresh_from_db()
    assert challenge.status == "expired"


def test_a_refusal_changes_nothing(offer, people):
    challenge = offer("named", invited=[people[1]])
    before = Challenge.objects.values().get(), list(Invitation.objects.values())
    with pytest.raises(NotInvited):
        accept(challenge, people[2])
    assert (Challenge.objects.values().get(), list(Invitation.objects.values())) == before


def test_an_unknown_challenge(people):
    with pytest.raises(NoSuchChallenge):
        services.withdraw(challenge_id=77, user=people[0], now=NOW)


# --- Rematch ----------------------------------------------------------------------------------


@pytest.fixture
def ended(start):
    play = start(heap=3, clock=Clock.per_move(2))
    play.move(0, "3")
    return play


def test_a_rematch_turns_the_seats_round(ended, people):
    asked = services.rematch(match=ended.match, user=people[0], now=NOW)
    assert asked.time_control == Clock.per_move(2)
    assert asked.params == {"heap": 3, "free": False}
    again = services.rematch(match=ended.match, user=people[1], now=NOW)
    assert again.pk == asked.pk
    assert [p.user.username for p in snapshot(again.match_id).players] == ["bruno", "ada"]


def test_asking_twice_is_asking_once(ended, people):
    first = services.rematch(match=ended.match, user=people[0], now=NOW)
    assert services.rematch(match=ended.match, user=people[0], now=NOW) == first
    assert first.status == "open"


def test_a_rematch_that_has_begun_is_not_begun_again(ended, people):
    for user in people[:2]:
        begun = services.rematch(match=ended.match, user=user, now=NOW)
    for user in people[:2]:
        assert services.rematch(match=ended.match, user=user, now=NOW) == begun
    assert Challenge.objects.count() == 1


def test_a_rematch_that_begins_meanwhile_is_not_begun_again(ended, people, monkeypatch):
    for user in people[:2]:
        begun = services.rematch(match=ended.match, user=user, now=NOW)
    read = services.selectors.lasting_rematch_of
    answers = iter([None])
    monkeypatch.setattr(
        services.selectors, "lasting_rematch_of", lambda match: next(answers, read(match))
    )
    assert services.rematch(match=ended.match, user=people[0], now=NOW) == begun
    assert Challenge.objects.count() == 1


def test_a_rematch_comes_after_the_end_and_is_for_the_players(play, ended, people):
    with pytest.raises(Refused, match="after the end"):
        services.rematch(match=play.match, user=people[0], now=NOW)
    with pytest.raises(NotAPlayer):
        services.rematch(match=ended.match, user=people[2], now=NOW)


def test_an_acceptance_is_told_until_the_match_starts(offer, people):
    challenge = offer(seats=3)
    accept(challenge, people[1])
    told = Notification.objects.get()
    assert (told.kind, told.recipient) == ("challenge-accepted", people[0])
    accept(challenge, people[2])
    started = Notification.objects.exclude(pk=told.pk)
    assert {notification.kind for notification in started} == {"match-started"}
    assert {notification.recipient for notification in started} == {people[0], people[1]}
