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
