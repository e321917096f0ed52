"""What logs and error mails hold of a request: neither secrets nor moves."""

import logging
import secrets
import sys

import pytest
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from django.test import Client, override_settings
from django.urls import path, reverse
from django.utils import timezone
from rest_framework.request import Request

from accounts import error_log, error_reports, unsubscribe
from config.logs import TextFormatter
from config.redaction import SafeAddressFilter, SafeFilter, safe_path, strike_out
from config.urls import urlpatterns as everywhere
from games.api.parsing import Json
from tests.people import sent

TOKEN = secrets.token_urlsafe(32)
MOVE, NONCE, PASSWORD, CSRF = "c3-build-tower", "ab" * 32, "hush-redis", "csrf" * 16


def fails(request, token):
    """A view of which each line of the mail could tell something."""
    move = request.POST["move"]
    try:
        int(f"{move} with {request.POST['nonce']}")
    except ValueError as error:
        raise ConnectionError(f"redis://:{PASSWORD}@cache:6379/0 {token} {error}") from error


def fails_in_json(request):
    raise LookupError(f"move {MOVE} of {request.body.decode()}")


urlpatterns = [
    path("challenges/7/<str:token>/", fails),
    path("api/moves/", fails_in_json),
    *everywhere,
]


@pytest.fixture
def mails(settings, monkeypatch):
    handler = error_log.ReportHandler(logging.ERROR)
    monkeypatch.setattr(error_log.waiting, "put", error_log.write)
    monkeypatch.setattr(logging.getLogger("django.request"), "handlers", [handler])
    settings.ROOT_URLCONF = __name__
    settings.ADMINS = [("Ada", "ada@example.org")]
    settings.CACHES = {"default": {**settings.CACHES["default"], "LOCATION": f"x{PASSWORD}"}}
    client = Client(raise_request_exception=False)
    client.cookies["csrftoken"] = CSRF
    return client


def mailed():
    error_reports.report(now=timezone.now())
    (found,) = sent()
    return found.subject + "\n" + found.body + str(found.alternatives)


def test_error_mails_tell_no_secret_and_no_move(mails, db):
    posted = {"move": MOVE, "nonce": NONCE}
    answer = mails.post(f"/challenges/7/{TOKEN}/?word=e4-e5", posted)
    assert answer.status_code == 500
    text = mailed()
    for secret in (TOKEN, MOVE, NONCE, PASSWORD, CSRF, "e4-e5"):
        assert secret not in text, secret
    for useful in ("ConnectionError", "/challenges/7/", "in fails", "move", "raise"):
        assert useful in text, useful


def test_error_mails_tell_nothing_of_a_json_body(mails, db):
    mails.post("/api/moves/", {"moves": [MOVE], "nonce": NONCE}, "application/json")
    text = mailed()
    assert "LookupError" in text
    assert MOVE not in text
    assert NONCE not in text


def test_settings_are_not_reported(settings):
    settings.CHANNEL_LAYERS = {"default": {"hosts": f"redis://:{PASSWORD}@cache"}}
    assert PASSWORD not in repr(SafeFilter().get_safe_settings())


def token_paths(user):
    address = EmailAddress(user=user, email=user.email, pk=1)
    return [
        reverse("account_confirm_email", args=[EmailConfirmationHMAC(address).key]),
        reverse("account_reset_password_from_key", args=["1", "cz1q3f-" + "0123456789abcdef" * 2]),
        unsubscribe.address(user, "match.your_turn"),
        reverse("challenge-link", args=[7, TOKEN]),
    ]


def test_no_address_with_a_token_keeps_it(people):
    for address in token_paths(people[0]):
        for form in (address, address.rstrip("/"), f"{address}x/", f"https://games.org{address}"):
            token = max(address.split("/"), key=len)
            assert token not in safe_path(form)
            assert safe_path(form).startswith(form[: form.index(token)])


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("/matches/7/?word=c3&word=d4", "/matches/7/"),
        ("/games/simple-life-or-death/rules/", "/games/simple-life-or-death/rules/"),
        ("/static/css/base.0123456789ab.css?x", "/static/css/base.0123456789ab.css"),
        (
            "/account/password/reset/key/1-set-password/",
            "/account/password/reset/key/1-set-password/",
        ),
        ("/a\nb\x1b/", "/a…b…/"),
    ],
)
def test_the_rest_of_an_address_can_be_read(address, shown):
    assert safe_path(address) == shown


def test_logs_of_requests_hold_no_tokens(caplog, db):
    caplog.handler.addFilter(SafeAddressFilter())
    Client().get(f"/challenges/7/{TOKEN}/")
    with override_settings(DEBUG=False):
        secure = {"wsgi.url_scheme": "https", "HTTP_REFERER": f"https://evil.example/{TOKEN}/?q=1"}
        Client(enforce_csrf_checks=True).post(f"/challenges/7/{TOKEN}/", **secure)
    assert "/challenges/7/…/" in caplog.text
    assert "Referer" in caplog.text or "CSRF" in caplog.text
    assert TOKEN not in caplog.text
    assert "q=1" not in caplog.text


def written(request, error):
    """The line of the log on an error in the answer to a request."""
    try:
        raise error
    except type(error):
        record = logging.makeLogRecord(
            {"msg": "Failed", "exc_info": sys.exc_info(), "request": request, "more": ""}
        )
    return TextFormatter("{levelname} {message}{more}", style="{").format(record)


def test_tracebacks_in_the_log_tell_nothing_that_was_sent(rf):
    request = rf.post("/challenges/7/", {"move": MOVE, "nonce": NONCE})
    line = written(request, LookupError(f"{MOVE} {NONCE} redis://:{PASSWORD}@cache"))
    assert "LookupError" in line
    assert "Traceback" in line
    for secret in (MOVE, NONCE, PASSWORD):
        assert secret not in line


def test_tracebacks_are_written_where_a_request_cannot_be_read(rf, settings):
    settings.DATA_UPLOAD_MAX_NUMBER_FIELDS = 1
    request = rf.post("/x/?a=1&b=2", "c=1&d=2", "application/x-www-form-urlencoded")
    assert "LookupError: it" in written(request, LookupError("it"))


def test_tracebacks_are_written_however_deep_a_body_is_nested(rf):
    body = "[" * 2000 + f'"{MOVE}"' + "]" * 2000
    line = written(rf.post("/x/", body, "application/json"), LookupError("it"))
    assert "LookupError: it" in line


def test_what_programs_send_is_known_when_it_is_reported(rf):
    """REST framework reads a body as a stream, after which Django does not have it any more."""
    request = rf.post("/x/", {"moves": [MOVE]}, "application/json")
    assert Request(request, parsers=[Json()]).data == {"moves": [MOVE]}
    assert MOVE not in strike_out(f"no such move: {MOVE}", request)


def test_error_of_signs_that_no_database_takes_keeps_no_other_waiting(mails, db, monkeypatch):
    """PostgreSQL takes no NUL, and no database half a surrogate pair; nor do test reports."""
    monkeypatch.setattr(logging.getLogger("django.request"), "propagate", False)
    error = LookupError("a\0b\ud800c")
    logging.getLogger("django.request").error(
        "Failed: %s", "x\0y", exc_info=(LookupError, error, None)
    )
    text = mailed()
    assert "\0" not in text
    assert "a\\x00b\\ud800c" in text
