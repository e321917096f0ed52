"""Dice on pages: the commitment from the start, nonces with the match, the secret at its end."""

import json
import logging
import re
from base64 import b64encode
from html import escape, unescape
from io import StringIO
from pathlib import Path
from uuid import uuid4

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone
from django.utils.log import AdminEmailHandler

from accounts import error_log, error_reports
from games.kernel import registry
from games.kernel.dice import commitment, match_key, work_out
from games.kernel.errors import BrokenPosition
from games.lobby import commitments
from games.lobby import services as lobby
from games.lobby.commitments import CommitmentRefused
from games.lobby.models import Challenge
from games.matches import selectors, services
from games.matches.errors import SecretMissing
from games.matches.fields import Hidden
from games.matches.models import Match, Player
from tests.example_games import heap
from tests.fixtures import NOW
from tests.match_driver import begin, fresh_cache
from tests.people import sent

__all__ = ["fresh_cache"]

SECRET, SEAL = b"s" * 32, commitment(b"s" * 32).hex()
NONCES = [bytes([seat]) * 32 for seat in range(2)]


def text(response):
    return unescape(response.content.decode())


def pages(play):
    root = f"/matches/{play.id}/"
    return [root, f"{root}?part=live", f"{root}0/", f"{root}export.json", f"{root}export.txt"]


# --- What is shown, and when --------------------------------------------------------------------


def test_the_seal_stands_on_challenge_match_and_record(client, people, toy):
    made = lobby.challenge(
        creator=people[0],
        title="heap",
        params={},
        clock=None,
        seats=2,
        audience=Challenge.Audience.OPEN,
        now=NOW,
        pending=commitments.make(people[0]),
        nonce=b"a" * 32,
    )
    assert made.commitment == commitment(made.secret).hex()
    assert made.commitment in text(client.get(made.get_absolute_url()))
    started = lobby.accept(challenge_id=made.pk, user=people[1], nonce=b"b" * 32, now=NOW)
    match = started.match
    assert (match.commitment, match.secret) == (made.commitment, made.secret)
    for path in ("", "0/", "export.json"):
        assert made.commitment in text(client.get(f"/matches/{match.pk}/{path}"))
    assert reverse("dice") in text(client.get(f"/matches/{match.pk}/"))
    assert reverse("dice") in text(client.get(f"/matches/{match.pk}/0/"))


def test_the_secret_is_shown_when_the_match_has_ended_and_not_before(client, play):
    play.move(0, "roll")
    for user in (None, *play.people[:3]):
        if user:
            client.force_login(user)
        for page in pages(play):
            assert SECRET.hex() not in text(client.get(page))
    play.act(services.resign, 1)
    for page in (f"/matches/{play.id}/0/", f"/matches/{play.id}/export.json"):
        assert SECRET.hex() in text(client.get(page))


def test_nonces_are_published_when_the_match_starts(client, play):
    """In the order of the seats, so that neither can be changed later."""
    for path in ("", "0/", "export.json"):
        said = text(client.get(f"/matches/{play.id}/{path}"))
        first, second = (said.index(nonce.hex()) for nonce in NONCES)
        assert first < second


def test_a_game_without_chance_has_no_seal(people):
    match_driver = begin("die", people, size=3)
    match_driver.play_on()
    for path in ("", "0/"):
        page = text(match_driver.client(0).get(match_driver.page + path))
        assert "Committed dice" not in page
        assert "How the dice work" not in page
        assert match_driver.match.commitment not in page


def test_the_record_says_who_drew_each_number(client, people, toy):
    made = lobby.challenge(
        creator=people[0],
        title="heap",
        params={},
        clock=None,
        seats=2,
        audience=Challenge.Audience.OPEN,
        seating=Challenge.Seating.FIRST,
        pending=commitments.make(people[0]),
        nonce=b"a" * 32,
        now=NOW,
    )
    match = lobby.accept(challenge_id=made.pk, user=people[1], now=NOW).match
    assert [player.nonce_is_own for player in match.players.all()] == [True, False]
    page = text(client.get(f"/matches/{match.pk}/"))
    assert "The server drew the number of bruno:" in page
    export = client.get(f"/matches/{match.pk}/export.json").json()
    assert export["dice"]["nonces_by"] == ["browser", "server"]
    assert export["dice"]["kind"] == "server"
    assert "Committed dice, with a number from the server" in page


