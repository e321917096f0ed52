"""Dice of exported matches: anybody with the file can check them, and finds any change."""

import copy
import json
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from games.kernel import registry
from games.kernel.dice import commitment
from games.matches import services
from games.records.dice_check import Check, NoRecord, read
from games.verify_dice import verify
from tests.match_driver import begin, fresh_cache

__all__ = ["fresh_cache"]

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]


@pytest.fixture
def played(client, start):
    """The record of a match with open rolls and a hidden draw, some of it taken back."""
    play = start(seats=3, heap=60)
    for text in ("roll", "peek", "1", "2", "roll", "roll", "peek", "roll"):
        play.move(play.snapshot.actors[0], text)
    mover = play.snapshot.actors[0]
    play.move(mover, "1")
    play.act(services.take_back, mover)
    play.act(services.offer_close, 1 - mover)
    play.move(mover, "roll")
    for seat in (0, 1):
        play.act(services.resign, seat)
    return client.get(f"/matches/{play.id}/export.json").json()


@pytest.fixture
def file(tmp_path):
    """Write something to a file."""

    def write(record, name="match.json"):
        path = tmp_path / name
        path.write_text(record if isinstance(record, str) else json.dumps(record))
        return path

    return write


def checked(*files, rolls=False):
    out = StringIO()
    well = verify(files, out, rolls=rolls)
    return well, out.getvalue()


def trouble(record):
    try:
        return Check(read(json.dumps(record))).trouble
    except NoRecord as refusal:
        return [str(refusal)]


# --- What is in order ---------------------------------------------------------------------------


def test_rolls_are_recorded_with_their_dice_and_their_numbers(played):
    drawn = [entry for entry in played["log"] if entry["chance"]]
    assert [entry["first_roll"] for entry in drawn] == list(range(7))
    assert [entry["sides"] for entry in drawn] == [[6], [100], [6], [6], [100], [6], [6]]
    assert [entry["text"] for entry in drawn] == [
        *("roll", "peek", "roll", "roll", "peek", "roll", "roll")
    ]


def test_an_honest_record_is_in_order(played, file):
    well, said = checked(file(played))
    assert well
    count = f"match.json: match {played['match']}: 7 rolls, as committed."
    assert said.endswith(f"{count}\n  The server made at least one of the nonces.\n")
    assert Check(read(json.dumps(played))).remark == ""


def test_the_working_is_shown(played, file):
    said = checked(file(played), rolls=True)[1]
    check = Check(read(json.dumps(played)))
    assert f"commitment {commitment(b's' * 32).hex()}" in said
    assert f"key  {check.key.hex()}" in said
    for roll in check.rolls:
        assert f"{roll.number}:0" in said
        assert f"mod {roll.sides} + 1 = {roll.face}" in said


def test_dice_of_a_game_that_is_not_known_are_checked_all_the_same(played, file):
    unknown = {**played, "title": "chess-with-dice"}
    well, said = checked(file(unknown))
    assert well
    assert "'chess-with-dice' is not known here" in said
    unknown["log"][0]["chance"][0] = played["log"][0]["chance"][0] % 6 + 1
    assert not checked(file(unknown))[0]


def test_rules_of_another_version_are_not_asked(played, file):
    well, said = checked(file({**played, "rules_version": 7}))
    assert well
    assert "Played by version 7 of the rules, known here is 1" in said


# --- What was changed ---------------------------------------------------------------------------


def test_a_changed_roll_is_found(played):
    for entry in played["log"]:
        if entry["chance"]:
            changed = copy.deepcopy(played)
            face = entry["chance"][0] % entry["sides"][0] + 1
            changed["log"][entry["number"] - 1]["chance"] = [face]
            first = trouble(changed)[0]
            assert first.startswith(
                f"Roll {entry['first_roll']}, of entry {entry['number']}: {face}"
            )
            assert f"the commitment gives {entry['chance'][0]}." in first


