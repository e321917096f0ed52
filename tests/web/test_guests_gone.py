"""Guests who sign in or are forgotten while others have to do with them."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from accounts import guests
from accounts.models import User
from accounts.sanctions import standing
from accounts.sanctions.models import Sanction
from games.lobby import services as lobby
from games.lobby.models import Challenge
from games.matches import services
from games.matches.clock import PRESETS
from games.matches.clocks import vacations
from games.matches.models import Match, Player
from games.moderation import cases, reports
from games.moderation.errors import ModerationRefused
from games.moderation.models import Case
from tests.people import PASSWORD, confirmed

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("toy")]
WORDS = "He says what nobody should have to read."


@pytest.fixture(autouse=True)
def _bots_wait(monkeypatch):
    """Bots take their seats and do not move."""
    monkeypatch.setattr("games.bots.tasks.think.apply_async", lambda **_: None)


@pytest.fixture
def ada():
    return confirmed("ada")


@pytest.fixture
def bruno():
    return confirmed("bruno")


@pytest.fixture
def guest(client, bruno):
    """Somebody without an account who plays with Bruno and begins."""
    made = lobby.challenge(
        creator=bruno,
        audience=Challenge.Audience.LINK,
        title="heap",
        params={},
        clock=PRESETS["standard"],
        seats=2,
        seating=Challenge.Seating.LAST,
        now=timezone.now(),
    )
    client.post(f"/challenges/{made.pk}/accept/", {"token": made.token})
    return User.objects.get(is_guest=True)


def sign_in(client):
    answer = client.post("/account/login/", {"login": "ada", "password": PASSWORD, "bring": "on"})
    assert answer.status_code == 302


def move(user):
    match = Match.objects.get()
    how = {"version": match.version, "submission": uuid4(), "now": timezone.now()}
    return services.play_move(match_id=match.pk, user=user, texts=["1"], **how)


def reported(suspect, by, kind=Case.Kind.ABUSE):
    how = {"name": "match", "subject_id": Match.objects.get().pk, "now": timezone.now()}
    return reports.file_report(reporter=by, suspect=suspect, kind=kind, text=WORDS, **how)


# --- Signing in ---------------------------------------------------------------------------------


def test_the_opponent_of_a_guest_who_signed_in_moves(client, guest, bruno, ada):
    move(guest)
    sign_in(client)
    move(bruno)
    move(ada)
    assert Match.objects.get().version == 3


def test_the_clock_of_who_is_on_vacation_stands_still_in_what_they_played_as_guests(
    client, guest, ada
):
    now = timezone.now()
    User.objects.filter(pk=ada.pk).update(date_joined=now - timedelta(days=300))
    ada.refresh_from_db()
    vacations.plan(user=ada, begin=None, end=now + timedelta(days=5), shows_end=True, now=now)
    before = Player.objects.get(user=guest).deadline
    sign_in(client)
    assert Player.objects.get(user=ada).deadline > before + timedelta(days=4)


def test_what_fails_on_the_way_hands_nothing_over(guest, ada, monkeypatch):
    def fail(*_):
        raise RuntimeError

    monkeypatch.setattr(vacations, "apply", fail)
    with pytest.raises(RuntimeError):
        guests.merge(guest, ada, now=timezone.now())
    assert Player.objects.filter(user=guest).exists()


def test_signing_in_sheds_no_mute(client, guest, bruno, ada):
    now, until = timezone.now(), timezone.now() + timedelta(days=3)
    how = {"reason": "Words.", "moderator": bruno, "now": now, "until": until}
    standing.impose(guest, Sanction.Kind.MUTE, **how)
    sign_in(client)
    ada.refresh_from_db()
    assert standing.is_muted(ada, timezone.now())


def test_a_case_about_a_guest_follows_them(client, guest, bruno, ada):
    case = reported(guest, bruno).case
    sign_in(client)
    case.refresh_from_db()
    assert case.suspect == ada


def test_two_open_cases_of_a_kind_become_one(client, guest, bruno, ada):
    clara = confirmed("clara")
    mine = cases.opened(ada, Case.Kind.ABUSE, timezone.now())
    case = reported(guest, bruno).case
    cases.add_note(case, moderator=clara, text="Seen.", now=timezone.now())
    sign_in(client)
    assert Case.objects.get() == mine
    assert mine.reports.get().reporter == bruno
    assert mine.notes.get().text == "Seen."


# --- Leaving ------------------------------------------------------------------------------------


def test_leaving_erases_nothing_that_moderators_need(client, guest, bruno):
    case = reported(guest, bruno).case
    client.post("/account/logout/")
    case.refresh_from_db()
    assert case.suspect.username == f"deleted-{guest.pk}"
    assert case.reports.exists()


def test_leaving_before_any_match_of_others_erases_no_sanction(client, bruno):
    client.post("/games/heap/bots/casual/")
    guest = User.objects.get(is_guest=True)
    how = {"reason": "Words.", "moderator": bruno, "now": timezone.now()}
    standing.impose(guest, Sanction.Kind.BAN, **how)
    guests.forget(guest, now=timezone.now())
    assert Sanction.objects.get().user.username == f"deleted-{guest.pk}"


def test_one_guest_who_cannot_be_forgotten_stops_no_other(monkeypatch):
    for _ in range(3):
        Client().post("/games/heap/bots/casual/")
    bad = User.objects.filter(is_guest=True).order_by("pk").first()
    forget = guests._forget

    def failing(guest, now):
        if guest.pk == bad.pk:
            raise RuntimeError
        forget(guest, now)

    later = timezone.now() + guests.GUEST_LIFETIME
    monkeypatch.setattr(guests, "_forget", failing)
    assert guests.forget_unused(now=later) == 2
    monkeypatch.setattr(guests, "_forget", forget)
    assert guests.forget_unused(now=later) == 1


def test_a_guest_who_comes_back_meanwhile_is_kept(guest, monkeypatch):
    client = Client()
    client.post("/games/heap/bots/casual/")
    other = User.objects.exclude(pk=guest.pk).get(is_guest=True)
    forget = guests.forget

    def meanwhile(found, *, now):
        User.objects.filter(pk=other.pk).update(last_login=now)
        return forget(found, now=now)

    monkeypatch.setattr(guests, "forget", meanwhile)
    guests.forget_unused(now=timezone.now() + guests.GUEST_LIFETIME)
    other.refresh_from_db()
    assert other.is_active
    assert Match.objects.filter(status=Match.Status.RUNNING, players__user=other).exists()


# --- Reports ------------------------------------------------------------------------------------


def test_guests_report_nobody(client, guest, bruno):
    with pytest.raises(ModerationRefused):
        reported(bruno, guest)
    answer = client.get(f"/report/match/{Match.objects.get().pk}/")
    assert answer.url == "/account/signup/"
