"""Strict dice: commitments first, then nonces, then the match; and what stops it."""

import hashlib
from datetime import timedelta

import pytest

from accounts.models import Notification
from games.kernel.dice import commitment, match_key
from games.lobby import commitments, reveals, selectors, services
from games.lobby.errors import ChallengeClosed, NotInvited
from games.lobby.models import Challenge, Invitation
from games.lobby.reveals import WrongNonce
from games.matches import services as match_services
from games.matches.errors import Refused
from games.matches.models import Match
from games.matches.selectors import snapshot
from tests.fixtures import NOW, Play

pytestmark = [pytest.mark.usefixtures("toy"), pytest.mark.slow]

NONCES = {name: name.encode().ljust(32, b".") for name in ("ada", "bruno", "clara", "daniel")}
LATER = NOW + timedelta(hours=1)


def commitment_of(user):
    return hashlib.sha256(NONCES[user.username]).hexdigest()


@pytest.fixture
def offer(people):
    def _offer(audience="open", **kwargs):
        given = {
            "creator": people[0],
            "title": "heap",
            "params": {},
            "clock": None,
            "seats": 2,
            "audience": Challenge.Audience(audience),
            "now": NOW,
            "strict_dice": True,
            "pending": commitments.make(people[0]),
            "nonce_commitment": commitment_of(people[0]),
            **kwargs,
        }
        return services.challenge(**given)

    return _offer


def accept(challenge, user, **kwargs):
    given = {"nonce_commitment": commitment_of(user), **kwargs}
    return services.accept(challenge_id=challenge.pk, user=user, now=LATER, **given)


def reveal(challenge, user, nonce=None, now=LATER):
    nonce = NONCES[user.username] if nonce is None else nonce
    return services.reveal(challenge_id=challenge.pk, user=user, nonce=nonce, now=now)


def full(offer, people, seats=2, **kwargs):
    challenge = offer(seats=seats, **kwargs)
    for user in people[1:seats]:
        accept(challenge, user)
    challenge.refresh_from_db()
    return challenge


def test_the_match_starts_when_the_last_nonce_is_revealed(offer, people):
    challenge = full(offer, people, 3)
    assert challenge.is_revealing
    assert not challenge.is_open
    assert challenge.expires == LATER + reveals.REVEAL_PERIOD
    seating = list(challenge.invitations.order_by("seat").values_list("seat", "user__username"))
    assert [seat for seat, _ in seating] == [0, 1, 2]
    for user in (people[1], people[0]):
        assert reveal(challenge, user).is_revealing
        assert not Match.objects.exists()
    match = reveal(challenge, people[2]).match
    assert match.strict_dice
    players = snapshot(match.pk).players
    assert [(p.seat, p.user.username) for p in players] == seating
    for player in players:
        assert player.nonce == NONCES[player.user.username]
        assert player.nonce_is_own
        assert player.nonce_commitment == commitment(player.nonce).hex()
    key = match_key(match.secret, [NONCES[name] for _, name in seating])
    assert snapshot(match.pk).dice()._key == key
    assert match.commitment == challenge.commitment


def test_no_nonce_is_known_before_all_have_committed(offer, people):
    challenge = offer(seats=3)
    accept(challenge, people[1])
    assert {bytes(place.nonce) for place in Invitation.objects.all()} == {b""}
    with pytest.raises(Refused, match="all seats are taken"):
        reveal(challenge, people[0])
    assert {bytes(place.nonce) for place in Invitation.objects.all()} == {b""}


def test_a_nonce_that_is_sent_along_is_not_kept(offer, people):
    challenge = offer()
    accept(challenge, people[1], nonce=b"n" * 32)
    assert {bytes(place.nonce) for place in Invitation.objects.all()} == {b""}


def test_the_creators_commitment_follows_the_servers(offer, people):
    with pytest.raises(Refused, match="before it"):
        offer(pending=None)


@pytest.mark.parametrize("bad", ["", "zz" * 32, "ab" * 31, "AB" * 32, "ab" * 33])
def test_who_commits_to_nothing_gets_no_seat(offer, people, bad):
    """Bots, programs and browsers without script."""
    with pytest.raises(Refused, match="turn JavaScript on"):
        offer(nonce_commitment=bad)
    challenge = offer()
    with pytest.raises(Refused, match="turn JavaScript on"):
        accept(challenge, people[1], nonce_commitment=bad)
    assert Invitation.objects.count() == 1


def test_nobody_copies_the_commitment_of_another(offer, people):
    challenge = offer()
    with pytest.raises(Refused, match="same commitment"):
        accept(challenge, people[1], nonce_commitment=commitment_of(people[0]))


def test_a_game_without_dice_has_no_strict_ones(people, monkeypatch):
    monkeypatch.undo()
    with pytest.raises(Refused, match="has no dice"):
        services.challenge(
            creator=people[0],
            title="die",
            params={},
            clock=None,
            seats=2,
            audience=Challenge.Audience.OPEN,
            now=NOW,
            strict_dice=True,
            pending=commitments.make(people[0]),
            nonce_commitment=commitment_of(people[0]),
        )


@pytest.mark.parametrize("nonce", [b"", b"n" * 32, NONCES["ada"][:31], NONCES["bruno"]])
def test_another_nonce_than_the_one_committed_to_is_refused(offer, people, nonce):
    challenge = full(offer, people)
    with pytest.raises(WrongNonce, match="committed to"):
        reveal(challenge, people[0], nonce)
    assert not challenge.invitations.get(user=people[0]).has_revealed


