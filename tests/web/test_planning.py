"""Planning ahead on pages: moves are clicked together on the board as foreseen, without script."""

import html
import re

import pytest

from games.matches.models import ConditionalMoves
from games.matches.plans import conditional
from games.matches.tasks import run_queues
from tests.match_driver import begin, fresh_cache
from tests.responses import lasting

__all__ = ["fresh_cache"]


@pytest.fixture
def stones(people):
    """A match of DIE in which Red waits for Blue's second stone."""
    play = begin("die", people, size=5)
    play.play("a1", "i5", "c3")
    return play


def read(play, seat, path=""):
    return html.unescape(lasting(play.client(seat).get(f"{play.page}{path}")))


def link_of(page, mark):
    """The address that a mark of the board leads to."""
    tag = re.search(rf'<a[^>]*data-mark="{mark}"[^>]*>', page)[0]
    return re.search('href="([^"]*)"', tag)[1]


def form_of(page):
    """What the form that keeps a plan sends."""
    return {"move": re.findall(r'<input type="hidden" name="move" value="([^"]*)"', page)}


def test_moves_are_planned_by_links_alone_and_kept(stones):
    client = stones.client(0)
    assert f'href="{stones.page}plan/">Plan ahead' in read(stones, 0)
    page = html.unescape(client.get(f"{stones.page}plan/").content.decode())
    assert "as if nobody else moved" in page
    page = html.unescape(client.get(link_of(page, "e5")).content.decode())
    assert "Place a stone on e5?" in page
    onward = re.search(r'href="([^"]*)" data-onward>Then', page)[1]
    page = html.unescape(client.get(onward).content.decode())
    assert "e5, then …" in page
    page = html.unescape(client.get(link_of(page, "g5")).content.decode())
    assert "Place a stone on e5, then place a stone on g5?" in page
    answer = client.post(f"{stones.page}plan/", form_of(page))
    assert (answer.status_code, answer["Location"]) == (303, f"{stones.page}#match-private")
    plan = ConditionalMoves.objects.get()
    assert conditional.lines_of(plan).unconditional_moves() == ["e5", "g5"]
    shown = read(stones, 0)
    assert "You have planned <strong>e5, then g5</strong>" in shown
    assert "<li>e5</li><li>g5</li>" in shown


def test_the_board_of_a_plan_shows_what_is_planned_before(stones):
    page = read(stones, 0, "plan/?move=e5")
    assert "e5, red stone" in page
    assert not re.search(r'<a[^>]*data-mark="e5"', page)
    assert "e5, empty" in read(stones, 0, "plan/")


def test_why_a_plan_stopped_stands_in_the_bar_when_it_is_the_players_turn(stones):
    stones.client(0).post(f"{stones.page}plan/", {"move": ["e5", "g5"]})
    stones.play("e5")
    run_queues(stones.id)
    shown = read(stones, 0)
    bar = shown.partition('id="match-entry"')[2].partition("</section>")[0]
    assert "Your plan has stopped: e5 is taken." in bar
    assert "Your plan has stopped" not in read(stones, 1)
    stones.client(0).post(f"{stones.page}queue/", {"clear": "1"})
    assert "has stopped" not in read(stones, 0)


def test_what_is_no_move_there_is_refused_with_the_reason(stones):
    client = stones.client(0)
    answer = client.post(f"{stones.page}plan/", {"move": ["e5", "e5"]}, follow=True)
    assert "e5 is taken" in answer.content.decode()
    assert client.get(f"{stones.page}plan/?word=zz").status_code == 422
    assert not ConditionalMoves.objects.exists()


def test_who_cannot_plan_is_sent_back_to_the_match(stones):
    for seat in (1, 2):
        answer = stones.client(seat).get(f"{stones.page}plan/")
        assert (answer.status_code, answer["Location"]) == (302, stones.page)
    answer = stones.client(None).get(f"{stones.page}plan/")
    assert "/account/login/" in answer["Location"]
    assert stones.client(0).get("/matches/999/plan/").status_code == 404
    assert "Plan ahead" not in read(stones, 1)
    assert "Plan ahead" not in read(stones, None)


def lines_of_only_plan():
    return conditional.lines_of(ConditionalMoves.objects.get()).all_lines()


