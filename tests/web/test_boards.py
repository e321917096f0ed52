"""Boards to think on: every way to play, to go back, to keep and to share, without script."""

import base64
import html
import json
import re
import zlib

import msgspec
import pytest
from django.test import Client

from accounts import personal_data
from accounts.models import User
from accounts.sanctions import standing
from accounts.sanctions.models import Sanction
from games.kernel import registry
from games.kernel.contract import Seat
from games.kernel.dice import no_dice
from games.kernel.errors import ChanceError
from games.kernel.random_move import random_move
from games.matches import services
from games.study import addresses, replaying
from games.study import services as studies
from games.study import text as board_text
from games.study.errors import BrokenBoard
from games.study.models import Study
from games.study.replaying import moment_of, played, with_position
from games.study.shapes import STYLES
from games.study.tree import MAX_NODES, Start, Tree
from games.web.study.forms import StudyForm, standard
from tests.fixtures import NOW
from tests.match_driver import begin, fresh_cache
from tests.responses import lasting

__all__ = ["fresh_cache"]

pytestmark = pytest.mark.django_db

GAMES = tuple(registry.titles())


class Board:
    """A browser without script on a board."""

    def __init__(self, address, client=None):
        self.client = client or Client()
        self.open(address)

    def open(self, address):
        answer = self.client.get(address, follow=True)
        assert answer.status_code == 200, answer.content.decode()
        if answer.redirect_chain:
            address = answer.redirect_chain[-1][0]
        self.path = address.partition("?")[0]
        self.page = html.unescape(lasting(answer))

    def follow(self, link):
        self.open(self.path + link.removeprefix("./"))

    def click(self, mark):
        tag = re.search(rf'<a[^>]*data-mark="{mark}"[^>]*>', self.page)[0]
        at = self.path
        self.follow(re.search('href="([^"]*)"', tag)[1])
        self.path = at

    def post(self, **fields):
        answer = self.client.post(self.path, fields)
        if answer.status_code in (302, 303):
            self.open(answer["Location"])
        else:
            self.page = html.unescape(answer.content.decode())
        return answer.status_code

    def confirm(self, **fields):
        """Send the form that plays the move which is entered."""
        form = self.page.partition('id="confirm"')[2].partition("</form>")[0]
        words = re.findall(r'<input type="hidden" name="word" value="([^"]*)"', form)
        return self.post(word=words, **fields)

    def play(self, *texts):
        for text in texts:
            assert self.post(typed=text) == 303, self.page

    def go(self, rel):
        self.to(re.search(rf'rel="{rel}" href="\.\./(\d+)/"', self.page)[1])

    def to(self, number):
        self.open(re.sub(r"\d+/$", f"{number}/", self.path))

    @property
    def lines(self):
        """The moves of the list of lines, each with its number from the start."""
        section = self.page.partition('class="study-lines"')[2].partition("</section>")[0]
        section = re.sub(r"<i[^>]*>.</i>", "", section)
        return re.findall(r'<span class="num soft">(\d+)</span>\s*<code>([^<]*)</code>', section)

    @property
    def tree(self):
        slug, packed = re.search("/games/([^/]*)/board/([^/]*)/", self.path).groups()
        return addresses.unpack(slug, packed)

    @property
    def number(self):
        return int(self.path.rstrip("/").rpartition("/")[2])


def address_of(tree, number=0):
    packed, _ = addresses.pack(tree)
    return f"/games/{tree.game}/board/{packed}/{number}/"


@pytest.fixture
def die():
    """A board of DIE of side 3: the moves of a line differ, and nothing is rolled."""
    return Board(address_of(Tree("die", 1, 2, {"size": 3}, Start(setup=()))))


# --- Playing --------------------------------------------------------------------------------------


@pytest.mark.parametrize("slug", GAMES)
def test_whoever_comes_plays_all_sides_of_every_game(slug):
    board = Board(f"/games/{slug}/board/")
    seats = set()
    # More moves of Precary-Ice may not fit in an address, if a tower falls.
    for turn in range(4):
        tree, title = board.tree, board.tree.title
        state = moment_of(tree, board.number).state
        if not title.actors(state):
            break
        seat = title.actors(state)[0]
        seats.add(seat)
        board.play(random_move(title, state, Seat(seat), f"{turn}"))
    assert len(board.lines) == turn + (1 if title.actors(state) else 0)
    assert len(seats) > 1 or slug == "dice-is-health"


def test_a_move_is_made_by_clicks_on_the_board(die):
    assert "Red to move" in die.page
    die.click("c3")
    assert "Place a stone on c3?" in die.page
    assert die.confirm() == 303
    assert "Blue to move" in die.page
    assert die.lines == [("1", "c3")]
    assert "c3, red stone" in die.page


def test_a_refused_move_says_why_and_keeps_what_was_typed(die):
    die.play("c3")
    before = die.path
    assert die.post(typed="c3") == 422
    assert "c3 is taken" in die.page
    assert 'value="c3"' in die.page
    assert die.path == before
    assert die.post() == 422
    assert "Choose a move first." in die.page


def test_a_part_of_the_page_is_enough_for_scripts(die):
    part = die.client.get(f"{die.path}?word=c3&part=entry").content.decode()
    assert "Place a stone on c3?" in part
    assert "<body" not in part


def test_a_click_that_leads_nowhere_is_explained(die):
    die.play("c3")
    answer = die.client.get(f"{die.path}?part=why&mark=c3").json()
    assert answer == {"said": "c3 is taken."}
    answer = die.client.get(f"{die.path}?part=why&mark=nothing&word=zz").json()
    assert answer["said"]


# --- Dice and cards -------------------------------------------------------------------------------


def rolls(tree, state, seat, move):
    """Whether a move rolls dice."""
    try:
        tree.title.play(state, seat, tree.title.parse(move), no_dice())
    except ChanceError:
        return True
    return False