def test_a_short_nonce_is_refused_even_where_it_was_committed_to(offer, people):
    challenge = offer()
    accept(challenge, people[1], nonce_commitment=commitment(b"short").hex())
    with pytest.raises(WrongNonce):
        reveal(challenge, people[1], b"short")


def test_revealing_twice_is_harmless(offer, people):
    challenge = full(offer, people)
    reveal(challenge, people[0])
    assert reveal(challenge, people[0]).is_revealing
    match = reveal(challenge, people[1]).match
    assert reveal(challenge, people[1]).match == match
    assert Match.objects.count() == 1


def test_strangers_have_nothing_to_reveal(offer, people):
    challenge = full(offer, people)
    with pytest.raises(NotInvited):
        reveal(challenge, people[2])


def test_nobody_sits_down_while_nonces_are_revealed(offer, people):
    challenge = full(offer, people)
    with pytest.raises(ChallengeClosed, match="waiting for the dice"):
        accept(challenge, people[2])
    assert accept(challenge, people[1]).is_revealing, "accepting twice is harmless"


def test_a_nonce_that_never_comes_ends_the_challenge(offer, people):
    challenge = full(offer, people)
    reveal(challenge, people[1])
    late = LATER + reveals.REVEAL_PERIOD
    assert services.expire(now=late - timedelta(seconds=1)) == 0
    with pytest.raises(ChallengeClosed, match="expired"):
        reveal(challenge, people[0], now=late)
    assert services.expire(now=late) == 1
    challenge.refresh_from_db()
    assert challenge.status == "expired"
    assert not Match.objects.exists()
    told = Notification.objects.filter(kind="reveal-missed")
    assert {notification.recipient for notification in told} == set(people[:2])
    assert {notification.payload["user"] for notification in told} == {people[0].pk}
    with pytest.raises(ChallengeClosed):
        reveal(challenge, people[0], now=late)


def test_who_sat_down_before_is_asked_for_the_nonce(offer, people):
    challenge = full(offer, people, 3)
    told = Notification.objects.filter(kind="reveal-due")
    assert {notification.recipient for notification in told} == set(people[:2])
    assert [list(selectors.awaiting_nonce(user)) for user in people] == [[challenge]] * 3 + [[]]
    reveal(challenge, people[0])
    assert not selectors.awaiting_nonce(people[0])


def test_a_player_who_leaves_then_ends_the_challenge(offer, people):
    challenge = full(offer, people)
    services.decline(challenge_id=challenge.pk, user=people[1], now=LATER)
    challenge.refresh_from_db()
    assert challenge.status == "declined"
    with pytest.raises(ChallengeClosed):
        reveal(challenge, people[0])


def test_the_creator_can_still_withdraw(offer, people):
    challenge = full(offer, people)
    services.withdraw(challenge_id=challenge.pk, user=people[0], now=LATER)
    challenge.refresh_from_db()
    assert challenge.status == "withdrawn"


def test_a_seat_that_is_given_back_takes_another_commitment(offer, people):
    challenge = offer(seats=3)
    accept(challenge, people[1])
    services.decline(challenge_id=challenge.pk, user=people[1], now=LATER)
    accept(challenge, people[1], nonce_commitment=commitment(b"z" * 32).hex())
    accept(challenge, people[2])
    with pytest.raises(WrongNonce):
        reveal(challenge, people[1])
    reveal(challenge, people[1], b"z" * 32)


# --- Rematch ------------------------------------------------------------------------------------


@pytest.fixture
def ended(offer, people):
    challenge = full(offer, people, seating=Challenge.Seating.FIRST)
    for user in people[:2]:
        found = reveal(challenge, user)
    play = Play(found.match, people)
    play.act(match_services.resign, 0)
    return play


def rematch(ended, user, pending=None):
    return services.rematch(
        match=ended.match,
        user=user,
        pending=pending,
        nonce_commitment=commitment_of(user),
        now=LATER,
    )


def test_a_rematch_is_as_strict(ended, people):
    asked = rematch(ended, people[0], commitments.make(people[0]))
    assert asked.strict_dice
    assert rematch(ended, people[1]).is_revealing
    assert rematch(ended, people[1]).pk == asked.pk, "asking twice is asking once"
    for user in people[:2]:
        found = reveal(asked, user)
    assert found.match.strict_dice


def test_who_saw_another_commitment_is_asked_again(ended, people):
    """Else the browser would not reveal, since the commitment is not the one it saw."""
    rematch(ended, people[0], commitments.make(people[0]))
    with pytest.raises(Refused, match="press again"):
        rematch(ended, people[1], commitments.make(people[1]))
    assert rematch(ended, people[1]).is_revealing


def test_one_challenge_that_cannot_be_closed_does_not_stop_the_rest(offer, people, monkeypatch):
    broken, sound = full(offer, people), full(offer, people)
    close = services._expire

    def fail(pk, now):
        if pk == broken.pk:
            raise RuntimeError("out of order")
        return close(pk, now)

    monkeypatch.setattr(services, "_expire", fail)
    sound.refresh_from_db()
    assert services.expire(now=sound.expires) == 1
    sound.refresh_from_db()
    assert sound.status == Challenge.Status.EXPIRED


def test_challenges_that_wait_for_nonces_count_as_open_ones(offer, people, monkeypatch):
    monkeypatch.setattr(services, "MAX_OPEN", 1)
    full(offer, people)
    with pytest.raises(Refused, match="open challenge already"):
        offer()
