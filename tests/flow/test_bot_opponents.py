"""Bots as company: they take seats that nobody else takes, and play again at another level."""

from datetime import timedelta
from uuid import uuid4

import pytest

from games.bots import services, users
from games.bots.levels import LEVELS, named
from games.lobby import services as lobby
from games.lobby.models import Challenge
from games.matches import services as matches
from games.matches.clock import PRESETS
from games.matches.errors import Refused
from tests.fixtures import NOW

CASUAL = LEVELS[1]
HOUR = timedelta(hours=1)


@pytest.fixture(autouse=True)
def _bots_wait(toy, monkeypatch):
    """Bots take their seats and do not move."""
    monkeypatch.setattr("games.bots.tasks.think.apply_async", lambda **_: None)


def open_to_bots(creator, **terms):
    return lobby.challenge(
        creator=creator,
        title="heap",
        params={},
        clock=PRESETS["standard"],
        audience=Challenge.Audience.OPEN,
        bot_level="strong",
        now=NOW,
        **{"seats": 2, "bots_from": NOW + HOUR, **terms},
    )


def test_bots_take_open_seats_after_the_wait_that_was_wanted(people):
    made = open_to_bots(people[0], seats=3)
    never = open_to_bots(people[1], bots_from=None)
    services.take_open_seats(now=NOW + HOUR - timedelta(seconds=1))
    made.refresh_from_db()
    assert made.is_open
    for _ in range(2):
        services.take_open_seats(now=NOW + HOUR)
    made.refresh_from_db()
    names = {player.user.username for player in made.match.players.all()}
    assert names == {"ada", "bot-strong", "bot-strong-2"}
    never.refresh_from_db()
    assert never.is_open


def test_a_run_that_was_cut_short_is_gone_on_with(people):
    made = open_to_bots(people[0], seats=3)
    lobby.accept(challenge_id=made.pk, user=users.user_of(named("strong"), 1), now=NOW)
    services.take_open_seats(now=NOW + HOUR)
    made.refresh_from_db()
    names = {player.user.username for player in made.match.players.all()}
    assert names == {"ada", "bot-strong", "bot-strong-2"}


def test_a_person_who_came_first_keeps_the_seat(people):
    made = open_to_bots(people[0])
    lobby.accept(challenge_id=made.pk, user=people[1], now=NOW)
    services.take_open_seats(now=NOW + HOUR)
    made.refresh_from_db()
    assert not made.match.players.filter(is_bot=True).exists()


def test_one_challenge_that_cannot_be_filled_stops_no_other(people, monkeypatch):
    first, second = open_to_bots(people[0]), open_to_bots(people[1])
    accept = lobby.accept

    def fail(*, challenge_id, **given):
        if challenge_id == first.pk:
            raise RuntimeError
        return accept(challenge_id=challenge_id, **given)

    monkeypatch.setattr(lobby, "accept", fail)
    services.take_open_seats(now=NOW + HOUR)
    second.refresh_from_db()
    assert second.match_id


@pytest.mark.parametrize(("loser", "next_bot"), [(0, "bot-beginner"), (1, "bot-strong")])
def test_the_next_level_is_lower_after_a_loss_and_higher_after_a_win(people, loser, next_bot):
    match = services.play(
        user=people[0], title="heap", level=CASUAL, params={"heap": 7}, seats=2, now=NOW
    )
    with pytest.raises(Refused):
        services.play_next_level(match=match, user=people[0], now=NOW)
    users = [people[0], match.players.get(is_bot=True).user]
    matches.resign(
        match_id=match.pk, user=users[loser], version=match.version, submission=uuid4(), now=NOW
    )
    match.refresh_from_db()
    with pytest.raises(Refused):
        services.play_next_level(match=match, user=people[1], now=NOW)
    again = services.play_next_level(match=match, user=people[0], now=NOW)
    names = [player.user.username for player in again.players.order_by("seat")]
    assert names == [next_bot, "ada"], "the seats the other way round"
    assert again.params["heap"] == 7


def test_above_the_highest_level_and_after_a_draw_there_is_none(people):
    match = services.play(
        user=people[0], title="heap", level=LEVELS[-1], params={}, seats=2, now=NOW
    )
    own, bot = sorted(match.players.all(), key=lambda player: player.is_bot)
    own.rank, bot.rank = 1, 2
    assert services.next_level(own, [bot]) is None
    own.rank = bot.rank = 1
    assert services.next_level(own, [bot]) is None
    assert services.next_level(own, []) is None