BOT_FORMS = {
    "/play/?game=heap": "/games/heap/bots/",
    "/games/heap/": "/games/heap/bots/casual/",
}
"""Pages on which a match against a bot is started, and where their forms are sent."""


@pytest.fixture
def _bots_wait(toy, monkeypatch):
    """Bots take their seats and do not move."""
    monkeypatch.setattr("games.bots.tasks.think.apply_async", lambda **_: None)


def sent_by_script(page, form='action="/games/heap/bots/casual/"'):
    """What the browser adds to a form of a page, and the commitment that it saw."""
    inside = next(part for part in page.split("<form")[1:] if form in part)
    token = re.search('name="commitment_token" value="(.*?)"', inside)[1]
    assert 'name="nonce" data-nonce="32"' in inside
    fields = {"nonce": "ab" * 32, "nonce_commitment": "", "commitment_token": token}
    return fields, re.search('data-commitment="(.*?)"', inside)[1]


@pytest.mark.usefixtures("_bots_wait")
@pytest.mark.parametrize("path", BOT_FORMS)
@pytest.mark.parametrize("is_member", [True, False])
def test_a_match_against_a_bot_has_the_nonce_of_the_browser(client, people, path, is_member):
    if is_member:
        client.force_login(people[0])
    answer = client.get(path)
    assert "no-store" in answer.headers["Cache-Control"], "going back gets a new commitment"
    sent, shown = sent_by_script(text(answer), f'action="{BOT_FORMS[path]}"')
    client.post(BOT_FORMS[path], {**sent, "level": "casual", "param-heap": 7})
    match = Match.objects.get()
    assert match.commitment == shown
    person = match.players.get(is_bot=False)
    assert (person.nonce.hex(), person.nonce_is_own) == ("ab" * 32, True)
    for page in ("", "0/"):
        said = text(client.get(f"/matches/{match.pk}/{page}"))
        assert "no browser with JavaScript" not in said
        assert "drawn by the server, as for every bot" in " ".join(said.split())


@pytest.mark.usefixtures("_bots_wait")
def test_one_level_up_has_the_nonce_of_the_browser(client, people):
    client.force_login(people[0])
    client.post("/games/heap/bots/casual/")
    match = Match.objects.get()
    services.resign(
        match_id=match.pk, user=people[0], version=0, submission=uuid4(), now=timezone.now()
    )
    page = text(client.get(f"/matches/{match.pk}/"))
    sent, shown = sent_by_script(page, f'action="/matches/{match.pk}/next-level/"')
    client.post(f"/matches/{match.pk}/next-level/", sent)
    again = Match.objects.latest("pk")
    assert again.commitment == shown
    assert again.players.get(is_bot=False).nonce_is_own


@pytest.mark.usefixtures("_bots_wait")
def test_a_commitment_is_good_for_one_match_against_a_bot(client, db):
    sent, _ = sent_by_script(text(client.get("/games/heap/")), "heap/bots/casual/")
    client.post("/games/heap/bots/casual/", sent)
    answer = client.post("/games/heap/bots/casual/", sent, follow=True)
    assert Match.objects.count() == 1
    assert "sent this challenge already" in text(answer)
    again, _ = sent_by_script(text(answer), "heap/bots/casual/")
    client.post("/games/heap/bots/casual/", again)
    assert Match.objects.count() == 2


@pytest.mark.usefixtures("_bots_wait")
def test_a_commitment_that_is_not_valid_makes_no_guest(client, db):
    sent = {"nonce": "ab" * 32, "commitment_token": "forged"}
    answer = client.post("/games/heap/bots/casual/", sent, follow=True)
    assert "The form has expired" in text(answer)
    assert not Player.objects.exists()
    assert "_auth_user_id" not in client.session


