"""The page of a match: what each reader sees, and entering a move step by step without script."""

import re
from datetime import datetime, timedelta
from html import unescape

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.kernel import registry
from games.matches import formatting, services
from games.matches.models import Match
from games.matches.play import move_input
from games.screen import entry
from tests.example_games import darts
from tests.match_driver import begin, fresh_cache, match_driver

__all__ = ["fresh_cache", "match_driver"]


LINK = re.compile(r'<a class="mark" data-mark="([^"]+)" aria-label="[^"]*" href="([^"]+)"')
FIELD = re.compile(r'<input[^>]* name="([^"]+)" value="([^"]*)"')


def text(response):
    return unescape(response.content.decode())


def marks(response):
    """Where a click on each mark of the board leads."""
    return {name: unescape(link) for name, link in LINK.findall(response.content.decode())}


def confirmation(response):
    """What the button that plays the move would send."""
    form = text(response).split('id="confirm"')[1].split("</form>")[0]
    fields = {}
    for name, value in FIELD.findall(form):
        fields.setdefault(name, []).append(value)
    return fields


@pytest.fixture
def darts_match(monkeypatch, people):
    monkeypatch.setattr(registry, "titles", lambda: {"darts": darts.TITLE})
    return begin("darts", people)


# --- Who sees what ------------------------------------------------------------------------------


def test_draw_pause_and_resign_keep_their_places(match_driver):
    driver = match_driver
    ada, bruno = driver.client(0), driver.client(1)

    def row(client, query=""):
        shown = client.get(f"{driver.page}{query}").content.decode()
        (found,) = re.findall(r'<div class="actions match-steady">(.*?)</div>', shown, re.DOTALL)
        return re.findall(r"<(a|span) [^>]*>([^<]+)<", found)

    names = ["Offer a draw", "Offer a pause", "Resign"]
    assert row(ada) == [("a", name) for name in names]
    assert row(ada, "?ask=resign") == row(ada)
    ada.post(f"{driver.page}pause/", driver.form())
    assert row(bruno) == [("span", names[0]), ("span", names[1]), ("a", names[2])]


def test_a_pause_is_offered_accepted_and_ended_on_the_page(match_driver):
    driver = match_driver
    ada, bruno = driver.client(0), driver.client(1)
    asked = ada.get(f"{driver.page}?ask=pause").content.decode()
    assert "Offer a pause?" in asked
    assert f'action="{driver.page}pause/"' in asked
    ada.post(f"{driver.page}pause/", driver.form())
    assert "ada offers a pause." in bruno.get(driver.page).content.decode()
    bruno.post(f"{driver.page}accept/", driver.form())
    page = bruno.get(driver.page).content.decode()
    assert "Paused until" in page
    assert ">paused</span>" in page
    paused = driver.snapshot.players[1].pauses[0]
    end = formatting.exact(datetime.fromisoformat(paused[2]))
    assert f">{end}</time>. No clock runs." in page
    assert datetime.fromisoformat(paused[2]) == datetime.fromisoformat(paused[1]) + timedelta(30)
    assert "ask=pause" not in page
    bruno.post(f"{driver.page}end-pause/", driver.form())
    assert "Paused until" not in ada.get(driver.page).content.decode()
    spectator = driver.client(2).post(f"{driver.page}pause/", driver.form())
    assert spectator.status_code == 403


def test_more_time_is_given_with_one_click(match_driver):
    driver = match_driver
    turn, waits = driver.turn, 1 - driver.turn
    giver, taker = driver.people[waits].username, driver.people[turn].username
    button = f"Give {taker} 1 day more"
    page = text(driver.client(waits).get(driver.page))
    assert button in page
    assert "1 day more</button>" not in text(driver.client(turn).get(driver.page))
    assert "1 day more</button>" not in text(driver.client(2).get(driver.page))
    before = driver.snapshot.players[turn].deadline
    answer = driver.client(waits).post(f"{driver.page}give-time/", driver.form(), follow=True)
    assert driver.snapshot.players[turn].deadline == before + timedelta(days=1)
    assert re.search(r"gives? \w+ 1 day more\.", text(answer))
    said = text(driver.client(turn).get("/account/notices/"))
    assert f"You have 1 day more: {driver.snapshot.title.meta.name} against {giver}" in said
    for _ in range(5):
        driver.client(waits).post(f"{driver.page}give-time/", driver.form())
    assert "more</button>" not in text(driver.client(waits).get(driver.page)), "the cap is reached"
    assert driver.client(waits).post(f"{driver.page}give-time/", driver.form()).status_code == 409
    assert driver.client(2).post(f"{driver.page}give-time/", driver.form()).status_code == 403


