"""The record of a match: every position, exports that replay, pictures, and what stays secret."""

import json
import re
from html import unescape

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.kernel import params, registry
from games.kernel.contract import TURN_ENDED, Seat
from games.kernel.dice import commitment
from games.kernel.replay import PlainEntry, replay
from games.matches import selectors, services
from games.matches.models import Match
from games.matches.view.history import StoredHistory
from games.web.record import page as record_page
from tests.match_driver import begin, fresh_cache, match_driver
from tests.responses import lasting

__all__ = ["fresh_cache", "match_driver"]


def text(response):
    return unescape(response.content.decode())


def board(response):
    """The board of a page without what makes its marks links and its ids its own."""
    return re.search(r"<svg.*?</svg>", text(response), re.DOTALL)[0]


def steps(export):
    """The log of an export as the kernel replays it; what was taken back is left out."""
    undone = {entry["undoes"] for entry in export["log"]}
    for entry in export["log"]:
        if entry["number"] in undone:
            continue
        seat = None if entry["seat"] is None else Seat(entry["seat"])
        yield PlainEntry(entry["kind"], seat, entry["text"], tuple(entry["chance"]))


def replayed(export):
    """The last position that an export leads to, by the kernel alone."""
    title = registry.get(export["title"])
    chosen = params.complete(title.meta, export["params"])
    seats = len(export["players"])
    *_, last = replay(title, seats, chosen, export["setup_chance"], steps(export))
    return title.dump(last.state)


# --- Positions ----------------------------------------------------------------------------------


def test_every_entry_has_its_page(match_driver):
    match_driver.play("c3", "a1")
    match_driver.act(services.offer_close, 0)
    match_driver.act(services.decline_offer, 1)
    match_driver.play("e1")
    match_driver.act(services.take_back, 0)
    match_driver.play_on(6)
    match_driver.act(services.resign, match_driver.turn)
    client = match_driver.client(None)
    at, entries = match_driver.snapshot.table, selectors.log(match_driver.match)
    states = at.replayed(entries)
    for number, step in enumerate(states):
        page = client.get(f"{match_driver.page}{number}/")
        assert page.status_code == 200
        rows = "".join(at.title.dump(step.state)["rows"])
        drawn = re.findall(r'aria-label="[a-z][0-9], (red|blue) stone', board(page))
        assert (drawn.count("red"), drawn.count("blue")) == (rows.count("r"), rows.count("b"))
    assert client.get(f"{match_driver.page}{len(states)}/").status_code == 404


def test_the_position_of_a_move_taken_back_still_stands(match_driver):
    match_driver.play("c3")
    match_driver.act(services.take_back, 0)
    client = match_driver.client(None)
    assert "c3, red stone" in text(client.get(f"{match_driver.page}1/"))
    assert "Taken back later." in text(client.get(f"{match_driver.page}1/"))
    assert "c3, empty" in text(client.get(f"{match_driver.page}2/"))
    assert "Red takes back a move: c3." in text(client.get(f"{match_driver.page}2/"))


def test_moves_are_counted_apart_from_offers_and_moves_taken_back(match_driver):
    driver = match_driver
    driver.play("c3")
    driver.act(services.take_back, 0)
    driver.play("e1", "b2")
    driver.act(services.offer_close, 0)
    driver.act(services.decline_offer, 1)
    driver.play("c3")
    pages = [text(driver.client(None).get(f"{driver.page}{number}/")) for number in range(8)]
    counts = [
        re.sub(r"<[^>]*>", "", re.search(r'title="Moves">(.*?</span>)</span>', page)[1])
        for page in pages
    ]
    assert counts == [f"{count} of 3" for count in (0, 1, 0, 1, 2, 2, 2, 3)]
    assert "<title>After move 2: DIE" in pages[6]
    numbers = re.findall(r'<span class="log-number">(\d*)</span>', pages[7])
    assert numbers == ["3", "", "", "2", "1", "", "1", "0"]