@pytest.fixture
def rolling():
    """A board of Dice Is Health, and a move on it that rolls dice."""
    board = Board("/games/dice-is-health/board/")
    state = moment_of(board.tree, 0).state
    seat = board.tree.title.actors(state)[0]
    moves = map(str, board.tree.title.moves(state, seat))
    return board, next(move for move in moves if rolls(board.tree, state, seat, move))


def test_dice_are_rolled_or_chosen(rolling):
    board, move = rolling
    at = board.path
    shown = board.client.get(at, {"word": move}).content.decode()
    assert 'name="dice"' in shown
    tree, number = board.tree, board.number
    assert board.post(word=move, dice="7 x") == 422
    assert "Write the dice as numbers" in board.page
    assert 'value="7 x"' in board.page
    assert board.post(word=move, dice="99") == 422
    assert "sides can’t show 99: choose 1 to" in board.page
    assert board.post(word=move, dice=" ".join(["1"] * 30)) == 422
    assert "You chose 30 dice" in board.page
    assert board.post(word=move) == 303
    rolled = board.tree.node(board.number).chance
    assert rolled
    board.path = at
    chosen = [1 + (face % 2) for face in rolled]
    assert board.post(word=move, dice=" ".join(map(str, chosen))) == 303
    assert list(board.tree.node(board.number).chance) == chosen
    assert (tree.nodes, number) == (board.tree.nodes[:-1], board.tree.nodes[-1].parent)


def test_a_board_shows_all_hands_and_the_cards_of_who_moves_can_be_clicked():
    board = Board("/games/simple-life-or-death/board/")
    tree = board.tree
    state = moment_of(tree, 0).state
    assert state.hands[0]
    other = 1 - tree.title.actors(state)[0]
    name = tree.title.meta.colours[other].name
    assert f"{name}’s hand: " in board.page
    mover = tree.title.actors(state)[0]
    assert f"{tree.title.meta.colours[mover].name}’s hand: " not in board.page


# --- Back, forth and variations -------------------------------------------------------------------


def test_one_goes_back_and_forth(die):
    die.play("c3", "a1")
    die.go("prev")
    assert (die.number, len(die.lines)) == (1, 2)
    die.go("first")
    assert die.number == 0
    die.go("last")
    assert die.number == 2
    die.to(0)
    die.go("next")
    assert die.number == 1
    assert 'rel="prev"' in die.page


def list_key(page):
    return re.search('data-list="([^"]*)"', page)[1]


def test_a_step_leaves_out_the_frame_of_the_site_and_the_list_that_the_page_has(die):
    die.play("c3", "c2")
    asked = {"part": "step", "lines": list_key(die.page)}
    step = die.client.get(die.path, asked).content.decode()
    assert 'id="match-entry"' in step
    assert 'id="study-tools"' in step
    assert 'id="messages"' in step
    assert "<html" not in step
    assert 'id="study-list"' not in step
    assert 'id="study-list"' in die.client.get(die.path, {"part": "step"}).content.decode()
    assert 'id="study-list"' in die.client.get(die.path, {"lines": asked["lines"]}).content.decode()


def test_a_move_by_a_step_leads_to_a_step_with_the_list_as_it_is_then(die):
    die.play("c3")
    known = list_key(die.page)
    at = f"{die.path}?part=step&lines={known}"
    step = die.client.post(at, {"typed": "c2"}, follow=True)
    assert b"<html" not in step.content
    assert b"<code>c2</code>" in step.content
    die.post(action="note", name="Main", note="")
    assert list_key(die.page) != known
    refused = die.client.post(at, {"typed": "c3"})
    assert b"action-error" in refused.content
    assert b"<html" not in refused.content


def test_the_list_escapes_what_people_write(die):
    die.play("c3")
    answer = die.client.post(
        die.path, {"action": "note", "name": "<u>", "note": '"<i>'}, follow=True
    )
    written = answer.content.decode()
    assert '<b dir="auto">&lt;u&gt;</b>' in written
    assert "&#34;&lt;i&gt;</span>" in written


def test_another_move_makes_a_variation_which_can_be_promoted_and_deleted(die):
    die.play("c3", "a1")
    die.go("prev")
    die.play("b1")
    assert die.lines == [("1", "c3"), ("2", "a1"), ("2", "b1")]
    assert "Make this the main line" in die.page
    assert die.post(action="promote") == 303
    assert die.lines == [("1", "c3"), ("2", "b1"), ("2", "a1")]
    assert "b1, blue stone" in die.page
    assert "Make this the main line" not in die.page
    assert die.post(action="delete") == 303
    assert (die.number, die.lines) == (1, [("1", "c3"), ("2", "a1")])


def test_the_same_move_again_goes_on_in_its_line(die):
    die.play("c3", "a1")
    die.to(0)
    die.play("c3")
    assert (die.number, len(die.lines)) == (1, 2)


def test_a_move_has_a_name_and_a_note(die):
    die.play("c3")
    assert die.post(action="note", name="Middle <b>", note="Holds both sides.") == 303
    assert '<b dir="auto">Middle <b></b>' in die.page
    assert "&lt;b&gt;" in die.client.get(die.path).content.decode()
    assert "Holds both sides." in die.page
    assert die.post(action="note", name="x" * 61) == 422
    assert "A name has at most 60 characters" in die.page


def test_a_board_that_is_over_takes_no_move(die):
    board = die
    for turn in range(40):
        state = moment_of(board.tree, board.number).state
        title = board.tree.title
        if not title.actors(state):
            break
        board.play(random_move(title, state, title.actors(state)[0], f"{turn}"))
    assert " won" in board.page or "Draw" in board.page
    assert board.post(typed="a1") == 409
    assert "The game is over here" in board.page


# --- Marks and arrows -----------------------------------------------------------------------------


SHAPES = '<g opacity="0.85" pointer-events="none"'
"""How the marks and arrows on a board begin."""


def draw(board, colour, start, end=""):
    return board.post(action="draw", colour=colour, **{"from": start, "to": end})


