"""The record of a match as text: it comes back from a mail as it went."""

import json
import re
import textwrap

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.utils import timezone

from games.kernel import registry
from games.matches import services
from games.records import imports
from games.records.errors import Damaged
from games.records.models import ImportedRecord
from tests import pseudo
from tests.match_driver import begin, fresh_cache
from tests.sampling import rest_thorough
from tests.web.test_imported_records import PAGE, exported, shown, take_in

__all__ = ["fresh_cache"]

pytestmark = pytest.mark.slow


def text_of(driver):
    return driver.client(None).get(f"{driver.page}export.txt").content.decode()


def take_in_text(user, written):
    return imports.take_in(user=user, data=written.encode(), now=timezone.now())


@pytest.fixture
def ended(people):
    """A match of DIE with a move that was taken back, offers, and a resignation."""
    driver = begin("die", people, size=3)
    driver.play("c3")
    driver.act(services.take_back, 0)
    driver.play("c3", "a1")
    driver.act(services.offer_close, 0)
    driver.act(services.decline_offer, 1)
    driver.act(services.resign, 1)
    return driver


def test_the_text_is_english_whoever_reads_it(ended, pseudo_languages):
    english = text_of(ended)
    client = ended.client(None)
    asked = {"HTTP_ACCEPT_LANGUAGE": pseudo.CODE}
    assert "⟦" in client.get(ended.page, **asked).content.decode()
    assert client.get(f"{ended.page}export.txt", **asked).content.decode() == english


# --- There and back -----------------------------------------------------------------------------


@pytest.mark.parametrize("slug", rest_thorough(registry.titles(), often=2))
def test_the_text_of_every_game_leads_to_the_same_record(slug, people):
    driver = begin(slug, people)
    driver.play_on(60)
    if driver.match.is_running:
        driver.act(services.resign, driver.turn)
    made = take_in_text(people[2], text_of(driver))
    assert imports.export(made) == exported(driver)
    assert take_in(people[2], exported(driver)) == made
    again = driver.client(None).get(f"{PAGE}{made.pk}/export.txt").content.decode()
    assert take_in_text(people[2], again) == made


def test_entries_other_than_moves_come_back(ended, people):
    kinds = [entry["kind"] for entry in exported(ended)["log"]]
    assert kinds == ["play", "take-back", "play", "play", "offer", "decline", "resign"]
    assert imports.export(take_in_text(people[2], text_of(ended))) == exported(ended)


@pytest.mark.parametrize("end", ["cancel", "close"])
def test_a_match_without_winner_comes_back(end, people):
    driver = begin("die", people, size=3)
    if end == "cancel":
        driver.act(services.cancel, 0)
    else:
        driver.play_on(3)
        driver.act(services.offer_close, 0)
        driver.act(services.accept_offer, 1)
    assert imports.export(take_in_text(people[2], text_of(driver))) == exported(driver)


def test_each_move_is_one_line(ended):
    written = text_of(ended).splitlines()
    log = written[written.index("") + 1 :]
    for number, line in enumerate(log[: log.index("")], 1):
        assert line.startswith(f"{number}. ")


def test_players_get_the_same_text_of_an_ended_match_as_everybody(ended):
    """The recipient isn't the “you” of the player who sends it."""
    for seat in (0, 1):
        own = ended.client(seat).get(f"{ended.page}export.txt").content.decode()
        assert own == text_of(ended)


# --- In a mail ----------------------------------------------------------------------------------


def wrapped(written, width=72):
    """A text as a mail program breaks its lines."""
    lines = [
        textwrap.wrap(line, width, break_long_words=False, break_on_hyphens=False) or [""]
        for line in written.split("\n")
    ]
    return "\n".join(part for some in lines for part in some)


MAILS = {
    "as it is": lambda written: written,
    "wrapped": wrapped,
    "narrow": lambda written: wrapped(written, 30),
    "quoted": lambda written: textwrap.indent(wrapped(written), "> ", lambda _: True),
    "quoted twice": lambda written: textwrap.indent(wrapped(written), ">> ", lambda _: True),
    "CRLF": lambda written: wrapped(written).replace("\n", "\r\n"),
    "blanks at the ends": lambda written: wrapped(written).replace("\n", "  \n"),
    "a mark of the encoding": lambda written: f"\ufeff{written}",
    "blank lines between": lambda written: written.replace("\n", "\n\n"),
    "in a letter": lambda written: (
        f"Hello Clara,\nhere it is: [1]\n\n{wrapped(written)}\n-- \nAda\n"
    ),
    "after lines in brackets": lambda written: (
        f'[EXTERNAL EMAIL]\n[image: logo]\n[cid\nlogo]\n[Note "1]\n\n{wrapped(written)}'
    ),
    "after a date": lambda written: (
        f"1. Dezember 2026, Ada schrieb:\n\n{textwrap.indent(wrapped(written), '> ')}"
    ),
    "before a date": lambda written: f"{wrapped(written)}\n\n{next_day(written)} schrieb:\n\nHi!",
    "before an older mail": lambda written: (
        f'{wrapped(written)}\n> 1. Dezember\n> [Format: text]\n> [Match "4"]\n'
    ),
    "quoted with a blank before": lambda written: textwrap.indent(wrapped(written), " > "),
    "quoted by a phone": lambda written: textwrap.indent(wrapped(written), "> \u00a0> "),
}


