"""The private board of a player on a match: nothing on it is a move, and nobody else sees it."""

import html
import re

import pytest
from django.core.cache import cache
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django.utils.html import strip_tags

from accounts import personal_data
from games.matches import selectors, services
from games.matches.models import ConditionalMoves
from games.matches.plans import conditional
from games.matches.tasks import run_queues
from games.study import private, replaying
from games.study import services as studies
from games.study.errors import BrokenBoard
from games.study.models import PrivateBoard, Study
from games.study.personal_data import StudyData
from games.study.replaying import moment_of
from games.study.text import read
from tests.attack_match import ATTACKS, DUTIES, HANDS, start_attack_match
from tests.fixtures import NOW
from tests.match_driver import MatchDriver, begin, fresh_cache
from tests.responses import lasting

__all__ = ["fresh_cache", "start_attack_match"]


@pytest.fixture
def stones(people):
    """A match of DIE in which Red waits for Blue's second stone."""
    play = begin("die", people, size=5)
    play.play("a1", "i5", "c3")
    return play


def between(page, start, end):
    return page.partition(start)[2].partition(end)[0]


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

    def keep(self, version):
        self.post(action="keep", version=version)


def texts(play):
    return [entry.text for entry in selectors.log(play.match)]


def lines():
    return conditional.lines_of(ConditionalMoves.objects.get()).all_lines()


def nodes():
    return [node.text for node in studies.tree_of(PrivateBoard.objects.get()).nodes]


def test_moves_on_the_board_are_never_moves_of_the_match(stones):
    for seat in (0, 1):
        thinker = Thinker(stones, seat)
        assert "This is the current position of the match." in thinker.page
        thinker.play("h4", "e5")
        assert "e5, red stone" in thinker.page
    assert texts(stones) == ["a1", "i5", "c3"]
    assert PrivateBoard.objects.count() == 2


def test_the_opponent_moves_while_a_line_is_entered_and_the_click_stays_on_the_board(stones):
    """On Online-Go (48) the board became the live one, and the next click a real move."""
    thinker = Thinker(stones, 0)
    thinker.play("h4")
    stones.play("h4")
    thinker.play("e5")
    assert (texts(stones)[3:], nodes()) == (["h4"], ["h4", "e5"])
    actions = re.findall(r'<form[^>]* method="post" action="([^"]*)"', thinker.page)
    assert set(actions) == {"./", "/account/logout/"}, "no form of the page plays in the match"


def test_the_board_stays_when_the_match_goes_on_and_can_follow_it(stones):
    """Lines vanished in a match (lila 1698, 3711) or on reconnecting (Online-Go 3152)."""
    thinker = Thinker(stones, 0)
    thinker.play("h4", "e5")
    tried = thinker.address
    stones.play("e3")
    thinker.at(tried)
    assert news(thinker) == "bruno has moved. Go to the current position"
    assert "e5, red stone" in thinker.page, "what was tried is still there"
    thinker.post(action="follow")
    assert "This is the current position of the match." in thinker.page
    assert "e3, blue stone" in thinker.page
    assert nodes() == ["h4", "e5", "e3"], "variations stay"
    begun = Thinker(stones, 0)
    assert begun.address == thinker.address
    assert PrivateBoard.objects.get().root == 3


def news(thinker):
    """What the page says of the match, in the region that is fetched again when somebody moves."""
    start = '<div id="thinking-news" data-region data-live-list="me">'
    return " ".join(strip_tags(between(thinker.page, start, "</div>")).split())


def test_a_page_that_is_open_hears_of_moves_and_nobody_hears_of_the_page(stones):
    thinker = Thinker(stones, 0)
    assert (news(thinker), between(thinker.page, "data-live=", ">")) == ("", '""')
    stones.play("h4", "e5")
    thinker.at(thinker.address)
    assert news(thinker).startswith("bruno has moved."), "ada knows of her own move"
    thinker.post(action="follow")
    assert news(thinker) == ""
    stones.play("i2", "g5")
    stones.act(services.resign, 1)
    thinker.at(thinker.address)
    assert news(thinker) == "The match has ended."


def test_somebody_who_moves_in_another_tab_reads_that_they_did(stones):
    stones.play("h4")
    thinker = Thinker(stones, 0)
    stones.play("e5")
    thinker.at(thinker.address)
    assert news(thinker) == "You have moved. Go to the current position"


