"""Planning ahead on pages: moves are clicked together on the board as foreseen, without script."""

import html
import re

import pytest

from games.matches.models import Queue
from games.matches.tasks import run_queues
from tests.match_driver import begin, fresh_cache
from tests.responses import lasting
from tests.strict_templates import strict_templates

__all__ = ["fresh_cache", "strict_templates"]

pytestmark = pytest.mark.usefixtures("strict_templates")


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
    assert Queue.objects.get().moves == ["e5", "g5"]
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
    assert not Queue.objects.exists()


def test_who_cannot_plan_is_sent_back_to_the_match(stones):
    for seat in (1, 2):
        answer = stones.client(seat).get(f"{stones.page}plan/")
        assert (answer.status_code, answer["Location"]) == (302, stones.page)
    answer = stones.client(None).get(f"{stones.page}plan/")
    assert "/account/login/" in answer["Location"]
    assert stones.client(0).get("/matches/999/plan/").status_code == 404
    assert "Plan ahead" not in read(stones, 1)
    assert "Plan ahead" not in read(stones, None)


def test_a_field_of_a_plan_asks_its_own_page(people):
    play = begin("grim-reaper", people)
    page = read(play, 1, "plan/?word=a1:")
    assert f'action="{play.page}plan/" data-entry="row"' in page
    filled = read(play, 1, "plan/?word=a1:&row=0&blank-0=M&blank-1=4")
    assert "Place a male with 4 life turns on a1?" in filled