def test_to_cancel_is_an_offer_once_two_moves_were_made(match_driver):
    page = match_driver.client(0).get(match_driver.page).content.decode()
    assert "ask=cancel" in page
    assert "ask=offer-cancel" not in page
    match_driver.play_on(2)
    page = match_driver.client(0).get(match_driver.page).content.decode()
    assert "ask=cancel" not in page
    match_driver.client(0).post(f"{match_driver.page}offer-cancel/", match_driver.form())
    page = match_driver.client(1).get(match_driver.page).content.decode()
    assert "ada offers to cancel the match." in page


def test_the_mover_is_asked_and_every_legal_cell_is_a_link(match_driver):
    page = match_driver.client(0).get(match_driver.page)
    assert page.status_code == 200
    assert "Your turn" in text(page)
    assert "Choose a cell for your stone." in text(page)
    assert len(marks(page)) == 19
    assert marks(page)["c3"] == f"{match_driver.page}?word=c3"


@pytest.mark.parametrize("seat", [1, 2, None])
def test_who_is_not_to_move_finds_no_link_on_the_board(match_driver, seat):
    page = match_driver.client(seat).get(match_driver.page)
    assert page.status_code == 200
    assert "ada to move" in text(page)
    assert marks(page) == {}
    assert 'name="version"' not in text(page) or seat == 1


def test_a_player_is_new_to_a_game_until_the_first_move_of_any_match(match_driver, people):
    def is_new(match, seat):
        return "data-newcomer" in text(match.client(seat).get(match.page))

    assert [is_new(match_driver, seat) for seat in (0, 1, 2, None)] == [True, True, False, False]
    match_driver.play("c3")
    assert [is_new(match_driver, seat) for seat in (0, 1)] == [False, True]
    later, other_game = begin("die", people), begin("grim-reaper", people)
    assert [is_new(later, seat) for seat in (0, 1)] == [False, True]
    assert is_new(other_game, 0)


def test_the_introduction_of_a_game_comes_with_the_whole_page_alone(match_driver):
    client = match_driver.client(0)
    assert "rules-goal" in text(client.get(match_driver.page))
    assert "rules-goal" not in text(client.get(match_driver.page, {"part": "live"}))


def test_only_players_may_resign(match_driver):
    assert "?ask=resign" in text(match_driver.client(1).get(match_driver.page))
    assert "?ask=resign" not in text(match_driver.client(2).get(match_driver.page))
    assert "?ask=resign" not in text(match_driver.client(None).get(match_driver.page))


def test_the_page_names_game_designer_players_clocks_and_log(match_driver):
    match_driver.play("c3", "b2")
    page = text(match_driver.client(None).get(match_driver.page))
    told = [f"{who} places a stone on {cell}." for who, cell in (("Red", "c3"), ("Blue", "b2"))]
    for words in ("DIE", "Mark Steere", "ada", "bruno", *told):
        assert words in page
    assert page.count('class="clock') == 2
    assert '<time class="clock' in page
    assert reverse("game-rules", args=["die"]) in page
    assert f"{match_driver.page}2/" in page


def test_no_script_or_style_stands_in_the_page(match_driver):
    match_driver.play("c3")
    for path in (match_driver.page, f"{match_driver.page}1/"):
        page = text(match_driver.client(1).get(path))
        assert " style=" not in page
        assert "<style" not in page
        assert not re.search(r"<script(?![^>]* src=)", page)
        assert not re.search(r"<[^>]+ on[a-z]+=", page)


def test_a_match_that_is_not_there_is_not_found(client, db):
    for path in ("/matches/1/", "/matches/99999999999999999999999999/", "/matches/1/7/"):
        assert client.get(path).status_code == 404


