"""Grim Reaper: what no other game has, and every example of its rule sheet."""

import itertools
import random

import pytest

from games.kernel.contract import Ended, TurnEnded
from games.kernel.dice import CommittedDice, RecordedDice, no_dice
from games.kernel.errors import IllegalMove, MalformedMove, MatchOver, NotYourTurn
from games.kernel.options import Choice
from games.kernel.params import complete
from games.titles.grim_reaper import TITLE, squares
from games.titles.grim_reaper.events import Passed
from games.titles.grim_reaper.phases import births
from games.titles.grim_reaper.rules import forced_pass
from games.titles.grim_reaper.squares import Square
from games.titles.grim_reaper.state import BLUE, RED
from tests.title_driver import fields

PARENTS = "rF5a2 rF5a4 rF5e4 rM5c2 rM5c4 bF5c5 bM5e3"
"""The births of the sheet: the first side is Red here."""

LAST = (
    "bM7b6 rM9c6 bM12d6 bF11e6 bF7f6 bF11b5 rM10c5 bF7d5 bM11e5"
    " rF9c4 bM5d4 rF10e4 bF9f4 rF10c3 rM9c2 rF8d2 rF5d1"
)
"""The last picture of the sheet, a turn before all have aged."""


def pieces(text):
    return {word[-2:]: word[:-2] for word in text.split()}


def position(text="", **changes):
    plain = {"size": 6, "turn": 1, "step": 0, "reserve": [0, 0], "pieces": pieces(text)}
    more = {"born": [], "rip": [], "male_span": 12, "female_span": 12, "random_life": False}
    return {**plain, **more, "result": None, **changes}


def load(text="", *, reserve_times=1, **changes):
    data = position(text, **changes)
    names = ("size", "male_span", "female_span", "random_life")
    params = {name: data[name] for name in names} | {"reserve": reserve_times}
    return TITLE.read_position(data, 2, complete(TITLE.meta, params))


def start(**params):
    return TITLE.setup(2, complete(TITLE.meta, params), no_dice())


def play(state, *texts, chance=()):
    events, dice = (), RecordedDice(chance)
    for text in texts:
        state, events = TITLE.play(state, state.mover, TITLE.parse(text), dice)
    dice.finish()
    return state, events


def moves(state):
    return {str(move) for move in TITLE.moves(state, state.mover)}


def births_on(state):
    """Where one child alone can be born."""
    return {text[2:] for text in moves(state) if text[0] == "+" and "," not in text}


def targets(state, origin):
    return {text[3:] for text in moves(state) if text.startswith(f"{origin}-")}


def refusal(state, text):
    with pytest.raises(IllegalMove) as refused:
        play(state, text)
    return str(refused.value)


# --- The examples of the sheet ----------------------------------------------------------------


def test_placements_of_the_sheet():
    state, events = play(start(), "M10a1")
    assert TITLE.dump(state)["pieces"] == {"a1": "rM10"}
    assert TITLE.dump(state)["reserve"] == [0, 10]
    assert fields(events[0]) == {"square": "a1", "sex": "M", "life": 10}
    state, _ = play(state, "F2b3")
    assert TITLE.dump(state)["pieces"] == {"a1": "rM10", "b3": "bF2"}
    assert TITLE.dump(state)["reserve"] == [0, 8]


def test_movement_of_the_sheet():
    state = load("rM8b4 rF3a5 bF3b5 bM3c5 bF3c4 rF3b3 bM3b2")
    assert targets(state, "b4") == {"a4", "a3", "a2", "c3", "c2", "d4", "d3", "d2"}
    assert "goes one or two steps" in refusal(state, "b4-a6")
    after, events = play(state, "b4-d4")
    assert TITLE.dump(after)["pieces"]["d4"] == "rM8"
    assert fields(events[0]) == {"from": "b4", "to": "d4", "piece": "rM8"}


def test_births_of_the_sheet():
    state = load(PARENTS, turn=2, step=2)
    assert births_on(state) == {"b2", "b3", "b4", "d3"}
    assert "+Fb3,Fb4,Fd3" in moves(state)
    assert "+Fb2,Fb3,Fb4" not in moves(state)
    assert "too few mothers" in refusal(state, "+Fb2,Fb3,Fb4")
    assert "d4 is contested" in refusal(state, "+Fd4")
    assert "isn’t exactly between" in refusal(state, "+Fc3")
    assert "a2 is taken" in refusal(state, "+Ma2")


def test_one_male_is_father_of_three():
    """The male on c2 with the females on a2, a4 and e4: without the other male."""
    state = load(PARENTS.replace("rM5c4 ", ""), turn=2, step=2)
    assert births_on(state) == {"b2", "b3", "d3"}
    assert "+Mb2,Mb3,Md3" in moves(state)


