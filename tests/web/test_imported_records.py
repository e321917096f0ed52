"""Imported records: every export imports unchanged, and every kind of damage gets its own error."""

import copy
import json
import re
from contextvars import copy_context
from html import unescape
from importlib import import_module

import pytest
from django.apps import apps
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from jsonschema.exceptions import ValidationError

from accounts import deletion, personal_data
from accounts.sanctions import standing
from accounts.sanctions.models import Sanction
from games.kernel import registry
from games.matches import listing, services
from games.matches.models import Match, Player
from games.moderation import subjects
from games.records import checking, imports, reading
from games.records.errors import Damaged, MayNotImport
from games.records.models import ImportedRecord
from tests.match_driver import begin, fresh_cache

__all__ = ["fresh_cache"]

pytestmark = pytest.mark.slow

PAGE = "/imported/"
KEPT = {}
"""Records that several tests damage."""


def exported(driver):
    return driver.client(None).get(f"{driver.page}export.json").json()


def finished(slug, people, moves=6, **chosen):
    """The record of a match that was played for a while and then resigned."""
    driver = begin(slug, people, **chosen)
    driver.play_on(moves)
    if driver.match.is_running:
        driver.act(services.resign, driver.turn)
    return exported(driver)


@pytest.fixture
def record(people):
    """A match of DIE with a move that was taken back."""
    driver = begin("die", people, size=3)
    driver.play("c3")
    driver.act(services.take_back, 0)
    driver.play_on(8)
    if driver.match.is_running:
        driver.act(services.resign, driver.turn)
    return exported(driver)


def data_of(record):
    return json.dumps(record).encode()


def take_in(user, record):
    return imports.take_in(user=user, data=data_of(record), now=timezone.now())


def send(client, data, name="match.json"):
    return client.post(PAGE, {"file": SimpleUploadedFile(name, data)})


def shown(answer):
    return unescape(answer.content.decode())


# --- What comes in ------------------------------------------------------------------------------


@pytest.mark.parametrize("slug", registry.titles())
def test_a_record_of_every_game_comes_back_as_it_went(slug, people):
    record = finished(slug, people, 60)
    made = take_in(people[2], record)
    assert imports.export(made) == record
    client = begin("die", people, size=3).client(None)
    page = client.get(f"{PAGE}{made.pk}/{made.length}/")
    assert page.status_code == 200
    assert json.loads(client.get(f"{PAGE}{made.pk}/export.json").content) == record
    assert "Result: " in client.get(f"{PAGE}{made.pk}/export.txt").content.decode()


def test_every_position_is_that_of_the_match(record, people, client):
    made = take_in(people[2], record)
    for number in range(made.length + 1):
        svg = f"{number}/board.svg"
        there = client.get(f"/matches/{record['match']}/{svg}").content
        assert client.get(f"{PAGE}{made.pk}/{svg}").content == there
    assert client.get(f"{PAGE}{made.pk}/{number + 1}/").status_code == 404
    assert client.get(f"{PAGE}{made.pk}/0/board.png").content.startswith(b"\x89PNG")
    assert "Taken back later." in shown(client.get(f"{PAGE}{made.pk}/1/"))


def test_its_log_and_its_links_are_its_own(record, people, client):
    made = take_in(people[2], record)
    page = shown(client.get(f"{PAGE}{made.pk}/2/"))
    assert f"/matches/{record['match']}/" not in page
    assert f'rel="next" href="{PAGE}{made.pk}/3/"' in page
    assert 'href="/players/ada/"' not in page
    assert 'href="/players/clara/"' in page
    part = shown(client.get(f"{PAGE}{made.pk}/2/", {"part": "log"}))
    assert len(re.findall(r'class="log-link"', part)) == made.length + 1


def test_no_list_and_no_result_knows_of_it(record, people):
    before = Match.objects.count(), Player.objects.count()
    results = [listing.results_by_title(user) for user in people]
    take_in(people[2], record)
    assert (Match.objects.count(), Player.objects.count()) == before
    assert [listing.results_by_title(user) for user in people] == results