def test_replies_are_planned_and_removed_without_script(stones):
    """On Online-Go (1330) a stored plan was active but gone from the page after a reload."""
    client = stones.client(0)
    for line in ("h4\r\ne5\r\ni2\r\ng5", "*\ng5"):
        answer = client.post(f"{stones.page}lines/", {"line": line, "version": 3})
        assert (answer.status_code, answer["Location"]) == (303, f"{stones.page}?#match-private")
    shown = read(stones, 0)
    assert "If h4, then e5, if i2, then g5" in shown
    assert "Whatever they play, then g5" in shown
    assert "You have planned replies" in shown
    assert "if i2" not in read(stones, 1)
    client.post(f"{stones.page}lines/", {"line": "h4\r\n", "remove": "1"})
    assert lines_of_only_plan() == [["*", "g5"]]
    stones.play("h4")
    assert "Your plan goes on with <strong>g5</strong>" in read(stones, 0)
    run_queues(stones.id)
    assert "Planned." in read(stones, 0)
    assert "Planned." not in read(stones, 1)


def test_a_line_that_is_refused_is_still_in_the_form(stones):
    client = stones.client(0)
    answer = client.post(f"{stones.page}lines/", {"line": "h4\nh4", "version": 3})
    assert answer.status_code == 422
    assert "h4 is taken" in html.unescape(answer.content.decode())
    assert "h4\nh4</textarea>" in answer.content.decode()
    for version in ("2", "", "x"):
        sent = {"line": "h4\ne5", "version": version}
        answer = client.post(f"{stones.page}lines/", sent)
        assert answer.status_code == 409
        assert "moved on" in answer.content.decode()
    assert not ConditionalMoves.objects.exists()


def test_twin_matches_show_others_no_difference(stones):
    """What anybody else reads is the same, whether replies are planned, stopped or not."""
    page, api = stones.page, f"/api/v1{stones.page}"
    paths = [page, f"{page}?part=live", f"{page}export.json", f"{page}export.txt", f"{page}3/"]
    paths += [api, f"{api}log/", f"{api}record/", "/archive/"]
    others = [stones.client(seat) for seat in (1, 2, None)]

    def seen():
        return [lasting(client.get(path)) for client in others for path in paths]

    before = seen()
    stones.client(0).post(f"{page}lines/", {"line": "h4\ne5", "version": 3})
    assert ConditionalMoves.objects.exists()
    assert seen() == before
    ConditionalMoves.objects.update(halted="stopped")
    assert seen() == before
    for client in others:
        assert client.get(f"{api}private/").status_code in {200, 401, 403}
        assert "e5" not in client.get(f"{api}private/").content.decode()
        assert client.post(f"{page}lines/", {"line": "h4", "remove": "1"}).status_code != 200
    assert lines_of_only_plan() == [["h4", "e5"]]


def test_programs_plan_and_remove_replies(stones):
    client, api = stones.client(0), f"/api/v1{stones.page}"

    def post(path, **data):
        return client.post(f"{api}{path}", data, content_type="application/json")

    answer = post("lines/", moves=["h4", "e5", "i2", "g5"], version=3).json()
    assert answer["lines"] == [["h4", "e5", "i2", "g5"]]
    assert answer["queue"] == []
    assert post("lines/", moves=["*", "g5"], version=3).json()["lines"][1] == ["*", "g5"]
    assert post("lines/", moves=["h4", "e5"], version=2).json()["code"] == "stale"
    assert post("lines/", moves=["h4", "h4"], version=3).json()["code"] == "illegal"
    assert post("lines/", moves=[], version=3).json()["code"] == "invalid"
    left = post("lines/remove/", moves=["h4", "e5", "i2"]).json()["lines"]
    assert left == [["h4", "e5"], ["*", "g5"]]
    assert post("lines/remove/", moves=["h4", "e5", "i2"]).json()["code"] == "refused"
    assert post("queue/", moves=[]).json()["lines"] == []
    assert not ConditionalMoves.objects.exists()


def test_a_field_of_a_plan_asks_its_own_page(people):
    play = begin("grim-reaper", people)
    page = read(play, 1, "plan/?word=a1:")
    assert f'action="{play.page}plan/" data-entry="row"' in page
    filled = read(play, 1, "plan/?word=a1:&row=0&blank-0=M&blank-1=4")
    assert "Place a male with 4 life turns on a1?" in filled
