"""Strict dice on pages: offered, explained, revealed by scripts, and named in the record."""

import hashlib
import json
import re
from html import unescape
from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from accounts import notifications
from accounts.models import Notification
from games.lobby import commitments, services
from games.lobby.models import Challenge
from games.matches import services as match_services
from games.matches.models import Match
from games.verify_dice import verify
from tests.fixtures import NOW, Play

pytestmark = pytest.mark.usefixtures("toy")

NONCES = ["aa" * 32, "bb" * 32, "cc" * 32, "dd" * 32]
COMMITMENTS = [hashlib.sha256(bytes.fromhex(nonce)).hexdigest() for nonce in NONCES]
FILLED = {
    "seats": "2",
    "param-heap": "12",
    "audience": "open",
    "seating": "first",
    "clock": "none",
    "lifetime": "7",
    "strict_dice": "on",
}


def text(response):
    return unescape(response.content.decode())


@pytest.fixture
def browsers(people):
    """A browser of each of the four people."""
    found = [Client() for _ in people]
    for client, user in zip(found, people, strict=True):
        client.force_login(user)
    return found


def form_of(client, slug="heap"):
    """What the form of a new challenge shows: the commitment and its token."""
    page = text(client.get(f"/games/{slug}/challenge/"))
    shown = re.search('data-commitment="(.*?)"', page)[1]
    assert page.count(shown) == 2, "for the script, and for the reader"
    return shown, re.search('name="commitment_token" value="(.*?)"', page)[1]


def offer(client, **changed):
    shown, token = form_of(client)
    given = {"nonce_commitment": COMMITMENTS[0], "commitment_token": token}
    answer = client.post("/games/heap/challenge/", {**FILLED, **given, **changed})
    return shown, answer


@pytest.fixture
def seated(browsers):
    """A challenge with strict dice in which both seats are taken."""
    offer(browsers[0])
    made = Challenge.objects.get()
    page = f"/challenges/{made.pk}/"
    browsers[1].post(f"{page}accept/", {"nonce_commitment": COMMITMENTS[1]})
    return page


def reveal(browsers, page, seat, nonce=None):
    return browsers[seat].post(f"{page}reveal/", {"nonce": nonce or NONCES[seat]})


@pytest.fixture
def match(browsers, seated):
    for seat in (0, 1):
        reveal(browsers, seated, seat)
    return Match.objects.get()


# --- Making and taking it -----------------------------------------------------------------------


def test_the_commitment_is_shown_before_the_nonce_is_made(browsers):
    shown, answer = offer(browsers[0])
    made = Challenge.objects.get()
    assert answer.url == made.get_absolute_url()
    assert made.strict_dice
    assert made.commitment == shown
    page = text(browsers[1].get(answer.url))
    assert f'data-commitment="{shown}" data-strict' in page
    assert COMMITMENTS[0] in page


def test_a_form_is_good_for_one_challenge(browsers):
    _, token = form_of(browsers[0])
    form = {**FILLED, "nonce_commitment": COMMITMENTS[0], "commitment_token": token}
    browsers[0].post("/games/heap/challenge/", form)
    page = text(browsers[0].post("/games/heap/challenge/", form))
    assert "You have sent this challenge already" in page
    assert token not in page
    assert Challenge.objects.count() == 1
    token = re.search('name="commitment_token" value="(.*?)"', page)[1]
    browsers[0].post("/games/heap/challenge/", {**form, "commitment_token": token})
    assert Challenge.objects.count() == 2


def test_the_form_of_another_is_refused(browsers):
    _, token = form_of(browsers[1])
    _, answer = offer(browsers[0], commitment_token=token)
    assert "The form has expired" in text(answer)
    assert not Challenge.objects.exists()


def test_a_form_that_was_filled_in_wrongly_keeps_its_commitment(browsers):
    shown, answer = offer(browsers[0], lifetime="0")
    assert f'data-commitment="{shown}"' in text(answer)