@pytest.mark.usefixtures("_bots_wait")
def test_without_javascript_the_page_says_whose_number_the_server_drew(client, people):
    client.force_login(people[0])
    for _ in range(2):
        sent, _ = sent_by_script(text(client.get("/games/heap/")), "heap/bots/casual/")
        client.post("/games/heap/bots/casual/", {**sent, "nonce": ""})
    page = text(client.get(f"/matches/{Match.objects.latest('pk').pk}/"))
    assert "The server drew the number of ada: there was no browser" in page


def test_the_token_of_a_user_is_no_other_users(people):
    token = commitments.make(people[0]).token
    for other in (people[1], AnonymousUser()):
        with pytest.raises(CommitmentRefused):
            commitments.redeem(other, token)
    visitor = commitments.make(AnonymousUser())
    for user in (AnonymousUser(), people[0]):
        assert commitments.redeem(user, visitor.token).commitment == visitor.commitment


def test_a_rematch_has_the_nonces_of_both_browsers(client, play):
    play.act(services.resign, 1)
    client.force_login(play.people[0])
    page = text(client.get(f"/matches/{play.id}/"))
    assert 'name="nonce" data-nonce="32"' in page
    for seat, nonce in ((0, "aa"), (1, "bb")):
        client.force_login(play.people[seat])
        page = text(client.get(f"/matches/{play.id}/"))
        if seat == 0:
            shown = re.search('data-commitment="(.*?)"', page)[1]
        assert f'data-commitment="{shown}"' in page
        token = re.search('name="commitment_token" value="(.*?)"', page)[1]
        form = {"nonce": nonce * 32, "commitment_token": token}
        client.post(f"/matches/{play.id}/rematch/", form)
    again = Match.objects.latest("pk")
    assert again.commitment == shown
    found = {
        (player.user.username, player.nonce.hex(), player.nonce_is_own)
        for player in again.players.all()
    }
    assert found == {("ada", "aa" * 32, True), ("bruno", "bb" * 32, True)}


def test_the_page_on_dice_works_its_example_out(client, db):
    page = text(client.get(reverse("dice")))
    secret = b"turnstones wade on wet shingle.."
    nonces = (b"ada brings 32 bytes of her own..", b"bruno adds as many of his own...")
    assert {len(value) for value in (secret, *nonces)} == {32}
    key = match_key(secret, nonces)
    for value in (secret, *nonces):
        assert value.decode() in page
        assert commitment(value).hex() in page
    assert key.hex() in page
    for number, sides in enumerate((6, 6, 52)):
        working = work_out(key, number, sides)
        assert f"x = {working.x}." in page
        assert f"mod {sides} + 1 = <strong>{working.face}</strong>" in page


def test_the_example_of_the_manual_comes_out():
    manual = (Path(__file__).parents[2] / "docs/dice.md").read_text("utf-8")
    found = re.findall(r"^[SAB]='(.{32})'$", manual, re.MULTILINE)
    secret, *nonces = (value.encode() for value in found)
    key = match_key(secret, nonces)
    for value in (commitment(secret), *map(commitment, nonces), key, work_out(key, 0, 6).digest):
        assert value.hex() in manual
    for number, sides in enumerate((6, 6, 52)):
        working = work_out(key, number, sides)
        assert f"0x{working.x:x} = {working.x}" in manual
        assert f"**{working.face}**" in manual


# --- What never is ------------------------------------------------------------------------------


def test_hidden_bytes_print_nothing_of_themselves(play):
    match = Match.objects.get(pk=play.id)
    player = Player.objects.filter(match=match).first()
    for value in (match.secret, player.nonce, Hidden(SECRET)):
        assert isinstance(value, Hidden)
        for shown in (str(value), repr(value), f"{value}", f"{value!r}"):
            assert shown == "<32 hidden bytes>"
    assert match.secret == SECRET
    assert "hidden" not in repr(services.Participant(player.user, SECRET))


def test_the_secret_stays_in_the_database_until_it_is_needed(play, django_assert_num_queries):
    match = Match.objects.get(pk=play.id)
    assert "secret" in match.get_deferred_fields()
    assert "secret" in selectors.snapshot(play.id).match.get_deferred_fields()
    with django_assert_num_queries(1):
        assert match.secret == SECRET