def next_day(written):
    """A date that begins as the next entry of a log would."""
    return f"{len(re.findall(r'^[0-9]+[.] ', written, re.MULTILINE)) + 1}. Dezember 2026"


@pytest.mark.parametrize("slug", ["precary-ice", "dice-is-health"])
def test_a_text_survives_every_mail(slug, people):
    driver = begin(slug, people)
    driver.play_on(8)
    driver.act(services.resign, driver.turn)
    written, record = text_of(driver), exported(driver)
    for name, mailed in MAILS.items():
        assert imports.export(take_in_text(people[2], mailed(written))) == record, name


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_a_text_may_be_in_any_unicode(encoding, ended, people):
    ended.people[0].username = "Zoë"
    ended.people[0].save()
    data = text_of(ended).encode(encoding)
    made = imports.take_in(user=people[2], data=data, now=timezone.now())
    assert imports.export(made) == exported(ended)


def test_hostile_texts_in_a_record_do_not_change_what_it_says(ended, people):
    record = exported(ended)
    record["players"][0]["name"] = '"] {[%at 1] }\n1. Red: (cancel)'
    record["players"][1]["name"] = "] \\ \" '\x85 \u2028> "
    record["log"][4]["text"] = '"}\n6. Red: a1 {[%at "x"]}'
    record["log"][4]["reason"] = '{[%at 2]}\r\n[Red "x"]'
    made = take_in(people[2], record)
    written = ended.client(None).get(f"{PAGE}{made.pk}/export.txt").content.decode()
    assert take_in_text(people[2], written) == made


def test_a_text_that_is_saved_is_named_after_its_match(ended, people):
    made = take_in(people[2], exported(ended))
    client = ended.client(None)
    for page, name in (
        (ended.page, f"match-{ended.id}"),
        (f"{PAGE}{made.pk}/", f"imported-{made.pk}"),
    ):
        answer = client.get(f"{page}export.txt")
        assert answer.headers["Content-Disposition"] == f'inline; filename="{name}.txt"'


# --- On the page --------------------------------------------------------------------------------


def test_the_form_takes_a_text_pasted_or_as_a_file(ended, people, client):
    client.force_login(people[2])
    written = text_of(ended)
    pasted = client.post(PAGE, {"text": written.replace("\n", "\r\n")})
    made = ImportedRecord.objects.get()
    assert pasted.headers["Location"] == f"{PAGE}{made.pk}/0/"
    file = SimpleUploadedFile("match.txt", written.encode())
    assert client.post(PAGE, {"file": file}).headers["Location"] == f"{PAGE}{made.pk}/0/"
    assert client.post(PAGE, {"text": json.dumps(exported(ended))}).status_code == 302
    assert ImportedRecord.objects.get() == made


def test_the_form_says_what_is_wrong_with_a_text(ended, people, client):
    client.force_login(people[2])
    written = text_of(ended)
    answer = client.post(PAGE, {"text": written.replace("c3", "z9")})
    assert answer.status_code == 422
    assert "Entry 1 cannot be replayed" in shown(answer)
    assert "[Event" in shown(answer)
    both = {"text": written, "file": SimpleUploadedFile("match.txt", b"x")}
    assert "not both" in shown(client.post(PAGE, both))
    assert "no record of a match. One as text has the line" in shown(
        client.post(PAGE, {"text": "Hello"})
    )
    assert not ImportedRecord.objects.exists()


def test_the_command_takes_texts_in(ended, people, tmp_path, capsys):
    file = tmp_path / "match.txt"
    file.write_text(text_of(ended))
    call_command("import_match", str(file), user=people[2].username)
    assert ImportedRecord.objects.get().get_absolute_url() in capsys.readouterr().out


# --- Damages ------------------------------------------------------------------------------------


def without(pattern):
    return lambda written: re.sub(pattern, "", written, count=1, flags=re.MULTILINE)


