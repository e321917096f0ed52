"""The editor of positions: pieces are dropped on towers, and the rest follows from them."""

import pytest

from games.kernel.editing import with_fields
from games.kernel.errors import BrokenPosition
from games.kernel.params import complete
from games.titles.precary_ice import TITLE
from games.titles.precary_ice.editing import MAX_DROPS
from games.titles.precary_ice.meta import META
from games.titles.precary_ice.tests.fixtures import start

SEATS = 3


def spaces_of(position):
    return TITLE.editor(position).spaces


def edited(seat=0, more="", position=None, **values):
    """Return a position after some words were added to the text of a tower, and fields changed."""
    position = position or TITLE.dump(start(SEATS, [4]))
    spaces = {**spaces_of(position)}
    spaces[f"tower-{seat}"] += f" {more}"
    fields = {key.replace("__", "."): value for key, value in values.items()}
    return TITLE.with_spaces(with_fields(position, TITLE.editor(position), fields), spaces)


def read(position):
    return TITLE.read_position(position, SEATS, complete(META, {}))


def refusal(*args, **values):
    with pytest.raises(BrokenPosition) as refused:
        read(edited(*args, **values))
    return str(refused.value)


def test_a_piece_is_dropped_where_it_is_held_and_counted():
    tower = read(edited(more="D+0.5 Q-0.3+2")).towers[0]
    assert tower.letters == "QDPDQ"
    assert tower.sheet == (6, 8, 11)
    assert tower.left == (9, 8, 8)
    assert tower.stands
    assert tower.next == "D"


def test_dropped_pieces_stay_where_they_came_to_rest():
    position = edited(more="D+0.5")
    assert TITLE.with_spaces(position, spaces_of(position)) == position
    assert " D:" in spaces_of(position)["tower-0"]
    assert spaces_of(position)["tower-1"] == spaces_of(edited())["tower-1"]


def test_a_tower_that_falls_is_a_heap_and_builds_no_more():
    position = edited(more="D+9", turn="1", towers__1__die="2")
    tower = read(position).towers[0]
    assert tower.fallen
    assert tower.done
    assert tower.next is None
    assert "Red can’t be to move" in refusal(more="D+9")
    assert "nothing can be dropped on it" in refusal(position=position, more="P")


def test_the_last_piece_is_taken_away():
    position = edited(more="D+0.5")
    tower = read(edited(position=position, more="-")).towers[0]
    assert (tower.letters, tower.sheet) == ("QDP", (6,))
    assert tower.pieces == read(position).towers[0].pieces[:-1]
    fallen = edited(more="D Q+12", turn="1", towers__1__die="2")
    again = read(edited(position=fallen, more="-")).towers[0]
    assert again.letters == "QDPD"
    assert again.stands
    assert "can’t be taken away" in refusal(more="-")


def test_the_player_to_move_needs_a_die():
    assert "Choose Orange’s die" in refusal(turn="1")
    state = read(edited(turn="1", towers__1__die="6"))
    assert (state.towers[1].next, state.towers[0].die) == ("Q", None)


def test_the_only_size_left_needs_no_die():
    words = " ".join(["P:0,200,0"] * 9 + ["D:0,300,0"] * 9 + ["Q:0,400,0"] * 2)
    tower = read(edited(more=words)).towers[0]
    assert (tower.die, tower.next) == (None, "Q")


def test_all_pieces_bring_the_bonus():
    words = " ".join(["P:0,200,0"] * 9 + ["D:0,300,0"] * 9 + ["Q:0,400,0"] * 9)
    tower = read(edited(more=words, turn="1", towers__1__die="2")).towers[0]
    assert tower.total == 70
    assert "no more" in refusal(more=f"{words} Q:0,500,0")
    assert "Red has no drone left." in refusal(more=" ".join(["D:0,300,0"] * 9 + ["D"]))


def test_players_who_dropped_out_have_no_tower():
    state = read(edited(dropped="y"))
    assert state.in_ == (True, True, False)
    assert not state.towers[2].pieces
    assert "can't be read" in refusal(dropped="x")


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("D+1.5-3+2", "is no piece"),
        ("D+30.1", "out of reach"),
        ("D+1-21", "too steep"),
        ("X", "is no piece"),
        ("D:0,-1,0", "too far away"),
        ("D:1e999,0,0", "too far away"),
        (" ".join(["P+0"] * (MAX_DROPS + 1)), "At most 10 pieces"),
    ],
)
def test_what_cannot_be_dropped_is_refused(words, reason):
    assert reason in refusal(more=words)


def test_a_tower_begins_with_the_same_three_pieces():
    position = TITLE.dump(start(SEATS, [4]))
    spaces = {**spaces_of(position), "tower-1": "P D Q"}
    with pytest.raises(BrokenPosition, match="Orange’s tower must begin"):
        TITLE.with_spaces(position, spaces)
    spaces["tower-1"] = ""
    assert TITLE.with_spaces(position, spaces) == position
    spaces["tower-1"] = "Q D P"
    assert TITLE.with_spaces(position, spaces) == position