def test_fixtures_hold_no_secret_of_a_running_match(play, start):
    start().act(services.resign, 0)
    out = StringIO()
    call_command("dumpdata", "match.match", "match.player", stdout=out)
    rows = [(row["model"], row["fields"]) for row in json.loads(out.getvalue())]
    secrets = {match["status"]: match["secret"] for model, match in rows if model == "match.match"}
    assert secrets == {"running": "", "over": b64encode(SECRET).decode()}
    nonces = [player["nonce"] for model, player in rows if model == "match.player"]
    assert [bool(nonce) for nonce in nonces] == [True] * 4


def test_a_match_whose_secret_was_lost_rolls_no_more(play):
    Match.objects.filter(pk=play.id).update(secret=b"")
    with pytest.raises(SecretMissing, match="is missing"):
        play.move(0, "roll")
    assert play.match.version == 0


def test_a_game_without_chance_gets_no_dice(people):
    match_driver = begin("die", people, size=3)
    assert "secret" in match_driver.match.get_deferred_fields()
    with pytest.raises(Exception, match="An outcome is missing"):
        match_driver.snapshot.dice().roll(6)


class Broken(heap.Heap):
    """Rules with a mistake."""

    def play(self, state, seat, move, dice):
        if move == "3":
            raise RuntimeError("a mistake")
        return super().play(state, seat, move, dice)


@pytest.fixture
def mistaken(start, monkeypatch, settings):
    """A match in which one has peeked, and in whose rules a move goes wrong."""
    play = start(clock=None)
    play.move(0, "peek")
    shelf = {"heap": Broken()}
    monkeypatch.setattr(registry, "titles", lambda: shelf)
    settings.ADMINS = [("chief", "chief@example.org")]
    monkeypatch.setattr(error_log.waiting, "put", error_log.write)
    handler = error_log.ReportHandler(logging.ERROR)
    logging.getLogger("django.request").addHandler(handler)
    yield play
    logging.getLogger("django.request").removeHandler(handler)


def reported(play, client):
    """Let the move go wrong; return the texts of all that is mailed of it."""
    client.raise_request_exception = False
    client.force_login(play.people[0])
    form = {"version": 1, "submission": str(uuid4()), "word": "3"}
    assert client.post(f"/matches/{play.id}/moves/", form).status_code == 500
    error_reports.report(now=timezone.now())
    for report in sent():
        yield report.body
        yield from (content for content, _ in report.alternatives)


def test_error_reports_hold_neither_secret_nor_cards(client, mistaken, caplog):
    """As they are set up here: a mail to the admins, and the log."""
    texts = [*reported(mistaken, client), caplog.text]
    assert len(texts) == 3, "a mail of two parts, and the log"
    for report in texts:
        assert "a mistake" in report
        assert "peeked" not in report
        assert SECRET.hex() not in report
        assert repr(SECRET)[2:-1] not in report


def test_a_report_of_all_variables_holds_no_secret_either(client, mistaken):
    handler, logger = AdminEmailHandler(include_html=True), logging.getLogger("django.request")
    logger.addHandler(handler)
    try:
        texts = list(reported(mistaken, client))
    finally:
        logger.removeHandler(handler)
    assert any('class="vars"' in report for report in texts), "one names the variables"
    for report in texts:
        for secret in (SECRET, match_key(SECRET, NONCES), *NONCES):
            assert secret.hex() not in report
            assert escape(repr(secret)) not in report


def test_a_position_that_cannot_be_read_is_not_repeated(client, play, caplog):
    client.raise_request_exception = False
    Match.objects.filter(pk=play.id).update(position={"peeked": ["AS-of-spades"]})
    with pytest.raises(BrokenPosition, match=f"The position of match {play.id} cannot be read"):
        _ = play.snapshot.state
    for path in (f"/matches/{play.id}/", "/archive/", f"/api/v1/matches/{play.id}/"):
        assert "AS-of" not in text(client.get(path))
    assert "AS-of" not in caplog.text