def test_the_page_takes_few_queries_however_long_the_log(match_driver):
    def queries():
        client = match_driver.client(match_driver.turn)
        client.get(match_driver.page)
        with CaptureQueriesContext(connection) as caught:
            assert client.get(match_driver.page).status_code == 200
        return len(caught)

    match_driver.play_on(2)
    at_first = queries()
    match_driver.play_on(12)
    assert queries() == at_first <= 12


def test_opening_the_page_answers_its_notifications(match_driver):
    match_driver.play("c3")
    assert match_driver.people[1].notifications.filter(seen_at=None).exists()
    match_driver.client(2).get(match_driver.page)
    assert match_driver.people[1].notifications.filter(seen_at=None).exists()
    match_driver.client(1).get(match_driver.page)
    assert not match_driver.people[1].notifications.filter(seen_at=None).exists()


@pytest.mark.parametrize("part", ["live", "entry"])
def test_parts_are_fragments(match_driver, part):
    page = text(match_driver.client(0).get(match_driver.page, {"part": part}))
    assert "<html" not in page
    assert 'id="match-board"' in page
    assert ('id="match-log"' in page) == (part == "live")


def test_scripts_get_the_live_part(match_driver):
    page = text(match_driver.client(0).get(match_driver.page, {"part": "live"}))
    assert "<html" not in page
    assert 'data-version="0"' in page


# --- Entering a move ----------------------------------------------------------------------------


def test_a_whole_move_without_script(match_driver):
    client = match_driver.client(0)
    page = client.get(match_driver.page)
    preview = client.get(marks(page)["c3"])
    assert "Place a stone on c3?" in text(preview)
    assert "Dice are rolled when you confirm" not in text(preview)
    assert 'aria-label="c3, red stone, just placed, chosen: click to undo"' in text(preview)
    assert match_driver.match.version == 0
    played = client.post(f"{match_driver.page}moves/", confirmation(preview))
    assert (played.status_code, played["Location"]) == (303, match_driver.page)
    assert match_driver.match.version == 1
    after = text(client.get(match_driver.page))
    assert "bruno to move" in after
    assert "Take back my move" in after


def test_another_cell_may_be_chosen_from_the_preview(match_driver):
    preview = match_driver.client(0).get(match_driver.page, {"word": "c3"})
    assert marks(preview)["a1"] == f"{match_driver.page}?word=a1"
    assert f'href="{match_driver.page}" data-undo' in text(preview)


def test_the_list_leads_to_the_same_preview(match_driver):
    page = text(match_driver.client(0).get(match_driver.page))
    assert page.count('<option value="') == 20
    assert '<option value="c3" data-marks="c3">' in page
    chosen = text(match_driver.client(0).get(match_driver.page, {"word": "c3"}))
    assert '<option value="c3" selected data-marks="c3">' in chosen


@pytest.mark.parametrize("typed", ["c3", "C3", " c3 ", "C 3"])
def test_typing_is_forgiven_case_and_blanks(match_driver, typed):
    page = match_driver.client(0).get(match_driver.page, {"typed": typed})
    assert page.status_code == 200
    assert "Place a stone on c3?" in text(page)


def test_the_beginning_of_a_move_narrows_what_may_follow(match_driver):
    page = match_driver.client(0).get(match_driver.page, {"typed": "c"})
    assert page.status_code == 200
    assert set(marks(page)) == {"c1", "c2", "c3", "c4", "c5"}
    assert "So far:" in text(page)


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("zz", "'zz' is no cell"),
        ("c3", "c3"),
        ("<script>", "is no cell"),
        ("\0", "is no cell"),
        ("c" * 999, "is no cell"),
        ("c" * 1001, "not longer than 1000 characters"),
    ],
)
def test_what_cannot_be_played_is_refused_with_a_reason_and_kept(match_driver, typed, words):
    match_driver.play("c3", "a1")
    page = match_driver.client(0).get(match_driver.page, {"typed": typed})
    assert page.status_code == 422
    assert words in text(page)
    assert 'role="alert"' in text(page)
    assert page.context["page"].entered.text == typed
    assert b"<script>" not in page.content


def test_more_moves_than_anybody_needs_are_refused(match_driver):
    page = match_driver.client(0).get(match_driver.page, {"move": ["c3"] * 30, "word": "c3"})
    assert page.status_code == 422
    assert "More than 20 moves" in text(page)