def test_a_step_costs_as_much_in_a_long_record_as_in_a_short_one(people, client):
    def steps(record):
        made = take_in(people[2], record)
        client.get(f"{PAGE}{made.pk}/{made.length}/")
        with CaptureQueriesContext(connection) as queries:
            client.get(f"{PAGE}{made.pk}/{made.length}/")
        rows = imports.log(made, after=made.length - made.length % 25)
        return len(queries), len(rows)

    short, long = steps(finished("die", people, 26)), steps(finished("die", people, 60, size=7))
    assert short[0] == long[0]
    assert long[1] < 25


def test_the_same_record_is_kept_once(record, people):
    first, again = take_in(people[2], record), take_in(people[2], record)
    assert first == again
    assert take_in(people[3], record) != first


@pytest.mark.parametrize("end", ["cancel", "close"])
def test_a_match_without_winner_comes_in(end, people):
    driver = begin("die", people, size=3)
    if end == "cancel":
        driver.act(services.cancel, 0)
    else:
        driver.play_on(3)
        driver.act(services.offer_close, 0)
        driver.act(services.accept_offer, 1)
    record = exported(driver)
    assert imports.export(take_in(people[2], record)) == record


def test_fields_that_a_later_version_adds_are_kept(record, people):
    record["arbiter"] = "clara"
    record["log"][0]["weather"] = {"rain": True}
    record["players"][0]["rating"] = 1500
    assert imports.export(take_in(people[2], record)) == record


# --- Damages ------------------------------------------------------------------------------------


def entry(record, kind="play"):
    return next(entry for entry in record["log"] if entry["kind"] == kind)


def changed(path, value):
    """A damage: what a record says somewhere is something else."""

    def damage(record):
        found = record
        for name in path[:-1]:
            found = found[name]
        found[path[-1]] = value

    return damage


def without_status(record):
    del record["status"]


def without_entry(record):
    del record["log"][3]


def swapped(record):
    first, other = record["log"][3], record["log"][4]
    first["text"], other["text"] = other["text"], first["text"]


def cut(record):
    del record["log"][-1]


def goes_on(record):
    record["log"].append({**record["log"][-1], "number": len(record["log"]) + 1})


def deep(record):
    record["params"]["more"] = json.loads("[" * 40 + "]" * 40)


def too_long(record):
    record["log"] = [{**record["log"][0], "number": n} for n in range(1, 3002)]


def too_many_seats(record):
    record["players"] *= 6


def too_many_values(record):
    record["more"] = [0] * reading.MAX_VALUES


def cancelled_with_a_result(record):
    record["status"] = "cancelled"
    record["log"][-1]["kind"] = "cancel"
    record["log"][-1]["events"] = []
    record["result"] = [0, 5]


def seat_unknown(record):
    entry(record)["seat"] = 7


def nobody(record):
    entry(record)["seat"] = None


def other_event(record):
    entry(record)["events"][0]["type"] = "another"


def other_winner(record):
    record["result"].reverse()