def test_marks_and_arrows_belong_to_a_position_and_are_kept_in_the_address(die):
    assert draw(die, "green", "C3 ") == 303
    assert "Green circle on c3" in die.page
    die.play("c3")
    assert "Green circle on" not in die.page
    assert draw(die, "red", "c3", "a1") == 303
    assert "Red arrow from c3 to a1" in die.page
    assert (die.tree.shapes, die.tree.node(1).shapes) == (("green c3",), ("red c3>a1",))
    assert 'stroke="var(--c-red)"' in die.page.partition('id="match-board"')[2]
    shown = die.client.get(f"{die.path}?word=a1").content.decode()
    assert SHAPES in die.page
    assert SHAPES not in shown, "a preview is another position"
    die.play("a1")
    die.to(0)
    assert "Green circle on c3" in die.page


def test_a_shape_drawn_again_is_removed_and_another_colour_takes_its_place(die):
    draw(die, "green", "c3", "c3")
    draw(die, "blue", "c3")
    assert die.tree.shapes == ("blue c3",)
    draw(die, "yellow", "c3", "a1")
    draw(die, "blue", "c3")
    assert die.tree.shapes == ("yellow c3>a1",)
    draw(die, "red", "b1")
    assert die.post(action="wipe") == 303
    assert die.tree.shapes == ()


@pytest.mark.parametrize(
    ("shape", "reason"),
    [
        (("green", "zz"), "There is no place called “zz” on this board."),
        (("green", "c3", "<b>"), "There is no place called “<b>” on this board."),
        (("green", ""), "Say which place you want to mark."),
        (("pink", "c3"), "Choose a colour: green, red, blue, yellow."),
        (("red", "a2"), "A position has at most 2 marks and arrows. Remove one first."),
    ],
)
def test_a_shape_that_cannot_be_drawn_is_refused_with_the_reason(die, monkeypatch, shape, reason):
    monkeypatch.setattr("games.study.shapes.MAX_SHAPES", 2)
    draw(die, "green", "c3")
    draw(die, "green", "a1")
    before = die.path
    assert draw(die, *shape) == 422
    assert reason in die.page
    assert "<b>” on" not in die.client.post(die.path, {"action": "draw"}).content.decode()
    assert die.path == before


@pytest.mark.parametrize(
    "shapes",
    [["pink c3"], ["green"], ["green c3\n"], ["green <b>"], ["green c3"] * 33, "green c3", 3],
)
def test_shapes_in_an_address_are_checked(shapes):
    at_start = packed([2, *GOOD[1:], {"shapes": shapes}])
    after_a_move = packed([*GOOD, [1, 0, "c3", [], "", "", shapes]])
    for text in (at_start, after_a_move):
        assert Client().get(f"/games/die/board/{text}/0/").status_code == 400
    unknown = packed([2, *GOOD[1:], {"shapes": ["green q9", "red c3>q9"]}])
    assert Client().get(f"/games/die/board/{unknown}/0/").status_code == 200


def test_shapes_are_saved_exported_and_copied_and_only_their_owner_draws(saved, people):
    study = Study.objects.get()
    saved.to(1)
    draw(saved, "blue", "c3", "b1")
    saved.to(0)
    draw(saved, "green", "c3")
    text = saved.client.get(f"/boards/{study.key}/export.txt").content.decode()
    assert """[Shapes "[\\"green c3\\"]"]\n\n1. Red: c3 {[%shapes ["blue c3>b1"]]}\n""" in text
    exported = saved.client.get(f"/boards/{study.key}/export.json").content.decode()
    answer = Client().post("/games/die/board/new/", {**defaults("die"), "position": exported})
    again = Board(answer["Location"]).tree
    assert (again.shapes, again.node(1).shapes) == (("green c3",), ("blue c3>b1",))
    Study.objects.update(visibility="link")
    reader = other(people)
    page = reader.get(f"/boards/{study.key}/1/").content.decode()
    assert "Blue arrow from c3 to b1" in page
    assert "shape-form" not in page
    form = {"action": "draw", "colour": "red", "from": "c3"}
    assert reader.post(f"/boards/{study.key}/1/", form).status_code == 422
    reader.post(f"/boards/{study.key}/copy/")
    copied = studies.tree_of(Study.objects.get(owner=people[1]))
    assert copied.node(1).shapes == ("blue c3>b1",)


@pytest.mark.parametrize("slug", GAMES)
def test_shapes_are_drawn_on_the_board_of_every_game_with_places(slug):
    board = Board(f"/games/{slug}/board/")
    found = re.search('data-places="([^"]*)"', board.page)
    if slug == "precary-ice":
        assert found is None, "a tower stands where physics put it"
        return
    names = [place.partition(",")[0] for place in found[1].split()]
    for colour, start, end in zip(STYLES, names, names[5:], strict=False):
        assert draw(board, colour, start) == 303
        assert draw(board, colour, start, end) == 303
    drawing = board.page.partition(SHAPES)[2].partition("</svg>")[0]
    assert drawing.count("stroke-dasharray") == 3


# --- Where a board starts -------------------------------------------------------------------------


def test_a_board_starts_with_any_parameters():
    client = Client()
    page = client.get("/games/die/board/new/").content.decode()
    assert "param-size" in page
    board = Board("/games/die/board/")
    answer = client.post("/games/die/board/new/", {"param-size": "5"})
    assert answer.status_code == 303
    board.open(answer["Location"])
    assert board.tree.params["size"] == 5
    answer = client.post("/games/die/board/new/", {"param-size": "99"})
    assert answer.status_code == 422


