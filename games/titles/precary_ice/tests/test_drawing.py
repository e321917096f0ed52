"""The towers drawn: where pieces stand, what is marked, what lies before each of them."""

import math
import re

import pytest

from games.kernel import svg, svg_writer
from games.titles.precary_ice.drawing import draw
from games.titles.precary_ice.drawing.geometry import Geometry
from games.titles.precary_ice.drawing.sheet import desk
from games.titles.precary_ice.drawing.symbols import is_pale
from games.titles.precary_ice.events import Released
from games.titles.precary_ice.meta import NORMAL, TURNS
from games.titles.precary_ice.pieces import LETTERS, PIECES, PIECES_PER_SIZE, Placed, exact
from games.titles.precary_ice.state import Held, Preview, State
from games.titles.precary_ice.tower import REMOVED_TOWER, Tower

ALL = "QDP" + "PDQ" * 9


def tower(letters="QDP", *, lean=0.0, fallen=False):
    """A tower, every piece so many millimetres further right than the last."""
    totals = [6]
    for letter in letters[3:]:
        totals.append(totals[-1] + PIECES[letter].points)
    left = tuple(PIECES_PER_SIZE - letters.count(letter) for letter in LETTERS)
    done = fallen or not any(left)
    return Tower(
        pieces=tuple(p._replace(x=p.x + lean * at) for at, p in enumerate(exact(letters))),
        left=left,
        sheet=tuple(totals),
        die=None if done else 3,
        next=None if done else next(x for x, n in zip(LETTERS, left, strict=True) if n),
        done=done,
        fallen=fallen,
    )


def view(*towers, held=None, **more):
    """A view of some towers, with a placement that is being typed if one is ``held``."""
    fields = {
        "rounds": 0,
        "pace": TURNS,
        "hand": NORMAL,
        "incidents": False,
        "round": 1,
        "starter": 0,
        "turn": 0,
        "towers": towers,
        "scores": ((),) * len(towers),
        "in_": (True,) * len(towers),
        "dropped": (),
        **more,
    }
    return State(**fields) if held is None else Preview(**fields, held=held)


def drawn(seen, *recent):
    return svg_writer.render(draw(seen, recent), ids="m1234567-")


def labels(seen):
    return dict(svg.marks_of(draw(seen, ())))


def test_pieces_stand_where_the_position_says():
    text = drawn(view(tower(lean=1.5), tower()))
    found = re.findall(r'href="#m1234567-([PDQ]\d)" transform="translate\((\S+) (\S+)\)', text)
    for (name, x, y), piece in zip(found, exact("QDP"), strict=False):
        at = "QDP".index(piece.letter)
        assert name == f"{piece.letter}0"
        assert (float(x), float(y)) == pytest.approx((1.5 * at, piece.y), abs=0.006)


def test_every_other_piece_of_a_size_is_pale():
    assert pale("QDPPPDQ") == [False, False, False, True, False, True, True]
    assert sum(pale(ALL)) == 15
    text = drawn(view(tower("QDPPPDQ"), tower()))
    assert re.findall(r'data-next-piece="([^"]*)"', text) == ["P1", "P1"]


def pale(letters):
    """Which pieces of a tower have the second colour."""
    return [is_pale(letter, letters[:at]) for at, letter in enumerate(letters)]


def test_a_tilted_piece_turns_counter_clockwise_around_its_centre_of_mass():
    left, right, tip = Placed("Q", 5, 100, math.radians(90)).corners
    piece = PIECES["Q"]
    assert tip == pytest.approx((5 - (piece.height - piece.centre), 100))
    assert left == pytest.approx((5 + piece.centre, 100 - piece.base / 2))
    assert right == pytest.approx((5 + piece.centre, 100 + piece.base / 2))


def test_the_centre_of_mass_is_that_of_all_pieces():
    x, y = tower(lean=2).centre_of_mass
    masses = [PIECES[letter].mass for letter in "QDP"]
    assert x == pytest.approx((0 * masses[0] + 2 * masses[1] + 4 * masses[2]) / sum(masses))
    assert exact("QDP")[0].y < y < exact("QDP")[2].y


def test_towers_share_one_scale_and_the_highest_fits():
    for letters in ("QDP", ALL):
        geometry = Geometry(view(tower(letters), tower()), ())
        assert geometry.towers[0].height < geometry.table
        assert geometry.axis(1) - geometry.axis(0) == 72
    assert (
        Geometry(view(tower(ALL), tower()), ()).table > Geometry(view(tower(), tower()), ()).table
    )


def test_a_piece_that_is_typed_hangs_above_its_tower_and_touches_nothing():
    for tilt in (-20, 0, 20):
        geometry = Geometry(view(tower(), tower(), held=Held(1, -3.0, tilt)), ())
        assert geometry.piece_held.x == -3
        assert geometry.piece_held.angle == pytest.approx(math.radians(tilt))
        low = min(y for _, y in geometry.piece_held.corners)
        assert geometry.towers[1].height < low < geometry.towers[1].height + 12
        assert max(y for _, y in geometry.piece_held.corners) < geometry.table
    assert drawn(geometry.view).count('class="held"') == 1