def test_another_die_is_found_even_where_it_would_give_the_same_face(played):
    """A die of 2⁶⁴ − … sides chosen to fit is caught by the rules, which roll a d6 there."""
    check = Check(read(json.dumps(played)))
    roll = check.rolls[0]
    x = check.working(roll).x
    fitting = next(n for n in range(7, 10_000) if x % n + 1 == roll.face)
    changed = copy.deepcopy(played)
    changed["log"][0]["sides"] = [fitting]
    assert trouble(changed) == [f"Entry 1: the rules roll d6, recorded is d{fitting}."]


def test_a_changed_secret_is_found(played):
    played["dice"]["secret"] = (b"t" + b"s" * 31).hex()
    assert "The secret is not the one committed to" in trouble(played)[0]
    played["dice"]["seal"] = commitment(b"t" + b"s" * 31).hex()
    assert any("the commitment gives" in sentence for sentence in trouble(played))


def test_a_changed_nonce_and_another_order_of_nonces_are_found(played):
    for nonces in (
        [(b"\x01" * 32).hex(), *played["dice"]["nonces"][1:]],
        played["dice"]["nonces"][::-1],
    ):
        changed = copy.deepcopy(played)
        changed["dice"]["nonces"] = nonces
        found = trouble(changed)
        assert "a nonce, their order" in found[-1]
        assert any("rolls are not what the commitment gives" in sentence for sentence in found)


def test_a_missing_nonce_is_found(played):
    del played["dice"]["nonces"][0]
    assert "3 players have 2 nonces." in trouble(played)


def test_nonces_of_another_length_are_found(played):
    """Bytes moved from one nonce to the next leave the key as it is."""
    first, second, *rest = played["dice"]["nonces"]
    played["dice"]["nonces"] = [first + second[:2], second[2:], *rest]
    assert trouble(played)[:2] == [
        "The nonce of seat 1 has 33 bytes, not 32.",
        "The nonce of seat 2 has 31 bytes, not 32.",
    ]


def test_a_secret_of_another_length_is_found(played):
    secret, (first, *rest) = played["dice"]["secret"], played["dice"]["nonces"]
    played["dice"].update(secret=secret[:-2], nonces=[secret[-2:] + first, *rest])
    assert "The secret has 31 bytes, not 32." in trouble(played)


def test_a_move_whose_text_was_changed_is_found(played):
    """To another legal move that asks for the same dice, here none."""
    entry = next(entry for entry in played["log"] if entry["text"] == "1")
    entry["text"] = "2"
    assert trouble(played) == [f"Entry {entry['number']}: '2' does not do what is recorded."]


def test_other_changes_to_what_was_played_are_found(played):
    for change, words in (
        ({"text": " 1"}, "is not how this entry is written"),
        ({"events": []}, "does not do what is recorded"),
    ):
        changed = copy.deepcopy(played)
        next(entry for entry in changed["log"] if entry["text"] == "1").update(change)
        assert any(words in sentence for sentence in trouble(changed))
    offer = next(entry for entry in played["log"] if entry["kind"] == "offer")
    offer["text"] = "3"
    assert "is not how this entry is written" in trouble(played)[0]


def test_a_changed_result_is_found(played):
    result = played["result"]
    played["result"] = result[::-1]
    assert trouble(played) == [
        f"The moves lead to the result {result}, recorded is {result[::-1]}."
    ]


def test_another_order_of_moves_is_found(played):
    log = played["log"]
    log[4]["chance"], log[5]["chance"] = log[5]["chance"], log[4]["chance"]
    log[0], log[1] = log[1], log[0]
    assert "Entry 1 is missing: entry 2 stands in its place." in trouble(played)
    for number, entry in enumerate(log, 1):
        entry["number"] = number
    assert trouble(played)[0] == "Entry 1 begins with roll 1, but 0 came before it."
    log[0]["first_roll"], log[1]["first_roll"] = 0, 1
    assert "the commitment gives" in trouble(played)[0]


def test_a_roll_left_out_is_found(played):
    played["log"][1].update(chance=[], sides=[])
    assert trouble(played)[0] == "Entry 5 begins with roll 2, but 1 came before it."
    assert "An outcome is missing" in trouble(played)[-1]