def test_the_dice_of_the_setup_are_chosen():
    client, new = Client(), "/games/dice-is-health/board/new/"
    assert 'name="dice"' not in client.get("/games/die/board/new/").content.decode()
    assert 'name="dice"' in client.get(new).content.decode()

    def start(dice):
        return client.post(new, {"seats": "2", **defaults("dice-is-health"), "dice": dice})

    board = Board(start("5 9")["Location"])
    assert board.tree.start.setup[:2] == (5, 9)
    first, *rest = Board(start("2")["Location"]).tree.start.setup
    assert (first, bool(rest)) == (2, True)
    for dice, reason in (
        ("x", "Write the dice as numbers"),
        ("999", "sides can’t show 999: choose 1 to"),
        (" ".join(["1"] * 40), "You chose 40 dice, but only"),
    ):
        refused = start(dice)
        assert refused.status_code == 422
        assert reason in html.unescape(refused.content.decode())


def test_more_players_than_two():
    answer = Client().post(
        "/games/simple-life-or-death/board/new/",
        {"seats": "4", "param-combat": "dice", **defaults("simple-life-or-death")},
    )
    assert answer.status_code == 303, html.unescape(answer.content.decode())
    assert Board(answer["Location"]).tree.seats == 4


def defaults(slug):
    """The parameters of a game as its form sends them."""
    schemas = registry.get(slug).meta.params["properties"]
    return {
        f"param-{name}": schema["default"]
        for name, schema in schemas.items()
        if schema["default"] is not False
    }


def test_a_board_starts_from_a_pasted_position():
    board = Board("/games/die/board/")
    board.play(random_move(board.tree.title, moment_of(board.tree, 0).state, Seat(0), "1"))
    position = json.dumps(board.tree.title.dump(moment_of(board.tree, 1).state))
    form = {**defaults("die"), "position": position}
    answer = Client().post("/games/die/board/new/", form)
    assert answer.status_code == 303
    pasted = Board(answer["Location"])
    assert pasted.tree.start.position == json.loads(position)
    assert "Blue to move" in pasted.page


@pytest.mark.parametrize("slug", ["die", "grim-reaper"])
@pytest.mark.parametrize("more", ["NaN", r'"\ud800"', r'"\u0000"'])
def test_of_a_pasted_position_only_what_the_game_knows_is_kept(slug, more):
    board = Board(f"/games/{slug}/board/")
    position = board.tree.title.dump(moment_of(board.tree, 0).state)
    text = f'{{"more": {more}, {json.dumps(position)[1:]}'
    form = {**defaults(slug), "position": text}
    answer = Client().post(f"/games/{slug}/board/new/", form)
    assert Board(answer["Location"]).tree.start.position == position


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("stones", "Line 1, 'stones': A board as text has the line"),
        ("1. e2 f2", "Line 1, '1. e2 f2': A board as text has the line"),
        ('{\n  "size": 3,\n  nothing}', "Line 3, 'nothing}', is not JSON: Expecting"),
        ("[" * 20_000, "too deep"),
        ("[]", "Expected"),
        ('{"size": 9}', "missing"),
        ('{"game": "die", "start": 1}', "This is no board"),
        ("1e400", "Line 1"),
        ("null", "Line 1"),
        ('"\\ud800"', "Line 1"),
    ],
)
def test_what_is_no_position_is_refused_with_the_reason_and_kept(text, reason):
    answer = Client().post("/games/die/board/new/", {**defaults("die"), "position": text})
    page = html.unescape(answer.content.decode())
    assert answer.status_code == 422
    assert reason in page or "position" in page.partition("form-errors")[2][:400], page
    assert text[:1000] in page


def test_a_position_of_a_record_opens_on_a_board(people):
    ended = begin("die", people, size=3)
    ended.play("c3", "a1")
    ended.act(services.resign, 0)
    page = ended.client(None).get(f"{ended.page}1/").content.decode()
    assert f'href="{ended.page}1/try/" rel="nofollow">Try from here' in page
    board = Board(f"{ended.page}1/try/")
    assert "c3, red stone" in board.page
    assert "a1, empty" in board.page
    board.play("b1")
    assert "b1, blue stone" in board.page
    assert ended.client(None).get(f"{ended.page}9/try/").status_code == 404


def test_the_board_of_a_record_keeps_the_earlier_moves(people):
    ended = begin("die", people, size=3)
    ended.play("c3", "a1", "b1")
    ended.act(services.take_back, 0)
    ended.play("e3")
    ended.act(services.resign, 0)
    board = Board(f"{ended.page}5/try/")
    assert "e3, red stone" in board.page
    assert "b1, empty" in board.page
    board.open(board.path.removesuffix("3/") + "1/")
    assert "c3, red stone" in board.page
    assert "a1, empty" in board.page


def test_a_board_keeps_as_many_earlier_moves_as_an_address_holds(people, monkeypatch):
    ended = begin("die", people, size=3)
    ended.play_on(12)
    version = ended.match.version
    if ended.match.is_running:
        ended.act(services.resign, 0)
    monkeypatch.setattr(addresses, "MAX_MOVES", 10)
    board = Board(f"{ended.page}{version}/try/")
    assert board.path.endswith("/10/")
    monkeypatch.setattr(addresses, "MAX_MOVES", 9)
    board = Board(f"{ended.page}{version}/try/")
    assert board.path.endswith("/0/")


def test_a_position_of_an_imported_record_opens_on_a_board(people):
    ended = begin("die", people, size=3)
    ended.play("c3")
    ended.act(services.resign, 0)
    exported = ended.client(None).get(f"{ended.page}export.json").content.decode()
    client = ended.client(0)
    record = client.post("/imported/", {"text": exported}).url
    number = record.rstrip("/").rpartition("/")[0]
    page = client.get(f"{number}/1/").content.decode()
    assert f'href="{number}/1/try/"' in page
    board = Board(f"{number}/1/try/")
    assert "c3, red stone" in board.page
    assert client.get(f"{number}/9/try/").status_code == 404