DAMAGES = {
    "another format": (changed(["format"], "chess"), "no record of a match"),
    "another version": (changed(["format_version"], 2), "version 2 of the format"),
    "a field too few": (without_status, "not as the format says: "),
    "a field of another type": (changed(["log", 0, "number"], "1"), "not as the format says: log"),
    "a running match": (changed(["status"], "running"), "still running"),
    "an unknown game": (changed(["title"], "chess"), "'chess' is not played here"),
    "unknown rules": (changed(["rules_version"], 99), "rules are not known"),
    "wrong parameters": (changed(["params"], {"size": 99}), "not played so: size"),
    "unknown parameters": (changed(["params"], {"speed": 1}), "not played so"),
    "another colour": (changed(["players", 0, "colour"], "Pink"), "Seat 0 is not told"),
    "an empty name": (changed(["players", 0, "name"], " "), "is empty or too long"),
    "a long name": (changed(["players", 0, "name"], "x" * 41), "is empty or too long"),
    "a name of no characters": (changed(["players", 0, "name"], "a\0b"), "character that is none"),
    "half a character": (changed(["players", 0, "name"], "\ud800"), "character that is none"),
    "no date": (changed(["started"], "yesterday"), "cannot be read"),
    "no end": (changed(["ended"], None), "cannot be read"),
    "an entry missing": (without_entry, "Entry 4 of the log is missing"),
    "moves in another order": (swapped, "Entry "),
    "no move": (changed(["log", 0, "text"], "zz9"), "Entry 1 cannot be replayed"),
    "an illegal move": (changed(["log", 2, "text"], "j9"), "Entry 3 cannot be replayed"),
    "a roll left over": (changed(["log", 2, "chance"], [3]), "Entry 3 cannot be replayed"),
    "dice that were not": (changed(["log", 2, "sides"], [6]), "Entry 3 rolls other dice"),
    "a seat too many": (seat_unknown, "names seat 7"),
    "nobody's move": (nobody, "does not say whose"),
    "another event": (other_event, "does something else"),
    "a take-back of nothing": (changed(["log", 1, "undoes"], None), "no take-back"),
    "a take-back of the future": (changed(["log", 1, "undoes"], 2), "takes back what is not"),
    "the end cut off": (cut, "stops before the end"),
    "more after the end": (goes_on, "comes after the end"),
    "another winner": (other_winner, "not the one that the moves lead to"),
    "another ending": (changed(["ending"], "boredom"), "not how this match ends"),
    "another status": (changed(["status"], "annulled"), "does not end as its status says"),
    "too deep": (deep, "too deep"),
    "too long": (too_long, "The log is too long"),
    "too many seats": (too_many_seats, "The list of players is too long: 10"),
    "too many values": (too_many_values, "may hold 300000 values at most"),
    "a long text": (changed(["log", 0, "text"], "c" * 1001), "The text or the reason of entry 1"),
    "a long reason": (changed(["log", 0, "reason"], "c" * 1001), "reason of entry 1 is too long"),
    "a long name of a former player": (
        changed(["former_players"], [{"seat": 0, "name": "x" * 41, "until": 1}]),
        "is empty or too long",
    ),
    "1.0 for 1": (changed(["log", 0, "number"], 1.0), "not as the format says: log[0].number"),
    "3.0 for 3": (changed(["params"], {"size": 3.0}), "size is written 3, not 3.0"),
    "a result without a winner": (cancelled_with_a_result, "does not end as its status says"),
}


@pytest.fixture
def record_alone(request):
    """The record without its match, which is played once for all tests that damage it."""
    if "record" not in KEPT:
        KEPT["record"] = request.getfixturevalue("record")
    return copy.deepcopy(KEPT["record"])


@pytest.mark.parametrize("name", DAMAGES)
def test_every_damage_is_told(name, record_alone, people):
    damage, sentence = DAMAGES[name]
    damage(record_alone)
    with pytest.raises(Damaged, match=re.escape(sentence)):
        take_in(people[2], record_alone)
    assert not ImportedRecord.objects.exists()


@pytest.fixture
def with_dice(people):
    if "dice" not in KEPT:
        KEPT["dice"] = finished("dice-is-health", people, 12)
    return copy.deepcopy(KEPT["dice"])


def rolled(record):
    return next(entry for entry in record["log"] if entry["chance"])


def other_roll(record):
    entry = rolled(record)
    entry["chance"][0] = entry["chance"][0] % 6 + 1


def roll_missing(record):
    rolled(record)["chance"].pop()


def no_dice(record):
    record["dice"] = None


def nonces_swapped(record):
    record["dice"]["nonces"].reverse()


def short_nonces(record):
    record["dice"]["nonces"].pop()


DICE = {
    "another roll": (other_roll, "Entry |committed"),
    "a roll missing": (roll_missing, "cannot be replayed"),
    "no dice": (no_dice, "has dice, and the record none"),
    "another secret": (changed(["dice", "secret"], "00" * 32), "not as committed"),
    "nonces swapped": (nonces_swapped, "not as committed"),
    "a nonce missing": (short_nonces, "cannot be read"),
    "setup without rolls": (changed(["setup_chance"], None), "setup cannot be replayed|as the"),
}


@pytest.mark.parametrize("name", DICE)
def test_every_damage_of_the_dice_is_told(name, with_dice, people):
    damage, sentence = DICE[name]
    damage(with_dice)
    with pytest.raises(Damaged, match=sentence):
        take_in(people[2], with_dice)