def test_without_script_strict_dice_are_refused_in_a_sentence(browsers):
    _, answer = offer(browsers[0], nonce_commitment="")
    assert "turn JavaScript on" in text(answer)
    _, answer = offer(browsers[0])
    answer = browsers[1].post(f"{answer.url}accept/", follow=True)
    assert "turn JavaScript on" in text(answer)
    assert not Match.objects.exists()


def test_only_games_with_dice_offer_them(browsers, monkeypatch):
    assert 'name="strict_dice"' in text(browsers[0].get("/games/heap/challenge/"))
    monkeypatch.undo()
    page = text(browsers[0].get("/games/die/challenge/"))
    assert "strict_dice" not in page
    assert "commitment" not in page


# --- Revealing ----------------------------------------------------------------------------------


def test_a_browser_learns_where_its_nonce_is_due(browsers, seated):
    made = Challenge.objects.get()
    for seat, client in enumerate(browsers):
        answer = client.get("/challenges/reveals/", {"commitment": [COMMITMENTS[0], "00" * 32]})
        assert answer.headers["Cache-Control"].startswith("max-age=0")
        found = answer.json()
        assert found["pending"] == [COMMITMENTS[0]]
        if seat > 1:
            assert found["due"] == []
            continue
        assert found["due"] == [
            {
                "challenge": seated,
                "reveal": f"{seated}reveal/",
                "commitment": made.commitment,
                "nonce_commitment": COMMITMENTS[seat],
                "nonce_commitments": COMMITMENTS[:2],
            }
        ]


def test_what_is_told_while_nonces_are_awaited(browsers, seated):
    reveal(browsers, seated, 1)
    page = text(browsers[1].get(seated))
    assert "Missing: ada" in page
    assert "data-reveal=" not in page
    page = text(browsers[0].get(seated))
    assert f'data-reveal="{seated}"' in page
    assert "in the browser in which you took your seat" in page
    for seat in range(3):
        said = text(browsers[seat].get(seated))
        assert NONCES[0] not in said
        assert NONCES[1] not in said
    assert seated in text(browsers[0].get("/lobby/"))
    assert seated not in text(browsers[2].get("/lobby/")), "nobody else can take it"


def test_the_last_nonce_leads_to_the_match(browsers, seated):
    assert reveal(browsers, seated, 0).json() == {"match": None}
    found = reveal(browsers, seated, 1).json()
    assert found == {"match": Match.objects.get().get_absolute_url()}
    assert reveal(browsers, seated, 1).json() == found
    assert found["match"] in text(browsers[0].get(seated))


@pytest.mark.parametrize("nonce", ["", "zz" * 32, "aa" * 31, "ab" * 32, "aa" * 33])
def test_a_wrong_nonce_is_refused(browsers, seated, nonce):
    answer = browsers[0].post(f"{seated}reveal/", {"nonce": nonce})
    assert answer.status_code == 409
    assert answer.json() == {"detail": "This is not the number that your browser committed to."}


def test_others_cannot_reveal(browsers, seated):
    assert reveal(browsers, seated, 2).status_code == 403
    assert Client().post(f"{seated}reveal/", {"nonce": NONCES[0]}).status_code == 302
    assert Client().get("/challenges/reveals/").status_code == 302
    assert browsers[0].post("/challenges/9999999/reveal/", {"nonce": NONCES[0]}).status_code == 404
    assert browsers[0].get(f"{seated}reveal/").status_code == 405


def test_a_challenge_that_ended_without_a_nonce_names_who_did_not_come(browsers, seated):
    reveal(browsers, seated, 1)
    made = Challenge.objects.get()
    services.expire(now=made.expires)
    page = text(browsers[1].get(seated))
    assert "This challenge has expired." in page
    assert re.search(r"ada\s+did not come back in time", page)