def test_a_line_is_kept_as_conditional_moves_and_played(stones):
    thinker = Thinker(stones, 0)
    thinker.play("h4", "e5", "i2", "g5")
    assert "From the match to here: <strong>h4, e5, i2, g5</strong>" in thinker.page
    thinker.keep(3)
    assert "Kept. The site plays your replies" in thinker.page
    assert lines() == [["h4", "e5", "i2", "g5"]]
    for theirs, reply in (("h4", "e5"), ("i2", "g5")):
        stones.play(theirs)
        run_queues(stones.id)
        assert texts(stones)[-1] == reply
    assert nodes() == ["h4", "e5", "i2", "g5"], "the match has played the line itself"
    assert "This is the current position of the match." in Thinker(stones, 0).page


def test_a_line_that_is_kept_says_so_instead_of_asking_again(stones):
    def offered(page):
        return ("Keep as conditional moves</button>" in page, "<strong>Kept</strong>" in page)

    thinker = Thinker(stones, 0)
    thinker.play("h4", "e5")
    assert offered(thinker.page) == (True, False)
    thinker.keep(3)
    assert offered(thinker.page) == (False, True)
    thinker.play("i2")
    assert offered(thinker.page) == (False, True), "the reply before it is kept"
    thinker.play("g5")
    assert offered(thinker.page) == (True, False)
    conditional.clear(match_id=stones.id, user=stones.people[0])
    thinker.at(f"{thinker.path}2/")
    assert offered(thinker.page) == (True, False)


def test_a_second_line_from_the_board_is_added_to_the_first(stones):
    thinker = Thinker(stones, 0)
    thinker.play("h4", "e5")
    thinker.keep(3)
    thinker.at(f"{thinker.path}0/")
    thinker.play("e3", "h4")
    thinker.keep(3)
    assert lines() == [["h4", "e5"], ["e3", "h4"]]


def test_a_line_is_not_kept_once_the_match_has_moved_on(stones):
    thinker = Thinker(stones, 0)
    thinker.play("h4", "e5")
    stones.play("e3")
    answer = thinker.client.post(thinker.address, {"action": "keep", "version": 3})
    assert answer.status_code == 409
    assert "moved on" in answer.content.decode()
    answer = thinker.client.post(thinker.address, {"action": "keep", "version": 4})
    assert answer.status_code == 409
    assert "Go to the position" in answer.content.decode()
    assert not ConditionalMoves.objects.exists()


def test_a_take_back_before_the_start_asks_for_a_new_start(stones):
    stones.play("h4")
    thinker = Thinker(stones, 0)
    thinker.play("e5")
    stones.act(services.take_back, 1)
    thinker.at(thinker.address)
    assert "The match has gone a way that isn’t on this board." in news(thinker)
    assert thinker.client.post(thinker.address, {"action": "follow"}).status_code == 422
    thinker.post(action="again")
    assert "This is the current position of the match." in thinker.page
    assert nodes() == []


def test_nobody_else_enters_or_notices(stones):
    """On Online-Go (522) the opponent read plans through the API."""
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
        refused = stones.client(2).get(address)
        assert refused.status_code == 403
        assert f"You don’t play in match {stones.id}." in refused.content.decode()
        assert stones.client(2).post(address, {"word": "e5"}).status_code in {403, 405}
        assert "/account/login/" in stones.client(None).get(address)["Location"]
    assert stones.client(1).get(thinker.address).status_code == 404, "on another board"
    assert "secret" not in stones.client(1).get(thinker.path, follow=True).content.decode()
    assert stones.client(0).get(f"{page}3/try/").status_code == 409, "the public one stays closed"
    exported = personal_data.export(stones.people[0])["boards_on_matches"]
    assert [board["match"] for board in exported] == [stones.id]


# --- Hidden cards ---------------------------------------------------------------------------------


JSON = {"content_type": "application/json"}
WORLDS = (["7H", "9D", "KH", "3C"], ["2H", "8S", "AD", "5C"])
"""Two hands of Orange, between which Red can't tell."""


def hands_on_board(node=0):
    tree = studies.tree_of(PrivateBoard.objects.get())
    return moment_of(tree, node).state.hands


