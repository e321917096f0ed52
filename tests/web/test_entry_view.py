"""Move entry where a game shows what the words do: steps are seen before they are sent."""

import re
from urllib.parse import quote

import pytest

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
    at, words = match.table, list(words)
    while (found := at.title.options(at.state, RED, "".join(words))) and not found.complete:
        words.append(found.next[0].text)
    return words


def fan_of(html):
    return re.search(r'data-part="fan" data-way="([^"]+)"', html)[1].split(";")


def test_the_board_walks_with_the_steps_and_back_with_undo(chase):
    before, version = entered(chase), chase.match.version
    assert len(fan_of(before)) == 1
    first, second = entered(chase, "F+ "), entered(chase, "F+ ", "P>", "i1 ")
    assert fan_of(first)[0] == fan_of(before)[0] != fan_of(first)[1]
    assert fan_of(second) == [*fan_of(first), fan_of(first)[-1]]
    assert chase.match.version == version
    assert fan_of(entered(chase)) == fan_of(before)


def test_a_click_goes_back_to_no_word_whose_step_the_board_shows_done(chase):
    assert {"fan+", "fan-", "i1", "monster-1"} <= set(LINKED.findall(entered(chase)))
    assert "fan-" not in LINKED.findall(entered(chase, "F+ "))
    choosing = LINKED.findall(entered(chase, "P>"))
    assert {"i1", "i17", "monster-1"} <= set(choosing)
    assert not {"i1", "i17"} & set(LINKED.findall(entered(chase, "P>", "i1 ")))


def test_what_is_known_of_a_whole_movement_is_said_and_drawn_before_it_is_confirmed(chase):
    words = to_the_end(chase, "F+ ")
    page = entered(chase, *words)
    assert 'id="confirm"' in page
    assert re.search(r'id="ask-head">Walk to \w+ \d+, monster 1 to \w+ \d+; fan', page)
    assert "Your turn ends, and Blue rolls." in page
    assert len(fan_of(page)) == sum(chase.table.state.roll) + 1
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
    while match.table.actors:
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
    answers = asked.partition('class="ask-answers"')[2].partition("</div>")[0]
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
    (order,) = re.findall(r'name="order" value="([^"]+)"', asked.partition("ask-answers")[2])[:1]
    beside = client.post(f"{match.page}order/", {"order": order, "beside_entry": "1"})
    within = client.post(f"{match.page}order/", {"order": order})
    assert [beside.url, within.url] == [f"{match.page}?", f"{match.page}?#match-private"]


def test_cells_are_shaded_where_many_others_lead_on(people):
    match = begin("die", people)
    match.play("c3", "e5")
    shaded = 'board-shaded" id="match-board"'
    assert shaded in match.client(match.turn).get(match.page).content.decode()
    assert shaded not in entered(match, "a1")