# --- Secrets --------------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [0, 1, 2, None])
def test_nothing_of_a_running_match_opens_on_a_board(people, seat):
    running = begin("simple-life-or-death", people, combat="cards")
    page = running.client(seat).get(f"{running.page}0/").content.decode()
    assert "Try from here" not in page
    client = running.client(seat)
    answer = client.get(f"{running.page}0/try/")
    assert answer.status_code == 409
    assert "only after the match has ended" in answer.content.decode()
    forged = Tree("simple-life-or-death", 1, 2, running.match.params, Start(match=(running.id, 0)))
    answer = client.get(address_of(forged))
    assert answer.status_code == 400
    page = answer.content.decode()
    assert "only after the match has ended" in page
    assert "hand" not in page.partition("<main")[2].partition("</main")[0]
    assert client.post(f"{address_of(forged)}save/").status_code in (302, 400)
    assert not Study.objects.exists()


def test_a_board_does_not_start_from_the_record_of_another_game(people):
    ended = begin("die", people, size=3)
    ended.act(services.resign, 0)
    for forged in (
        Tree("die", 1, 2, {"size": 5}, Start(match=(ended.id, 0))),
        Tree("grim-reaper", 1, 2, {}, Start(match=(ended.id, 0))),
        Tree("die", 1, 2, {"size": 3}, Start(match=(ended.id, 99))),
        Tree("die", 1, 2, {"size": 3}, Start(match=(10**17, 0))),
        Tree("die", 1, 2, {"size": 3}, Start(imported=(10**17, 0))),
    ):
        assert Client().get(address_of(forged)).status_code == 400


# --- Hostile addresses ----------------------------------------------------------------------------


def packed(content):
    """What an address would hold of any content."""
    data = content if isinstance(content, bytes) else msgspec.json.encode(content)
    squeezer = zlib.compressobj(9, zlib.DEFLATED, -15)
    text = base64.urlsafe_b64encode(squeezer.compress(data) + squeezer.flush())
    return text.rstrip(b"=").decode()


