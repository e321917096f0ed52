"""What a player's own stream tells of challenges and matches, event by event."""

import hashlib
from datetime import timedelta
from uuid import uuid4

import pytest
from django.utils import timezone

from accounts import tokens
from games.api.news import OwnNews, SignIn
from games.lobby import commitments, services
from games.lobby.models import Challenge
from games.matches import services as match_services
from games.matches.models import Match
from tests.match_driver import begin, fresh_cache

__all__ = ["fresh_cache"]

pytestmark = pytest.mark.django_db


@pytest.fixture
def stream():
    """Open the stream of a user; each ``take`` returns what is new."""

    def _stream(user, seed=None):
        token = tokens.make(user=user, name=str(uuid4()), scopes=["read"], now=timezone.now())
        return OwnNews(SignIn(user, tokens.find(token, now=timezone.now()), None), user, seed)

    return _stream


@pytest.fixture
def offer(people):
    """Make a challenge by ada."""

    def _offer(audience="open", **fields):
        given = {
            "creator": people[0],
            "title": "die",
            "params": {},
            "clock": None,
            "seats": 2,
            "audience": Challenge.Audience(audience),
            "now": timezone.now(),
            **fields,
        }
        return services.challenge(**given)

    return _offer


def act(service, challenge, user, **fields):
    now = fields.pop("now", None) or timezone.now()
    return service(challenge_id=challenge.pk, user=user, now=now, **fields)


def nonce_of(user):
    return user.username.encode().ljust(32, b".")


def commitment_of(user):
    return hashlib.sha256(nonce_of(user)).hexdigest()


def told(news):
    """The events of challenges and matches: type, challenge's id, match's id, who answered."""
    found = []
    for event in news.take():
        challenge, match = event.get("challenge") or {}, event.get("match") or {}
        match_id = match.get("id") or challenge.get("match")
        found.append((event["type"], challenge.get("id"), match_id, event.get("by")))
    return found


def test_with_a_seed_each_turn_has_a_random_legal_move(people, stream):
    """A program that plays it needs one request for each move at most."""
    driver = begin("dice-is-health", people[:2], rounds=5)
    streams = [stream(user, "s") for user in people[:2]]
    clients = [driver.client(seat) for seat in (0, 1)]
    requests = 0
    while driver.match.is_running:
        seat = driver.turn
        turn = next(event for event in streams[seat].take() if event["type"] == "turn")
        path = f"/api/v1/matches/{driver.id}/"
        drawn = clients[seat].get(f"{path}random/", {"seed": "s"}).json()["move"]
        assert turn["random_move"] == drawn
        sent = {
            "moves": [turn["random_move"]],
            "version": turn["match"]["version"],
            "submission": str(uuid4()),
        }
        answer = clients[seat].post(f"{path}moves/", sent, "application/json")
        assert answer.status_code == 200, answer.json()
        requests += 1
        assert requests == driver.match.version
    assert requests > 10


def test_without_a_seed_nothing_is_drawn(people, stream):
    begin("die", people, size=3)
    turn, _ = stream(people[0]).take()
    assert "random_move" not in turn


def test_a_stream_begins_with_the_state_of_challenges_and_matches(people, offer, stream):
    ada, bruno, clara, _ = people
    own, named = offer(), offer("named", invited=[bruno])
    begun = begin("die", [ada, bruno], size=3)
    full = offer(creator=bruno)
    match = act(services.accept, full, ada).match
    closed = offer()
    act(services.withdraw, closed, ada)
    mine = {0: "turn", 1: "match"}
    seat = match.players.get(user=ada).seat
    assert told(stream(ada)) == [
        ("challenge-open", own.pk, None, None),
        ("challenge-open", named.pk, None, None),
        ("turn", None, begun.id, None),
        (mine[seat], full.pk, match.pk, None),
        ("ready", None, None, None),
    ]
    assert told(stream(bruno))[0] == ("challenge", named.pk, None, None)
    assert told(stream(clara)) == [("ready", None, None, None)]


def test_a_challenger_hears_who_accepts_and_that_the_match_started(people, offer, stream):
    ada, bruno, clara, _ = people
    news = stream(ada)
    assert told(news) == [("ready", None, None, None)]
    challenge = offer(title="dice-is-health", seats=3)
    assert told(news) == [("challenge-open", challenge.pk, None, None)]
    act(services.accept, challenge, bruno)
    assert told(news) == [("challenge-accepted", challenge.pk, None, "bruno")]
    match = act(services.accept, challenge, clara).match
    events = told(news)
    assert events[:2] == [
        ("challenge-accepted", challenge.pk, match.pk, "clara"),
        ("started", challenge.pk, match.pk, None),
    ]
    assert told(news) == []