def test_a_contested_square_stays_so_whatever_is_born_elsewhere():
    state = load(PARENTS + " bM5a5", turn=1, step=2)
    assert births_on(state) == {"b5"}
    after, _ = play(state, "+Fb5")
    assert births_on(after) == {"b2", "b3", "b4", "d3"}


def test_the_win_of_the_sheet():
    state = load(LAST, turn=1, step=3)
    after, events = play(state, "pass")
    assert TITLE.result(after) == (1, 2)
    assert fields(events[-1]) == {"ending": "connected", "ranks": [1, 2]}
    chain = after.chain(RED)
    assert squares_of(chain) == "d1 d2 c2 c3 c4 c5 c6"
    without, _ = play(load(LAST.replace("rM9c2 ", ""), turn=1, step=3), "pass")
    assert TITLE.result(without) is None
    assert without.chain(RED) == ()


def squares_of(spots):
    return " ".join(map(str, spots))


def test_births_as_the_sheet_writes_them():
    assert str(TITLE.parse("+Fc4, Ma2")) == "+Ma2,Fc4"


# --- Reserves ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("params", "reserve"),
    [
        ({}, 10),
        ({"male_span": 6, "female_span": 6}, 6),
        ({"male_span": 3, "female_span": 4}, 4),
        ({"male_span": 3, "female_span": 4, "reserve": 2}, 7),
        ({"male_span": 3, "female_span": 4, "reserve": 3}, 11),
        ({"male_span": 30, "female_span": 30, "reserve": 3}, 90),
    ],
)
def test_the_mean_is_multiplied_then_rounded_up(params, reserve):
    assert TITLE.dump(start(**params))["reserve"] == [reserve, reserve]


def test_a_placed_piece_may_have_more_life_than_a_newborn():
    state = start(male_span=6, female_span=6, reserve=3)
    after, _ = play(state, "M18a1")
    assert TITLE.dump(after)["reserve"] == [0, 18]
    assert "you have only 6 life turns in reserve" in refusal(
        start(male_span=6, female_span=6), "M7a1"
    )


def test_an_empty_reserve_places_nothing():
    state = load("rM5a1 bM5f6")
    assert {text[:3] for text in moves(state)} == {"a1-"}


# --- Steps and passes -------------------------------------------------------------------------


def test_the_order_of_steps_turns_round():
    state, order = start(reserve=3), []
    texts = itertools.chain.from_iterable(
        (f"M9a{n}", f"F9f{n}", "pass", "pass") for n in range(1, 4)
    )
    for text in texts:
        order.append(state.mover)
        state, _ = play(state, text)
    assert order == [0, 1, 1, 0, 1, 0, 0, 1, 0, 1, 1, 0]


def test_placing_or_moving_is_compulsory():
    assert "pass" not in moves(start())
    assert "must place or move a piece while you can" in refusal(start(), "pass")


def test_who_can_neither_place_nor_move_passes():
    walled = load("rM5a1 bF5a2 bF5b1 bF5b2", reserve=[0, 3])
    assert moves(walled) == {"pass"}
    _, events = play(walled, "pass")
    assert events == (Passed(0, births=False), TurnEnded(0))
    assert "pass" not in moves(load("rM5a1 bF5a2 bF5b1 bF5b2", reserve=[1, 3]))


def test_the_order_to_pass_waits_for_the_turn_and_for_a_pass_that_is_forced():
    view = TITLE.view(load("rM5a1 bF5a2 bF5b1 bF5b2", reserve=[0, 3]), 0)
    assert forced_pass(view, 0) == "pass"
    assert forced_pass(view, 1) == ""
    free = TITLE.view(load("rM5a1 bF5a2 bF5b1 bF5b2", reserve=[1, 3]), 0)
    assert forced_pass(free, 0) == ""


def test_on_a_full_board_nobody_places():
    everywhere = squares.names(squares.board(6))
    full = " ".join(f"{'rb'[n % 2]}M5{at}" for n, at in enumerate(everywhere))
    assert moves(load(full, reserve=[5, 5])) == {"pass"}


def test_births_may_always_be_passed():
    assert "pass" in moves(load(PARENTS, turn=2, step=2))
    assert moves(load("", step=2, reserve=[1, 1])) == {"pass"}


def test_every_step_is_for_its_own_moves():
    state = load(PARENTS, turn=2, step=2)
    assert "this step is for births" in refusal(state, "M1a1")
    assert "this step is for births" in refusal(state, "a2-a3")
    assert "this step is for placing or moving" in refusal(start(), "+Ma1")