FILES = {
    "nothing": (b" ", "There is nothing in it."),
    "moves alone": (b"\n1. e2 f2\n", "this begins with '1. e2 f2'"),
    "no JSON": (b'{"format": ', "The JSON cannot be read: Expecting value, line 1, column 12"),
    "no object": (b"[]", "no record of a match"),
    "another encoding": ('{"ü": 1}'.encode("latin-1"), "not in UTF-8"),
    "two records": (b'{"format": "turnstone-match"}\n{}', "Import one at a time."),
    "the same twice": (b'{"a": 1, "a": 2}', "says 'a' twice"),
    "no number": (b'{"a": NaN}', "NaN"),
    "a number without end": (b'{"a": %s}' % (b"9" * 5000), "too many digits"),
    "brackets": (b"[" * 100_000, "too deep"),
    "too large": (b" " * (reading.MAX_FILE_SIZE + 1), "too large"),
}


@pytest.mark.parametrize("name", FILES)
def test_every_file_that_is_none_is_told(name, people):
    data, sentence = FILES[name]
    with pytest.raises(Damaged, match=re.escape(sentence)):
        imports.take_in(user=people[2], data=data, now=timezone.now())


# --- Times --------------------------------------------------------------------------------------

CLOCK = {"start": 1, "increment": 1, "cap": 1}
NO_TIMES = {
    "30 February": (["log", 0, "at"], "2026-02-30T10:00:00+00:00", "cannot be read"),
    "the year 0": (["log", 0, "at"], "0000-01-01T00:00:00+00:00", "cannot be read"),
    "hour 25": (["log", 0, "at"], "2026-01-01T25:00:00+00:00", "cannot be read"),
    "an offset of days": (["log", 0, "at"], "2026-01-01T00:00:00+99:00", "cannot be read"),
    "no zone": (["log", 0, "at"], "2026-01-01T00:00:00", "The time of entry 1"),
    "a date": (["log", 0, "at"], "2026-01-01", "The time of entry 1"),
    "the year 1": (["log", 0, "at"], "0001-01-01T00:00:00+00:00", "in the years 2000 to 2999"),
    "the year 9999": (["log", 0, "at"], "9999-12-31T23:59:59+00:00", "in the years 2000 to 2999"),
    "a start without zone": (["started"], "2026-01-01T00:00:00", "The start"),
    "an end in the year 1": (["ended"], "0001-01-01T00:00:00Z", "The end"),
    "thinking without end": (["log", 0, "thinking"], 1e300, "The thinking time of entry 1"),
    "a whole number without end": (["log", 0, "thinking"], 10**300, "The thinking time of entry 1"),
    "time left without end": (["log", 0, "time_left"], 1e300, "The time left in entry 1"),
    "a clock without end": (["clock"], {**CLOCK, "start": 10**300}, "The start of the clock"),
    "an increment without end": (["clock"], {**CLOCK, "increment": 10**10}, "The increment of"),
}


@pytest.mark.parametrize("name", NO_TIMES)
def test_times_that_are_none_are_told(name, record_alone, people):
    path, value, sentence = NO_TIMES[name]
    changed(path, value)(record_alone)
    with pytest.raises(Damaged, match=re.escape(sentence)):
        take_in(people[2], record_alone)
    assert not ImportedRecord.objects.exists()


@pytest.mark.parametrize("name", NO_TIMES)
def test_a_migration_deletes_records_with_impossible_times(name, record_alone, people):
    kept, damaged = (take_in(person, record_alone) for person in people[1:3])
    path, value, _ = NO_TIMES[name]
    if path[0] == "log":
        entry = damaged.entries.get(number=path[1] + 1)
        entry.data[path[2]] = value
        entry.save()
    else:
        changed(path, value)(damaged.head)
        damaged.save()
    migration = import_module("games.records.migrations.0005_times_in_range")
    migration.delete_impossible_times(apps, None)
    assert list(ImportedRecord.objects.all()) == [kept]


ZONES = ["Etc/GMT+12", "Pacific/Kiritimati"]
"""The time zones of the latest and of the earliest days."""


