"""Placements on the site: simulated once, outside any transaction, and never again."""

import json
from contextlib import ExitStack
from functools import partial
from time import monotonic
from types import SimpleNamespace

import pytest
from django.core.cache import cache
from django.db import connection

from accounts.models import User
from games.engine import Engine
from games.kernel import params, registry
from games.kernel.contract import Seat
from games.kernel.replay import PlainEntry, replay
from games.kernel.trace import unpack
from games.matches import player_lock, selectors, services
from games.matches.errors import Busy, Refused
from games.matches.log.verify import verify
from games.matches.models import LogEntry
from games.matches.preview import preview
from games.matches.services import Participant, offer_close
from games.records import dice_check, record
from games.titles.precary_ice import physics
from games.web import example_positions
from tests.fixtures import NOW, Play

ASIDE = "place +29.0 +0"
"""A piece that misses the tower."""


@pytest.fixture
def begin(people):
    """Begin a match: ``begin(seats=2, rounds=1, pace=…)``."""

    def _begin(seats=2, **chosen):
        meta = registry.get("precary-ice").meta
        match = services.start(
            title="precary-ice",
            params=params.complete(meta, {"rounds": 1, **chosen}),
            clock=None,
            secret=b"s" * 32,
            participants=[Participant(user, bytes(32)) for user in people[:seats]],
            last_joiner=people[0],
            now=NOW,
        )
        return Play(match, people)

    return _begin


@pytest.fixture
def falls(monkeypatch):
    """Count the simulations, each without the memory of the ones before."""
    seen, simulate = [], physics.let_go.__wrapped__

    def let_go(*args):
        seen.append(connection.in_atomic_block)
        return simulate(*args)

    monkeypatch.setattr(physics, "let_go", let_go)
    return seen


@pytest.fixture
def no_simulator(monkeypatch):
    """Take the simulator away, when called."""

    def gone(*_):
        raise AssertionError("Nothing may be simulated here.")

    return lambda: monkeypatch.setattr(physics, "let_go", gone)


def play_out(play):
    while play.match.is_running:
        play.move(play.snapshot.actors[0], ASIDE)


def test_a_placement_is_recorded_with_its_outcome_and_trace(begin, falls):
    play = begin()
    play.move(0, "place +0.3 -1")
    (entry,) = selectors.log(play.match)
    assert entry.sides == [1000, 1000, None, 6]
    tower = play.match.position["towers"][0]["pieces"]
    assert entry.chance[2] == {"pieces": tower, "fallen": False, "ms": None}
    trace = LogEntry.objects.values_list("trace", flat=True).get()
    assert len(json.dumps(trace)) < 20_000
    for piece, last in zip(tower, unpack(trace)[-1], strict=True):
        assert last == pytest.approx(piece[1:], abs=0.013)
    assert len(falls) == 1


@pytest.mark.django_db(transaction=True)
def test_nothing_is_simulated_inside_a_transaction(transactional_db, begin, falls):
    begin().move(0, "place +0.0 +0")
    assert falls == [False]


def test_a_repeated_submission_is_answered_with_the_first_outcome(begin, falls):
    play = begin()
    first = play.move(0, "place +1.0 +0")
    entry = selectors.log(play.match)[0]
    again = play.move(0, "place +1.0 +0", version=0, submission=entry.submission)
    assert (again.version, again.repeated) == (first.version, True)
    assert len(falls) == 1


@pytest.mark.parametrize("texts", [("place 0", "place 0"), ("place 0", "nonsense")])
def test_a_refused_submission_takes_no_time_that_could_tell_of_it(begin, no_simulator, texts):
    play = begin(pace="free")
    no_simulator()
    with pytest.raises(Refused):
        play.move(0, *texts)


def test_nothing_that_a_player_sends_overtakes_a_placement(begin, monkeypatch):
    play, simulate, refused = begin(), physics.let_go.__wrapped__, []

    def let_go(*args):
        for hasty in (partial(play.move, 0, "place +0.0 +0"), partial(play.act, offer_close, 0)):
            with pytest.raises(Busy):
                refused.append(hasty())
        return simulate(*args)

    monkeypatch.setattr(player_lock, "LOCK_TIMEOUT", 0)
    monkeypatch.setattr(physics, "let_go", let_go)
    play.move(0, ASIDE)
    assert play.kinds() == ["play"]
    assert refused == []
    monkeypatch.setattr(physics, "let_go", simulate)
    play.act(offer_close, 0)
    assert play.kinds() == ["play", "offer"]


def test_what_a_player_sends_meanwhile_waits(begin, monkeypatch):
    play, simulate, held = begin(), physics.let_go.__wrapped__, []

    def let_go(*args):
        held.append(cache.get(key))
        return simulate(*args)

    def done_soon(_seconds):
        held.append("slept")
        cache.delete(key)

    key = f"change:{play.id}:{play.people[0].pk}"
    cache.set(key, 1)
    monkeypatch.setattr(player_lock, "time", SimpleNamespace(monotonic=monotonic, sleep=done_soon))
    monkeypatch.setattr(physics, "let_go", let_go)
    play.move(0, ASIDE)
    assert held == ["slept", "taken"]
    assert cache.get(key) is None


