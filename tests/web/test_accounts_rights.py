"""What staff may do to accounts in the administration, in forms and by scripted POST."""

import pytest
from allauth.account.models import EmailAddress
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group, Permission
from django.core.cache import cache

from accounts import notifications
from accounts.models import Notification, User
from tests.fixtures import NOW
from tests.people import PASSWORD, confirmed, sign_in_staff

pytestmark = pytest.mark.django_db
USERS = "/admin/accounts/user/"
NEW = "another-good-password"


@pytest.fixture(autouse=True)
def _fresh_limits():
    cache.clear()


def staff(name, *rights):
    user = confirmed(name, is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=rights))
    return user


@pytest.fixture
def colleague():
    return staff("colleague")


@pytest.fixture
def helper(client):
    """Staff who may change users, groups, permissions and addresses, and is signed in."""
    models = ("user", "group", "permission", "emailaddress")
    rights = [f"{verb}_{model}" for verb in ("add", "change", "view", "delete") for model in models]
    user = staff("helper", *rights)
    sign_in_staff(client, user)
    return user


def act(client, action, *users):
    chosen = [user.pk for user in users]
    form = {"action": action, "_selected_action": chosen, "reason": "A test."}
    return client.post(USERS, form)


def active(user):
    return User.objects.get(pk=user.pk).is_active


@pytest.mark.parametrize("action", ["close", "open_again"])
def test_who_may_only_view_neither_closes_nor_opens(client, alice, action):
    sign_in_staff(client, staff("viewer", "view_user"))
    User.objects.filter(pk=alice.pk).update(is_active=action == "close")
    act(client, action, alice)
    assert active(alice) == (action == "close")


def test_closing_and_opening_are_logged(client, helper, alice):
    act(client, "close", alice)
    assert not active(alice)
    act(client, "close", alice)
    act(client, "open_again", alice)
    assert active(alice)
    logged = LogEntry.objects.filter(user=helper, object_id=str(alice.pk)).order_by("pk")
    assert [entry.change_message for entry in logged] == ["closed", "opened"]


def test_closing_spares_superusers_staff_and_the_own_account(client, helper, chief, colleague):
    act(client, "close", helper, chief, colleague)
    assert all(map(active, (helper, chief, colleague)))


def test_a_superuser_closes_staff_but_no_superuser(client, chief, colleague):
    other = confirmed("other", is_staff=True, is_superuser=True)
    sign_in_staff(client, chief)
    act(client, "close", chief, other, colleague)
    assert active(chief)
    assert active(other)
    assert not active(colleague)


def test_staff_do_not_open_closed_staff_again(client, helper, colleague):
    User.objects.filter(pk=colleague.pk).update(is_active=False)
    act(client, "open_again", colleague)
    assert not active(colleague)


def change(client, user, **fields):
    values = {"time_zone": "UTC", "theme": "auto", "mail_off": "[]", "languages": "[]"}
    return client.post(f"{USERS}{user.pk}/change/", {**values, "is_active": "on", **fields})


def rights_of(user):
    user = User.objects.get(pk=user.pk)
    return (
        user.is_staff,
        user.is_superuser,
        user.groups.count(),
        user.user_permissions.count(),
    )


@pytest.fixture
def rights():
    """The fields of a form that would give all rights."""
    group = Group.objects.create(name="powerful")
    permission = Permission.objects.first()
    return {
        "is_staff": "on",
        "is_superuser": "on",
        "groups": [group.pk],
        "user_permissions": [permission.pk],
    }


def test_staff_change_players_but_not_their_rights(client, helper, alice, rights):
    assert change(client, alice, about="Changed.", **rights).status_code == 302
    assert User.objects.get(pk=alice.pk).about == "Changed."
    assert rights_of(alice) == (False, False, 0, 0)


def test_staff_change_no_staff_not_even_themselves(client, helper, chief, colleague, rights):
    for user in (helper, chief, colleague):
        before = rights_of(user)
        assert client.get(f"{USERS}{user.pk}/change/").status_code == 200
        assert change(client, user, is_active="", **rights).status_code == 403
        assert rights_of(user) == before
        assert active(user)


def test_who_looks_at_staff_sees_no_password(client, helper, chief):
    page = client.get(f"{USERS}{chief.pk}/change/").content.decode()
    assert chief.password not in page
    assert chief.password.split("$")[-1] not in page