@pytest.mark.parametrize("moment", ["2000-01-01T00:00:00+14:00", "2999-12-31t23:59:59.9-12:00"])
def test_times_at_the_bounds_can_be_read_in_every_zone(moment, record_alone, people, client):
    record_alone["started"] = record_alone["ended"] = moment
    record_alone["clock"] = dict.fromkeys(CLOCK, reading.MAX_SECONDS)
    for entry in record_alone["log"]:
        entry["at"] = moment
        entry["thinking"] = entry["time_left"] = reading.MAX_SECONDS
    made = take_in(people[2], record_alone)
    client.force_login(people[2])
    for zone in ZONES:
        people[2].time_zone = zone
        people[2].save()
        for page in ("0/", f"{made.length}/", "export.json", "export.txt"):
            assert client.get(f"{PAGE}{made.pk}/{page}").status_code == 200, (zone, page)


# --- Values of any kind -------------------------------------------------------------------------

ODD = (
    *(None, True, -1, 0.0, 1.0, 10**300, 1e300),
    *("", "x", "x" * 1200, "0001-01-01T00:00:00Z"),
    *([], {}, [None]),
)


def paths(value, path=()):
    """The way to each value in a record; of lists to the first and the last."""
    yield path
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from paths(inner, (*path, name))
    elif isinstance(value, list):
        for place in {0, len(value) - 1} if value else ():
            yield from paths(value[place], (*path, place))


@pytest.mark.parametrize("kept", ["record_alone", "with_dice"])
def test_a_value_of_any_kind_is_refused_in_words_or_can_be_shown(kept, request, people, client):
    whole = request.getfixturevalue(kept)
    whole["clock"] = dict(CLOCK)
    for path in list(paths(whole))[1:]:
        for value in ODD:
            record = copy.deepcopy(whole)
            changed(path, value)(record)
            try:
                made = take_in(people[2], record)
            except Damaged:
                continue
            for page in ("0/", f"{made.length}/", "export.txt"):
                assert client.get(f"{PAGE}{made.pk}/{page}").status_code == 200, (path, value)
            imports.remove(user=people[2], record=made)


# --- What is sent costs no more than its size ---------------------------------------------------


def test_long_lists_are_refused_before_the_schema_looks_at_them(monkeypatch, record_alone):
    monkeypatch.setattr(reading, "_validator", lambda: pytest.fail("the schema is asked"))
    for name in ("log", "players", "former_players"):
        with pytest.raises(Damaged, match="is too long"):
            reading.read(data_of({**record_alone, name: [{}] * 40_000}))


def test_few_errors_of_the_schema_are_looked_at(monkeypatch, record_alone):
    errors = iter(range(1000))

    class Validator:
        def iter_errors(self, _):
            for _ in errors:
                yield ValidationError("wrong")

    monkeypatch.setattr(reading, "_validator", Validator)
    with pytest.raises(Damaged, match="wrong"):
        reading.read(data_of(record_alone))
    assert next(errors) <= reading.MAX_ERRORS


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_a_record_is_checked_without_a_connection_to_the_database(record, people, monkeypatch):
    real, found = reading.read, []

    def read(data):
        found.append(connection.connection)
        return real(data)

    monkeypatch.setattr(reading, "read", read)
    take_in(people[2], record)
    assert found == [None]


@pytest.mark.parametrize("other", [2, 3])
def test_one_record_at_a_time_is_checked_for_an_account_or_a_network(
    other, record, people, client, monkeypatch
):
    second = Client()
    client.force_login(people[2])
    second.force_login(people[other])
    real, answers = imports.take_in, []

    def take_in(**how):
        # In a context of its own, as each request clears what it binds for the log.
        answers.append(copy_context().run(send, second, data_of(record)))
        return real(**how)

    monkeypatch.setattr(imports, "take_in", take_in)
    assert send(client, data_of(record)).status_code == 302
    assert answers[0].status_code == 422
    assert "Another record is being checked" in shown(answers[0])
    monkeypatch.undo()
    assert send(second, data_of(record)).status_code == 302


