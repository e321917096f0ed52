"""The editor of positions, without script: what it shows, makes and refuses."""

import html
import re

import pytest
from django.test import Client

from games.kernel import registry
from games.study import addresses
from games.study.replaying import moment_of, played, set_up, start_of
from games.study.tree import Start, Tree
from games.web.study import editor
from games.web.study.editor import MAX_SPACES_LENGTH, Draft
from games.web.study.forms import standard
from tests.match_driver import fresh_cache
from tests.web.test_boards import address_of

__all__ = ["fresh_cache"]

pytestmark = pytest.mark.django_db

EMPTY = Tree("die", 1, 2, {"size": 3}, Start(setup=()))
PAGE = f"{address_of(EMPTY)}edit/"


def sent(spaces="", action="use", **values):
    return {"action": action, "spaces": spaces, "mover": "0", "ply": "0", **values}


def tree_at(address):
    slug, packed = re.search("/games/([^/]*)/board/([^/]*)/", address).groups()
    return addresses.unpack(slug, packed)


def verdict(answer):
    page = html.unescape(answer.content.decode())
    return re.search('id="editor-verdict"[^>]*>(.*?)</p>', page)[1]


def test_a_board_starts_from_what_was_put_together():
    answer = Client().post(PAGE, sent("c3 r\n\n a1  b \r\nc5 r", mover="1", ply="0"))
    assert answer.status_code == 303
    state = start_of(tree_at(answer["Location"]))
    assert (state.ply, state.mover, state.stones[0].bit_count()) == (3, 1, 2)
    page = Client().get(answer["Location"]).content.decode()
    assert "c3, red stone" in page
    assert "Blue to move" in page


@pytest.mark.parametrize(
    ("spaces", "reason"),
    [
        ("c3 x", "x is no stone"),
        ("c3 r b", "r b is no stone"),
        ("z9 r", "'z9' is no space of this board."),
        ("c3 r\nc3 b", "c3 is there twice."),
        ("c3 r", "Blue cannot have lost a stone in 2 moves."),
    ],
)
def test_what_no_match_can_reach_is_refused_with_the_reason_and_kept(spaces, reason):
    answer = Client().post(PAGE, sent(spaces))
    assert answer.status_code == 422
    assert reason in verdict(answer)
    assert spaces.replace("\n", "\n") in html.unescape(answer.content.decode())


@pytest.mark.parametrize("values", [{"ply": "-1"}, {"ply": "x"}, {"mover": "7"}, {"mover": "["}])
def test_values_out_of_range_are_refused(values):
    answer = Client().post(PAGE, sent("c3 r", **values))
    assert answer.status_code == 422
    assert "Not possible" in verdict(answer)


def test_a_position_is_shown_before_it_is_used():
    answer = Client().post(f"{PAGE}?part=editor", sent("c3 r\na1 b", action="show"))
    page = answer.content.decode()
    assert answer.status_code == 200
    assert "c3, red stone" in page
    assert "<html" not in page
    assert verdict(answer) == editor.READY
    broken = Client().post(f"{PAGE}?part=editor", sent("c3 ?", action="show"))
    assert broken.status_code == 200
    assert "c3, empty" in broken.content.decode()


def typed(answer):
    """Return what stands on the spaces after an answer."""
    page = html.unescape(answer.content.decode())
    return re.search('id="spaces"[^>]*>(.*?)</textarea>', page, re.DOTALL)[1]


def test_a_piece_of_the_tray_is_put_without_script():
    answer = Client().post(PAGE, sent("a1 b\nc3 r", action="put", piece="b", space="c3"))
    assert answer.status_code == 200
    assert typed(answer) == "a1 b\nc3 b"
    assert re.search('value="b" checked', answer.content.decode())
    answer = Client().post(PAGE, sent("a1 b\nc3 r", action="put", piece="", space="c3"))
    assert typed(answer) == "a1 b"
    unknown = Client().post(PAGE, sent("c3 r", action="put", piece="b", space="z9"))
    assert typed(unknown) == "c3 r"


