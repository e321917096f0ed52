"""Move entry where a game shows what the words do: steps are seen before they are sent."""

import re
from html import unescape
from urllib.parse import quote

import pytest
from msgspec import structs, to_builtins

from games.matches.models import Match
from games.titles.dice_is_health.state import Building, PhaseName
from tests.match_driver import begin

pytestmark = pytest.mark.django_db

RED = 0
LINKED = re.compile(r'<a class="mark[^"]*" data-mark="([^"]+)"')


@pytest.fixture
def chase(people):
    """A match in which a movement of many steps is entered, just begun."""
    return begin("dice-is-health", people)


def entered(match, *words):
    """The page with words entered."""
    query = "&".join(f"word={quote(word)}" for word in words)
    return match.client(RED).get(f"{match.page}?{query}").content.decode()


def to_the_end(match, *words):
    """Words, and behind them the first choice each time until the move is whole."""
    at, words = match.snapshot, list(words)
    while (found := at.title.options(at.state, RED, "".join(words))) and not found.complete:
        words.append(found.next[0].text)
    return words


def fan_of(html):
    return re.search(r'data-piece="fan" data-way="([^"]+)"', html)[1].split(";")


def test_the_board_walks_with_the_steps_and_back_with_undo(chase):
    before, version = entered(chase), chase.match.version
    assert len(fan_of(before)) == 1
    first, second = entered(chase, "F+ "), entered(chase, "F+ ", "P>", "i1 ")
    assert fan_of(first)[0] == fan_of(before)[0] != fan_of(first)[1]
    assert fan_of(second) == [*fan_of(first), fan_of(first)[-1]]
    assert chase.match.version == version
    assert fan_of(entered(chase)) == fan_of(before)


def test_a_click_takes_back_the_last_step_alone(chase):
    assert {"fan+", "fan-", "i1", "monster-1"} <= set(LINKED.findall(entered(chase)))
    assert "fan-" not in LINKED.findall(entered(chase, "F+ "))
    choosing = LINKED.findall(entered(chase, "P>"))
    assert {"i1", "i17", "monster-1"} <= set(choosing)
    walked = entered(chase, "P>", "i1 ")
    assert "i17" not in LINKED.findall(walked)
    assert link_of(walked, "i1") == chase.page
    assert not {"i1", "i17"} & set(LINKED.findall(entered(chase, "P>", "i1 ", "F+ ")))


def test_a_click_takes_back_a_turn_of_the_fan_within_a_movement(chase):
    turns = chase.snapshot.state.roll[1]
    turned, fewer = ["F+ "] * turns, "&".join(["word=F%2B+"] * (turns - 1))
    page = entered(chase, *turned, "P>", "i1 ")
    assert link_of(page, "fan+") == f"{chase.page}?{fewer}&word=P%3E&word=i1+"
    assert link_of(page, "fan-") is None
    assert link_of(entered(chase, *turned), "fan+") == f"{chase.page}?{fewer}"


def test_a_turn_of_the_fan_that_a_later_step_needs_stays(chase):
    state = chase.snapshot.state
    on_a_bridge = structs.replace(state.players[RED], at="i1")
    players = (on_a_bridge, *state.players[1:])
    bridged = structs.replace(state, fan=0, roll=(1, 1, 2), players=players)
    Match.objects.filter(pk=chase.id).update(position=to_builtins(bridged))
    assert link_of(entered(chase, "F+ ", "P>o1 "), "fan+") is None
    assert link_of(entered(chase, "F+ ", "P>i2 "), "fan+") == f"{chase.page}?word=P%3Ei2+"


def link_of(page, mark):
    """Where a click on a mark leads that takes back what was chosen by it."""
    found = re.search(
        rf'data-mark="{re.escape(mark)}" aria-label="[^"]*, chosen: click to undo"[^>]*>', page
    )
    return unescape(re.search('href="([^"]*)"', found[0])[1]) if found else None


@pytest.fixture
def building(people):
    """A match in which up to three walls are to be chosen."""
    match = begin("dice-is-health", people)
    state = match.snapshot.state
    asked = {"phase": PhaseName.WALLS, "roll": None, "pending": Building(3)}
    position = to_builtins(structs.replace(state, **asked))
    Match.objects.filter(pk=match.id).update(position=position)
    return match


def test_a_click_takes_back_each_chosen_wall(building):
    page = entered(building, "walls o10", " o13", " i2")
    kept = {mark: link_of(page, mark) for mark in ("o10", "o13", "i2", "o4")}
    assert kept == {
        "o10": f"{building.page}?word=walls+o13&word=+i2",
        "o13": f"{building.page}?word=walls+o10&word=+i2",
        "i2": f"{building.page}?word=walls+o10&word=+o13",
        "o4": None,
    }
    assert "o4" in LINKED.findall(entered(building, "walls o13", " i2"))


def test_a_click_takes_back_the_stone_of_a_whole_move(people):
    match = begin("die", people, size=3)
    assert link_of(entered(match, "c3"), "c3") == match.page


def test_board_and_strips_show_what_was_entered(building):
    before, page = entered(building), entered(building, "walls o10", " o13")
    assert "may put up 3" in before
    assert "may put up 1 wall" in page
    strip = re.search(r'class="seat-tallies seat-foreseen".*?</li>', page, re.DOTALL)[0]
    assert "<b>2</b> <span>walls</span>" in strip
    assert page.count("seat-foreseen") == 1
    assert "seat-foreseen" not in before


def test_what_lies_beside_a_preview_is_said_to_be_one(people):
    match = begin("grim-reaper", people)
    assert "After this move" not in entered(match, "c3")
    assert "After this move" in entered(match, "M4c3")


