"""Turns, rounds, incidents, drops and the end."""

import pytest
from msgspec.structs import replace

from games.kernel.contract import Seat
from games.kernel.dice import RecordedDice, no_dice
from games.kernel.errors import ChanceError, IllegalMove, MalformedMove, MatchOver, NotYourTurn
from games.kernel.options import NumberField
from games.titles.precary_ice import TITLE, physics
from games.titles.precary_ice.entry import options
from games.titles.precary_ice.moves import parse
from games.titles.precary_ice.tests.fixtures import STILL, drop, outcome, place, start
from games.titles.precary_ice.tower import PEN_TIME
from tests.title_driver import fields, types

SLOW, QUICK = PEN_TIME, PEN_TIME - 1


def sheets(state):
    return [tower.sheet for tower in state.towers]


# --- Moves as texts -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("place +1.5 -3", "place +1.5 -3"),
        ("PLACE  1.5   3", "place +1.5 +3"),
        ("place -0.0", "place +0.0 +0"),
        ("place 7-20", "place +7.0 -20"),
        ("place+30+0", "place +30.0 +0"),
        ("place -30.0 +20", "place -30.0 +20"),
    ],
)
def test_texts_are_forgiven_their_form(typed, text):
    assert str(parse(typed)) == text


@pytest.mark.parametrize(
    "typed",
    ["", "place", "place +", "place 1.55", "place 30.1", "place 0 21", "put 1", "place 1 2 3"],
)
def test_what_is_no_placement_is_refused(typed):
    with pytest.raises(MalformedMove):
        parse(typed)


def test_moves_are_listed_in_the_order_of_their_texts():
    texts = [str(move) for move in TITLE.moves(start(), Seat(0))]
    assert len(texts) == len(set(texts)) == 601 * 41
    assert texts == sorted(texts)


def test_entry_asks_for_the_place_and_then_for_the_tilt():
    state = start(chance=[6])
    (word,) = options(state, Seat(0), "").next
    assert (word.text, word.label, word.marks) == ("place ", "Place the queen", ("tower-0",))
    found = options(state, Seat(0), "place ")
    (span,) = found.next
    assert (found.complete, span.format.format(-1.5)) == (False, "-1.5")
    assert found.forms == ((NumberField(span),),)
    found = options(state, Seat(0), "place -1.5")
    (span,) = found.next
    assert found.forms == ((NumberField(span),),)
    assert (found.complete, span.format.format(3)) == (True, " +3")
    found = options(state, Seat(0), "place -1.5 +3")
    assert (found.complete, found.next) == (True, ())
    assert found.view.dump()["held"] == {"seat": 0, "at": -1.5, "tilt": 3}
    assert options(state, Seat(1), "").next == ()


# --- Nobody knows beforehand --------------------------------------------------------------------


def test_without_dice_nothing_is_simulated(monkeypatch):
    monkeypatch.setattr(physics, "let_go", lambda *_: pytest.fail("simulated"))
    with pytest.raises(ChanceError, match="roll of 1000"):
        TITLE.play(start(), Seat(0), parse("place 0"), no_dice())
    with pytest.raises(ChanceError, match="observation"):
        TITLE.play(start(), Seat(0), parse("place 0"), RecordedDice(STILL))


def test_the_hand_trembles_more_over_a_higher_tower(monkeypatch):
    aimed = []

    def let_go(tower, letter, x, angle):
        aimed.append((x, angle))
        raise RuntimeError

    monkeypatch.setattr(physics, "let_go", let_go)
    tower = outcome("QDPP")
    state, _ = place(start(), 0, 1)
    state, _ = place(state, 1, 1)

    class Loaded(RecordedDice):
        def observe(self, watch):
            return watch()[0]

    for at, position in ((start(), 0), (state, 0)):
        with pytest.raises(RuntimeError):
            TITLE.play(at, Seat(position), parse("place 2 10"), Loaded([842, 159]))
    assert tower["fallen"] is False
    (x, angle), (higher, tilted) = aimed
    assert x == pytest.approx(2 + 0.5, abs=0.01)
    assert angle == pytest.approx(0.0174533 * (10 - 1.5), abs=0.001)
    assert higher == pytest.approx(2 + 0.55, abs=0.01)
    assert tilted == pytest.approx(0.0174533 * (10 - 1.65), abs=0.001)


