"""Bots on the site: they sit down at once, move, answer, resign, and are asked again."""

import os
import subprocess
import sys
import threading
from datetime import timedelta

import pytest
from django.conf import settings
from django.utils import timezone

from accounts.models import Notification, User
from games.bots import services, tasks
from games.bots.levels import LEVELS, named
from games.bots.models import BotSeat
from games.bots.questions import Answer
from games.bots.thinker import BEAT, ThinkerFailed
from games.bots.users import level_of, user_of
from games.lobby import services as lobby
from games.lobby.models import Challenge
from games.matches import listing, selectors
from games.matches import services as matches
from games.matches.clock import PRESETS
from games.matches.errors import Refused
from games.matches.models import LogEntry, Match
from tests.concurrency import run_concurrently
from tests.fixtures import NOW, Play

CASUAL = LEVELS[1]
pytestmark = pytest.mark.usefixtures("toy")


class InProcess:
    """A thinker that answers at once, as the test wants; it keeps what it was asked."""

    def __init__(self):
        self.asked, self.answer = [], Answer("1", 0.5)

    def ask(self, question, *, beat):
        self.asked.append(question)
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


@pytest.fixture
def thinker(monkeypatch):
    found = InProcess()
    monkeypatch.setattr(services, "own_thinker", lambda: found)
    return found


@pytest.fixture
def begin(people):
    """Begin a match of ada against bots: ``begin(seats=2, level=CASUAL)``; she is first to move."""

    def _begin(seats=2, level=CASUAL, clock=None, heap=10):
        bots = [user_of(level, number) for number in range(1, seats)]
        made = lobby.challenge(
            creator=people[0],
            title="heap",
            params={"heap": heap},
            clock=clock,
            seats=seats,
            audience=Challenge.Audience.NAMED,
            invited=bots,
            seating=Challenge.Seating.FIRST,
            now=NOW,
        )
        for invitation in made.invitations.exclude(user=people[0]):
            services.answer_invitation(invitation.pk, now=NOW)
        match = Match.objects.get(challenge=made)
        return Play(match, [player.user for player in selectors.snapshot(match.pk).players])

    return _begin


def test_a_click_begins_a_match_with_a_bot_of_the_level(people):
    match = services.play(user=people[0], title="heap", level=CASUAL, params={}, seats=3, now=NOW)
    names = {player.user.username: player.is_bot for player in match.players.all()}
    assert names == {"ada": False, "bot-casual": True, "bot-casual-2": True}
    assert match.is_running
    assert match.clock is None


def test_a_bot_is_one_user_of_each_level(db):
    bots = [user_of(level) for level in LEVELS for _ in range(2)]
    assert len({bot.pk for bot in bots}) == len(LEVELS)
    assert all(bot.is_bot and not bot.email and not bot.has_usable_password() for bot in bots)
    assert [level_of(bot) for bot in bots[::2]] == list(LEVELS)
    assert level_of(user_of(CASUAL, 3)) == CASUAL


@pytest.mark.parametrize("name", ["bot-ada", "BOT_ada", "b0t-ada", "botexpert", "Bot-Strong"])
def test_nobody_else_is_called_like_a_bot(db, name):
    with pytest.raises(Exception, match="reserved for the site"):
        User(username=name, email="a@example.org").full_clean()


def test_a_bot_moves_when_it_is_its_turn(begin, thinker):
    play = begin()
    services.act(play.id, now=NOW)
    assert not thinker.asked
    play.move(0, "1")
    services.act(play.id, now=NOW)
    assert play.snapshot.actors == (0,)
    (question,) = thinker.asked
    assert question.level == CASUAL.number
    assert question.seed == BotSeat.objects.get().seed


def test_a_bot_is_told_its_own_view_and_nothing_else(begin, thinker):
    play = begin()
    play.move(0, "peek")
    play.move(0, "1")
    services.act(play.id, now=NOW)
    (question,) = thinker.asked
    assert question.seen.view["peeked"][0] == "??"
    assert question.seen.log[0] == {"type": "peek", "seat": 0}
    assert question.seen.log[1] == {"type": "take", "seat": 0, "count": 1}
    secret = play.match.secret.hex().encode()
    assert secret not in question.dump()
    assert question.seed.encode() not in secret