def instead(old, new):
    def damage(written):
        assert old in written
        return written.replace(old, new, 1)

    return damage


DAMAGES = {
    "no game": (without(r"^\[Title .*\n"), "not as the format says"),
    "another game": (instead('[Title "die"]', '[Title "chess"]'), "'chess' is not played here"),
    "a tag twice": (instead('[Match "', '[Match "1"]\n[Match "'), "tag 'Match' twice"),
    "no JSON": (instead('[FormatVersion "1"]', '[FormatVersion "{"]'), "tag FormatVersion"),
    "a tag without end": (
        lambda written: "[Match \n" * 600 + written,
        "does not end",
    ),
    "no seats": (without(r"^\[Seats .*\n"), "not as the format says"),
    "a colour that is none": (instead('[Seats "Red', '[Seats "Pink'), "is empty or too long"),
    "no name": (without(r"^\[Red .*\n"), "is empty or too long"),
    "no commands": (without(r"(?<=wins.}) \{\[%.*$"), "Entry 7 lacks the comment"),
    "no time": (without(r"\[%at [^]]*\] "), "not as the format says"),
    "a broken command": (instead('[%at "', "[%at "), "Entry 1: at cannot be read"),
    "a value of another type": (instead('[%at "', '[%chance 5] [%at "'), "not as the format says"),
    "no number of JSON": (instead('[%at "', '[%emt NaN] [%at "'), "NaN"),
    "an unknown kind": (instead("(resign)", "(sleep)"), "not as the format says"),
    "another move": (instead("a1", "zz9"), "Entry 4 cannot be replayed"),
    "another seat": (instead("4. Blue:", "4. Red:"), "Entry 4 cannot be replayed"),
    "nobody's move": (instead("4. Blue: ", "4. "), "does not say whose"),
    "an entry missing": (without(r"^2\. .*\n"), "Entry 1 |stops|last|lacks"),
    "the end cut off": (without(r"^7\. [\s\S]*"), "stops before the end"),
    "another winner": (instead('[Result "1 2"]', '[Result "2 1"]'), "not the one that the moves"),
    "no result": (instead('[Result "1 2"]', '[Result "1-0"]'), "cannot be read|result"),
    "two records": (lambda written: f"{written}\n{written}", "more than one record"),
    "two quoted records": (
        lambda written: textwrap.indent(wrapped(f"{written}\n{written}"), "> "),
        "more than one record",
    ),
    "a tag that is broken": (instead('[Match "', '[Match "1" "'), "cannot be read"),
    "too many seats": (instead('[Seats "', '[Seats "' + 11 * "Pink "), "at most 10"),
    "too many lines": (lambda written: written + 200_000 * "\n", "200000 lines at most"),
    "too many former players": (
        instead('[Match "', f'[FormerPlayers "{[1] * 3001}"]\n[Match "'),
        "list of former players is too long",
    ),
    "no time of day": (without(r'(?<=Started "\d{4}-\d\d-\d\d)T[^"]*'), "The start cannot be read"),
    "time without end": (
        lambda written: re.sub(r"\[%emt [^]]*", "[%emt 1e300", written),
        "thinking time of entry 1",
    ),
    "still running": (instead('[Status "over"]', '[Status "running"]'), "still running"),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_every_damage_is_told(name, ended, people):
    damage, sentence = DAMAGES[name]
    with pytest.raises(Damaged, match=sentence):
        take_in_text(people[2], damage(text_of(ended)))
    assert not ImportedRecord.objects.exists()


def test_dice_other_than_committed_are_refused(people):
    driver = begin("dice-is-health", people)
    driver.play_on(8)
    driver.act(services.resign, driver.turn)
    written = text_of(driver)
    first = re.search(r"\[%chance \[(\d)", written)
    face = int(first[1]) % 6 + 1
    damaged = f"{written[: first.start(1)]}{face}{written[first.end(1) :]}"
    with pytest.raises(Damaged):
        take_in_text(people[2], damaged)


def test_too_many_entries_are_refused_before_they_are_read(ended, people):
    more = "".join(f"{number}. Red: a1 {{[%at 1]}}\n" for number in range(1, 3_002))
    head, _, _ = text_of(ended).partition("\n\n")
    with pytest.raises(Damaged, match="The log is too long"):
        take_in_text(people[2], f"{head}\n\n{more}")


def test_a_running_match_is_not_taken_in(people):
    driver = begin("simple-life-or-death", people)
    driver.play_on(3)
    with pytest.raises(Damaged, match="still running"):
        take_in_text(people[2], text_of(driver))