def editor_of(slug):
    """Return the address of the editor of a new board, and what its form sends."""
    tree = set_up(standard(registry.get(slug)))
    draft = Draft(tree, tree.title.dump(moment_of(tree, 0).state))
    values = {one.key: text for one, text in draft.fields}
    return f"{address_of(tree)}edit/", {"spaces": draft.spaces_text, **values}


def test_several_pieces_are_put_on_one_space_and_taken_away_again():
    address, values = editor_of("simple-life-or-death")
    put = {"action": "put", "piece": "rM", "number": "2", "space": "a1"}
    once = typed(Client().post(address, values | put))
    assert once.splitlines()[-1] == "a1 rM2"
    twice = typed(Client().post(address, values | put | {"number": "1", "spaces": once}))
    assert twice.splitlines()[-1] == "a1 rM2 rM1"
    again = typed(Client().post(address, values | put | {"spaces": twice}))
    assert again.splitlines()[-1] == "a1 rM1"


class TestPiecesThatAreDropped:
    @staticmethod
    def put(spaces=None, **changed):
        address, values = editor_of("precary-ice")
        spaces = values["spaces"] if spaces is None else spaces
        put = {"action": "put", "piece": "D", "space": "tower-0", "aim": ["0.5", "-2"]}
        return Client().post(address, values | put | {"spaces": spaces} | changed)

    def test_they_come_to_rest(self):
        answer = self.put()
        first, other = typed(answer).splitlines()
        assert [word[:2] for word in first.split()[1:]] == ["Q:", "D:", "P:", "D:"]
        assert len(other.split()) == 4
        assert verdict(answer) == editor.READY
        assert re.search('name="aim"[^>]*value="-2"', answer.content.decode())

    def test_one_that_cannot_be_dropped_changes_nothing_and_says_why(self):
        before = typed(self.put())
        refused = self.put(before, aim=["45", "0"])
        assert typed(refused) == before
        assert "out of reach" in verdict(refused)
        assert "queen, drone, pawn, drone" in refused.content.decode()
        assert verdict(self.put(before, aim=["x"])) == editor.READY

    def test_typed_drops_are_kept_if_they_are_refused(self):
        _, values = editor_of("precary-ice")
        refused = self.put(f"{values['spaces']} X", action="show")
        assert typed(refused).endswith(" X")
        assert "is no piece" in verdict(refused)


def test_a_position_that_is_over_is_refused():
    tree, at = EMPTY, 0
    title = tree.title
    while actors := title.actors(state := moment_of(tree, at).state):
        tree, at = played(tree, at, actors[0], [str(next(iter(title.moves(state, actors[0]))))])
    packed = address_of(tree.standing_alone(title.dump(state)).without_nodes())
    answer = Client().post(f"{packed}edit/", {"action": "use", "spaces": ""})
    assert answer.status_code == 422


@pytest.mark.parametrize("slug", [*registry.titles()])
def test_every_game_is_edited_from_its_boards(slug):
    board = Client().get(f"/games/{slug}/board/")["Location"]
    page = html.unescape(Client().get(board).content.decode())
    address = re.search('href="([^"]*/edit/)"', page)[1]
    form = Client().get(address)
    assert form.status_code == 200
    tree = set_up(standard(registry.get(slug)))
    position = tree.title.dump(moment_of(tree, 0).state)
    draft = Draft(tree, position)
    fields = {one.key: text for one, text in draft.fields}
    answer = Client().post(address, {"action": "use", "spaces": draft.spaces_text, **fields})
    assert answer.status_code == 303, verdict(answer)
    assert tree.title.dump(start_of(tree_at(answer["Location"]))) == position
    assert "Edit this position" in Client().get(answer["Location"]).content.decode()


def test_texts_are_bounded():
    spaces = "\n".join(["c3 r"] * MAX_SPACES_LENGTH)
    assert Client().post(PAGE, sent(spaces)).status_code == 422
    assert Client().post(PAGE, sent("c3 r", ply="9" * 10_000)).status_code == 422


def test_a_damaged_address_is_no_error_of_the_site():
    assert Client().get("/games/die/board/xx/0/edit/").status_code == 400
    assert Client().get("/games/chess/board/xx/0/edit/").status_code == 404