@pytest.mark.parametrize(
    "seen",
    [
        {},
        {"pieces": [], "fallen": False, "ms": None},
        outcome("QDPD"),
        {**outcome("QDPP"), "fallen": True},
        {**outcome("QDPP"), "ms": 3},
        {**outcome("QDPP", 3), "ms": -1},
        {**outcome("QDPP"), "pieces": [["Q", 0, 0, "x"]] * 4},
        {**outcome("QDPP"), "pieces": [["Q", 0, float("nan"), 0]] * 4},
    ],
    ids=range(8),
)
def test_outcomes_that_cannot_have_been_observed_are_refused(seen):
    with pytest.raises(ChanceError):
        TITLE.play(start(), Seat(0), parse("place 0"), RecordedDice([*STILL, seen, 1]))


# --- Turns and rounds ---------------------------------------------------------------------------


def test_turns_pass_and_the_next_die_is_rolled_with_the_move_before():
    state = start(3, [6])
    assert (state.turn, state.towers[0].die, state.towers[0].next) == (0, 6, "Q")
    assert state.towers[1].next is None
    state, events = place(state, 0, 3)
    assert types(events) == ["place", "stand", "turn", "die"]
    assert (state.turn, state.towers[1].next, state.towers[0].next) == (1, "D", None)
    assert sheets(state) == [(6, 9), (6,), (6,)]
    with pytest.raises(NotYourTurn, match="Orange's turn"):
        place(state, 0)


def test_a_fallen_tower_waits_for_the_round_to_end():
    state, events = place(start(2, [6]), 0, 3, ms=QUICK)
    assert types(events) == ["place", "fall", "turn", "die"]
    assert (events[1].written, events[1].total) == (False, 6)
    assert (state.towers[0].done, state.towers[0].letters) == (True, "QDPQ")
    state, _ = place(state, 1, 3)
    assert state.turn == 1
    state, events = place(state, 1, 1, ms=SLOW)
    assert types(events) == ["place", "fall", "turn", "round", "die"]
    assert fields(events[3]) == {"round": 1, "scores": [6, 10], "starter": 1}
    assert (state.round, state.starter, state.turn) == (2, 1, 1)
    assert state.scores == ((6,), (10,))
    assert sheets(state) == [(6,), (6,)]


def test_there_is_one_round_more_than_players_unless_agreed_otherwise():
    assert start(4).last_round == 5
    assert start(4, rounds=7).last_round == 7


def fall(state, *rolls, ms=QUICK):
    """Let everybody who is to move fall, one after the other."""
    return place(state, state.actors[0], *rolls, ms=ms)


def test_the_highest_sum_wins_and_equal_sums_tie():
    state = start(4, [6], rounds=1)
    state, _ = place(state, 0, 1)
    for seat, ms in ((1, QUICK), (2, QUICK), (3, SLOW)):
        state, _ = place(state, seat, 1, ms=ms)
    state, events = place(state, 0, ms=QUICK)
    assert types(events) == ["place", "fall", "turn", "round", "end"]
    assert events[3].starter is None
    assert fields(events[-1]) == {
        "ending": "played-out",
        "ranks": [1, 3, 3, 2],
        "sums": [9, 6, 6, 7],
    }
    assert TITLE.actors(state) == ()
    with pytest.raises(MatchOver):
        TITLE.play(state, Seat(0), parse("place 0"), no_dice())


def test_all_thirty_pieces_are_rewarded():
    state, events = start(2, [6]), ()
    state, _ = place(state, 0, 1)
    state, _ = place(state, 1, 6, ms=QUICK)
    for n in range(25):
        rolls = [6] if n < 16 else []
        state, events = place(state, 0, *rolls)
    state, events = place(state, 0, 1)
    assert types(events) == ["place", "stand", "bonus", "turn", "round", "die"]
    assert events[2].total == 70
    assert state.scores == ((70,), (6,))


def test_the_last_piece_may_fall_slowly_enough_for_sixty():
    state = start(2, [6])
    state, _ = place(state, 0, 1)
    state, _ = place(state, 1, 6, ms=QUICK)
    for n in range(25):
        state, _ = place(state, 0, *([6] if n < 16 else []))
    state, events = place(state, 0, 1, ms=SLOW)
    assert events[1].total == 60
    assert state.scores == ((60,), (6,))


# --- Free pace ----------------------------------------------------------------------------------


def test_in_free_pace_everybody_builds_at_once():
    state = start(3, [1, 3, 5], pace="free")
    assert [tower.next for tower in state.towers] == ["P", "D", "Q"]
    assert (TITLE.actors(state), state.turn) == ((0, 1, 2), None)
    state, events = place(state, 2, 3)
    assert types(events) == ["place", "stand", "turn", "die"]
    assert events[3].seat == 2
    state, events = place(state, 2, ms=QUICK)
    assert types(events) == ["place", "fall", "turn"]
    assert TITLE.actors(state) == (0, 1)
    with pytest.raises(NotYourTurn, match="done for this round"):
        place(state, 2)