def test_pieces_of_the_other_cannot_be_moved_and_taken_squares_not_entered():
    state = load("rM5a1 bF5f6")
    assert "no piece of yours stands on f6" in refusal(state, "f6-f5")
    assert "f6 is taken" in refusal(state, "a1-f6")
    assert "a1 is taken" in refusal(state, "a1-a1")
    assert "h8 is not on a board of size 6" in refusal(state, "a1-h8")
    assert "g1 is not on a board of size 6" in refusal(load(reserve=[1, 1]), "M1g1")
    assert "no piece of yours stands on g1" in refusal(state, "g1-a2")


def test_out_of_turn_and_after_the_end():
    with pytest.raises(NotYourTurn, match="Red's move"):
        TITLE.play(start(), BLUE, TITLE.parse("M1a1"), no_dice())
    over, _ = TITLE.close(start())
    with pytest.raises(MatchOver):
        play(over, "M1a1")


def test_who_drops_loses_and_nothing_else_changes():
    state, _ = play(start(), "M3a1")
    for seat, ranks in ((0, (2, 1)), (1, (1, 2))):
        after, events = TITLE.drop(state, seat, no_dice())
        assert TITLE.dump(after) == {**TITLE.dump(state), "result": list(ranks)}
        assert events == (Ended(ending="dropped", ranks=ranks),)


def test_every_step_ends_a_turn_of_its_own_for_clocks():
    state = load(PARENTS, turn=2, step=2)
    _, events = play(state, "+Fb2,Md3")
    assert [event.type for event in events] == ["born", "born", "turn"]


# --- Births -----------------------------------------------------------------------------------


def test_a_couple_stands_in_a_row_a_column_or_a_diagonal():
    for male in ("a3", "c1", "c3", "a1", "c2", "a2", "b3", "b1"):
        opposite = Square.parse(male).opposite(Square.parse("b2"))
        state = load(f"bM5{male} bF5{opposite} rM5f6", turn=1, step=2)
        assert births_on(state) == {"b2"}
    assert births_on(load("bM5a2 bF5b4 bM5d5 bF5f6 rM5f1", turn=1, step=2)) == set()


def test_no_child_is_born_across_the_edge_of_the_board():
    for size in (6, 8):
        top, last = size, "abcdefgh"[size - 1]
        corners = f"bM5a{top} bF5b1 bF5{last}1 bM5{last}{top} rM5d4"
        assert births_on(load(corners, size=size, turn=1, step=2)) == set()


def test_newborns_of_the_first_births_contest_nothing():
    """A male on d6 and a female on d4 would, had she been there before."""
    text = "bM5c4 bF5e4 bM5d6 rM5c5 rF5e5"
    after, _ = play(load(text, turn=1, step=2), "+Fd4")
    assert TITLE.dump(after)["born"] == ["d4"]
    assert births_on(after) == {"d5"}
    assert births_on(load(f"{text} bF5d4", turn=1, step=3)) == set()


def test_newborns_are_parents_from_the_next_turn_on():
    state, _ = play(load("bM5a1 bF5c1 rM5f6", turn=1, step=2), "+Fb1", "pass")
    assert TITLE.dump(state)["born"] == []
    state, _ = play(state, "a1-b3", "f6-f5", "pass")
    assert births_on(state) == {"b2"}


def test_a_newborn_has_the_life_of_its_sex_and_ages_at_once():
    state = load("rM5a1 rF5c1 rF5c3 bM5f6", turn=1, step=3, male_span=5, female_span=7)
    after, events = play(state, "+Mb1,Fb2")
    pieces_after = TITLE.dump(after)["pieces"]
    assert (pieces_after["b1"], pieces_after["b2"]) == ("rM4", "rF6")
    told = {"square": "b1", "sex": "M", "life": 5, "couples": [["c1", "a1"]]}
    assert fields(events[0]) == told


def test_random_life_is_drawn_in_the_order_of_the_text():
    text = "rM5a1 rF5c1 rF5c3 bM5f6"
    state = load(text, turn=1, step=3, male_span=5, female_span=7, random_life=True)
    after, _ = play(state, "+fb2,mb1", chance=(1, 6))
    pieces_after = TITLE.dump(after)["pieces"]
    assert (pieces_after["b1"], pieces_after["b2"]) == ("rM1", "rF6")


def test_births_out_of_order_or_twice_on_a_square():
    with pytest.raises(MalformedMove, match="b2 is named twice"):
        TITLE.parse("+Fb2,Mb2")
    assert str(TITLE.parse("+Md3,Fb2")) == "+Fb2,Md3"


def test_mothers_are_moved_to_make_room():
    """Each of b2, b3, b4 has a mother of its own only if the right ones are chosen."""
    able = {1: 0b0011, 2: 0b0101, 3: 0b0001}
    assert births.match((1, 2, 3), able) == {1: 1, 2: 2, 0: 3}
    assert births.match((1, 2, 3), {**able, 2: 0b0001}) is None
    assert births.free((3,), able) == {1: 0b0010, 2: 0b0100}


