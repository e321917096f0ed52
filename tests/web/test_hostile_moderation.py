"""Scripted forms around moderation: with few permissions, without standing, or in floods."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.utils import timezone

from accounts.models import User
from accounts.sanctions import standing
from accounts.sanctions.models import Sanction
from games.lobby import services as lobby
from games.lobby.models import Challenge
from games.matches.clock import PRESETS
from games.matches.models import Player
from games.moderation import actions, cases
from games.moderation.case_actions import ACTIONS
from games.moderation.errors import ModerationRefused
from games.moderation.models import AbandonedSeat, Case, ModeratorAction, Report
from tests.fixtures import NOW
from tests.moderation import WORDS, make_moderator
from tests.people import sign_in_staff
from tests.web.test_desk import browser

pytestmark = pytest.mark.slow

DAY = timedelta(days=1)
POWERS = sorted(
    {action.permission for action in ACTIONS.values()} | {"unlock_hands", "lift_sanctions"}
)
NASTY = ["\x00", "\x1b[31m", "\u202e", "x" * 100_000, "%s{}{{7*7}}", "<script>"]


def with_powers(user, *powers):
    """Sign somebody in at the desk who has these powers alone."""
    names = ("use_desk", *powers)
    user.user_permissions.set(
        Permission.objects.filter(codename__in=names, content_type__app_label="moderation")
    )
    client = Client()
    sign_in_staff(client, User.objects.get(pk=user.pk))
    return client


def forms_of(case, play, sanction):
    """Every form of the desk that does something, after the power that it takes."""
    until = f"{timezone.now() + DAY:%Y-%m-%d %H:%M}"
    names = {"name": "another", "substitute": "daniel"}
    fields = {"until": until, **names, "match": play.id, "line": 1, "reason": "x"}
    page = f"/desk/cases/{case.pk}/"
    for name, action in ACTIONS.items():
        yield action.permission, f"{page}act/", {"action": name, **fields}
    yield "unlock_hands", f"{page}unlock/", {"match": play.id, "seat": 1, "reason": "x"}
    yield "lift_sanctions", f"/desk/sanctions/{sanction.pk}/lift/", {"reason": "x"}
    yield "lift_sanctions", f"/desk/sanctions/{sanction.pk}/answer/", {"reason": "x", "lift": "1"}


def test_no_form_of_the_desk_does_anything_without_its_own_power(case, play, people, clara):
    how = {"reason": "x", "moderator": clara, "now": NOW}
    sanction = standing.impose(people[1], Sanction.Kind.BAN, **how)
    Sanction.objects.update(appeal="x", appealed=NOW)
    for power in POWERS:
        client = with_powers(people[3], *(other for other in POWERS if other != power))
        for needed, path, form in forms_of(case, play, sanction):
            if needed == power:
                client.post(path, form)
    assert not ModeratorAction.objects.exists()
    assert Sanction.objects.get().lifted is None
    assert play.kinds() == []


@pytest.mark.parametrize("number", [0, -1, 10**30, "x", 99999, "another"])
def test_a_case_reaches_no_match_in_which_the_suspect_does_not_play(
    case, start, people, clara, number
):
    other = start(seats=2)
    Player.objects.filter(match=other.id, user=people[1]).update(user=people[3])
    client = Client()
    sign_in_staff(client, clara)
    for action in ("remove", "end", "annul", "give-time", "stop-clocks", "abandon", "substitute"):
        match = other.id if number == "another" else number
        form = {"action": action, "match": match, "substitute": "daniel", "reason": "x"}
        assert client.post(f"/desk/cases/{case.pk}/act/", form).status_code in (200, 302)
    assert other.kinds() == []
    assert not ModeratorAction.objects.exists()


@pytest.mark.parametrize("nasty", NASTY, ids=range(len(NASTY)))
def test_text_of_any_kind_breaks_no_form(case, play, people, clara, nasty):
    imposed = standing.impose(
        people[1], Sanction.Kind.BAN, reason="x", moderator=clara, now=timezone.now()
    )
    desk = Client()
    sign_in_staff(desk, clara)
    page = f"/desk/cases/{case.pk}/"
    report = {"suspect": people[1].pk, "kind": "abuse", "text": nasty}
    posts = [
        (browser(people[3]), f"/report/match/{play.id}/", report),
        (browser(people[3]), f"/report/match/{play.id}/", {"suspect": nasty, "kind": nasty}),
        (browser(people[1]), f"/account/standing/{imposed.pk}/appeal/", {"text": nasty}),
        (desk, f"{page}note/", {"text": nasty}),
        (desk, f"{page}act/", {"action": "rename", "name": nasty, "reason": nasty}),
        (desk, f"{page}act/", {"action": "warning", "reason": nasty}),
        (desk, f"{page}act/", {"action": nasty, "until": nasty, "reason": nasty}),
        (desk, f"{page}close/", {"reason": nasty}),
        (desk, "/desk/open/", {"player": nasty, "kind": "spam", "reason": nasty}),
    ]
    for client, path, form in posts:
        assert client.post(path, form).status_code in (200, 302), path
    for client, path in (
        (desk, page),
        (desk, "/desk/log/"),
        (browser(people[1]), "/account/standing/"),
    ):
        text = client.get(path).content.decode()
        assert "<script>" not in text.partition("<main")[2].partition("</main>")[0]


def test_a_flood_of_reports_is_stopped_and_weighs_as_one(play, people):
    ada, bruno = people[:2]
    client = browser(ada)
    codes = set()
    for kind in Case.Kind.values * 3:
        form = {"suspect": bruno.pk, "kind": kind, "text": WORDS}
        codes.add(client.post(f"/report/player/{bruno.pk}/", form).status_code)
        codes.add(client.post(f"/report/match/{play.id}/", form).status_code)
    assert 429 in codes
    assert Report.objects.count() <= 10
    found = Case.objects.get(kind="abuse")
    moderator = make_moderator(people[2])
    weights = dict(cases.queue(moderator, found.opened))
    assert weights[found] == cases.WEIGHTS[Case.Kind.ABUSE]


def test_an_appeal_is_written_once_however_often_it_is_sent(people, clara):
    now = timezone.now()
    imposed = standing.impose(people[1], Sanction.Kind.BAN, reason="x", moderator=clara, now=now)
    client = browser(people[1])
    path = f"/account/standing/{imposed.pk}/appeal/"
    codes = [client.post(path, {"text": f"Number {n}."}).status_code for n in range(30)]
    assert codes[-1] == 429
    imposed.refresh_from_db()
    assert imposed.appeal == "Number 0."


def test_guests_report_nobody(play, people):
    User.objects.filter(pk=people[3].pk).update(is_guest=True)
    client = browser(User.objects.get(pk=people[3].pk))
    form = {"suspect": people[1].pk, "kind": "abuse", "text": WORDS}
    for path in (f"/report/match/{play.id}/", f"/report/player/{people[1].pk}/"):
        client.post(path, form)
    client.post("/report/chat-line/1/now/")
    assert not Report.objects.exists()


class TestKeptOut:
    @pytest.fixture
    def banned(self, people, clara):
        how = {"reason": "x", "moderator": clara, "now": timezone.now()}
        standing.impose(people[1], Sanction.Kind.BAN, **how)
        return browser(people[1])

    def test_who_is_banned_neither_chooses_nor_comes_back_nor_reports(
        self, case, play, banned, people, moderator
    ):
        now = timezone.now()
        actions.abandon(case, play.id, moderator=moderator, reason="x", now=now)
        found = AbandonedSeat.objects.get()
        form = {"suspect": people[0].pk, "kind": "abuse", "text": WORDS}
        for path in (f"/abandoned/{found.pk}/", f"/report/match/{play.id}/"):
            assert banned.post(path, form).url == "/account/standing/"
        found.refresh_from_db()
        assert found.outcome == ""
        assert Report.objects.count() == 1

    @pytest.mark.parametrize("kind", ["ban", "suspension"])
    def test_nobody_begins_a_match_with_them(self, case, people, clara, kind):
        now = timezone.now()
        terms = {"title": "heap", "params": {"heap": 10, "free": False}, "seats": 2, "now": now}
        audience = Challenge.Audience.OPEN
        clock = PRESETS["standard"]
        made = lobby.challenge(creator=people[1], audience=audience, clock=clock, **terms)
        until = now + DAY if kind == "suspension" else None
        how = {"moderator": clara, "reason": "x", "now": now, "until": until}
        actions.sanction(case, Sanction.Kind(kind), **how)
        assert Challenge.objects.get(pk=made.pk).status == "withdrawn"

    def test_a_double_click_imposes_once(self, case, clara):
        how = {"moderator": clara, "reason": "x", "now": NOW}
        actions.sanction(case, Sanction.Kind.WARNING, **how)
        with pytest.raises(ModerationRefused, match="already"):
            actions.sanction(case, Sanction.Kind.WARNING, **how)
        assert Sanction.objects.count() == 1
        until = NOW + DAY
        actions.sanction(case, Sanction.Kind.MUTE, until=until, **how)
        actions.sanction(case, Sanction.Kind.MUTE, until=until + DAY, **how)
        assert Sanction.objects.count() == 3