@pytest.fixture
def deal(start_attack_match, people, monkeypatch):
    """Begin a match in which Red doesn't see the hand of Orange."""
    monkeypatch.setattr(timezone, "now", lambda: NOW)
    return lambda hand=HANDS[1]: MatchDriver(start_attack_match(hands=[HANDS[0], hand]).id, people)


@pytest.fixture
def cards(deal):
    return deal()


def test_hidden_cards_are_assumed_and_said_to_be(cards):
    thinker = Thinker(cards, 0)
    assert "<strong>Assumed:</strong> Orange’s hand" in thinker.page
    own, other = hands_on_board()
    assert sorted(own) == sorted(HANDS[0])
    assert len(other) == len(HANDS[1])
    start = studies.tree_of(PrivateBoard.objects.get()).start
    assert (start.assumed, start.entry) == (("Orange’s hand",), 0)
    data = cards.client(0).get(f"/api/v1{cards.page}board/").json()["tree"]["start"]
    assert data["assumed"] == ["Orange’s hand"]
    assert "Think on a board" in cards.client(0).get(cards.page).content.decode()


def test_a_player_chooses_what_the_others_hold(cards):
    thinker = Thinker(cards, 0)
    thinker.post(action="assume", **{"unseen-hand-1": ["AS", "2H"]})
    number = int(thinker.address.rstrip("/").rpartition("/")[2])
    assert {"AS", "2H"} <= set(hands_on_board(number)[1])
    assert "This is the current position of the match." in thinker.page
    assert "A♠" in thinker.page
    thinker.play("place S p1")
    assert hands_on_board(number + 1) == hands_on_board(number)


@pytest.mark.parametrize(
    ("chosen", "reason"),
    [
        ({"unseen-hand-1": ["KS"]}, "Orange’s hand can’t hold KS."),
        ({"unseen-hand-1": ["<b>"]}, "Orange’s hand can’t hold <b>."),
        ({"unseen-hand-1": ["AS"] * 2}, "A♠ can’t be in two places."),
        ({"unseen-hand-1": ["2S", "3S", "4S", "5S", "6S"]}, "4 cards at most, not 5."),
        ({"unseen-hand-0": ["AS"]}, "there is nothing to assume"),
    ],
)
def test_what_cannot_be_is_not_assumed(cards, chosen, reason):
    thinker = Thinker(cards, 0)
    before = studies.tree_of(PrivateBoard.objects.get())
    answer = thinker.client.post(thinker.address, {"action": "assume", **chosen})
    assert answer.status_code == 422
    assert reason in html.unescape(answer.content.decode())
    assert studies.tree_of(PrivateBoard.objects.get()) == before


def test_a_program_assumes_cards(cards):
    client, board = cards.client(0), f"/api/v1{cards.page}board/"
    (unseen,) = client.get(board).json()["unseen"]
    assert (unseen["key"], unseen["name"], unseen["count"]) == ("hand-1", "Orange’s hand", 4)
    assert {"value": "AS", "name": "A♠"} in unseen["choices"]

    def assume(cards):
        data = {"assumed": {"hand-1": cards}}
        return client.post(f"{board}assume/", data, content_type="application/json")

    answer = assume(["AS", "2H"])
    assert answer.status_code == 200
    assert {"AS", "2H"} <= set(hands_on_board(answer.json()["now"])[1])
    before = studies.tree_of(PrivateBoard.objects.get())
    assert assume(["KS"]).json()["detail"] == "Orange’s hand can’t hold KS."
    assert assume("AS").status_code == 400
    assert studies.tree_of(PrivateBoard.objects.get()) == before


def test_an_attack_is_assumed_with_cards_that_fit(cards):
    cards.play(*DUTIES)
    cards.play(ATTACKS[0])
    thinker = Thinker(cards, 1)
    assert "Red’s hand, The card of the attack" in thinker.page
    tree = studies.tree_of(PrivateBoard.objects.get())
    assert moment_of(tree, 0).state.attack.card.is_black
    thinker.post(action="assume", **{"unseen-attack": "AS"})
    tree = studies.tree_of(PrivateBoard.objects.get())
    assert moment_of(tree, 1).state.attack.card == "AS"
    answer = thinker.client.post(thinker.address, {"action": "assume", "unseen-attack": "AH"})
    assert answer.status_code == 422


