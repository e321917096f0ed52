"""Steps taken back, paid for and entered, in a game where a player has two in a row."""

from datetime import timedelta

import pytest

from games.kernel import params, registry
from games.kernel.errors import MatchOver
from games.matches import selectors, services
from games.matches.clock import DAY, PRESETS, Clock
from games.matches.errors import Refused
from games.matches.log.verify import verify
from games.matches.play import move_input
from games.matches.services import Participant
from tests.fixtures import NOW, Play

RED, BLUE = 0, 1
HOUR = timedelta(hours=1)
STANDARD = PRESETS["standard"]

COUPLES = [(RED, "M4b2"), (BLUE, "M4e5"), (BLUE, "pass"), (RED, "pass"), (BLUE, "F4e3")]
COUPLES += [(RED, "F4d2")]
"""What leads to the births of turn 2, Red's on c2 first, then Blue's on e4."""


@pytest.fixture
def begin(people):
    """Begin a match: ``begin(clock=…, random_life=…)``."""

    def _begin(clock=STANDARD, **chosen):
        meta = registry.get("grim-reaper").meta
        match = services.start(
            title="grim-reaper",
            params=params.complete(meta, {"reserve": 2, **chosen}),
            clock=clock,
            secret=b"s" * 32,
            participants=[Participant(user, bytes(32)) for user in people[:2]],
            last_joiner=people[0],
            now=NOW,
        )
        return Play(match, people)

    return _begin


def play_all(play, moves):
    for seat, text in moves:
        play.move(seat, text)


def back(play, seat, now=NOW):
    return play.act(services.take_back, seat, now=now)


# --- What can be taken back -------------------------------------------------------------------


def test_two_steps_in_a_row_are_taken_back_one_by_one(begin):
    play = begin(clock=None)
    play_all(play, [(RED, "M4b2")])
    before = play.match.position
    play_all(play, [(BLUE, "M4e5"), (BLUE, "pass")])
    back(play, BLUE)
    assert play.match.position["step"] == 2
    assert play.snapshot.actors == (BLUE,)
    back(play, BLUE)
    assert play.match.position == before
    with pytest.raises(Refused, match="no move of yours"):
        back(play, BLUE)
    play_all(play, [(BLUE, "F3c4"), (BLUE, "pass"), (RED, "pass")])
    assert verify(play.id) == []


def test_only_the_last_who_moved_takes_back(begin):
    play = begin(clock=None)
    play_all(play, [(RED, "M4b2"), (BLUE, "M4e5")])
    with pytest.raises(Refused):
        back(play, RED)
    play_all(play, [(BLUE, "pass"), (RED, "pass")])
    with pytest.raises(Refused):
        back(play, BLUE)


def test_an_ageing_is_taken_back_with_the_step_before_it(begin):
    play = begin(clock=None)
    play_all(play, [(RED, "M1b2"), (BLUE, "M4e5"), (BLUE, "pass")])
    before = play.match.position
    play_all(play, [(RED, "pass")])
    assert play.match.position["rip"] == ["b2"]
    back(play, RED)
    assert play.match.position == before


def test_births_whose_life_is_known_are_taken_back(begin):
    play = begin(clock=None)
    play_all(play, [*COUPLES, (RED, "+Mc2")])
    back(play, RED)
    assert "c2" not in play.match.position["pieces"]
    back(play, RED)
    assert "d2" not in play.match.position["pieces"]
    with pytest.raises(Refused):
        back(play, RED)
    assert verify(play.id) == []


def test_a_life_that_was_drawn_stays(begin):
    play = begin(clock=None, random_life=True)
    play_all(play, [*COUPLES, (RED, "+Fc2")])
    assert selectors.log(play.match)[-1].chance
    with pytest.raises(Refused):
        back(play, RED)
    assert play.match.position["pieces"]["c2"].startswith("rF")
    play_all(play, [(BLUE, "pass")])
    back(play, BLUE)
    assert play.match.position["step"] == 3, "as far as the birth, and no further"
    with pytest.raises(Refused):
        back(play, BLUE)
    assert verify(play.id) == []


