"""Accounts closed in the admin: with a reason, logged permanently, and mailed to their owners."""

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.utils import timezone

from accounts import closing
from accounts.models import ApiToken, User
from accounts.tokens import make
from games.matches.models import Player
from games.moderation.models import AbandonedSeat, ModeratorAction
from tests.fixtures import NOW
from tests.moderation import make_moderator, told
from tests.people import PASSWORD, confirmed, sent, sign_in_staff

USERS = "/admin/accounts/user/"


@pytest.fixture
def helper(db):
    """Staff who may change users."""
    user = confirmed("helper", is_staff=True)
    rights = Permission.objects.filter(codename__in=("view_user", "change_user"))
    user.user_permissions.set(rights)
    return User.objects.get(pk=user.pk)


def how(by, reason="Her mail was stolen."):
    return {"by": by, "reason": reason, "now": timezone.now()}


def test_it_is_logged_and_the_opponents_choose(play, people, helper):
    closing.close(people[1], **how(helper))
    entry = ModeratorAction.objects.get()
    assert (entry.action, entry.user_name, entry.moderator_name, entry.reason) == (
        "close-account",
        "bruno",
        "helper",
        "Her mail was stolen.",
    )
    assert told(people[0]) == ["An opponent is gone: choose what follows"]
    closing.open_again(people[1], **how(helper))
    assert AbandonedSeat.objects.get().outcome == "void"
    assert ModeratorAction.objects.first().action == "open-account"


def test_its_owner_is_told_by_mail_and_has_no_session_left(alice, helper):
    client = Client()
    client.post("/account/login/", {"login": "Alice", "password": PASSWORD})
    token = make(user=alice, name="x", scopes=list(ApiToken.Scope), now=NOW)
    closing.close(alice, **how(helper))
    assert "Her mail was stolen." in [mail.body for mail in sent() if mail.to == [alice.email]][-1]
    closing.open_again(alice, **how(helper))
    assert client.get("/home/").status_code == 302
    closing.close(alice, **how(helper))
    headers = {"Authorization": f"Bearer {token}"}
    assert Client(headers=headers).get("/api/v1/waiting/").status_code == 401


@pytest.mark.parametrize("reason", ["", "  "])
def test_without_a_reason_nothing_is_done(alice, helper, reason):
    client = Client()
    sign_in_staff(client, helper)
    form = {"action": "close", "_selected_action": [alice.pk], "reason": reason}
    answer = client.post(USERS, form, follow=True)
    assert "A reason is needed." in answer.content.decode()
    assert User.objects.get(pk=alice.pk).is_active
    assert not ModeratorAction.objects.exists()


def test_nobody_closes_whom_they_play_with(play, people, chief):
    Player.objects.filter(match=play.id, seat=0).update(user=chief)
    with pytest.raises(closing.CannotClose, match="playing with"):
        closing.close(people[1], **how(chief))
    assert User.objects.get(pk=people[1].pk).is_active
    assert not ModeratorAction.objects.exists()


def test_moderators_are_left_to_superusers(people, helper, chief):
    clara = make_moderator(people[2])
    with pytest.raises(closing.CannotClose, match="superusers"):
        closing.close(clara, **how(helper))
    assert User.objects.get(pk=clara.pk).is_active
    closing.close(clara, **how(chief))
    assert not User.objects.get(pk=clara.pk).is_active


def test_what_was_deleted_is_not_opened(alice, helper):
    User.objects.filter(pk=alice.pk).update(username=f"deleted-{alice.pk}", is_active=False)
    with pytest.raises(closing.CannotClose, match="deleted"):
        closing.open_again(User.objects.get(pk=alice.pk), **how(helper))
    assert not User.objects.get(pk=alice.pk).is_active


def test_the_form_of_a_user_closes_nothing(alice, chief):
    client = Client()
    sign_in_staff(client, chief)
    values = {"time_zone": "UTC", "theme": "auto", "mail_off": "[]", "languages": "[]"}
    assert client.post(f"{USERS}{alice.pk}/change/", values).status_code == 302
    assert User.objects.get(pk=alice.pk).is_active