def test_the_notifications_are_told(browsers, seated, people):
    due = Notification.objects.get(kind="reveal-due")
    assert due.recipient == people[0]
    assert "open your challenge to start Heap" in notifications.summary(due).subject
    services.expire(now=Challenge.objects.get().expires)
    missed = Notification.objects.filter(kind="reveal-missed").first()
    assert (
        "Heap did not start: ada did not come back in time" in notifications.summary(missed).subject
    )
    assert "must show the random number" in notifications.render(due).text
    assert "No match was played" in notifications.render(missed).text


def test_fixtures_hold_no_secret_before_the_match(seated):
    out = StringIO()
    call_command("dumpdata", "lobby.challenge", stdout=out)
    assert json.loads(out.getvalue())[0]["fields"]["secret"] == ""


# --- The match and its record -------------------------------------------------------------------


def test_match_and_record_say_that_the_dice_were_strict(browsers, match, people, tmp_path):
    page = match.get_absolute_url()
    assert "Strict dice" in text(browsers[0].get(page))
    play = Play(match, people)
    play.move(0, "roll", now=timezone.now())
    play.act(match_services.resign, 1, now=timezone.now())
    assert "Strict dice" in text(browsers[2].get(f"{page}0/"))
    record = browsers[2].get(f"{page}export.json").json()
    assert record["dice"]["kind"] == "strict"
    assert record["dice"]["nonce_commitments"] == COMMITMENTS[:2]
    assert checked(tmp_path, record) == (True, "Strict dice: every nonce was committed to")
    record["dice"]["nonce_commitments"][1] = COMMITMENTS[2]
    assert checked(tmp_path, record) == (False, "The nonce of seat 2 is not the one committed to:")
    record["dice"]["nonce_commitments"] = None
    assert checked(tmp_path, record) == (False, "2 nonces have 0 commitments.")


def checked(folder, record):
    """Return whether a record is in order, and the beginning of what is said first of it."""
    path, out = folder / "match.json", StringIO()
    path.write_text(json.dumps(record))
    well = verify([path], out)
    said = out.getvalue().splitlines()[1].strip()
    return well, re.match(r".*?(?:committed to:?|commitments\.)", said)[0]


def test_committed_dice_are_called_so(browsers, people, client):
    made = services.challenge(
        creator=people[0],
        title="heap",
        params={},
        clock=None,
        seats=2,
        audience=Challenge.Audience.OPEN,
        pending=commitments.make(people[0]),
        nonce=b"a" * 32,
        now=NOW,
    )
    found = services.accept(challenge_id=made.pk, user=people[1], nonce=b"b" * 32, now=NOW).match
    page = text(client.get(found.get_absolute_url()))
    assert "Committed dice. The server" in page
    assert "an operator who took the last seat could have chosen" in page
    export = client.get(f"{found.get_absolute_url()}export.json").json()["dice"]
    assert (export["kind"], export["nonce_commitments"]) == ("browser", None)


def test_a_strict_rematch_asks_for_a_commitment(browsers, match, people):
    Play(match, people).act(match_services.resign, 0, now=timezone.now())
    page = text(browsers[0].get(match.get_absolute_url()))
    token = re.search('name="commitment_token" value="(.*?)"', page)[1]
    assert re.search('data-commitment="[0-9a-f]{64}" data-strict', page)
    rematch = f"{match.get_absolute_url()}rematch/"
    form = {"nonce_commitment": COMMITMENTS[2], "commitment_token": token}
    browsers[0].post(rematch, form)
    again = Challenge.objects.latest("pk")
    assert again.strict_dice
    page = text(browsers[1].get(match.get_absolute_url()))
    assert f'data-commitment="{again.commitment}" data-strict' in page
    browsers[1].post(rematch, {"nonce_commitment": COMMITMENTS[3]})
    again.refresh_from_db()
    assert again.is_revealing


@pytest.mark.postgres
def test_what_is_no_commitment_is_not_looked_up(people):
    """PostgreSQL takes no NUL."""
    client = Client(raise_request_exception=False)
    client.force_login(people[0])
    answer = client.get("/challenges/reveals/", {"commitment": "\0" * 64})
    assert answer.json()["pending"] == []
