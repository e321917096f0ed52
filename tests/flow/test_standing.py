"""What is imposed, and on whom: rights that protect, appeals and liftings that come twice."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial

import pytest
from django.contrib.auth.models import Permission
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Notification, User
from accounts.sanctions import standing
from accounts.sanctions.models import Sanction
from games.kernel.contract import Seat
from games.kernel.errors import GameError
from games.lobby import services as lobby
from games.lobby.models import Challenge
from games.moderation import actions, cases, hands, log
from games.moderation.errors import ModerationRefused, NotYours
from games.moderation.models import ModeratorAction
from tests.concurrency import PATIENCE, run_concurrently, wait_until_blocked
from tests.fixtures import NOW
from tests.moderation import make_moderator
from tests.people import sign_in_staff

DAY = timedelta(days=1)

RIGHTS = {
    "staff": lambda user: User.objects.filter(pk=user.pk).update(is_staff=True),
    "superuser": lambda user: User.objects.filter(pk=user.pk).update(is_superuser=True),
    "a moderator": make_moderator,
    "one power": lambda user: user.user_permissions.add(
        Permission.objects.get(codename="ban_player", content_type__app_label="moderation")
    ),
}


def suspend(user, moderator, until=NOW + DAY):
    kind = Sanction.Kind.SUSPENSION
    return standing.impose(user, kind, reason="Words.", moderator=moderator, now=NOW, until=until)


# --- Who is left to superusers ------------------------------------------------------------------


@pytest.mark.parametrize("rights", RIGHTS)
def test_nobody_but_superusers_has_to_do_with_cases_about_those_with_rights(
    case, play, people, clara, rights
):
    RIGHTS[rights](people[1])
    how = {"moderator": clara, "reason": "You cheat.", "now": NOW}
    for act in (
        lambda: cases.claim(case, moderator=clara, now=NOW),
        lambda: cases.add_note(case, moderator=clara, text="Seen.", now=NOW),
        lambda: actions.sanction(case, Sanction.Kind.WARNING, **how),
        lambda: actions.rename(case, "somebody", **how),
        lambda: actions.end_match(case, play.id, annul=True, **how),
        lambda: actions.remove(case, play.id, **how),
        lambda: hands.unlock(case, play.id, Seat(1), **how),
        lambda: cases.close(case, upheld=False, **how),
        lambda: actions.lift(suspend(people[1], people[3]), **how),
    ):
        with pytest.raises(NotYours, match="superusers"):
            act()
    assert cases.queue(clara, NOW) == []
    assert not ModeratorAction.objects.exists()


def test_the_page_of_such_a_case_is_closed_to_moderators(case, people, clara):
    client = Client()
    sign_in_staff(client, clara)
    page = f"/desk/cases/{case.pk}/"
    assert client.get(page).status_code == 200
    User.objects.filter(pk=people[1].pk).update(is_staff=True)
    assert client.get(page).status_code == 403
    assert people[1].username not in client.get("/desk/").content.decode()


def test_sanctions_appeals_and_the_log_about_those_with_rights_are_for_superusers(
    people, clara, moderator, chief
):
    imposed = suspend(moderator, chief)
    standing.appeal(moderator, imposed.pk, "It was not me.", now=NOW)
    log.write("suspension", moderator=chief, user=moderator, reason="Secret words.", now=NOW)
    for user, sees in ((clara, False), (chief, True)):
        client = Client()
        sign_in_staff(client, user)
        assert client.get(f"/desk/sanctions/{imposed.pk}/").status_code == (200 if sees else 403)
        assert (f"/desk/sanctions/{imposed.pk}/" in client.get("/desk/").content.decode()) == sees
        assert ("Secret words." in client.get("/desk/log/").content.decode()) == sees


def test_nobody_decides_about_whom_they_play_with(play, people, clara, moderator, start):
    imposed = suspend(people[1], moderator)
    standing.appeal(people[1], imposed.pk, "It was not me.", now=NOW)
    assert actions.appeals(clara) == [imposed]
    start(seats=3)
    how = {"moderator": clara, "reason": "x", "now": NOW}
    for decide in (actions.lift, partial(actions.answer_appeal, lifts=True)):
        with pytest.raises(NotYours, match="playing with"):
            decide(imposed, **how)
    assert actions.appeals(clara) == []
    client = Client()
    sign_in_staff(client, clara)
    assert client.get(f"/desk/sanctions/{imposed.pk}/").status_code == 403


def test_what_stays_after_an_appeal_can_be_lifted_later(people, clara, moderator):
    imposed = suspend(people[1], moderator, until=None)
    standing.appeal(people[1], imposed.pk, "It was not me.", now=timezone.now())
    client = Client()
    sign_in_staff(client, clara)
    page = f"/desk/sanctions/{imposed.pk}/"
    client.post(f"{page}answer/", {"reason": "It was."})
    assert f"{page}lift/" in client.get(page).content.decode()
    client.post(f"{page}lift/", {"reason": "Long enough."})
    imposed.refresh_from_db()
    assert imposed.lifted is not None


def test_superusers_have_to_do_with_them(case, people):
    make_moderator(people[1])
    User.objects.filter(pk=people[3].pk).update(is_superuser=True)
    root = User.objects.get(pk=people[3].pk)
    assert [found for found, _ in cases.queue(root, NOW)] == [case]
    how = {"moderator": root, "reason": "You cheat.", "now": NOW}
    assert actions.sanction(case, Sanction.Kind.WARNING, **how).user == people[1]


# --- Twice --------------------------------------------------------------------------------------


def test_who_lifts_second_is_told_so_and_nobody_else(people, clara):
    imposed = suspend(people[1], people[3])
    how = {"moderator": clara, "reason": "A mistake.", "now": NOW}
    actions.lift(imposed, **how)
    with pytest.raises(ModerationRefused, match="already"):
        actions.lift(imposed, **how)
    assert ModeratorAction.objects.filter(action="lift").count() == 1
    assert Notification.objects.filter(recipient=people[1]).count() == 1


def test_what_is_over_is_not_appealed_against(people):
    imposed = suspend(people[1], people[3])
    with pytest.raises(standing.InvalidSanction, match="nothing"):
        standing.appeal(people[1], imposed.pk, "It was not me.", now=NOW + DAY)


# --- At the same moment -------------------------------------------------------------------------


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_the_first_of_two_appeals_stays(people):
    imposed = suspend(people[1], people[3])

    def appeal(text):
        try:
            standing.appeal(people[1], imposed.pk, text, now=NOW)
        except standing.InvalidSanction:
            return ""
        return text

    written = sorted(run_concurrently(*(lambda t=text: appeal(t) for text in ("Once.", "Twice."))))
    imposed.refresh_from_db()
    assert written == ["", imposed.appeal]


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_a_ban_that_comes_while_a_warning_is_read_holds(people):
    bruno, moderator = people[1], people[3]
    how = {"reason": "Words.", "moderator": moderator, "now": NOW}
    warning = standing.impose(bruno, Sanction.Kind.WARNING, **how)
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            standing.impose(User.objects.get(pk=bruno.pk), Sanction.Kind.BAN, **how)
            reading = pool.submit(
                run_concurrently, lambda: standing.read(bruno, warning.pk, now=NOW)
            )
            wait_until_blocked()
        reading.result(PATIENCE)
    assert User.objects.get(pk=bruno.pk).is_restricted


# --- Muted --------------------------------------------------------------------------------------


def test_who_is_muted_costs_no_write(people):
    standing.impose(
        people[1],
        Sanction.Kind.MUTE,
        reason="Words.",
        moderator=people[3],
        now=timezone.now(),
        until=timezone.now() + DAY,
    )
    client = Client()
    client.force_login(people[1])
    client.get("/help/")
    with CaptureQueriesContext(connection) as queries:
        client.get("/lobby/")
    # Of a statement that the server has prepared Django does not know the text.
    asked = [q["sql"] or "" for q in queries]
    assert not [sql for sql in asked if sql.startswith("UPDATE") and "restricted" in sql]


def test_a_mute_that_is_over_stops_no_page_where_nothing_can_be_written(people, monkeypatch):
    how = {"reason": "Words.", "moderator": people[3]}
    begun = timezone.now() - 2 * DAY
    standing.impose(people[1], Sanction.Kind.MUTE, now=begun, until=begun + DAY, **how)

    def fail(*_, **__):
        raise DatabaseError

    monkeypatch.setattr(standing, "settle", fail)
    client = Client()
    client.force_login(people[1])
    assert client.get("/lobby/").status_code == 200


def muted(user, moderator):
    how = {"reason": "Words.", "moderator": moderator, "now": timezone.now()}
    standing.impose(user, Sanction.Kind.MUTE, until=timezone.now() + DAY, **how)
    return user


def challenge(creator, **how):
    audience = Challenge.Audience.NAMED
    terms = {"title": "heap", "params": {}, "clock": None, "seats": 2, "now": timezone.now()}
    return lobby.challenge(creator=creator, audience=audience, **terms, **how)


def test_who_is_muted_challenges_without_words(toy, people):
    ada, bruno = muted(people[0], people[3]), people[1]
    with pytest.raises(GameError, match="may not write"):
        challenge(ada, invited=[bruno], message="You coward.")
    assert challenge(ada, invited=[bruno]).is_open


def test_who_is_muted_declines_without_words(toy, people):
    ada, bruno = people[0], muted(people[1], people[3])
    made, now = challenge(ada, invited=[bruno]), timezone.now()
    with pytest.raises(GameError, match="may not write"):
        lobby.decline(challenge_id=made.pk, user=bruno, reason="Coward.", now=now)
    assert not lobby.decline(challenge_id=made.pk, user=bruno, now=now).is_open


def test_who_is_muted_says_nothing_new_about_themselves(people):
    ada = people[0]
    User.objects.filter(pk=ada.pk).update(about="I like geese.")
    muted(User.objects.get(pk=ada.pk), people[3])
    client = Client()
    client.force_login(ada)
    page = "/account/profile/"
    answer = client.post(page, {"about": "You are all cheats.", "languages": ["de"]})
    assert "may not write" in answer.content.decode()
    for about in ("I like geese.", ""):
        assert client.post(page, {"about": about, "languages": ["de"]}).status_code == 302
        assert User.objects.get(pk=ada.pk).about == about