def test_links_lead_through_the_record_without_script(match_driver):
    match_driver.play("c3", "a1", "e1")
    page = text(match_driver.client(None).get(f"{match_driver.page}1/"))
    for number, rel in ((0, "first"), (0, "prev"), (2, "next"), (3, "last")):
        assert f'rel="{rel}" href="{match_driver.page}{number}/"' in page
    assert 'rel="prev"' not in text(match_driver.client(None).get(f"{match_driver.page}0/"))
    assert 'rel="next"' not in text(match_driver.client(None).get(f"{match_driver.page}3/"))


def test_the_entry_shown_is_marked_in_the_log(match_driver):
    match_driver.play("c3", "a1")
    page = text(match_driver.client(None).get(f"{match_driver.page}2/"))
    assert re.findall(r'data-n="(\d+)" aria-current="step"', page) == ["2"]


def test_scripts_get_the_position_alone(match_driver):
    match_driver.play("c3")
    page = text(match_driver.client(None).get(f"{match_driver.page}1/", {"part": "record"}))
    assert "<html" not in page
    assert 'id="position"' in page
    assert ' data-n="1" data-last="1"' in page


def test_scripts_get_the_part_of_the_log_alone(match_driver):
    match_driver.play("c3", "a1")
    page = text(match_driver.client(None).get(f"{match_driver.page}1/", {"part": "log"}))
    assert "<html" not in page
    assert "<svg" not in page
    assert re.findall(r'data-n="(\d+)"( aria-current="step")?', page) == [
        ("2", ""),
        ("1", ' aria-current="step"'),
        ("0", ""),
    ]


def test_head_answers_like_get(match_driver):
    for path in ("", "0/", "export.json", "export.txt", "0/board.svg", "0/board.png"):
        answer = match_driver.client(None).head(f"{match_driver.page}{path}")
        assert (answer.status_code, answer.content) == (200, b"")


def test_a_long_log_is_shown_in_parts_that_follow_each_other(people, monkeypatch):
    monkeypatch.setattr(record_page, "PAGE_LENGTH", 12)
    match = begin("die", people, size=5)
    match.play_on(40)
    client, rows, n = match.client(None), [], 0
    while n is not None:
        page = text(client.get(f"{match.page}{n}/"))
        found = re.findall(r'class="log-link" href="[^"]*" data-n="(\d+)"', page)
        rows += map(int, reversed(found))
        later = re.search(r'log-more"><a href="[^"]*/(\d+)/" rel="next"', page)
        earlier = re.search(r'log-more"><a href="[^"]*/(\d+)/" rel="prev"', page)
        assert (earlier and int(earlier[1])) == (n - 1 if n else None)
        n = int(later[1]) if later else None
    assert rows == list(range(match.match.version + 1))


def test_parts_of_the_log_end_with_a_turn(people, monkeypatch):
    monkeypatch.setattr(record_page, "PAGE_LENGTH", 7)
    match = begin("simple-life-or-death", people)
    match.play_on(30)
    log, last = selectors.log(match.match), match.match.version
    turns = [e.number for e in log if any(event["type"] == TURN_ENDED for event in e.events)]
    assert len(turns) < last / 2
    history = StoredHistory(match.snapshot)
    for entry in log:
        part = record_page.part_of_log(history, entry.number, last)
        assert entry in part
        assert part[-1].number in {*turns, last}
        assert part[0].number - 1 in {*turns, 0}


@pytest.mark.slow
def test_steps_and_the_match_page_read_as_much_of_a_long_log_as_of_a_short_one(people):
    match = begin("die", people, size=6)
    client, reads = match.client(None), []
    for _ in range(2):
        match.play_on(50)
        for path in ("", f"{match.match.version - 1}/?part=record"):
            client.get(f"{match.page}{path}")
            with CaptureQueriesContext(connection) as asked:
                client.get(f"{match.page}{path}")
            reads.append([q["sql"] for q in asked if 'FROM "match_move"' in (q["sql"] or "")])
    assert list(map(len, reads[:2])) == list(map(len, reads[2:])) == [1, 5]
    bounds = [int(n) for sql in reads[2] + reads[3] for n in re.findall(r'"number" > (\d+)', sql)]
    assert len(bounds) == 3
    assert min(bounds) >= 59