def test_a_roll_put_in_is_found(played):
    check = Check(read(json.dumps(played)))
    last = next(entry for entry in reversed(played["log"]) if entry["chance"])
    last["chance"].append(check.rolls[0].face)
    last["sides"].append(6)
    assert any("is left over" in s or "the rules roll d6" in s for s in trouble(played))


def test_a_record_without_its_seal_is_found(played):
    assert trouble({**played, "dice": None}) == [
        "The match has dice, but the record does not say what was committed to."
    ]


@pytest.mark.parametrize(
    "change",
    [
        {"sides": [6.0]},
        {"sides": [None]},
        {"sides": []},
        {"chance": [{"fell": True}]},
        {"chance": [2.5]},
        {"chance": None},
    ],
)
def test_outcomes_that_do_not_go_with_their_dice_are_found(played, change):
    played["log"][0].update(change)
    assert trouble(played)


def test_entries_that_no_rules_know_are_found(played):
    for change in ({"undoes": 99}, {"seat": 99}, {"text": "??"}, {"kind": "close"}):
        changed = copy.deepcopy(played)
        changed["log"][0].update(change)
        assert trouble(changed)


# --- Files --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", "[]", "null", "3", '"x"', "{}", "[" * 100_000, "\ud83d"),
        '{"format": "pgn"}',
        '{"match": 1, "title": "heap", "rules_version": 1, "params": {}, "players": [], "log": []}',
        '{"match": -1, "title": 3, "rules_version": "x", "params": [], "players": 5, "log": {}}',
    ],
)
def test_what_is_no_record_is_refused(text, tmp_path):
    path = tmp_path / "x.json"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    well, said = checked(path)
    assert not well
    assert ": This is" in said
    assert len(said) < 1000


def test_files_that_are_not_there_and_others_are_told_one_by_one(played, file, tmp_path):
    good, gone = file(played), tmp_path / "gone.json"
    well, said = checked(gone, good)
    assert not well
    assert "No such file" in said.splitlines()[0]
    assert "as committed" in said.splitlines()[1]


def test_a_running_match_cannot_be_checked_yet(client, play, file):
    play.move(0, "roll")
    well, said = checked(file(client.get(f"/matches/{play.id}/export.json").content.decode()))
    assert not well
    assert "still runs" in said


def test_a_match_without_dice_has_none(people, file):
    match_driver = begin("die", people, size=3)
    match_driver.play_on()
    well, said = checked(
        file(match_driver.client(None).get(f"{match_driver.page}export.json").content.decode())
    )
    assert well
    assert said.endswith("has no dice.\n")


def test_the_command_says_by_its_exit_whether_all_is_well(played, file, capsys):
    call_command("verify_dice", str(file(played)))
    assert "as committed" in capsys.readouterr().out
    played["dice"]["secret"] = "00" * 32
    with pytest.raises(SystemExit) as left:
        call_command("verify_dice", str(file(played, "changed.json")))
    assert left.value.code == 1
    assert "something is wrong with its dice" in capsys.readouterr().out


def with_dice(title):
    """Parameters with which a game rolls more dice than it must."""
    properties = title.meta.params["properties"]
    return {name: True for name, schema in properties.items() if schema.get("type") == "boolean"}


@pytest.mark.slow
@pytest.mark.parametrize("slug", [s for s, t in registry.titles().items() if t.meta.has_chance])
def test_matches_of_every_game_with_chance_are_in_order_offline(people, file, slug):
    """By a program of its own, without settings, and a match of random moves."""
    title = registry.get(slug)
    match_driver = begin(slug, people, seats=title.meta.seats[0], **with_dice(title))
    match_driver.play_on(25)
    if match_driver.match.is_running:
        match_driver.act(services.resign, match_driver.turn)
    record = match_driver.client(None).get(f"{match_driver.page}export.json").content.decode()
    done = subprocess.run(
        [sys.executable, "-m", "games.verify_dice", file(record)],
        cwd=ROOT,
        env={"PYTHONWARNINGS": "error"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "as committed" in done.stdout
    assert len(Check(read(record)).rolls) == match_driver.match.rolls