def test_sets_of_births_are_those_with_distinct_mothers():
    rng = random.Random(11)
    for _ in range(60):
        able = {spot: rng.randrange(1, 32) for spot in range(rng.randrange(1, 7))}
        wanted = {
            chosen
            for size in range(1, len(able) + 1)
            for chosen in itertools.combinations(sorted(able), size)
            if any(
                all(able[spot] >> mother & 1 for spot, mother in zip(chosen, mothers, strict=True))
                for mothers in itertools.permutations(range(5), size)
            )
        }
        found = list(births.sets(able))
        assert len(found) == len(set(found))
        assert set(found) == wanted


# --- Ageing and endings -----------------------------------------------------------------------


def test_all_age_and_those_at_nought_die():
    state = load("rM1a1 rF2b2 bM1f6 bF3e5", turn=1, step=3, rip=["c3"])
    after, events = play(state, "pass")
    shown = TITLE.dump(after)
    assert shown["pieces"] == {"b2": "rF1", "e5": "bF2"}
    assert (shown["rip"], shown["turn"], shown["step"]) == (["a1", "f6"], 2, 0)
    assert fields(events[-1]) == {"turn": 1, "dead": {"a1": "rM1", "f6": "bM1"}}


def test_rip_squares_are_vacant_and_marked_until_the_next_ageing():
    state = load("rM5a1 bM5f6", turn=2, step=0, reserve=[3, 3], rip=["c3"])
    after, _ = play(state, "M1c3")
    assert TITLE.dump(after)["rip"] == ["c3"]
    after, _ = play(after, "a1-a2", "pass", "pass")
    assert TITLE.dump(after)["rip"] == ["c3"]
    after, _ = play(after, "a2-a1", "f6-f5", "pass", "pass")
    assert TITLE.dump(after)["rip"] == []


def test_a_chain_counts_only_when_it_outlives_the_ageing():
    column = " ".join(f"rM{2 if row != 3 else 1}a{row}" for row in range(1, 7))
    state = load(f"{column} bM5f6", turn=1, step=3)
    after, _ = play(state, "pass")
    assert TITLE.result(after) is None


def test_blue_joins_left_and_right():
    row = " ".join(f"bF2{column}3" for column in "abcdef")
    after, events = play(load(f"{row} rM5d5", turn=1, step=3), "pass")
    assert TITLE.result(after) == (2, 1)
    assert events[-1].ending == "connected"


def test_the_wrong_sides_joined_win_nothing():
    row = " ".join(f"rF2{column}3" for column in "abcdef")
    after, _ = play(load(f"{row} bM5d5", turn=1, step=3), "pass")
    assert TITLE.result(after) is None


@pytest.mark.parametrize(
    ("text", "reserve", "ranks", "ending"),
    [
        ("rM2a1 bM1f6", [0, 0], (1, 2), "last-alive"),
        ("rM1a1 bM2f6", [0, 0], (2, 1), "last-alive"),
        ("rM1a1 bM1f6", [0, 0], (1, 1), "nobody-alive"),
        ("rM1a1 bM1f6", [1, 0], (1, 2), "last-alive"),
        ("rM1a1 bM1f6", [0, 1], (2, 1), "last-alive"),
        ("rM1a1 bM1f6", [1, 1], None, None),
        ("rM1a1 bM2f6", [1, 0], None, None),
    ],
)
def test_who_is_alive_has_a_piece_or_a_reserve(text, reserve, ranks, ending):
    after, events = play(load(text, turn=1, step=3, reserve=reserve), "pass")
    assert TITLE.result(after) == ranks
    assert getattr(events[-1], "ending", None) == ending


SPANS = ((3, 3), (3, 30), (10, 10), (30, 30))
BOUND = 700
"""Players who do things at random are done after so many moves, whatever was agreed."""


@pytest.mark.parametrize("reserve", [1, 2, 3])
@pytest.mark.parametrize("random_life", [False, True])
@pytest.mark.parametrize("size", [6, 8])
def test_matches_at_random_end_within_the_bound(size, random_life, reserve):
    for male, female in SPANS:
        chosen = {"size": size, "male_span": male, "female_span": female, "reserve": reserve}
        state = start(**chosen, random_life=random_life)
        rng, dice = random.Random(str(chosen)), CommittedDice(b"reaper")
        for _ in range(BOUND):
            if TITLE.result(state):
                break
            move = TITLE.parse(any_move(state, rng))
            state, _ = TITLE.play(state, state.mover, move, dice)
        assert TITLE.result(state), chosen


def any_move(state, rng):
    """Walk down the options, as far as they go with births."""
    typed = ""
    while (options := TITLE.options(state, state.mover, typed)).next:
        offer = rng.choice(options.next)
        is_choice = isinstance(offer, Choice)
        typed += offer.text if is_choice else str(rng.randint(1, int(offer.high)))
    return typed
