"""Users made without the forms of registration: by the sample data, by `make admin`."""

import pytest
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command

from accounts import services
from accounts.models import User
from tests.people import PASSWORD, confirmed, sent

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _fresh_limits():
    cache.clear()


def make(**changes):
    return services.create_user(
        **{"username": "Alice", "email": "alice@example.org", "password": PASSWORD, **changes}
    )


def signs_in(client, login="Alice"):
    client.post("/account/login/", {"login": login, "password": PASSWORD})
    return "_auth_user_id" in client.session


def test_a_confirmed_user_signs_in(client):
    user = make(confirmed=True, about="x")
    assert (user.email, user.about) == ("alice@example.org", "x")
    assert signs_in(client)


def test_another_one_is_sent_a_link(client):
    make()
    assert signs_in(client)
    assert "confirm" in sent()[0].body


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"username": "al"}, "username"),
        ({"username": "bruno!"}, "username"),
        ({"username": "system"}, "username"),
        ({"username": "b-runo"}, "username"),
        ({"username": "BRUN0"}, "username"),
        ({"email": "no address"}, "email"),
        ({"email": "BRUNO@example.org"}, "email"),
        ({"time_zone": "Mars/Phobos"}, "time_zone"),
    ],
)
def test_what_is_wrong_is_said_by_field(changes, field):
    confirmed("bruno")
    with pytest.raises(ValidationError) as caught:
        make(**changes)
    assert set(caught.value.message_dict) == {field}
    assert User.objects.count() == 1


@pytest.mark.parametrize("changes", [{"username": "a1ice"}, {"email": "Alice@example.org"}])
def test_a_race_that_is_lost_is_the_same_error(monkeypatch, changes):
    make()
    monkeypatch.setattr(User, "full_clean", lambda self: None)
    other = {"username": "other", "email": "other@example.org", **changes}
    with pytest.raises(ValidationError):
        make(**other)
    assert User.objects.count() == 1


class TestOperator:
    """`createsuperuser` makes somebody who can sign in, or says why not."""

    def create(self, monkeypatch, **values):
        monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", PASSWORD)
        options = {"username": "boss", "email": "boss@example.org", **values}
        call_command("createsuperuser", interactive=False, verbosity=0, **options)

    def test_signs_in_at_once(self, client, monkeypatch):
        self.create(monkeypatch)
        assert signs_in(client, "boss@example.org")
        answer = client.get("/admin/", follow=True)
        assert answer.request["PATH_INFO"] == "/account/2fa/", "where a second factor is added"

    @pytest.mark.parametrize(
        ("values", "said"),
        [
            ({"username": "b0ss-i"}, "looks too similar"),
            ({"email": ""}, "address"),
            ({"email": "BOSSY@example.org"}, "There is an account"),
            ({"username": "root"}, "reserved for the site"),
        ],
    )
    def test_is_refused_in_a_sentence(self, monkeypatch, values, said):
        confirmed("boss-l", time_zone="UTC")
        confirmed("bossy")
        with pytest.raises(CommandError, match=said):
            self.create(monkeypatch, **values)
        assert not User.objects.filter(is_superuser=True).exists()
