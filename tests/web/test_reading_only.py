"""Pages that only read work where nothing can be written: a full disk, a read-only copy."""

import re

import pytest
from django.db import DatabaseError, connection
from django.utils import timezone

from accounts import notifications, optional
from accounts.models import Notification
from games.lobby import services as lobby
from games.matches.clock import PRESETS
from games.matches.notify import notifications as match_notifications
from tests.people import confirmed

pytestmark = pytest.mark.django_db(transaction=True)

READ_ONLY = {
    "sqlite": ("PRAGMA query_only = ON", "PRAGMA query_only = OFF"),
    "postgresql": (
        "SET default_transaction_read_only = on",
        "SET default_transaction_read_only = off",
    ),
}


@pytest.fixture
def read_only():
    """Let the database take no writes from now on."""
    begin, end = READ_ONLY[connection.vendor]

    def execute(statement):
        with connection.cursor() as cursor:
            cursor.execute(statement)

    yield lambda: execute(begin)
    execute(end)


@pytest.fixture
def reader(client, play):
    """Somebody signed in, with a running match, a challenge and news of the match."""
    ada, bruno = play.people[:2]
    notifications.notify(
        recipient=ada,
        kind="your-turn",
        payload={"match": play.id, "place": match_notifications.page_key(play.id)},
        now=timezone.now(),
    )
    lobby.challenge(
        creator=bruno,
        title="heap",
        params={},
        clock=PRESETS["standard"],
        seats=2,
        audience="open",
        now=timezone.now(),
    )
    client.force_login(ada)
    return client


@pytest.mark.slow
def test_every_page_that_is_only_read_works(reader, play, read_only):
    match = f"/matches/{play.id}/"
    read_only()
    with pytest.raises(DatabaseError):
        Notification.objects.update(seen_at=timezone.now())
    pages = [
        "/", "/games/", "/lobby/", "/home/", "/archive/", "/players/ada/", "/account/notices/",
        "/account/preferences/", "/account/profile/", "/api/v1/waiting/", f"/api/v1{match}",
        match, f"{match}?part=live", f"{match}?word=1", f"{match}0/", f"{match}export.json",
    ]  # fmt: skip
    answers = {page: reader.get(page).status_code for page in pages}
    assert answers == dict.fromkeys(pages, 200)


def test_what_was_not_noted_is_noted_later(reader, play, read_only):
    _, end = READ_ONLY[connection.vendor]
    read_only()
    reader.get(f"/matches/{play.id}/")
    with connection.cursor() as cursor:
        cursor.execute(end)
    assert Notification.objects.filter(
        seen_at=None, page_key=match_notifications.page_key(play.id)
    ).exists()
    reader.get(f"/matches/{play.id}/")
    assert not Notification.objects.filter(
        recipient=play.people[0], seen_at=None, page_key=match_notifications.page_key(play.id)
    ).exists()


def test_a_session_that_cannot_be_saved_does_not_take_the_page_down(client, read_only, settings):
    settings.SESSION_SAVE_EVERY_REQUEST = True
    client.force_login(confirmed("ada"))
    read_only()
    assert client.get("/games/").status_code == 200


def test_a_form_whose_session_cannot_be_saved_fails(client, read_only, settings):
    settings.SESSION_SAVE_EVERY_REQUEST = True
    client.force_login(confirmed("ada"))
    client.raise_request_exception = False
    read_only()
    assert client.post("/account/preferences/").status_code >= 400


def test_the_log_is_not_filled(reader, play, read_only, caplog, monkeypatch):
    monkeypatch.setattr(optional, "_log", optional._Log())
    read_only()
    for _ in range(3):
        reader.get(f"/matches/{play.id}/")
    said = [record.getMessage() for record in caplog.records if record.name == optional.__name__]
    assert len(said) == 1
    assert re.fullmatch(r"Could not write which notifications were seen, and went on: \w+", said[0])