def test_a_cell_that_begins_another_cells_name_is_final(people):
    wide = begin("die", people, size=6)
    page = wide.client(0).get(wide.page, {"word": "f1"})
    assert "Place a stone on f1?" in text(page)
    assert {"f10", "a1"} <= set(marks(page))
    assert page.context["page"].entered.panel.entry.final


def test_a_player_who_wants_no_question_sends_at_once(match_driver):
    ada = match_driver.people[0]
    ada.confirm_moves = False
    ada.save()
    client = match_driver.client(0)
    page = text(client.get(match_driver.page))
    assert f'method="post" action="{match_driver.page}moves/" data-entry="list"' in page
    assert "data-at-once" in text(client.get(match_driver.page, {"word": "c3"}))
    client.post(f"{match_driver.page}moves/", match_driver.form(word="c3"))
    assert match_driver.match.version == 1


def test_sending_the_beginning_of_a_move_asks_on(match_driver):
    answer = match_driver.client(0).post(f"{match_driver.page}moves/", match_driver.form(typed="c"))
    assert (answer.status_code, answer["Location"]) == (303, f"{match_driver.page}?word=c")
    assert match_driver.match.version == 0


# --- Moves of several words, numbers, several moves ---------------------------------------------


def test_a_mark_that_stands_for_several_choices_leads_to_a_short_list(darts_match):
    client = darts_match.client(0)
    page = client.get(darts_match.page)
    assert marks(page)["high"] == f"{darts_match.page}?word=high+"
    assert marks(page)["board"] == f"{darts_match.page}?at=board"
    short = text(client.get(marks(page)["board"]))
    assert 'aria-label="Choices at board"' in short
    assert re.findall(r'href="([^"]+)" data-onward', short) == [
        f"{darts_match.page}?word=high+",
        f"{darts_match.page}?word=low+",
    ]


def test_a_number_is_asked_for_in_its_range(darts_match):
    client = darts_match.client(0)
    page = text(client.get(darts_match.page, {"word": "high "}))
    assert 'min="0" max="10" step="0.5"' in page
    assert "How hard?" in page
    preview = client.get(darts_match.page, {"word": "high ", "row": "0", "blank-0": "3.4"})
    assert "Play high 3.5?" in text(preview)
    assert confirmation(preview)["word"] == ["high ", "3.5"]


@pytest.mark.parametrize(
    ("row", "number"),
    [
        *(("0", number) for number in ("11", "-1", "nan", "inf")),
        *((row, "3") for row in ("1", "-1", "²", "9" * 5000)),
    ],
)
def test_a_number_outside_its_range_is_refused(darts_match, row, number):
    query = {"word": "high ", "row": row, "blank-0": number}
    page = darts_match.client(0).get(darts_match.page, query)
    assert page.status_code == 422


ASIDE = re.compile(
    r'class="mark mark-aside" data-mark="([^"]+)" aria-label="([^"]*)"[^>]* href="([^"]+)"'
)


def test_what_was_chosen_before_can_be_changed_on_the_board(darts_match):
    page = darts_match.client(0).get(darts_match.page, {"word": "high "})
    alternatives = {
        name: (label, unescape(link)) for name, label, link in ASIDE.findall(text(page))
    }
    assert alternatives == {
        "high": ("high, chosen: click to undo", darts_match.page),
        "low": ("low: choose this instead", f"{darts_match.page}?word=low+"),
        "board": ("board, chosen: click to undo", f"{darts_match.page}?at=board"),
    }
    assert marks(page) == {}
    preview = darts_match.client(0).get(darts_match.page, {"word": ["high ", "3.5"]})
    assert "low" in {name for name, _, _ in ASIDE.findall(text(preview))}


def test_all_moves_are_listed_on_demand(darts_match, monkeypatch):
    client = darts_match.client(0)
    page = text(client.get(darts_match.page))
    assert f'href="{darts_match.page}?list=all"' in page
    assert "high 3.5" not in page
    listed = text(client.get(darts_match.page, {"list": "all"}))
    assert '<option value="">42 moves</option>' in listed
    assert '<option value="low 10.0">low 10.0</option>' in listed
    monkeypatch.setattr(entry, "MAX_LISTED_MOVES", 9)
    assert "the first 9 moves" in text(client.get(darts_match.page, {"list": "all"}))