def test_in_free_pace_a_round_begins_with_a_roll_each_from_its_starter_on():
    state = start(3, [1, 3, 5], pace="free")
    state, _ = place(state, 0, ms=QUICK)
    state, _ = place(state, 1, ms=QUICK)
    state, _ = place(state, 2, 1, 3, 6, ms=QUICK)
    assert (state.round, state.starter) == (2, 1)
    assert [tower.next for tower in state.towers] == ["Q", "P", "D"]


# --- Incidents ----------------------------------------------------------------------------------


def test_an_incident_rebuilds_the_tower_and_takes_the_turn():
    state = start(2, [24, 6], incidents=True)
    state, _ = place(state, 0, 24, 6)
    leaning = tuple(piece._replace(x=piece.x + 0.3) for piece in state.towers[0].pieces)
    towers = (replace(state.towers[0], pieces=leaning), state.towers[1])
    state = replace(state, towers=towers)
    state, events = place(state, 1, 1, 2, 3)
    assert types(events) == ["place", "stand", "turn", "incident", "die"]
    assert (events[3].seat, events[4].seat, state.turn) == (0, 1, 1)
    assert state.towers[0].pieces == tuple(piece._replace(x=piece.x - 0.3) for piece in leaning)
    assert state.towers[0].sheet == (6, 9)


def test_in_free_pace_the_next_turn_follows_an_incident_at_once():
    state = start(2, [1, 1, 2, 6, 3, 1], pace="free", incidents=True)
    assert [tower.next for tower in state.towers] == ["Q", "P"]


# --- Leaving and closing ------------------------------------------------------------------------


def test_of_two_the_other_one_wins_and_nothing_else_changes():
    state, events = drop(start(), 0)
    assert (state.ranks, state.dropped) == ((2, 1), ())
    assert types(events) == ["end"]


def test_who_drops_out_leaves_no_tower_and_the_turn_passes():
    state, events = drop(start(3), 0, 4)
    assert types(events) == ["leave", "die"]
    assert (state.turn, state.towers[0].pieces, state.towers[0].done) == (1, (), True)
    with pytest.raises(IllegalMove, match="dropped out already"):
        drop(state, 0)
    state, events = drop(state, 2)
    assert types(events) == ["leave", "end"]
    assert state.ranks == (3, 1, 2)


def test_whoever_drops_out_while_others_wait_leaves_the_turn_alone():
    state, events = drop(start(3), 2)
    assert types(events) == ["leave"]
    assert (state.turn, TITLE.actors(state)) == (0, (0,))


@pytest.mark.parametrize("pace", ["turns", "free"])
def test_the_round_ends_when_the_last_builder_drops_out(pace):
    state = start(3, [1] if pace == "turns" else [1, 1, 1], pace=pace)
    rolls = [1] if pace == "turns" else []
    state, _ = place(state, 0, *rolls, ms=SLOW)
    state, _ = place(state, 1, *rolls, ms=QUICK)
    state, events = drop(state, 2, *([1] if pace == "turns" else [1, 1]))
    assert types(events)[:2] == ["leave", "round"]
    assert events[1].scores == (7, 6, None)
    assert state.scores == ((7,), (6,), ())
    assert (state.round, state.starter, state.towers[2].done) == (2, 1, True)


def test_a_seat_that_is_gone_does_not_begin_a_round():
    state, _ = drop(start(3), 1)
    state, _ = place(state, 0, 1, ms=QUICK)
    state, _ = place(state, 2, 1, ms=QUICK)
    assert (state.round, state.starter, state.turn) == (2, 2, 2)


def test_closed_early_a_standing_tower_counts_what_its_sheet_says():
    state = start(3, [6])
    state, _ = place(state, 0, 1)
    state, _ = place(state, 1, 1)
    state, events = TITLE.close(state)
    assert fields(events[-1]) == {"ending": "closed", "ranks": [1, 2, 3], "sums": [9, 7, 6]}


def test_a_mark_that_leads_nowhere_is_explained():
    state = start()
    own, other = state.actors[0], 1 - state.actors[0]
    said = "You place pieces on your own tower only."
    assert TITLE.explain(state, own, "", f"tower-{other}") == said
    assert TITLE.explain(state, own, "", f"sheet-{own}").startswith("Aim the ")