# --- Exports ------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [3, 4])
def test_the_export_of_a_match_replays_to_its_end(people, size):
    match = begin("die", people, size=size)
    match.play("c3")
    match.act(services.take_back, 0)
    match.play_on()
    export = match.client(None).get(f"{match.page}export.json").json()
    assert replayed(export) == match.match.position
    assert export["result"] == [player.rank for player in match.snapshot.players]
    assert export["ending"] == "no-stones"
    assert [player["name"] for player in export["players"]] == ["ada", "bruno"]
    assert [entry["number"] for entry in export["log"]] == list(range(1, match.match.version + 1))


@pytest.mark.parametrize("end", [services.resign, None])
def test_matches_that_end_otherwise_replay_too(match_driver, end):
    match_driver.play("c3", "a1")
    if end:
        match_driver.act(end, 0)
    else:
        match_driver.act(services.offer_close, 0)
        match_driver.act(services.accept_offer, 1)
    export = match_driver.client(None).get(f"{match_driver.page}export.json").json()
    assert replayed(export) == match_driver.match.position
    assert export["result"] == ([2, 1] if end else [1, 1])


def test_the_export_of_a_running_match_tells_no_secret(client, play):
    play.move(0, "roll")
    play.move(1, "peek")
    card = play.match.position["peeked"][1]
    for user in (None, *play.people[:3]):
        if user:
            client.force_login(user)
        answer = client.get(f"/matches/{play.id}/export.json")
        export = answer.json()
        dice = export["dice"]
        assert dice["seal"] == commitment(b"s" * 32).hex()
        assert dice["secret"] is None
        assert dice["nonces"] == [(bytes([seat]) * 32).hex() for seat in range(2)]
        assert export["setup_chance"] is None
        assert [entry["chance"] for entry in export["log"]] == [None, None]
        assert [entry["text"] for entry in export["log"]] == ["roll", "??"]
        assert export["log"][1]["events"] == [{"type": "peek", "seat": 1}]
        assert f": {card}" not in json.dumps(export["log"][1])


def test_after_the_end_all_is_open_and_replays(client, play):
    play.move(0, "peek")
    play.move(0, "roll")
    play.act(services.resign, 1)
    export = client.get(f"/matches/{play.id}/export.json").json()
    assert export["dice"]["secret"] == (b"s" * 32).hex()
    assert export["log"][0]["chance"] == [play.match.position["peeked"][0]]
    assert replayed(export) == play.match.position


def test_notation_that_tells_a_secret_is_for_its_mover(client, play):
    play.move(0, "peek")
    shown = {}
    for name, user in (("nobody", None), ("mover", play.people[0]), ("other", play.people[1])):
        client.logout()
        if user:
            client.force_login(user)
        shown[name] = text(client.get(f"/matches/{play.id}/"))
    assert 'log-move">peek<' in shown["mover"]
    assert 'log-move">peek<' not in shown["other"] + shown["nobody"]
    assert 'log-move">??<' in shown["other"]


def test_two_worlds_that_differ_in_a_secret_alone_look_the_same(client, play):
    """What one seat has seen reaches no page of the others while the match runs."""
    play.move(0, "peek")
    scenarios = []
    for card in (17, 71):
        position = {**play.match.position, "peeked": [card, 0]}
        Match.objects.filter(pk=play.id).update(position=position)
        paths = ("", "?part=live", "export.json", "export.txt", "1/board.svg")
        seen = []
        for user in (None, play.people[1], play.people[2]):
            client.logout()
            if user:
                client.force_login(user)
            seen += [lasting(client.get(f"/matches/{play.id}/{path}")) for path in paths]
        scenarios.append(seen)
    assert scenarios[0] == scenarios[1]


