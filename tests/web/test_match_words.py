"""The words on the page of a match: heading, strips, the log by turns, the end, and the rematch."""

import re

import pytest
from django.utils import timezone

from games.lobby import services as lobby
from games.lobby.models import ChallengePreferences
from games.matches import services
from games.matches.formatting import parameters_short
from games.matches.log import log_entries
from games.matches.log.lines import sentences, summary
from tests.match_driver import begin, fresh_cache, match_driver

__all__ = ["fresh_cache", "match_driver"]

FOUR = {"seats": 4}


def page(driver, seat):
    return driver.client(seat).get(driver.page).content.decode()


def words(html):
    seen = re.sub(r"<span [^>]*\bhidden>.*?</span></span>", "", html)
    return " ".join(re.sub(r"<[^>]+>", " ", seen).split())


def region(html, name, tag):
    return words(html.partition(f'id="{name}"')[2].partition(f"</{tag}>")[0].partition(">")[2])


def test_the_heading_is_the_game_then_the_others(match_driver):
    for seat, who in ((0, "vs bruno"), (1, "vs ada"), (2, "ada vs bruno")):
        assert f"DIE · {who}" in region(page(match_driver, seat), "match-head", "h1")


def test_an_answered_attack_stands_in_the_log_as_the_attackers(people):
    driver = begin("simple-life-or-death", people)
    first = driver.turn
    own, other = "ro"[first], "or"[first]
    driver.play(
        "place S a1", "place S p16", "place L h8", "place L p1", "place S h8", "place S a16"
    )
    hands = driver.snapshot.state.hands
    black = next(card for card in hands[first] if card.is_black)
    red = next(card for card in hands[1 - first] if card.is_red)
    driver.play(f"attack {own}S3 {other}L1 {black}", f"defend {red}")
    log = page(driver, first).partition('id="match-log"')[2]
    newest = log.partition("</ol>")[0]
    assert f"{black.sign} against {red.sign}" in newest
    assert f"seat-{first}" in newest
    assert f"seat-{1 - first}" not in newest


def test_parameters_are_told_where_they_differ_and_in_words(people):
    for slug, chosen, told in (
        ("die", {}, ""),
        ("die", {"size": 3}, "size 3"),
        ("dice-is-health", {"rounds": 0}, "endless"),
        ("precary-ice", {"hand": "shaky", "incidents": True}, "shaky hand, incidents"),
        ("grim-reaper", {"size": 8, "reserve": 2}, "8 × 8 board, double reserve"),
        ("simple-life-or-death", {"combat": "2d6", "width": 20}, "20 wide, fights with 2d6"),
    ):
        match = begin(slug, people, **chosen)
        assert parameters_short(match.snapshot.title.meta, match.match.params) == told


def test_a_strip_marks_its_reader_and_has_the_numbers_that_decide(match_driver):
    match_driver.play("c3", "b2", "c5")
    strips = region(page(match_driver, 0), "match-players", "ol")
    assert "ada you 2 stones" in strips
    assert "bruno 1 stone" in strips
    assert " you " not in region(page(match_driver, 2), "match-players", "ol")


def test_all_of_four_players_are_shown(people):
    match = begin("dice-is-health", people, **FOUR)
    shown = region(page(match, 1), "match-players", "ol")
    assert all(name in shown for name in ("ada", "bruno", "clara"))


def test_the_log_has_a_heading_for_each_turn_and_calls_its_reader_you(match_driver):
    match_driver.play("c3", "b2")
    own, other = (page(match_driver, seat) for seat in (0, 2))
    assert re.findall(r'class="log-by .*?>(\w+)</h3>', own) == ["bruno", "You"]
    assert re.findall(r'class="log-by .*?>(\w+)</h3>', other) == ["bruno", "ada"]
    assert "You place a stone on c3." in own
    assert "Red places a stone on c3." in other


def test_an_answer_stands_in_the_turn_that_it_interrupts(people):
    match = begin("simple-life-or-death", people)
    first = match.snapshot.actors[0]
    match.play("place S c7")
    assert len(re.findall('class="log-by ', page(match, first))) == 2  # the start and one turn


def test_what_the_setup_drew_is_entry_0(people):
    html = words(page(begin("dice-is-health", people), 0))
    assert re.search(r"Start 0 The monster starts on outer \d+\. You roll", html)


def test_the_end_tells_why_and_what_it_means(match_driver):
    match_driver.act(services.resign, 1)
    assert region(page(match_driver, 0), "action-head", "h2") == "You won by resignation"
    assert "Share this position" in page(match_driver, 2)


@pytest.mark.parametrize("busy", [0, 1])
def test_a_rematch_is_offered_to_who_may_play_one(match_driver, busy):
    """With a limit of one match, the seat in the challenge is the last."""
    match_driver.act(services.resign, 0)
    ChallengePreferences.objects.create(user=match_driver.people[busy], most_matches=1)
    for seat in (0, 1):
        assert f'action="{match_driver.page}rematch/"' in page(match_driver, seat)
    asked = lobby.rematch(match=match_driver.match, user=match_driver.people[0], now=timezone.now())
    assert f'action="{match_driver.page}rematch/"' in page(match_driver, 1)
    lobby.withdraw(challenge_id=asked.pk, user=match_driver.people[0], now=timezone.now())
    ChallengePreferences.objects.update(most_matches=0)
    whose = [
        "You have as many matches as your own limit allows",
        "has as many matches as they want",
    ]
    for seat in (0, 1):
        assert whose[seat != busy] in words(page(match_driver, seat))
        assert f'action="{match_driver.page}rematch/"' not in page(match_driver, seat)


def test_a_rematch_says_who_has_asked_for_it(match_driver):
    match_driver.act(services.resign, 1)
    ada, bruno = match_driver.people[:2]
    lobby.rematch(match=match_driver.match, user=ada, now=timezone.now())
    assert "You have asked for a rematch." in page(match_driver, 0)
    asked = words(page(match_driver, 1))
    assert "ada asks for a rematch with the same settings and clock. Accept Decline" in asked
    assert "rematch" not in region(page(match_driver, 2), "match-entry", "section")
    again = lobby.rematch(match=match_driver.match, user=bruno, now=timezone.now())
    for seat in (0, 1):
        assert f'href="/matches/{again.match_id}/">Go to the rematch' in page(match_driver, seat)


def test_a_summary_begins_with_the_outcome(people):
    match = begin("die", people, size=3)
    while not any(event["type"] == "remove" for event in last_events(match)):
        match.play_on(1)
    table = match.snapshot.table
    entry = log_entries.last_event_entry(log_entries.recent(match.match))
    assert " leave" in summary(table, entry, None).partition(".")[0]
    assert "places a stone" in sentences(table, entry, None)[0]


def last_events(match):
    entry = log_entries.last_event_entry(log_entries.recent(match.match))
    return entry.events if entry else ()