def test_a_list_that_is_cut_still_has_the_pass(people):
    match = begin("grim-reaper", people)
    match.play("M4b2", "M4e5", "pass", "pass", "F4e3", "F4d2")
    births = ["+Mc2", "+Fc2", "pass"]
    table = match.snapshot.table
    assert move_input.all_moves(table, match.turn, most=3) == (births, False)
    assert move_input.all_moves(table, match.turn, most=2) == (["+Mc2", "pass"], True)


def test_undo_takes_the_last_word_back(darts_match):
    page = text(darts_match.client(0).get(darts_match.page, {"word": ["high ", "3.5"]}))
    assert f'href="{darts_match.page}?word=high+" data-undo' in page


def test_a_turn_of_two_moves_is_confirmed_once(darts_match):
    client = darts_match.client(0)
    first = client.get(darts_match.page, {"word": ["high ", "3.5"]})
    assert "Add next move" in text(first)
    onward = re.search(r'href="([^"]+)" data-onward', first.content.decode())[1]
    assert unescape(onward) == f"{darts_match.page}?move=high+3.5"
    both = client.get(darts_match.page, {"move": "high 3.5", "word": ["low ", "2.0"]})
    assert "Play high 3.5, then play low 2.0?" in text(both)
    assert "Go on with" not in text(both)
    client.post(f"{darts_match.page}moves/", confirmation(both))
    assert darts_match.match.version == 2
    assert darts_match.turn == 1


def test_a_second_move_of_the_others_turn_is_refused(darts_match):
    query = {"move": ["high 1.0", "high 2.0"], "word": ["low ", "2.0"]}
    page = darts_match.client(0).get(darts_match.page, query)
    assert page.status_code == 403
    assert "not your turn" in text(page)


def test_nothing_is_entered_after_a_roll_that_nobody_has_seen(client, play):
    client.force_login(play.people[0])
    page = client.get(f"/matches/{play.id}/", {"move": "roll", "word": "1"})
    assert page.status_code == 409
    assert "after it has been seen" in text(page)


# --- What else a player may do ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "words"),
    [("resign", "You lose the match"), ("offer", "Offer a draw?"), ("cancel", "no result")],
)
def test_what_cannot_be_undone_is_asked_once_more(match_driver, asked, words):
    page = text(match_driver.client(0).get(match_driver.page, {"ask": asked}))
    assert words in page
    assert f'action="{match_driver.page}{asked}/"' in page


def test_an_offer_is_shown_to_both_with_what_each_may_do(match_driver):
    match_driver.act(services.offer_close, 0)
    mine, theirs = (text(match_driver.client(seat).get(match_driver.page)) for seat in (0, 1))
    assert "<p>You offer a draw.</p>" in mine
    assert "<p>ada offers a draw.</p>" in theirs
    assert not any('id="match-newest"' in one for one in (mine, theirs)), "a note says it"
    assert "Withdraw the offer" in mine
    assert "Accept" not in mine
    assert "Accept" in theirs
    assert "Decline" in theirs
    assert "?ask=offer" not in mine + theirs


def test_a_take_back_names_the_move(match_driver):
    driver = match_driver
    driver.play("c3", "b2")
    driver.act(services.offer_take_back, 0)
    assert "ada asks to take back a move: c3." in text(driver.client(1).get(driver.page))
    driver.act(services.accept_offer, 1)
    page = text(driver.client(1).get(driver.page))
    assert news_on(page) == "Red takes back a move: c3."
    assert "You take back a move: b2." in page


def news_on(page):
    """The line of the action area that says what happened since the reader's last move."""
    line = page.partition('id="match-newest"')[2].partition("</a>")[0]
    return line.rpartition("</span>")[2]