GOOD = [1, 1, 2, {}, "s", []]
HOSTILE = {
    "nothing": "AA",
    "letters": "hello",
    "one too long": "A" * 1501,
    "a bomb": packed(b"[" + b" " * 1_000_000 + b"]"),
    "deep JSON": packed(b"[" * 30_000),
    "no list": packed({}),
    "an empty list": packed([]),
    "another format": packed([2, *GOOD[1:]]),
    "unknown rules": packed([1, 99, *GOOD[2:]]),
    "no number of seats": packed([1, 1, "2", *GOOD[3:]]),
    "too many seats": packed([1, 1, 10**9, *GOOD[3:]]),
    "an unknown parameter": packed([1, 1, 2, {"x": 1}, *GOOD[4:]]),
    "a size that is none": packed([1, 1, 2, {"size": 10**9}, *GOOD[4:]]),
    "an unknown start": packed([1, 1, 2, {}, "x", []]),
    "no start": packed([1, 1, 2, {}, "s", None]),
    "a list as a start": packed([1, 1, 2, {}, [], []]),
    "a negative record": packed([1, 1, 2, {}, "m", [-1, 0]]),
    "a setup with dice": packed([1, 1, 2, {}, "s", [1]]),
    "a position that is none": packed([1, 1, 2, {}, "p", {"a": 1}]),
    "a position that is a text": packed([1, 1, 2, {}, "p", "x"]),
    "a parent that comes later": packed([*GOOD, [-1, 0, "c3"]]),
    "a parent before the start": packed([*GOOD, [2, 0, "c3"]]),
    "a parent that is itself": packed([*GOOD, [0, 0, "c3"]]),
    "a seat that is none": packed([*GOOD, [1, 7, "c3"]]),
    "a node that is a number": packed([*GOOD, 3]),
    "a node without a move": packed([*GOOD, [1]]),
    "a long move": packed([*GOOD, [1, 0, "c" * 2000]]),
    "too many moves": packed([*GOOD, *[[1, 0, "c3"]] * 201]),
    "an illegal move": packed([*GOOD, [1, 0, "zz"]]),
    "a move of the wrong seat": packed([*GOOD, [1, 1, "c3"]]),
    "a move with dice": packed([*GOOD, [1, 0, "c3", [4]]]),
    "a move twice": packed([*GOOD, [1, 0, "c3"], [1, 1, "c3"]]),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_address_is_answered_with_a_sentence(name):
    text = HOSTILE[name]
    for number in (0, 1, 2):
        answer = Client().get(f"/games/die/board/{text}/{number}/")
        assert answer.status_code in (200, 400)
        if answer.status_code == 400:
            assert "This board cannot be shown" in answer.content.decode()
        assert Client().post(f"/games/die/board/{text}/{number}/").status_code in (400, 422)
    last = text and Client().get(f"/games/die/board/{text}/2/")
    assert last.status_code == 400


@pytest.mark.parametrize(
    "outcome",
    [
        {},
        {"pieces": 1, "fallen": True},
        {"pieces": [["Q", 1e308, -1e308, 1e308]], "fallen": False, "ms": 1},
        {"pieces": [["?", 0, 0, 0]] * 50, "fallen": False, "ms": 1},
        {"pieces": [], "fallen": False, "ms": 10**15},
        3,
        "x",
        None,
    ],
)
def test_an_observation_that_nobody_made_is_refused(outcome):
    board = Board("/games/precary-ice/board/")
    tree = board.tree
    state = moment_of(tree, 0).state
    title = tree.title
    seat = title.actors(state)[0]
    board.play(random_move(title, state, seat, "1"))
    node = board.tree.nodes[0]
    chance = [outcome if isinstance(value, dict) else value for value in node.chance]
    forged = board.tree.replaced(1, chance=tuple(chance))
    assert board.client.get(address_of(forged, 1)).status_code == 400


def test_a_node_that_is_not_there_is_refused(die):
    assert die.client.get(re.sub(r"\d+/$", "7/", die.path)).status_code == 400
    assert die.client.get(re.sub(r"\d+/$", f"{10**30}/", die.path)).status_code == 400
    assert die.client.get("/games/no-game/board/").status_code == 404
    assert die.client.get("/games/no-game/board/AA/0/").status_code == 404


def test_visits_are_counted(die, settings):
    settings.FORM_LIMITS = {**settings.FORM_LIMITS, "preview": {"account": ["0/m"]}}
    assert die.client.get(die.path).status_code == 429


def test_each_move_of_a_form_is_counted(die, settings):
    settings.FORM_LIMITS = {**settings.FORM_LIMITS, "board": {"account": ["3/m"]}}
    assert die.client.post(die.path, {"move": ["c3"] * 3, "typed": "c3"}).status_code == 429
    fresh = {"REMOTE_ADDR": "192.0.2.7"}
    assert die.client.post(die.path, {"move": ["c3"] * 2, "typed": "c3"}, **fresh).status_code < 429


# --- Long boards ----------------------------------------------------------------------------------


def long_line(board):
    """Play until a move does not fit in the address; return that move."""
    for turn in range(MAX_NODES):
        state = moment_of(board.tree, board.number).state
        title = board.tree.title
        if not title.actors(state):
            board.go("first")
            continue
        move = random_move(title, state, title.actors(state)[0], f"{turn}")
        status = board.post(typed=move)
        if status != 303 or "/boards/" in board.path:
            return move
    raise AssertionError("The address never became too long.")


def test_a_board_too_long_for_an_address_goes_on_without_earlier_moves():
    board = Board("/games/precary-ice/board/")
    move = long_line(board)
    assert "has become too long for an address" in board.page
    assert "Go on without the earlier moves" in board.page
    assert board.post(typed=move, forget="1") == 303
    assert (board.number, board.lines) == (0, [])
    assert board.tree.start.position


def test_a_board_too_long_for_an_address_is_saved_for_who_is_signed_in(people):
    client = Client()
    client.force_login(people[0])
    board = Board("/games/precary-ice/board/", client)
    long_line(board)
    study = Study.objects.get()
    assert board.path.startswith(f"/boards/{study.key}/")
    assert (study.owner, study.name) == (people[0], "Board of Precary-Ice")


@pytest.mark.parametrize(
    ("is_visitor", "reason"),
    [
        (True, "This board has become too long for an address. Sign in to save it."),
        (False, "You have 0 boards. Delete one first."),
    ],
)
def test_a_pasted_board_that_cannot_be_saved_says_why(people, monkeypatch, is_visitor, reason):
    monkeypatch.setattr(addresses, "MAX_LENGTH", 10)
    monkeypatch.setattr(studies, "MAX_STUDIES", 0)
    client = Client()
    if not is_visitor:
        client.force_login(people[0])
    answer = client.post("/games/die/board/new/", defaults("die"))
    assert answer.status_code == 422
    assert f"<li>{reason}</li>" in answer.content.decode()


# --- Saved boards ---------------------------------------------------------------------------------


@pytest.fixture
def saved(die, people):
    """A board of ada with a variation, in her browser."""
    die.client.force_login(people[0])
    die.play("c3", "a1")
    die.go("prev")
    die.play("b1")
    answer = die.client.post(f"{die.path}save/", {"name": "Corners"})
    die.open(answer["Location"])
    return die


def other(people, seat=1):
    client = Client()
    client.force_login(people[seat])
    return client


def test_a_board_is_saved_and_played_on(saved, people):
    study = Study.objects.get()
    assert (study.name, study.owner, study.visibility) == ("Corners", people[0], "private")
    assert saved.lines == [("1", "c3"), ("2", "a1"), ("2", "b1")]
    tree = studies.tree_of(study)
    move = random_move(tree.title, moment_of(tree, 3).state, Seat(0), "1")
    saved.play(move)
    assert saved.path == f"/boards/{study.key}/4/"
    assert ("3", move) in saved.lines
    assert saved.post(typed=move) == 422
    saved.post(action="promote")
    assert saved.lines[1] == ("2", "b1")
    assert "Corners" in saved.client.get("/boards/").content.decode()


def test_who_is_not_signed_in_is_asked_to_sign_in_before_saving(die):
    answer = die.client.post(f"{die.path}save/")
    assert "/account/login/" in answer.url
    assert "/account/login/?next=/games/die/board/" in die.page


def test_a_private_board_is_seen_by_its_owner_alone(saved, people):
    study = Study.objects.get()
    for client in (Client(), other(people)):
        for path in ("0/", "export.json", "export.txt"):
            assert client.get(f"/boards/{study.key}/{path}").status_code == 404
        assert client.post(f"/boards/{study.key}/0/", {"typed": "c3"}).status_code == 404
        answer = client.post(f"/boards/{study.key}/copy/")
        assert answer.status_code == 404 or "/login/" in answer.url
    assert "Corners" not in other(people).get("/boards/").content.decode()


def test_a_shared_board_is_read_and_copied_and_not_changed_by_others(saved, people):
    study = Study.objects.get()
    form = {"name": "Shared", "visibility": "link", "number": "2"}
    assert saved.client.post(f"/boards/{study.key}/change/", form).url == f"/boards/{study.key}/2/"
    before = Study.objects.get().tree
    for client in (Client(), other(people)):
        page = client.get(f"/boards/{study.key}/2/").content.decode()
        assert "Shared" in page
        assert 'id="confirm"' not in client.get(f"/boards/{study.key}/0/?word=c3").content.decode()
        assert client.post(f"/boards/{study.key}/0/", {"typed": "b2"}).status_code == 422
        assert client.post(f"/boards/{study.key}/1/", {"action": "delete"}).status_code == 422
        for action in ("change", "delete"):
            answer = client.post(f"/boards/{study.key}/{action}/", form)
            assert answer.status_code == 404 or "/login/" in answer.url
    assert Study.objects.get().tree == before
    answer = other(people).post(f"/boards/{study.key}/copy/", {"number": "2"})
    copied = Study.objects.get(owner=people[1])
    assert answer["Location"] == f"/boards/{copied.key}/2/"
    assert (copied.name, copied.visibility) == ("Shared", "private")
    assert copied.tree == before


def test_a_shared_board_can_be_reported(saved, people):
    study = Study.objects.get()
    reader = other(people)
    assert reader.get(f"/report/board/{study.pk}/").status_code == 404
    saved.to(1)
    saved.post(action="note", note="Something rude.")
    form = {"name": "Shared", "visibility": "link"}
    saved.client.post(f"/boards/{study.key}/change/", form)
    page = reader.get(f"/boards/{study.key}/0/").content.decode()
    address = f"/report/board/{study.pk}/"
    assert address in page
    assert "Something rude." in reader.get(address).content.decode()
    assert address not in saved.client.get(f"/boards/{study.key}/0/").content.decode()
    assert study.pk > 10**6, "found by counting up"


def test_who_is_muted_shares_no_board_and_writes_on_none_that_is_shared(saved, people):
    study = Study.objects.get()
    url = f"/boards/{study.key}/change/"
    standing.impose(people[0], Sanction.Kind.MUTE, reason="Rude.", moderator=people[1], now=NOW)
    form = {"name": "Shared", "visibility": "link"}
    page = saved.client.post(url, form, follow=True).content.decode()
    assert "You may not publish anything now." in page
    assert Study.objects.get().visibility == "private"
    saved.to(1)
    assert saved.post(action="note", note="For me.") == 303
    Study.objects.update(visibility="link")
    assert saved.post(action="note", note="For all.") == 422
    assert "You may not publish anything now." in saved.page
    saved.client.post(url, {**form, "visibility": "private"})
    assert Study.objects.get().visibility == "private"


def test_the_shared_boards_of_a_closed_account_are_closed(saved, people):
    study = Study.objects.get()
    Study.objects.update(visibility="link")
    assert other(people).get(f"/boards/{study.key}/0/").status_code == 200
    User.objects.filter(pk=people[0].pk).update(is_active=False)
    for path in ("0/", "export.json", "export.txt"):
        assert other(people).get(f"/boards/{study.key}/{path}").status_code == 404


def test_a_board_is_renamed_and_deleted(saved):
    study = Study.objects.get()
    wrong = {"name": "", "visibility": "all", "number": "x"}
    bad = saved.client.post(f"/boards/{study.key}/change/", wrong)
    assert bad.url == f"/boards/{study.key}/0/"
    assert Study.objects.get().name == "Corners"
    saved.client.post(f"/boards/{study.key}/change/", {"name": "Edges", "visibility": "private"})
    assert Study.objects.get().name == "Edges"
    assert saved.client.post(f"/boards/{study.key}/delete/").url == "/boards/"
    assert not Study.objects.exists()


def test_renaming_a_board_keeps_a_move_of_another_tab(saved, monkeypatch):
    study = Study.objects.get()
    tree = studies.tree_of(study)
    move = random_move(tree.title, moment_of(tree, 3).state, Seat(0), "1")
    checked = StudyForm.is_valid

    def is_valid(form):
        studies.change(board=study, edit=lambda tree: played(tree, 3, Seat(0), [move]), now=NOW)
        return checked(form)

    monkeypatch.setattr(StudyForm, "is_valid", is_valid)
    saved.client.post(f"/boards/{study.key}/change/", {"name": "Edges", "visibility": "private"})
    study.refresh_from_db()
    assert study.name == "Edges"
    assert studies.tree_of(study).node(4).text == move


def test_a_move_on_a_board_that_another_tab_has_deleted_is_refused(saved):
    study = Study.objects.get()
    Study.objects.all().delete()
    with pytest.raises(BrokenBoard, match="has been deleted"):
        studies.change(board=study, edit=lambda tree: (tree, 0), now=NOW)


def test_what_the_database_cannot_store_is_refused(saved, die):
    study = Study.objects.get()
    saved.to(1)
    assert saved.post(action="note", note="a\0b") == 422
    assert "a character that can't be saved" in saved.page
    assert saved.post(action="note", note=r"a\u0000b") == 303
    assert studies.tree_of(Study.objects.get(pk=study.pk)).node(1).note == r"a\u0000b"
    tree = Tree("die", 1, 2, {"size": 3}, Start(setup=()))
    answer = saved.client.post(f"{address_of(tree)}save/", {"name": "a\0b"}, follow=True)
    assert "ab</span>" in answer.content.decode()
    named, _ = tree.added(0, 0, "c3", ())
    named = named.replaced(1, name="a\0b")
    assert saved.client.post(f"{address_of(named)}save/").status_code == 400


def test_positions_are_stored_even_if_several_moves_are_played_at_once(monkeypatch):
    monkeypatch.setattr("games.study.replaying.EVERY", 2)
    tree, number = played(Tree("die", 1, 2, {"size": 3}, Start(setup=())), 0, Seat(0), ["c3"])
    assert with_position(tree, number) is tree
    tree, number = played(tree, number, Seat(1), ["a1"])
    tree, number = played(tree, number, Seat(0), ["b1"])
    tree = with_position(tree, number)
    assert tree.node(number).position
    assert with_position(tree.replaced(number, name="x"), number).node(2).position is None


def test_a_board_is_exported_and_started_from_again(saved):
    study = Study.objects.get()
    exported = saved.client.get(f"/boards/{study.key}/export.json").content.decode()
    assert "position" not in json.loads(exported)["nodes"][0]
    text = saved.client.get(f"/boards/{study.key}/export.txt").content.decode()
    assert "1. Red: c3" in text
    assert "  2. Blue: b1" in text
    answer = Client().post("/games/die/board/new/", {**defaults("die"), "position": exported})
    board = Board(answer["Location"])
    assert board.lines == saved.lines
    wrong = {**defaults("grim-reaper"), "position": exported}
    answer = Client().post("/games/grim-reaper/board/new/", wrong)
    assert "This board is of another game." in answer.content.decode()
    forged = exported.replace('"c3"', '"zz"')
    answer = Client().post("/games/die/board/new/", {**defaults("die"), "position": forged})
    assert "do not follow the rules" in answer.content.decode()


def pasted(slug, text):
    """Return the board that a text makes, or the page that refuses it."""
    answer = Client().post(f"/games/{slug}/board/new/", {**defaults(slug), "position": text})
    if answer.status_code == 303:
        return Board(answer["Location"])
    assert answer.status_code == 422
    return html.unescape(answer.content.decode()).partition("field-errors")[2][:600]


@pytest.mark.parametrize("slug", GAMES)
def test_the_text_of_a_board_makes_the_same_board(slug, people):
    tree = replaying.set_up(standard(registry.get(slug)))
    number = 0
    for turn in range(4):
        state = moment_of(tree, number).state
        seat = tree.title.actors(state)[0]
        line, _ = played(tree, number, seat, [random_move(tree.title, state, seat, f"a{turn}")])
        tree, number = played(line, number, seat, [random_move(tree.title, state, seat, f"{turn}")])
    noted = tree.replaced(1, name="Über", note='Two\nlines, {[%name "x"]} and "quotes"')
    again = board_text.read(
        board_text.write(noted, {"Board": 'A "board"]', "Game": tree.title.meta.name})
    )
    assert again == noted.renumbered()[0]


def test_the_text_of_a_board_keeps_nested_variations_in_their_order(die):
    tree = die.tree
    for turn, at in enumerate((0, 1, 2, 1, 4, 4, 0, 7, 1, 9, 2, 4)):
        state = moment_of(tree, at).state
        seat = tree.title.actors(state)[0]
        moves = [str(move) for move in tree.title.moves(state, seat)]
        taken = {node.text for node in tree.children(at)}
        free = [move for move in moves if move not in taken]
        tree, _ = played(tree, at, seat, [free[turn % len(free)]])
    assert len(tree.nodes) == 12
    written = board_text.write(tree, {})
    assert "\n    3. " in written
    assert board_text.read(written) == tree.renumbered()[0]
    again = pasted("die", written)
    assert again.tree == board_text.read(written)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("1. Red: c3", "1. Red: zz", "'1. Red: zz': The moves of this board do not follow"),
        ("  2. Blue: b1", "  2. Blue: c3", "'2. Blue: c3': The moves of this board"),
        ("  2. Blue: b1", "  3. Blue: b1", "'3. Blue: b1': No move above is one that move 3 can"),
        ("  2. Blue: b1", "    2. Blue: b1", "No move above is one that move 2 can follow"),
        ("  2. Blue: b1", " 2. Blue: b1", "A move is a number, a colour and the move"),
        ("1. Red: c3", "1. Pink: c3", "A move begins with a colour: Red, Blue."),
        ("1. Red: c3", "Red begins", "'Red begins': A move is a number"),
        ("1. Red: c3", "1. Red: c3 {[%chance 3]}", "This is no move: Expected `array`"),
        ("1. Red: c3", "1. Red: c3 {[%chance [}", "chance cannot be read"),
        (
            "1. Red: c3",
            '1. Red: c3 {[%start {"match": [1, 1]}]}',
            "Lines begin again at a position",
        ),
        ('[Players "2"]', "[Players 2]", "A tag is a name and a text"),
        ('[Players "2"]', '[Title "die"]', "This tag occurs twice."),
        ('[Players "2"]', '[Players "x"]', "The tag Players is not JSON."),
        ('[Players "2"]', "", "The tags describe no board"),
        ('[Players "2"]', '[Players "7"]', "7"),
    ],
)
def test_an_import_names_the_line_that_it_does_not_understand(saved, old, new, reason):
    study = Study.objects.get()
    written = saved.client.get(f"/boards/{study.key}/export.txt").content.decode()
    assert written.count(old) == 1
    page = pasted("die", written.replace(old, new))
    assert reason in page
    assert "Line " in page


