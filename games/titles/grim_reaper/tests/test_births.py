"""Births on crowded boards, where sets are many: listed, offered and accepted are the same.

Matches at random breed little, so these positions are set up by chance.
"""

import random
from itertools import islice

import pytest

from games.kernel.dice import CommittedDice
from games.kernel.errors import IllegalMove, MalformedMove
from games.kernel.params import complete
from games.kernel.svg import marks_of
from games.titles.grim_reaper import TITLE, squares
from games.titles.grim_reaper.tests.reference import Reference
from tests.sampling import rest_thorough

FEW = 3_000
PARAMS = complete(TITLE.meta, {"reserve": 3})


TO_BEAR = {"r": ((2, 2), (1, 3)), "b": ((1, 2), (2, 3))}
"""Turn and step of each side's births."""


def crowded(seed, params=PARAMS):
    """Return a position in which the side with most of the pieces is to give birth."""
    rng = random.Random(seed)
    names = squares.names(squares.board(params["size"]))
    taken = rng.sample(names, round(rng.choice((0.3, 0.4, 0.5, 0.6)) * len(names)))
    many, few = rng.choice(("rb", "br"))
    turn, step = rng.choice(TO_BEAR[many])
    sides = many * rng.choice((2, 5, 20)) + few
    return {
        "size": params["size"],
        "turn": turn,
        "step": step,
        "reserve": [rng.randrange(1, 4), rng.randrange(1, 4)],
        "pieces": {
            at: f"{rng.choice(sides)}{rng.choice('MF')}{rng.randrange(1, 9)}" for at in taken
        },
        "born": [],
        "rip": [],
        **{name: params[name] for name in ("male_span", "female_span", "random_life")},
    }


def both(position, params=PARAMS):
    """Return a position in both implementations of the rules."""
    slow = Reference(2, params, ())
    slow.stand(position)
    return TITLE.load(position, 2, params), slow


def listed(state):
    """Return all moves, or ``None`` where they are too many."""
    texts = [str(move) for move in islice(TITLE.moves(state, state.mover), FEW)]
    return texts if len(texts) < FEW else None


def offered(state):
    """Return every move that options lead to; births in another order are the same move."""
    found, todo = set(), [""]
    while todo:
        typed = todo.pop()
        options = TITLE.options(state, state.mover, typed)
        if options.complete:
            text = str(TITLE.parse(typed))
            if text in found:
                continue
            found.add(text)
        for offer in options.next:
            words = (offer.text,) if hasattr(offer, "text") else numbers(offer)
            todo.extend(typed + word for word in words)
    return found


def numbers(span):
    return [span.format.format(n) for n in range(int(span.low), int(span.high) + 1)]


@pytest.mark.parametrize("seed", range(40))
def test_both_implementations_agree_on_crowded_boards(seed):
    rng, dice = random.Random(seed), CommittedDice(b"births")
    state, slow = both(crowded(seed))
    for _ in range(14):
        if not TITLE.actors(state):
            break
        texts = listed(state)
        if texts is not None:
            assert sorted(texts) == sorted(slow.moves(state.mover))
        text = rng.choice([t for t in texts or () if t.startswith("+")] or texts or ["pass"])
        slow.play(state.mover, text, ())
        state, _ = TITLE.play(state, state.mover, TITLE.parse(text), dice)
        assert TITLE.dump(state) == slow.position()


@pytest.mark.parametrize("seed", rest_thorough(range(29, -1, -1), often=10))
def test_options_lead_to_every_set_and_to_no_other(seed):
    state, _ = both(crowded(seed))
    texts = listed(state)
    if texts is not None:
        assert offered(state) == set(texts)


@pytest.mark.parametrize("seed", range(20))
def test_births_that_are_not_offered_are_refused(seed):
    """Of two births that are possible alone some are not together: for want of mothers."""
    state, _ = both(crowded(seed))
    spots = [str(child)[1:] for child in islice(TITLE.moves(state, state.mover), 500)]
    alone = sorted({text for text in spots if "," not in text and text.startswith("F")})
    pairs = [(one, other) for one in alone for other in alone if one < other]
    for one, other in pairs:
        text = f"+{one},{other}"
        after = TITLE.options(state, state.mover, f"+{one}")
        is_offered = f",{other}" in {choice.text for choice in after.next}
        assert is_offered == is_accepted(state, text)


def is_accepted(state, text):
    try:
        TITLE.play(state, state.mover, TITLE.parse(text), CommittedDice(b"births"))
    except IllegalMove:
        return False
    return True