def test_what_is_known_of_a_whole_movement_is_said_and_drawn_before_it_is_confirmed(chase):
    words = to_the_end(chase, "F+ ")
    page = entered(chase, *words)
    assert 'id="confirm"' in page
    assert re.search(r'id="action-head">Walk to \w+ \d+, monster 1 to \w+ \d+; fan', page)
    assert "Your turn ends, and Blue rolls." in page
    assert len(fan_of(page)) == sum(chase.snapshot.state.roll) + 1
    assert chase.match.version == 0


def test_the_notation_of_a_long_move_is_folded_away(chase):
    words = to_the_end(chase, "F+ ")
    assert '<details class="notation"><summary>Notation</summary>' in entered(chase, *words)


QUARTER = 12
"""More than a quarter of the 37 cells of a board of size 4: so few never cover it."""

DOTS = re.compile(r'<g[^>]*fill="var\(--c-target\)"[^>]*>(.*?)</g>')


@pytest.mark.slow
def test_dots_mark_choices_only_while_they_are_few(people):
    match = begin("die", people, size=4)
    seen = set()
    while match.snapshot.actors:
        page = match.client(match.turn).get(match.page).content.decode()
        board = page.partition('id="match-board"')[2].partition("</figure>")[0]
        dots, choices = DOTS.search(board), len(LINKED.findall(board))
        assert choices
        assert (dots[1].count("<circle") if dots else 0) == (choices if choices <= QUARTER else 0)
        seen.add(bool(dots))
        match.play_on(1, seed=choices)
    assert seen == {False, True}


def test_whether_moves_are_confirmed_is_said_to_players_with_the_way_to_change_it(people):
    match = begin("die", people, size=3)
    player = match.client(0)
    assert "You confirm every move" in player.get(match.page).content.decode()
    match.people[0].confirm_moves = False
    match.people[0].save()
    page = player.get(match.page).content.decode()
    assert "Your moves are played at once" in page
    assert 'href="/account/preferences/#id_confirm_moves"' in page
    assert 'id="id_confirm_moves"' in player.get("/account/preferences/").content.decode()
    for reader in (2, None):
        page = match.client(reader).get(match.page).content.decode()
        assert "id_confirm_moves" not in page


def test_the_only_move_is_one_button_beside_the_order_to_make_it_always(people):
    match = begin("grim-reaper", people)
    match.play("M4b2", "M4e5")
    asked = match.client(match.turn).get(match.page).content.decode()
    answers = asked.partition('class="action-answers"')[2].partition("</div>")[0]
    assert re.findall(r"<button[^>]*>([^<]+)</button>", answers) == [
        "No births possible. Pass",
        "Always pass when I can’t act",
    ]
    assert 'name="typed" value="pass"' in answers
    assert "Confirm</button>" not in asked


def test_the_order_beside_the_only_move_opens_no_drawer(people):
    match = begin("grim-reaper", people)
    match.play("M4b2", "M4e5")
    client = match.client(match.turn)
    asked = client.get(match.page).content.decode()
    (order,) = re.findall(r'name="order" value="([^"]+)"', asked.partition("action-answers")[2])[:1]
    beside = client.post(f"{match.page}order/", {"order": order, "beside_entry": "1"})
    within = client.post(f"{match.page}order/", {"order": order})
    assert [beside.url, within.url] == [f"{match.page}?", f"{match.page}?#match-private"]


def test_the_order_to_pass_passes_at_once_and_is_turned_off_where_it_was_turned_on(people):
    match = begin("grim-reaper", people)
    match.play("M4b2", "M4e5")
    seat = match.turn
    client = match.client(seat)
    on = {"order": "pass", "beside_entry": "1"}
    client.post(f"{match.page}order/", on)
    assert match.turn != seat

    def area():
        page = client.get(match.page).content.decode()
        return page.partition('id="match-entry"')[2].partition("</section>")[0]

    assert 'title="Always pass when I can’t act">Turn off the standing order' in area()
    answer = client.post(f"{match.page}order/", {"order": "", "beside_entry": "1"})
    assert answer.url == f"{match.page}?"
    assert "Always pass" not in area()


def test_a_question_with_few_answers_has_a_button_for_each(people):
    match = begin("grim-reaper", people)
    match.play("M4b2", "M4e5", "pass", "pass", "M4f6", "F4d2")
    asked = match.client(RED).get(match.page).content.decode()
    buttons = asked.partition('class="action-few"')[2].partition("</p>")[0]
    labels = re.findall(r"<a [^>]*>([^<]+)</a>", buttons)
    assert sorted(labels) == ["A female on c2", "A male on c2", "Skip births"]


def test_a_click_on_a_square_with_several_choices_marks_it_and_asks_about_it(people):
    match = begin("grim-reaper", people)
    match.play("M2b2", "M4e5", "pass", "pass", "M4f6", "F4d2")
    asked = match.client(RED).get(f"{match.page}?at=c2").content.decode()
    assert '<p class="action-prompt">Male or female on c2?</p>' in asked
    current = re.compile(r'data-mark="(\w+)"[^>]* aria-current="true"')
    assert current.findall(asked) == ["c2"]
    elsewhere = match.client(RED).get(f"{match.page}?at=a6").content.decode()
    assert current.findall(elsewhere) == []


def test_cells_are_shaded_where_many_others_lead_on(people):
    match = begin("die", people)
    match.play("c3", "e5")
    shaded = 'board-shaded" id="match-board"'
    assert shaded in match.client(match.turn).get(match.page).content.decode()
    assert shaded not in entered(match, "a1")