def test_the_action_area_says_what_happened_to_its_reader_until_they_move(people):
    driver = begin("grim-reaper", people)
    driver.play("M1b2", "M4e5")
    ada = driver.client(0)
    assert news_on(text(ada.get(driver.page))) == "Blue places a male with 4 life turns on e5."
    driver.play("pass", "pass", "M2f6", "M1a1", "pass", "pass")
    died = "Your male on a1 dies. Everyone else ages one turn."
    assert news_on(text(ada.get(driver.page))) == died
    driver.act(services.offer_close, 1)
    assert news_on(text(ada.get(driver.page))) == died, "it stays until I act"
    assert "ada" not in news_on(text(driver.client(1).get(driver.page)))
    driver.act(services.decline_offer, 0)
    driver.play("M1c1")
    assert died not in news_on(text(ada.get(driver.page)))


def test_the_action_area_says_what_others_did_beside_what_happened_to_its_reader(people):
    driver = begin("simple-life-or-death", people, combat="2d6")
    first = driver.turn
    name = ("Red", "Orange")[first]
    reader = driver.client(1 - first)
    driver.play("place S a1", "place M c1")
    told = f"{name} places a small piece on a1. {name} places a medium piece on c1."
    assert news_on(text(reader.get(driver.page))) == told
    driver.play("place L h8", "place L k8", "place S h8", "place S p16")
    told = f"{name} places a small piece on h8, on top of your large piece."
    also = f"{name} places a small piece on p16."
    assert news_on(text(reader.get(driver.page))) == f"{told} {also}"


def test_every_attack_of_a_turn_is_told_to_its_target(people):
    driver = begin("simple-life-or-death", people, combat="2d6")
    first = driver.turn
    own, other = "ro"[first], "or"[first]
    placed = ["place S a1", "place S p16", *["place S h8"] * 3, "place S a16"]
    driver.play(*placed, f"attack {own}S3 {other}S1", f"attack {own}S3 {other}S2")
    told = news_on(text(driver.client(1 - first).get(driver.page)))
    assert len(re.findall(r"(takes|fails against) your small: ", told)) == 2, told


def test_who_answers_an_attack_is_told_what_came_before_it(people):
    driver = begin("simple-life-or-death", people)
    first = driver.turn
    own, other = "ro"[first], "or"[first]
    driver.play(
        "place S a1", "place S p16", "place L h8", "place L p1", "place S h8", "place S a16"
    )
    black = next(card for card in driver.snapshot.state.hands[first] if card.is_black)
    driver.play(f"attack {own}S3 {other}L1 {black}")
    page = text(driver.client(1 - first).get(driver.page))
    name = ("Red", "Orange")[first]
    assert f"{name} places a small piece on h8, on top of your large piece." in news_on(page)
    assert "attacks" not in news_on(page)
    assert f"{name}’s small piece attacks your large piece on h8 with a hidden black card." in page


def test_a_rated_match_can_be_cancelled_by_agreement_from_the_beginning(match_driver):
    Match.objects.filter(pk=match_driver.id).update(rated=True)
    page = text(match_driver.client(0).get(match_driver.page))
    assert "?ask=cancel" in page
    assert "?ask=offer-cancel" in page


def test_cancelling_is_offered_before_the_second_move_only(match_driver):
    match_driver.play("c3")
    assert "?ask=cancel" in text(match_driver.client(0).get(match_driver.page))
    match_driver.play("b2")
    assert "?ask=cancel" not in text(match_driver.client(0).get(match_driver.page))
    assert "no result" not in text(match_driver.client(0).get(match_driver.page, {"ask": "cancel"}))


def test_the_end_is_told_and_a_rematch_offered_to_players(match_driver):
    match_driver.act(services.resign, 1)
    page = text(match_driver.client(0).get(match_driver.page))
    heading = 'id="action-head">{} by resignation</h2>'
    assert heading.format("You won") in page
    assert heading.format("You lost") in text(match_driver.client(1).get(match_driver.page))
    assert heading.format("ada won") in text(match_driver.client(2).get(match_driver.page))
    assert f'action="{match_driver.page}rematch/"' in page
    assert "Resign<" not in page
    assert "rematch/" not in text(match_driver.client(2).get(match_driver.page))


def test_the_page_lists_what_the_turn_asks_for(people):
    match = begin("simple-life-or-death", people)
    html = text(match.client(match.turn).get(match.page))
    assert "Place a piece" in html.partition('class="action-requirements"')[2].partition("</ol>")[0]