def test_asked_again_a_bot_answers_the_same(begin, thinker):
    play = begin()
    play.move(0, "1")
    thinker.answer = ThinkerFailed("gone")
    services.act(play.id, now=NOW)
    assert play.snapshot.actors == (1,)
    assert services.waiting(now=NOW) == [play.id]
    thinker.answer = Answer("1", 0.5)
    services.act(play.id, now=NOW)
    first, again = thinker.asked
    assert first == again
    assert play.snapshot.actors == (0,)
    assert services.waiting(now=NOW) == []


def test_one_thinker_at_a_time_is_asked_and_a_lost_one_is_replaced(begin, thinker):
    play = begin()
    play.move(0, "1")
    BotSeat.objects.create(player=play.player(1), asked=NOW)
    assert services.waiting(now=NOW) == []
    services.act(play.id, now=NOW)
    assert not thinker.asked
    later = NOW + services.LEASE + timedelta(seconds=1)
    assert services.waiting(now=later) == [play.id]
    services.act(play.id, now=later)
    assert play.snapshot.actors == (0,)


def test_a_thinker_that_works_for_long_keeps_its_match(begin, thinker, monkeypatch):
    play = begin()
    play.move(0, "1")
    lease, second = services.LEASE, timedelta(seconds=1)
    free = []

    def long_thought(question, *, beat):
        beat((10 * lease).total_seconds())
        free.extend(services.waiting(now=NOW + more) for more in (11 * lease, 11 * lease + second))
        return Answer("1", 0.5)

    monkeypatch.setattr(thinker, "ask", long_thought)
    services.act(play.id, now=NOW)
    assert free == [[], [play.id]]
    assert play.snapshot.actors == (0,)


def test_players_wait_less_than_half_a_minute_if_a_worker_is_killed():
    """The sweep finds out, and a bot takes some seconds; two signs of life may be lost."""
    sweep = settings.CELERY_BEAT_SCHEDULE["sweep-bots"]["schedule"]
    assert services.LEASE.total_seconds() + sweep <= 25
    assert services.LEASE.total_seconds() >= 3 * BEAT


def test_a_bot_has_no_clock_however_long_its_thinker_is_gone(begin, thinker):
    play = begin(clock=PRESETS["brisk"])
    play.move(0, "1")
    assert play.player(1).deadline is None
    assert matches.time_out(match_id=play.id, now=NOW + timedelta(days=99)) is None
    services.act(play.id, now=NOW + timedelta(days=99))
    assert play.snapshot.actors == (0,)
    assert play.player(0).deadline is not None


def test_a_move_that_comes_too_late_harms_nothing(begin, thinker, monkeypatch):
    play = begin()
    play.move(0, "1")

    def overtaken(question, *, beat):
        play.act(matches.resign, 0)
        return Answer("1", 0.5)

    monkeypatch.setattr(thinker, "ask", overtaken)
    services.act(play.id, now=NOW)
    assert play.kinds() == ["play", "resign"]
    assert BotSeat.objects.get().asked is None


@pytest.mark.parametrize(
    ("name", "seats", "kind"),
    [
        ("beginner", 2, LogEntry.Kind.PLAY),
        ("casual", 2, LogEntry.Kind.PLAY),
        ("strong", 2, LogEntry.Kind.RESIGN),
        ("expert", 2, LogEntry.Kind.RESIGN),
        ("expert", 3, LogEntry.Kind.PLAY),
    ],
)
def test_a_lost_bot_resigns_from_strong_on_in_a_match_of_two(begin, thinker, name, seats, kind):
    thinker.answer = Answer("1", 0.0)
    play = begin(seats, named(name))
    play.move(0, "1")
    services.act(play.id, now=NOW)
    assert play.kinds()[1] == kind


@pytest.mark.parametrize(("value", "is_over"), [(0.4, True), (0.6, False)])
def test_a_bot_takes_a_draw_that_is_no_worse_than_it_stands(begin, thinker, value, is_over):
    play, thinker.answer = begin(), Answer("", value)
    play.act(matches.offer_close, 0)
    assert services.waiting(now=NOW) == [play.id]
    services.act(play.id, now=NOW)
    assert play.match.is_running is not is_over
    assert services.waiting(now=NOW) == []