def test_what_stands_is_told_in_words():
    told = labels(view(tower("QDPQ", lean=1), tower(fallen=True)))
    height, _, rest = told["tower-0"].partition(" mm high, ")
    assert re.fullmatch(r"Red’s tower, \d+\.\d", height)
    # the list of pieces comes last: a line below the board cuts it off
    place = "its point 3.0 mm right of the axis"
    assert rest == f"{place}; from the bottom queen, drone, pawn, queen"
    assert told["tower-1"] == "Orange’s tower has fallen: 3 pieces"
    assert told["sheet-0"] == "Red’s sheet: 9 points; crossed off 6"
    assert told["sheet-1"] == "Orange’s sheet: 6 points"


def before(seen, seat):
    """What lies beside the towers for a seat."""
    return "".join(map(svg_writer.render, desk(Geometry(seen, ()), seat)))


def test_all_totals_of_a_sheet_are_written_and_all_but_the_last_crossed_off():
    text = before(view(tower("QDPQD"), tower()), 0).partition('<g class="due"')[0]
    assert re.findall(r">(\d+)</text>", text) == ["6", "9", "11"]
    (crossed,) = re.findall(r'<path d="([^"]*)" fill="none"', text)
    assert crossed.count("M") == 2


def test_what_the_pen_is_to_write_is_there_unseen_and_has_room():
    full = "QDP" + "PDQ" * 4
    text = before(view(tower(full), tower()), 0)
    (due,) = re.findall(r'<g class="due"[^>]* visibility="hidden">(.*?)</g></g>', text)
    assert due.count("<path") == 1
    assert re.findall(r">(\d+)</text>", due) == [str(6 + 24 + 1)]
    rows = [Geometry(view(tower(full[:n]), tower()), ()).rows for n in (13, 14)]
    assert rows == [2, 3]
    assert "due" not in before(view(tower(fallen=True), tower()), 0)


def test_what_leaves_its_room_is_cut_with_a_sign():
    assert "cut" not in drawn(view(tower(lean=2), tower()))
    text = drawn(view(tower("QDPQ", lean=120, fallen=True), tower("QDPQ", lean=-12)))
    assert re.findall(r">(‹\d+|\d+›)</text>", text) == ["1›", "‹1"]
    assert text.count('clip-path="url(#m1234567-room-0)"') == 1


def test_heaps_are_shown_whole_beside_each_other():
    seen = view(tower("QDPQ", lean=40, fallen=True), tower("QDPQ", lean=-30, fallen=True))
    geometry = Geometry(seen, ())
    assert "cut" not in drawn(seen)
    for seat, heap in enumerate(seen.towers):
        left, right = geometry.rooms[seat]
        corners = [x for piece in heap.pieces for x, _ in piece.corners]
        assert -left < min(corners) <= max(corners) < right
    assert geometry.axis(1) - geometry.axis(0) == sum((geometry.rooms[0][1], geometry.rooms[1][0]))
    assert geometry.width == geometry.axis(1) + geometry.rooms[1][1]


@pytest.mark.parametrize("seats", range(2, 7))
def test_a_fall_leaves_the_panel_where_it_is(seats):
    """Pages put it beside the board unless that is much wider than high."""
    for fallen in (False, True):
        drawing = draw(view(*[tower("QDPQ", lean=50, fallen=fallen)] * seats), ())
        assert drawing.width <= 1.5 * drawing.height


def test_the_towers_and_the_sheet_of_the_winner_are_lit_at_the_end():
    ended = view(tower("QDPQ", fallen=True), tower(fallen=True), ranks=(1, 2))
    (halo,) = re.findall(r'class="halo"[^>]*>((?:<polygon[^>]*/>)*)', drawn(ended))
    assert halo.count("<polygon") == 4
    frame = f'stroke="var(--c-{svg.ACCENT.name})"'
    assert [frame in before(ended, seat) for seat in (0, 1)] == [True, False]


def test_the_highest_of_the_round_and_of_the_match_are_marked():
    alike = view(tower(), tower())
    assert all(">ahead<" not in before(alike, seat) for seat in (0, 1))
    ahead = view(tower(), tower("QDPQ"), scores=[[31, 8], [17, 31]], round=3)
    assert [">ahead<" in before(ahead, seat) for seat in (0, 1)] == [False, True]
    assert [stars(before(ahead, seat)) for seat in (0, 1)] == [1, 1]
    assert [stars(before(alike, seat)) for seat in (0, 1)] == [0, 0]


def stars(text):
    return sum(points.count(",") == 10 for points in re.findall(r'points="([^"]*)"', text))


def test_the_last_piece_is_outlined_for_who_has_placed_it():
    placed = Released(1, "Q", at=0.0, tilt=0, tremor=(0.0, 0.0))
    lit = re.compile(r'class="lit"[^>]*><polygon')
    assert not lit.search(drawn(view(tower("QDPQ"), tower("QDPQ"))))
    text = drawn(view(tower("QDPQ"), tower("QDPQ")), placed)
    assert len(lit.findall(text)) == 1
    assert text.count("data-placed") == 1
    assert not lit.search(drawn(view(tower("QDPQ"), tower(fallen=True)), placed))


def test_a_tower_that_is_taken_away_leaves_its_place_empty():
    seen = view(tower(), REMOVED_TOWER, tower("QDPQ"), dropped=(1,), in_=(True, False, True))
    assert labels(seen)["tower-1"] == "Orange has no tower"
    assert drawn(seen).count('class="balance"><circle') == 2


def test_six_towers_of_thirty_pieces_stay_light():
    full = [tower(ALL, lean=0.123) for _ in range(6)]
    text = drawn(view(*full, scores=[[44, 33, 22, 60, 51, 40]] * 6))
    assert len(text.encode()) < 60_000
