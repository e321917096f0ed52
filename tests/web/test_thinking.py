"""The private board of a player on a match: nothing on it is a move, and nobody else sees it."""

import html

import pytest
from django.test import Client

from accounts import personal_data
from games.matches import selectors, services
from games.matches.models import ConditionalMoves
from games.matches.plans import conditional
from games.matches.tasks import run_queues
from games.study import private
from games.study import services as studies
from games.study.errors import BrokenBoard
from games.study.models import PrivateBoard, Study
from games.study.personal_data import StudyData
from tests.attack_match import start_attack_match
from tests.fixtures import NOW
from tests.match_driver import begin, fresh_cache
from tests.responses import lasting
from tests.strict_templates import strict_templates

__all__ = ["fresh_cache", "start_attack_match", "strict_templates"]

pytestmark = pytest.mark.usefixtures("strict_templates")


@pytest.fixture
def stones(people):
    """A match of DIE in which Red waits for Blue's second stone."""
    play = begin("die", people, size=5)
    play.play("a1", "i5", "c3")
    return play


class Thinker:
    """A player without script at the board."""

    def __init__(self, play, seat):
        self.path, self.client = f"{play.page}board/", play.client(seat)
        self.at(self.client.get(self.path)["Location"])

    def at(self, address):
        self.address = address
        answer = self.client.get(address)
        assert answer.status_code == 200
        self.page = html.unescape(lasting(answer))

    def post(self, **form):
        answer = self.client.post(self.address, form)
        assert answer.status_code == 303, html.unescape(answer.content.decode())
        self.at(answer["Location"])

    def play(self, *moves):
        for move in moves:
            self.post(word=move)

    def leave(self, version):
        self.post(action="leave", version=version)


def texts(play):
    return [entry.text for entry in selectors.log(play.match)]


def lines():
    return conditional.lines_of(ConditionalMoves.objects.get()).all_lines()


def nodes():
    return [node.text for node in studies.tree_of(PrivateBoard.objects.get()).nodes]


def test_moves_on_the_board_are_never_moves_of_the_match(stones):
    for seat in (0, 1):
        thinker = Thinker(stones, seat)
        assert "This is the position of the match now." in thinker.page
        thinker.play("h4", "e5")
        assert "e5, red stone" in thinker.page
    assert texts(stones) == ["a1", "i5", "c3"]
    assert PrivateBoard.objects.count() == 2


def test_the_board_stays_when_the_match_goes_on_and_can_follow_it(stones):
    thinker = Thinker(stones, 0)
    thinker.play("h4", "e5")
    tried = thinker.address
    stones.play("e3")
    thinker.at(tried)
    assert "1 move of the match is not on this board yet" in thinker.page
    assert "e5, red stone" in thinker.page, "what was tried is still there"
    thinker.post(action="follow")
    assert "This is the position of the match now." in thinker.page
    assert "e3, blue stone" in thinker.page
    assert nodes() == ["h4", "e5", "e3"], "variations stay"
    begun = Thinker(stones, 0)
    assert begun.address == thinker.address
    assert PrivateBoard.objects.get().root == 3


def test_a_line_is_left_with_the_site_and_played(stones):
    thinker = Thinker(stones, 0)
    thinker.play("h4", "e5", "i2", "g5")
    assert "From the match to here: <strong>h4, e5, i2, g5</strong>" in thinker.page
    thinker.leave(3)
    assert "as soon as they fit" in thinker.page
    assert lines() == [["h4", "e5", "i2", "g5"]]
    for theirs, reply in (("h4", "e5"), ("i2", "g5")):
        stones.play(theirs)
        run_queues(stones.id)
        assert texts(stones)[-1] == reply
    assert nodes() == ["h4", "e5", "i2", "g5"], "the match has played the line itself"
    assert "This is the position of the match now." in Thinker(stones, 0).page


def test_a_second_line_from_the_board_is_added_to_the_first(stones):
    thinker = Thinker(stones, 0)
    thinker.play("h4", "e5")
    thinker.leave(3)
    thinker.at(f"{thinker.path}0/")
    thinker.play("e3", "h4")
    thinker.leave(3)
    assert lines() == [["h4", "e5"], ["e3", "h4"]]


def test_a_line_is_not_left_once_the_match_has_moved_on(stones):
    thinker = Thinker(stones, 0)
    thinker.play("h4", "e5")
    stones.play("e3")
    answer = thinker.client.post(thinker.address, {"action": "leave", "version": 3})
    assert answer.status_code == 409
    assert "moved on" in answer.content.decode()
    answer = thinker.client.post(thinker.address, {"action": "leave", "version": 4})
    assert answer.status_code == 409
    assert "Go to the position" in answer.content.decode()
    assert not ConditionalMoves.objects.exists()


def test_a_take_back_before_the_start_asks_for_a_new_start(stones):
    stones.play("h4")
    thinker = Thinker(stones, 0)
    thinker.play("e5")
    stones.act(services.take_back, 1)
    thinker.at(thinker.address)
    assert "The match has left the lines of this board." in thinker.page
    assert thinker.client.post(thinker.address, {"action": "follow"}).status_code == 422
    thinker.post(action="again")
    assert "This is the position of the match now." in thinker.page
    assert nodes() == []