def test_nothing_is_taken_back_after_the_end(begin):
    play = begin(clock=None, male_span=3, female_span=3, reserve=1)
    play_all(play, [(RED, "M3a1"), (BLUE, "M1f6"), (BLUE, "pass"), (RED, "pass")])
    play_all(play, [(BLUE, "M2f6"), (RED, "a1-a2"), (RED, "pass"), (BLUE, "pass")])
    play_all(play, [(RED, "a2-a3"), (BLUE, "f6-f5"), (BLUE, "pass"), (RED, "pass")])
    assert not play.match.is_running
    with pytest.raises(MatchOver):
        back(play, RED)


# --- Clocks -----------------------------------------------------------------------------------


def test_every_step_is_a_turn_of_its_own(begin):
    play = begin()
    play.move(RED, "M4b2", now=NOW)
    play.move(BLUE, "M4e5", now=NOW + 2 * HOUR)
    blue = play.player(BLUE)
    assert blue.time_left == 4 * DAY - 2 * HOUR
    assert blue.clock_since == NOW + 2 * HOUR, "the next step has begun"
    play.move(BLUE, "pass", now=NOW + 5 * HOUR)
    assert play.player(BLUE).time_left == 5 * DAY - 5 * HOUR


def test_two_steps_sent_as_one_earn_two_increments(begin):
    play = begin()
    play.move(RED, "M4b2", now=NOW)
    play.move(BLUE, "M4e5", "pass", now=NOW + 5 * HOUR)
    assert play.player(BLUE).time_left == 5 * DAY - 5 * HOUR
    back(play, BLUE, now=NOW + 6 * HOUR)
    assert play.player(BLUE).time_left == 4 * DAY - 5 * HOUR
    back(play, BLUE, now=NOW + 6 * HOUR)
    assert play.player(BLUE).deadline == NOW + 3 * DAY, "as if nothing had been played"


@pytest.mark.parametrize(
    ("clock", "whole"), [(STANDARD, 3 * DAY), (Clock.per_move(3), 3 * DAY)], ids=["gains", "days"]
)
def test_time_thought_about_a_step_is_spent_though_it_is_taken_back(begin, clock, whole):
    play = begin(clock=clock)
    play.move(RED, "M4b2", now=NOW)
    play.move(BLUE, "M4e5", now=NOW + 2 * HOUR)
    play.move(BLUE, "pass", now=NOW + 12 * HOUR)
    back(play, BLUE, now=NOW + 20 * HOUR)
    back(play, BLUE, now=NOW + 21 * HOUR)
    assert play.player(BLUE).deadline == NOW + whole, "as if nothing had been played"
    red = play.player(RED)
    assert red.clock_since is red.deadline is None
    assert red.time_left == (4 * DAY if clock is STANDARD else 3 * DAY), "Red is not charged"


def test_no_step_is_taken_back_for_which_no_time_would_be_left(begin):
    play = begin()
    play.move(RED, "M4b2", now=NOW)
    play.move(BLUE, "M4e5", now=NOW + 2 * DAY)
    now = NOW + 3 * DAY + 12 * HOUR
    with pytest.raises(Refused, match="no time left"):
        back(play, BLUE, now=now)
    play.move(BLUE, "pass", now=now)


# --- Move entry -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "marks"),
    [
        (("a1:",), ("a1",)),
        (("a1:", "M"), ("a1",)),
        (("B2-",), ("b2",)),
        (("M", "2"), ()),
        (("b2", "-"), ("b2",)),
        (("b2-", "c3"), ()),
    ],
    ids=["a square", "and a sex", "a piece", "a sex first", "typed in parts", "a whole move"],
)
def test_what_was_chosen_of_an_unfinished_move_is_known_on_the_board(begin, words, marks):
    play = begin(clock=None)
    play_all(play, [(RED, "M4b2"), (BLUE, "M4e5"), (BLUE, "pass"), (RED, "pass")])
    play_all(play, [(BLUE, "F3a6")])
    assert move_input.enter(play.snapshot.table, RED, words=words).chosen == marks