def test_a_text_of_a_board_is_bounded(saved):
    study = Study.objects.get()
    written = saved.client.get(f"/boards/{study.key}/export.txt").content.decode()
    assert "at most" in pasted(
        "die", written.replace("1. Red", "\n" * board_text.MAX_LINES + "1. Red")
    )


def test_an_account_has_so_many_boards(saved, monkeypatch, people):
    monkeypatch.setattr("games.study.services.MAX_STUDIES", 1)
    study = Study.objects.get()
    page = saved.client.post(f"/boards/{study.key}/copy/", follow=True).content.decode()
    assert "You have 1 boards" in page
    assert Study.objects.count() == 1


def test_a_board_that_started_from_a_record_stands_alone_once_it_is_saved(people):
    ended = begin("die", people, size=3)
    ended.play("c3")
    ended.act(services.resign, 0)
    client = ended.client(0)
    board = Board(f"{ended.page}1/try/", client)
    client.post(f"{board.path}save/", {"name": "Late"})
    start = Study.objects.get().tree["start"]
    assert start.keys() == {"position"}


def test_boards_are_personal_data(saved, people):
    assert personal_data.export(people[0])["boards"][0]["name"] == "Corners"
    for part in personal_data.parts():
        part.delete(people[0], NOW)
    assert not Study.objects.exists()


@pytest.mark.parametrize("slug", GAMES)
def test_the_figures_of_the_rules_open_on_a_board(client, slug):
    page = html.unescape(client.get(f"/games/{slug}/rules/").content.decode())
    links = re.findall(r'<a href="([^"]*)" rel="nofollow">Try it on a board</a>', page)
    running = sum('"result": null' in block for block in figures(slug))
    assert len(links) == running > 0
    for link in links:
        board = Board(link, client)
        assert board.number == 0
        assert "to move</h2>" in board.page


def figures(slug):
    text = (registry.folder(slug) / "rules.md").read_text(encoding="utf-8")
    return re.findall(r"```board\n(.*?)```", text, re.DOTALL)