def test_nobody_else_enters_or_notices(stones):
    page, api = stones.page, f"/api/v1{stones.page}"
    paths = [page, f"{page}?part=live", f"{page}export.json", f"{page}export.txt", f"{page}3/"]
    paths += [api, f"{api}log/", f"{api}record/", f"{api}private/", "/boards/", "/archive/"]
    others = [stones.client(seat) for seat in (1, 2, None)]

    def seen():
        return [lasting(client.get(path)) for client in others for path in paths]

    before = seen()
    thinker = Thinker(stones, 0)
    thinker.play("h4", "e5")
    thinker.post(action="note", name="secret-name", note="secret-note")
    assert seen() == before
    assert "secret-name" in thinker.page
    for address in (thinker.path, thinker.address):
        assert stones.client(2).get(address).status_code == 403
        assert stones.client(2).post(address, {"word": "e5"}).status_code in {403, 405}
        assert "/account/login/" in stones.client(None).get(address)["Location"]
    assert stones.client(1).get(thinker.address).status_code == 404, "on another board"
    assert "secret" not in stones.client(1).get(thinker.path, follow=True).content.decode()
    assert stones.client(0).get(f"{page}3/try/").status_code == 409, "the public one stays closed"
    exported = personal_data.export(stones.people[0])["boards_on_matches"]
    assert [board["match"] for board in exported] == [stones.id]


def test_a_game_with_hidden_cards_has_no_board(start_attack_match, people):
    play = start_attack_match()
    client = Client()
    client.force_login(people[0])
    page = f"/matches/{play.id}/"
    answer = client.get(f"{page}board/")
    assert answer.status_code == 409
    assert "hidden cards" in answer.content.decode()
    assert "Think on a board" not in client.get(page).content.decode()
    assert not PrivateBoard.objects.exists()


def test_a_board_is_published_after_the_end_and_not_before(stones):
    thinker = Thinker(stones, 0)
    thinker.play("h4", "e5")
    refused = thinker.client.post(thinker.address, {"action": "publish"})
    assert "once the match has ended" in refused.content.decode()
    assert not Study.objects.exists()
    stones.act(services.resign, 1)
    record = f"{stones.page}3/"
    assert "Board of ada" not in lasting(stones.client(None).get(record))
    thinker.post(action="publish")
    study = Study.objects.get()
    assert study.get_absolute_url() in thinker.page
    for seat in (1, 2, None):
        client = stones.client(seat)
        assert "Board of ada" in lasting(client.get(record))
        assert study.get_absolute_url() in lasting(client.get(record))
        assert client.get(study.get_absolute_url()).status_code == 200
        assert "Your board" not in lasting(client.get(record))
    assert "Your board" in lasting(thinker.client.get(record))
    again = thinker.client.post(thinker.address, {"action": "publish"})
    assert "already" in again.content.decode()


def test_a_board_that_two_requests_have_read_is_published_once(stones):
    Thinker(stones, 0).play("h4", "e5")
    stones.act(services.resign, 1)
    board, snapshot = private.opened(stones.people[0], stones.id, NOW)
    private.publish(board, snapshot, "Board", NOW)
    with pytest.raises(BrokenBoard, match="already"):
        private.publish(board, snapshot, "Board", NOW)
    assert Study.objects.count() == 1


def test_boards_are_deleted_with_the_account(stones):
    Thinker(stones, 0).play("h4")
    StudyData().delete(stones.people[0], NOW)
    assert not PrivateBoard.objects.exists()


def test_programs_think_on_the_board(stones):
    client, api = stones.client(0), f"/api/v1{stones.page}board/"

    def post(path="", **data):
        return client.post(f"{api}{path}", data, content_type="application/json")

    empty = client.get(api).json()
    assert (empty["start"], empty["now"], empty["missing"]) == (3, 0, 0)
    assert not PrivateBoard.objects.exists(), "reading saves nothing"
    tried = post(moves=["h4", "e5"]).json()["tree"]["nodes"]
    assert [(n["parent"], n["seat"], n["text"]) for n in tried] == [(0, 1, "h4"), (1, 0, "e5")]
    assert len(post(after=1, moves=["g3"]).json()["tree"]["nodes"]) == 3
    assert post(moves=["c3"]).json()["code"] == "illegal"
    assert post(after=99, moves=["e3"]).json()["code"] == "broken-board"
    stones.play("h4", "g1")
    assert client.get(api).json()["missing"] == 1
    followed = post("follow/").json()
    assert (followed["missing"], len(followed["tree"]["nodes"])) == (0, 4)
    assert followed["now"] == 4
    again = post("restart/").json()
    assert (again["start"], again["now"]) == (5, 0)
    assert "nodes" not in again["tree"]
    assert stones.client(1).get(api).json()["tree"].get("nodes") is None
    assert stones.client(2).get(api).status_code == 403
    assert stones.client(None).get(api).status_code == 401
    assert texts(stones)[3:] == ["h4", "g1"]


@pytest.mark.parametrize("slug", ["dice-is-health", "grim-reaper", "precary-ice"])
def test_every_open_game_has_a_board(people, slug):
    play = begin(slug, people)
    thinker = Thinker(play, 0)
    snapshot = selectors.snapshot(play.id)
    seat = snapshot.actors[0]
    move = str(next(iter(snapshot.title.moves(snapshot.state, seat))))
    thinker.play(move)
    assert len(nodes()) == 1
    play.act(services.play_move, seat, texts=[move])
    board = PrivateBoard.objects.get()
    node = private.follow(board, selectors.snapshot(play.id), NOW)
    thinker.at(f"{thinker.path}{node}/")
    assert "This is the position of the match now." in thinker.page