def test_millions_of_sets_are_listed_and_offered_without_being_counted():
    """Rows of females and males, every other row vacant: 24 births, each of either sex."""
    params = complete(TITLE.meta, {"size": 8})
    rows = {1: "rF", 3: "rM", 4: "rF", 6: "rM", 7: "rF"}
    position = crowded(0, params) | {"turn": 2, "step": 2}
    position["pieces"] = {f"{c}{row}": f"{who}5" for row, who in rows.items() for c in "abcdefgh"}
    state = TITLE.load(position, 2, params)
    some = list(islice(map(str, TITLE.moves(state, state.mover)), 10_000))
    assert len(set(some)) == 10_000
    options = TITLE.options(state, state.mover, "+Fa2,Mb2,Fc2,Md5,Fe5")
    assert options.complete
    assert ",Fh5" in {choice.text for choice in options.next}


def test_choices_vanish_with_the_last_mother():
    position = crowded(0) | {"turn": 2, "step": 2}
    position["pieces"] = {"a2": "rF5", "a4": "rF5", "c2": "rM5", "c4": "rM5", "f6": "bM5"}
    state = TITLE.load(position, 2, PARAMS)
    labels = {c.text: c.label for c in TITLE.options(state, state.mover, "").next}
    assert labels["+Mb3"] == "A male on b3"
    after = {c.text: c.label for c in TITLE.options(state, state.mover, "+Mb3").next}
    assert after[",Fb2"] == "A female on b2"
    last = TITLE.options(state, state.mover, "+Mb3,Fb2")
    assert (last.complete, last.next) == (True, ())


@pytest.mark.parametrize("seed", range(10))
def test_every_choice_on_a_crowded_board_stands_on_it(seed):
    state, _ = both(crowded(seed))
    marks = dict(marks_of(TITLE.draw(TITLE.view(state, None), ())))
    offered, names = TITLE.options(state, state.mover, "").next, set(map(str, state.birth_squares))
    for offer in offered:
        assert set(offer.marks) <= marks.keys()
        is_born = offer.text.startswith("+")
        assert is_born or len(offer.marks) == (0 if offer.text in {"pass", "M", "F"} else 1)
    if state.is_birth:
        assert {mark for offer in offered for mark in offer.marks} == names


BALANCES = [
    ({"a2": "rF5", "c2": "rM5", "e5": "rM5"}, "+Fb2", "+Mb2"),
    ({"a2": "rF5", "c2": "rM5", "e5": "rF5"}, "+Mb2", "+Fb2"),
]


@pytest.mark.parametrize(("pieces", "likelier", "other"), BALANCES)
def test_a_click_bears_the_sex_of_which_one_has_fewer_and_the_other_is_in_the_list(
    pieces, likelier, other
):
    state = TITLE.load(crowded(0) | {"turn": 2, "step": 2, "pieces": pieces}, 2, PARAMS)
    found = TITLE.options(state, state.mover, "")
    assert [(c.text, c.marks) for c in found.next] == [
        (likelier, ("b2",)),
        (other, ()),
        ("pass", ()),
    ]
    sex = "female" if "F" in likelier else "male"
    assert f"a {sex}, because you have fewer {sex}s." in found.prompt


LIVES = [
    ({}, "10 turns"),
    ({"female_span": 8}, "10 turns (male) or 8 (female)"),
    ({"random_life": True}, "2 to 10 turns"),
]


@pytest.mark.parametrize(("terms", "turns"), LIVES)
def test_a_birth_says_how_long_newborns_live_whatever_their_parents_have_left(terms, turns):
    pieces = {"a2": "rF4", "c2": "rM5", "e5": "bM5"}
    position = crowded(0) | {"turn": 2, "step": 2, "pieces": pieces} | terms
    state = TITLE.load(position, 2, {**PARAMS, **terms})
    known = TITLE.options(state, state.mover, "+Fb2").forecast
    assert known == f"Newborns start with {turns}, whatever their parents have left."


def test_those_just_chosen_count_for_the_next_birth_and_as_many_of_both_leave_the_choice():
    pieces = {"a2": "rF5", "a4": "rF5", "c2": "rM5", "c4": "rM5", "f6": "bM5"}
    state = TITLE.load(crowded(0) | {"turn": 2, "step": 2, "pieces": pieces}, 2, PARAMS)
    marks = [(c.text, c.marks) for c in TITLE.options(state, state.mover, "").next[:2]]
    assert marks == [("+Mb2", ("b2",)), ("+Fb2", ("b2",))]
    assert TITLE.options(state, state.mover, "+Mb3").next[0].text == ",Fb2"


def test_a_square_named_twice_is_told():
    pieces = {"a2": "rF5", "a4": "rF5", "c2": "rM5", "c4": "rM5", "f6": "bM5"}
    position = crowded(0) | {"turn": 2, "step": 2, "pieces": pieces}
    state = TITLE.load(position, 2, PARAMS)
    for read in (TITLE.parse, lambda text: TITLE.options(state, state.mover, text)):
        with pytest.raises(MalformedMove) as refused:
            read("+Fb3,Mb3")
        assert str(refused.value) == "'+Fb3,Mb3' is no move: b3 is named twice."