def test_superusers_change_rights(client, chief, alice, rights):
    sign_in_staff(client, chief)
    assert change(client, alice, **rights).status_code == 302
    assert rights_of(alice) == (True, True, 1, 1)


def test_a_superuser_keeps_the_own_rights(client, chief):
    sign_in_staff(client, chief)
    assert change(client, chief, is_active="", about="Still here.").status_code == 302
    assert User.objects.get(pk=chief.pk).about == "Still here."
    assert rights_of(chief)[:2] == (True, True)
    assert active(chief)


def test_passwords_are_set_by_superusers(client, helper, chief, colleague, alice):
    form = {"password1": NEW, "password2": NEW, "usable_password": "true"}
    for user in (helper, chief, colleague, alice):
        assert client.post(f"{USERS}{user.pk}/password/", form).status_code == 403
        assert User.objects.get(pk=user.pk).check_password(PASSWORD)
    sign_in_staff(client, chief)
    client.post(f"{USERS}{colleague.pk}/password/", form)
    assert User.objects.get(pk=colleague.pk).check_password(NEW)


def test_the_own_password_is_changed_on_the_page_that_limits_guessing(client, helper):
    form = {"old_password": PASSWORD, "new_password1": NEW, "new_password2": NEW}
    answer = client.post("/admin/password_change/", form)
    assert answer.url == "/account/password/change/"
    assert User.objects.get(pk=helper.pk).check_password(PASSWORD)


def test_groups_are_changed_by_superusers(client, helper, chief):
    group = Group.objects.create(name="helpers")
    helper.groups.add(group)
    every = list(Permission.objects.values_list("pk", flat=True))
    form = {"name": "helpers", "permissions": every}
    address = f"/admin/auth/group/{group.pk}"
    assert client.get(f"{address}/change/").status_code == 200
    assert client.post(f"{address}/change/", form).status_code == 403
    assert client.post("/admin/auth/group/add/", {**form, "name": "x"}).status_code == 403
    assert client.post(f"{address}/delete/", {"post": "yes"}).status_code == 403
    assert group.permissions.count() == 0
    sign_in_staff(client, chief)
    client.post(f"{address}/change/", form)
    assert group.permissions.count() == len(every)


def test_addresses_are_changed_by_superusers(client, helper, chief):
    """A person who confirms an account's address can have its password reset."""
    known = EmailAddress.objects.get(user=chief)
    unproven = EmailAddress.objects.create(user=chief, email="evil@example.org")
    form = {"user": chief.pk, "email": "mine@example.org", "verified": "on", "primary": "on"}
    pages = "/admin/account/emailaddress/"
    assert client.post(f"{pages}{known.pk}/change/", form).status_code == 403
    assert client.post(f"{pages}add/", form).status_code == 403
    assert client.post(f"{pages}{known.pk}/delete/", {"post": "yes"}).status_code == 403
    client.post(pages, {"action": "make_verified", "_selected_action": [unproven.pk]})
    unproven.refresh_from_db()
    assert not unproven.verified
    assert EmailAddress.objects.filter(user=chief).count() == 2
    sign_in_staff(client, chief)
    client.post(pages, {"action": "make_verified", "_selected_action": [unproven.pk]})
    unproven.refresh_from_db()
    assert unproven.verified


def test_who_may_only_view_notifications_does_not_have_them_sent_again(client, alice):
    notifications.notify(recipient=alice, kind="turn", payload={"n": 1}, now=NOW)
    Notification.objects.update(mail_state="failed", attempts=20, error="x")
    chosen = [Notification.objects.get().pk]
    sign_in_staff(client, staff("viewer", "view_notification"))
    client.post(
        "/admin/accounts/notification/", {"action": "try_again", "_selected_action": chosen}
    )
    assert Notification.objects.get().mail_state == "failed"


def test_staff_who_may_change_notices_have_them_sent_again(client, alice):
    notifications.notify(recipient=alice, kind="turn", payload={}, now=NOW)
    Notification.objects.update(mail_state="failed", attempts=20)
    helper = staff("helper", "view_notification", "change_notification")
    sign_in_staff(client, helper)
    chosen = list(Notification.objects.values_list("pk", flat=True))
    client.post(
        "/admin/accounts/notification/", {"action": "try_again", "_selected_action": chosen}
    )
    assert Notification.objects.get().mail_state == "due"