def test_lines_begin_again_when_the_match_goes_on(cards):
    thinker = Thinker(cards, 0)
    thinker.play("place S p1")
    assert nodes() == ["place S p1"]
    cards.play("place S p2")
    thinker.at(thinker.address)
    assert news(thinker) == "You have moved. Go to the current position"
    thinker.post(action="follow")
    assert nodes() == ["place S p1", ""], "what was tried is still there"
    assert "Match at position 1" in thinker.page
    assert "This is the current position of the match." in thinker.page
    state = moment_of(studies.tree_of(PrivateBoard.objects.get()), 2).state
    assert "p2" in state.stacks
    assert "p1" not in state.stacks
    assert Thinker(cards, 0).address == thinker.address
    refused = thinker.client.post(thinker.address, {"action": "keep", "version": 1})
    assert "assumed hidden cards" in html.unescape(refused.content.decode())
    assert not ConditionalMoves.objects.exists()


def test_a_board_shows_the_same_whatever_the_others_hold(deal, monkeypatch):
    """Twin worlds: the same match with other hidden cards gives the same bytes and queries."""
    found = [_visit(deal, monkeypatch, hand) for hand in WORLDS]
    assert len(found[0]) > 10
    for here, there in zip(*found, strict=True):
        assert here == there


def _visit(deal, monkeypatch, hand):
    """Return all that Red gets from a board, and with how many queries, in a world of its own."""
    seen = []
    monkeypatch.setattr(replaying, "token_bytes", bytes)
    with transaction.atomic():
        cache.clear()
        play = deal(hand)
        client, number = play.client(0), str(play.id)
        page, api = f"{play.page}board/", f"/api/v1{play.page}board/"

        def ask(method, path, form=None, **kind):
            with CaptureQueriesContext(connection) as queries:
                answer = getattr(client, method)(path, form, **kind)
            text = lasting(answer) + answer.get("Location", "")
            seen.append(
                (text.replace(f"matches/{number}/", "matches/x/"), answer.status_code, len(queries))
            )

        ask("get", page)
        ask("get", f"{page}0/")
        ask("get", f"{page}0/?part=why&mark=p1")
        ask("post", f"{page}0/", {"typed": "place S p1"})
        ask("get", f"{page}1/")
        ask("post", f"{page}1/", {"action": "assume", "unseen-hand-1": ["4H", "AS"]})
        for card in (*WORLDS[0], *WORLDS[1]):
            ask("post", f"{page}1/", {"action": "assume", "unseen-hand-1": [card]})
        play.play("place S p2")
        ask("get", f"{page}2/")
        ask("post", f"{page}2/", {"action": "follow"})
        ask("get", f"{page}11/")
        ask("get", api)
        ask("post", f"{api}follow/")
        for card in WORLDS[0]:
            ask("post", f"{api}assume/", {"assumed": {"hand-1": [card]}}, **JSON)
        seen.append(PrivateBoard.objects.get().tree)
        transaction.set_rollback(True)
    return seen


def test_after_the_end_nothing_is_assumed_and_what_is_published_says_what_was(cards):
    thinker = Thinker(cards, 0)
    cards.act(services.resign, 1)
    thinker.at(thinker.address)
    thinker.post(action="follow")
    assert "Assumed:" not in thinker.page
    assert sorted(hands_on_board(1)[1]) == sorted(HANDS[1])
    thinker.post(action="publish")
    study = Study.objects.get()
    page = cards.client(None).get(f"/boards/{study.key}/0/").content.decode()
    assert "<strong>Assumed:</strong> Orange’s hand" in page
    assert "Assumed" not in cards.client(None).get(f"/boards/{study.key}/1/").content.decode()
    text = cards.client(None).get(f"/boards/{study.key}/export.txt").content.decode()
    assert "Orange" in text.partition("\n\n")[0]
    assert '[%name "Match at position 1"] [%start' in text
    assert read(text) == studies.tree_of(study).renumbered()[0]
    exported = cards.client(None).get(f"/boards/{study.key}/export.json").content.decode()
    tree = studies.read(exported)
    assert tree.start.assumed == ("Orange’s hand",)
    forged = exported.replace('"position"', '"match"')
    with pytest.raises(BrokenBoard):
        studies.read(forged)


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
    # The record names its owner, who may be renamed.
    assert study.name == f"DIE, match {stones.id}"
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
    assert "This is the current position of the match." in thinker.page