def test_a_move_may_be_taken_back_before_the_bot_has_answered(begin, thinker):
    play = begin()
    play.move(0, "1")
    play.act(matches.take_back, 0)
    services.act(play.id, now=NOW)
    assert not thinker.asked
    assert play.snapshot.actors == (0,)


@pytest.mark.slow
def test_nobody_has_more_than_so_many_matches_against_bots(people):
    wanted = {"user": people[0], "title": "heap", "level": CASUAL, "params": {}, "seats": 2}
    for _ in range(services.MAX_RUNNING):
        services.play(**wanted, now=NOW)
    with pytest.raises(Refused, match="matches against bots"):
        services.play(**wanted, now=NOW)
    services.play(**{**wanted, "user": people[1]}, now=NOW)
    made = invite(people[0], user_of(CASUAL))
    (invitation,) = made.invitations.filter(user__is_bot=True)
    services.answer_invitation(invitation.pk, now=NOW)
    invitation.refresh_from_db()
    assert (invitation.state, invitation.reason) == (
        "declined",
        services.FOR_TOO_MANY_MATCHES,
    )


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_two_tabs_do_not_begin_more_matches_than_one_may_have(people, monkeypatch):
    monkeypatch.setattr(services, "MAX_RUNNING", 1)
    line = threading.Barrier(2)

    def counted(user, too_many=services.too_many):
        """Wait until the other tab has counted the matches too."""
        found = too_many(user)
        line.wait(20)
        return found

    monkeypatch.setattr(services, "too_many", counted)

    def play():
        try:
            services.play(user=people[0], title="heap", level=CASUAL, params={}, seats=2, now=NOW)
        except Refused:
            return "refused"
        return "begun"

    assert sorted(run_concurrently(play, play)) == ["begun", "refused"]
    assert services.running(people[0]).count() == Challenge.objects.count() == 1


def invite(user, bot, now=NOW):
    return lobby.challenge(
        creator=user,
        title="heap",
        params={},
        clock=None,
        seats=2,
        audience=Challenge.Audience.NAMED,
        invited=[bot],
        now=now,
    )


def test_an_invited_bot_sits_down_as_soon_as_the_challenge_is_committed(
    people, django_capture_on_commit_callbacks, monkeypatch
):
    monkeypatch.setattr(tasks.bot_runs, "put", lambda _: None)
    with django_capture_on_commit_callbacks(execute=True):
        made = invite(people[0], user_of(CASUAL), timezone.now())
    made.refresh_from_db()
    assert made.status == Challenge.Status.STARTED


def test_every_change_of_a_match_with_a_bot_has_it_asked(
    begin, start, django_capture_on_commit_callbacks, monkeypatch
):
    put = []
    monkeypatch.setattr(tasks.bot_runs, "put", put.append)
    with_bot, without = begin(), start()
    with django_capture_on_commit_callbacks(execute=True):
        with_bot.move(0, "1")
        without.move(0, "1")
    assert put == [{with_bot.id: None}]


def test_the_sweep_has_waiting_bots_asked(begin, monkeypatch):
    play, sent = begin(), []
    play.move(0, "1")
    monkeypatch.setattr(tasks.think, "apply_async", lambda **kwargs: sent.append(kwargs["args"]))
    tasks.sweep_bots()
    assert sent == [(play.id,)]


def test_bots_are_never_notified(begin, thinker):
    play = begin()
    play.move(0, "1")
    services.act(play.id, now=NOW)
    play.act(matches.resign, 0)
    told = set(Notification.objects.values_list("recipient__username", flat=True))
    assert told == {"ada"}


def test_matches_against_bots_are_counted_apart(begin, play, people):
    against_bot = begin()
    against_bot.act(matches.resign, 0)
    play.act(matches.resign, 1)
    assert listing.results_by_title(people[0]) == [
        ("heap", False, 1, 0, 0),
        ("heap", True, 0, 0, 1),
    ]
    assert listing.results_by_title(user_of(CASUAL)) == [("heap", False, 1, 0, 0)]


def test_the_process_that_thinks_needs_no_settings():
    without = {name: value for name, value in os.environ.items() if not name.startswith("DJANGO")}
    thinking = [sys.executable, "-m", "games.bots.process"]
    ended = subprocess.run(thinking, input=b"", env=without, capture_output=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, b"")