@pytest.mark.parametrize("slug", registry.titles())
def test_observations_and_rolls_of_any_shape_are_refused_in_words(slug, people):
    record = finished(slug, people, 12)
    for entry in record["log"]:
        for value in ({}, {"at": []}, -1, 10**30):
            if entry["chance"]:
                damaged = copy.deepcopy(record)
                damaged["log"][entry["number"] - 1]["chance"][0] = value
                with pytest.raises(Damaged):
                    checking.verify(reading.read(data_of(damaged)).record)


# --- Pages --------------------------------------------------------------------------------------


def test_the_form_takes_a_record_in_and_lists_it(record, people, client):
    client.force_login(people[2])
    answer = send(client, data_of(record))
    made = ImportedRecord.objects.get()
    assert answer.headers["Location"] == f"{PAGE}{made.pk}/0/"
    page = shown(client.get(PAGE))
    assert f'href="{PAGE}{made.pk}/0/"' in page
    assert "ada, bruno" in page


def test_the_form_tells_what_is_wrong(client, people):
    client.force_login(people[2])
    answer = send(client, b"{}")
    assert answer.status_code == 422
    assert "This is no record of a match" in shown(answer)
    assert "Choose a file, or paste a text." in shown(client.post(PAGE))
    assert "The file is empty." in shown(send(client, b""))


def test_who_is_not_signed_in_is_sent_to_sign_in(record, people, client):
    assert client.get(PAGE).status_code == 302
    assert send(client, data_of(record)).headers["Location"].startswith("/account/login/")
    made = take_in(people[2], record)
    assert client.get(f"{PAGE}{made.pk}/0/").status_code == 200
    assert client.post(f"{PAGE}{made.pk}/delete/").status_code == 302
    assert ImportedRecord.objects.count() == 1


def test_guests_muted_people_and_who_has_many_are_refused(record, people, monkeypatch):
    guest, muted, keen = people[1:]
    guest.is_guest = True
    guest.save()
    until = timezone.now() + timezone.timedelta(days=1)
    how = {"reason": "spam", "moderator": people[0], "now": timezone.now(), "until": until}
    standing.impose(muted, Sanction.Kind.MUTE, **how)
    monkeypatch.setattr(imports, "MAX_IMPORTS", 1)
    take_in(keen, record)
    for user in (guest, muted, keen):
        with pytest.raises(MayNotImport):
            take_in(user, record)


def test_only_its_owner_deletes_it(record, people, client):
    made = take_in(people[2], record)
    client.force_login(people[3])
    assert client.post(f"{PAGE}{made.pk}/delete/").status_code == 404
    client.force_login(people[2])
    assert client.get(f"{PAGE}{made.pk}/delete/").status_code == 405
    client.post(f"{PAGE}{made.pk}/delete/")
    assert not ImportedRecord.objects.exists()
    assert client.get(f"{PAGE}{made.pk}/0/").status_code == 404


def test_imports_are_counted(record, people, client, settings):
    settings.FORM_LIMITS = {**settings.FORM_LIMITS, "import": {"account": ["2/h"]}}
    client.force_login(people[2])
    answers = [send(client, b"{}").status_code for _ in range(3)]
    assert answers == [422, 422, 429]


def test_it_can_be_reported(record, people):
    made = take_in(people[2], record)
    found = subjects.find("imported-record", made.pk, people[0])
    assert found.suspects == [people[2]]
    assert "ada, bruno" in found.quote


def test_it_is_among_ones_own_data_and_goes_with_the_account(record, people):
    made = take_in(people[2], record)
    assert personal_data.export(people[2])["imported_records"][0]["id"] == made.pk
    deletion.ask(people[2], now=timezone.now())
    deletion.delete_due(now=timezone.now() + deletion.CANCELLATION_PERIOD)
    assert not ImportedRecord.objects.exists()


def test_the_command_takes_files_in(record, people, tmp_path, capsys):
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    good.write_bytes(data_of(record))
    bad.write_bytes(b"{}")
    with pytest.raises(SystemExit):
        call_command("import_match", str(good), str(bad), user="clara")
    said = capsys.readouterr()
    assert f"{good}: {PAGE}{ImportedRecord.objects.get().pk}/0/" in said.out
    assert f"{bad}: This is no record of a match" in said.err