def test_a_player_who_took_a_seat_hears_of_the_others(people, offer, stream):
    _, bruno, clara, _ = people
    challenge = offer(title="dice-is-health", seats=4)
    act(services.accept, challenge, bruno)
    news = stream(bruno)
    assert told(news)[0] == ("challenge-open", challenge.pk, None, None)
    act(services.accept, challenge, clara)
    assert told(news) == [("challenge-accepted", challenge.pk, None, "clara")]
    act(services.decline, challenge, clara)
    assert told(news) == [("challenge-declined", challenge.pk, None, "clara")]
    act(services.decline, challenge, bruno)
    assert told(news) == [("challenge-declined", challenge.pk, None, "bruno")]
    act(services.withdraw, challenge, challenge.creator)
    assert told(news) == []


def test_a_challenge_that_is_declined_is_told_once(people, offer, stream):
    ada, bruno, clara, _ = people
    challenge = offer("named", title="dice-is-health", seats=3, invited=[bruno, clara])
    creator, invited = stream(ada), stream(clara)
    told(creator)
    assert told(invited)[0] == ("challenge", challenge.pk, None, None)
    act(services.decline, challenge, bruno)
    declined = [("challenge-declined", challenge.pk, None, "bruno")]
    assert (told(creator), told(invited)) == (declined, declined)


@pytest.mark.parametrize("ending", ["withdrawn", "expired"])
def test_all_who_were_asked_hear_that_a_challenge_is_closed(ending, people, offer, stream):
    ada, bruno, *_ = people
    challenge = offer("named", invited=[bruno])
    creator, invited = stream(ada), stream(bruno)
    told(creator), told(invited)
    if ending == "withdrawn":
        act(services.withdraw, challenge, ada)
    else:
        services.expire(now=challenge.expires + timedelta(seconds=1))
    event = [(f"challenge-{ending}", challenge.pk, None, None)]
    assert (told(creator), told(invited)) == (event, event)


def test_strict_dice_wait_for_nonces_and_the_stream_says_so(people, offer, stream):
    ada, bruno, *_ = people
    challenge = offer(
        title="dice-is-health",
        strict_dice=True,
        pending=commitments.make(ada),
        nonce_commitment=commitment_of(ada),
    )
    news = stream(ada)
    told(news)
    act(services.accept, challenge, bruno, nonce_commitment=commitment_of(bruno))
    assert told(news) == [
        ("challenge-accepted", challenge.pk, None, "bruno"),
        ("challenge-revealing", challenge.pk, None, None),
    ]
    assert told(stream(bruno))[0] == ("challenge-revealing", challenge.pk, None, None)
    act(services.reveal, challenge, bruno, nonce=nonce_of(bruno))
    event, *_ = news.take()
    revealed = {one["name"]: one["has_revealed"] for one in event["challenge"]["invitations"]}
    assert event["type"] == "challenge-revealing"
    assert revealed == {"ada": False, "bruno": True}
    match = act(services.reveal, challenge, ada, nonce=nonce_of(ada)).match
    assert told(news)[0] == ("started", challenge.pk, match.pk, None)


def test_a_match_that_ends_before_the_stream_looks_is_told_whole(people, offer, stream):
    ada, bruno, *_ = people
    challenge = offer()
    news = stream(ada)
    told(news)
    match = act(services.accept, challenge, bruno).match
    match_services.resign(
        match_id=match.pk, user=bruno, version=0, submission=uuid4(), now=timezone.now()
    )
    assert told(news) == [
        ("challenge-accepted", challenge.pk, match.pk, "bruno"),
        ("started", challenge.pk, match.pk, None),
        ("ended", None, match.pk, None),
    ]
    assert told(news) == []


def test_a_match_is_not_told_before_its_challenge(people, offer, stream, monkeypatch):
    """The match may start between the two queries of a stream."""
    ada, bruno, *_ = people
    challenge = offer()
    news = stream(ada)
    told(news)
    match_events = news._match_events

    def started_meanwhile(begun):
        monkeypatch.undo()
        act(services.accept, challenge, bruno)
        return match_events(begun)

    monkeypatch.setattr(news, "_match_events", started_meanwhile)
    assert told(news) == []
    match = Match.objects.get()
    assert [event[:3] for event in told(news)][:2] == [
        ("challenge-accepted", challenge.pk, match.pk),
        ("started", challenge.pk, match.pk),
    ]


def test_the_challenge_of_a_guest_who_leaves_is_withdrawn(people, offer, stream):
    _, bruno, *_ = people
    challenge = offer(title="dice-is-health", seats=3)
    act(services.accept, challenge, bruno)
    news = stream(bruno)
    told(news)
    Challenge.objects.filter(pk=challenge.pk).delete()
    assert told(news) == [("challenge-withdrawn", challenge.pk, None, None)]