def test_the_text_reads_as_a_story(match_driver):
    match_driver.play("c3", "a1")
    match_driver.act(services.take_back, 1)
    match_driver.act(services.resign, 1)
    answer = match_driver.client(None).get(f"{match_driver.page}export.txt")
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    lines = text(answer).splitlines()
    assert lines[0] == f'[Event "Match {match_driver.id}"]'
    facts = (
        f'[Site "http://testserver{match_driver.page}"]',
        '[Game "DIE"]',
        '[Designer "Mark Steere"]',
        '[Parameters "size 3"]',
        '[Red "ada"]',
        '[Blue "bruno"]',
        '[BlueDropped "resigned"]',
        '[Result "1 2"]',
    )
    assert set(facts) <= set(lines)
    log = [line.partition(" {[%")[0] for line in lines if line[0:1].isdecimal()]
    assert log == [
        "1. Red: c3 {Red places a stone on c3.}",
        "2. Blue: a1 {Blue places a stone on a1. (taken back)}",
        log[2],
        log[3],
    ]
    assert log[2].startswith("3. Blue: (take-back) {")
    assert log[3].startswith("4. Blue: (resign) {")
    assert lines[-1] == "Result: ada won. By resignation."


# --- Pictures and what is kept of them ----------------------------------------------------------


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_position_as_a_picture(match_driver, theme):
    match_driver.play("c3")
    drawn = match_driver.client(None).get(f"{match_driver.page}1/board.svg", {"theme": theme})
    assert drawn["Content-Type"] == "image/svg+xml"
    assert "var(" not in text(drawn)
    assert "data-mark" not in text(drawn)
    png = match_driver.client(None).get(f"{match_driver.page}1/board.png", {"theme": theme})
    assert png["Content-Type"] == "image/png"
    assert png.content.startswith(b"\x89PNG\r\n")


@pytest.mark.parametrize("path", ["1/board.svg?theme=none", "1/board.gif", "2/board.svg"])
def test_a_picture_that_there_is_not(match_driver, path):
    match_driver.play("c3")
    assert match_driver.client(None).get(match_driver.page + path).status_code == 404


@pytest.mark.parametrize("path", ["export.json", "export.txt", "0/board.svg", "0/board.png"])
def test_a_file_is_not_sent_again_until_the_match_changes(match_driver, path):
    client, address = match_driver.client(None), match_driver.page + path
    tag = client.get(address)["ETag"]
    assert client.get(address, headers={"If-None-Match": tag}).status_code == 304
    assert client.head(address, headers={"If-None-Match": tag}).status_code == 304
    other = match_driver.client(0).get(address)["ETag"]
    assert other != tag
    match_driver.play("c3")
    assert client.get(address, headers={"If-None-Match": tag}).status_code == 200


def test_each_picture_has_its_own_tag(match_driver):
    match_driver.play("c3")
    paths = ("0/board.svg", "1/board.svg", "1/board.png", "1/board.svg?theme=dark")
    tags = {match_driver.client(None).get(match_driver.page + path)["ETag"] for path in paths}
    assert len(tags) == len(paths)


@pytest.mark.parametrize("path", ["export.json", "export.txt"])
@pytest.mark.parametrize("theme", ["\n", "\r\nX-Other: 1", "\0", '"', "dark"])
def test_a_tag_repeats_nothing_that_was_asked_for(match_driver, path, theme):
    answer = match_driver.client(None).get(match_driver.page + path, {"theme": theme})
    assert answer.status_code == 200
    assert re.fullmatch(r'"[\w-]+"', answer["ETag"])


def test_the_record_counts_what_each_seat_had(match_driver):
    match_driver.play("c3", "b2", "c5")
    client = match_driver.client(None)
    told = [
        re.sub(r"<[^>]*>|\s+", " ", found[1]).split()
        for number in (1, 3)
        for found in [
            re.search(
                r'class="stepper-counts[^>]*>(.*?)</ul>',
                client.get(f"{match_driver.page}{number}/").content.decode(),
                re.DOTALL,
            )
        ]
    ]
    assert told == [
        ["R", "1", "stone", "B", "0", "stones"],
        ["R", "2", "stones", "B", "1", "stone"],
    ]