class TestWaiting:
    """What waits holds a thread and a connection: few may, of one account and of all."""

    @pytest.fixture
    def hasty(self, begin, monkeypatch):
        """Send a move while the one before is looked at; waiting would fail."""
        play = begin()
        cache.set(f"change:{play.id}:{play.people[0].pk}", 1)
        waits = SimpleNamespace(monotonic=monotonic, sleep=lambda _: pytest.fail("it waits"))
        monkeypatch.setattr(player_lock, "time", waits)
        return partial(play.move, 0, "place +0.0 +0")

    def test_one_of_an_account(self, hasty, people):
        with player_lock._waiting_place(people[0]), pytest.raises(Busy):
            hasty()

    def test_few_of_all(self, hasty):
        with ExitStack() as line:
            for number in range(player_lock.MAX_WAITING):
                line.enter_context(player_lock._waiting_place(User(pk=-1 - number)))
            with pytest.raises(Busy):
                hasty()

    def test_others_wait_while_one_does(self, hasty, people):
        with player_lock._waiting_place(people[1]), pytest.raises(pytest.fail.Exception):
            hasty()
        assert player_lock._waiting == {}

    def test_the_line_is_left_whatever_happens(self, hasty, monkeypatch):
        monkeypatch.setattr(player_lock, "LOCK_TIMEOUT", 0)
        for _ in range(player_lock.MAX_WAITING + 1):
            with pytest.raises(Busy):
                hasty()
        assert player_lock._waiting == {}

    def test_nobody_is_counted_who_does_not_wait(self, begin, people, no_simulator):
        match = begin().id
        with player_lock.player_lock(match, people[0]):
            assert player_lock._waiting == {}


def test_an_old_submission_does_not_try_a_new_placement(begin, falls):
    play = begin(pace="free")
    play.move(0, "place +0.0 +0")
    entry = selectors.log(play.match)[0]
    again = play.move(0, "place +5.0 +0", submission=entry.submission)
    assert (again.version, again.repeated) == (1, True)
    assert len(falls) == 1


def test_a_preview_tells_nothing_and_simulates_nothing(begin, no_simulator):
    play = begin()
    no_simulator()
    shown = preview(play.snapshot.table, Seat(0), "place 1 2")
    assert (shown.text, shown.sentences, shown.state) == ("place +1.0 +2", (), None)


def test_pages_show_the_game_without_the_simulator(no_simulator):
    example_positions._example_drawing.cache_clear()
    no_simulator()
    assert example_positions.example_drawing("precary-ice", {"rounds": 3}).label


def test_records_replay_without_the_simulator(begin, no_simulator):
    play = begin(seats=3, pace="free")
    play.move(1, "place +0.2 +0")
    play.move(0, "place +0.4 -2")
    play_out(play)
    no_simulator()
    assert verify(play.id) == []
    written = json.loads(json.dumps(record.export(play.snapshot, selectors.log(play.match))))
    title = registry.get("precary-ice")
    steps = [
        PlainEntry("play", Seat(entry["seat"]), entry["text"], tuple(entry["chance"]))
        for entry in written["log"]
    ]
    last = list(replay(title, 3, written["params"], written["setup_chance"], steps))[-1]
    assert title.dump(last.state) == play.match.position
    assert list(title.result(last.state)) == written["result"]


def test_the_dice_are_checked_and_what_was_observed_is_passed_over(begin, no_simulator):
    play = begin(incidents=True)
    play_out(play)
    no_simulator()
    written = json.dumps(record.export(play.snapshot, selectors.log(play.match)))
    check = dice_check.Check(dice_check.read(written))
    assert check.trouble == []
    assert len(check.rolls) == play.match.rolls
    changed = json.loads(written)
    changed["log"][0]["chance"][0] = 1001 - changed["log"][0]["chance"][0]
    assert dice_check.Check(changed).trouble != []


def test_observed_once_more_the_same_comes_out_on_one_machine(begin):
    play = begin()
    play.move(0, "place +0.7 +3")
    play_out(play)
    physics.let_go.cache_clear()
    assert verify(play.id, observe=True) == []


def test_the_engine_answers_what_was_observed_and_takes_it_back(no_simulator):
    first, second = Engine(), Engine()
    for engine in (first, second):
        engine.handle({"cmd": "new", "game": "precary-ice", "seats": 2, "seed": "00"})
    answer = first.handle({"cmd": "play", "seat": 0, "move": "place 1 1"})
    (seen,) = answer["observed"]
    no_simulator()
    tremor, die = answer["rolls"][:2], answer["rolls"][2:]
    told = {"cmd": "play", "seat": 0, "move": "place 1 1", "chance": [*tremor, seen, *die]}
    assert second.handle(told) == answer
