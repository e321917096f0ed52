"""Mails to the admins about errors: merged, limited, and never sent while somebody waits."""

import inspect
import logging
from datetime import UTC, datetime, timedelta

import pytest
from django.conf import settings as site
from django.core import mail
from django.test import Client

from accounts import error_log, error_reports
from accounts.models import ErrorReport, OutgoingMail
from config.logs import SUSPICIOUS, RepeatFilter
from config.settings import base
from tests.people import confirmed

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _admins(settings):
    settings.ADMINS = [("Ada", "ada@example.org"), ("Bruno", "bruno@example.org")]


@pytest.fixture
def taken(monkeypatch):
    """What the handler has put aside for its thread."""
    errors = {}

    def put(items):
        for key, seen in items.items():
            errors[key] = error_log._together(errors[key], seen) if key in errors else seen

    monkeypatch.setattr(error_log.waiting, "put", put)
    handler = error_log.ReportHandler(logging.ERROR)
    logging.getLogger().addHandler(handler)
    yield errors
    logging.getLogger().removeHandler(handler)


@pytest.fixture
def failing(taken, monkeypatch):
    """A visitor of a page that always fails."""

    def fail(*_):
        raise RuntimeError("out of order")

    monkeypatch.setattr("accounts.views.notifications.unseen", fail)
    visitor = Client(raise_request_exception=False)
    visitor.force_login(confirmed("Clara"))
    return visitor


def failure(where, count=1):
    seen = error_log.CountedError(f"RuntimeError: {where}", "Traceback …", NOW, NOW, count)
    return {where: seen}


def test_a_page_that_fails_sends_no_mail_and_asks_no_database_for_it(failing, taken):
    for _ in range(3):
        assert failing.get("/account/notices/?token=hush").status_code == 500
    assert mail.outbox == []
    assert not OutgoingMail.objects.exists()
    assert not ErrorReport.objects.exists()
    (seen,) = taken.values()
    assert seen.count == 3
    assert seen.summary.startswith("RuntimeError: Internal Server Error: /account/notices/")
    assert "out of order" in seen.details
    assert "hush" not in seen.summary + seen.details


@pytest.mark.parametrize(
    ("host", "fields"),
    [
        ("elsewhere.example", 0),
        ("testserver:99999", 0),
        ("testserver", site.DATA_UPLOAD_MAX_NUMBER_FIELDS + 1),
    ],
    ids=["host", "port", "too many fields"],
)
def test_requests_that_django_refuses_are_no_errors(taken, caplog, settings, host, fields):
    settings.HOST_PORT = 80
    visitor = Client(raise_request_exception=False, headers={"host": host})
    form = {f"field-{number}": "x" for number in range(fields)}
    assert visitor.post("/account/login/", form).status_code == 400
    assert [record for record in caplog.records if record.name.startswith(SUSPICIOUS)]
    assert taken == {}


@pytest.mark.parametrize(
    "name", ["celery.app.trace", "daphne.server", "games.matches.clocks.sweeps"]
)
def test_errors_of_tasks_and_sockets_are_noted_too(taken, name):
    error = LookupError("out of order")
    logging.getLogger(name).error("It failed", exc_info=error)
    (seen,) = taken.values()
    assert seen.summary == "LookupError: It failed"


def test_the_site_uses_it_for_everything():
    assert "mail_admins" in base.LOGGING["root"]["handlers"]
    for name in base.LOGGING["loggers"]:
        assert logging.getLogger(name).propagate
    mail_admins = inspect.getsource(base).partition('"mail_admins": {')[2].partition("}")[0]
    assert '"class": "accounts.error_log.ReportHandler"' in mail_admins
    assert '"level": "ERROR"' in mail_admins


def test_different_errors_stay_apart(taken):
    log = logging.getLogger("django.request")
    for trouble in (ValueError("x"), KeyError("x")):
        try:
            raise trouble
        except (ValueError, KeyError):
            log.exception("Internal Server Error: %s", "/")
    assert len(taken) == 2


def test_suspicious_requests_are_one_line_of_the_log_for_each_class(taken, caplog):
    visitor = Client(raise_request_exception=False)
    for number in range(30):
        host = f"invented-{number}.example"
        assert visitor.get("/", headers={"host": host}).status_code == 400
    logging.getLogger("django.security.RequestDataTooBig").error("Too big")
    refused = [record for record in caplog.records if record.name.startswith(SUSPICIOUS)]
    assert len(refused) == 31
    assert [record.name for record in filter(RepeatFilter().filter, refused)] == [
        "django.security.DisallowedHost",
        "django.security.RequestDataTooBig",
    ]
    assert taken == {}


def test_what_visitors_cause_keeps_no_error_of_the_site_out_of_the_mail(failing, taken):
    for number in range(30):
        failing.get("/", headers={"host": f"invented-{number}.example"})
    failing.get("/account/notices/")
    error_log.write(taken)
    error_reports.report(now=NOW + MINUTE)
    assert "out of order" in OutgoingMail.objects.first().text


def test_only_so_many_errors_are_kept(monkeypatch):
    monkeypatch.setattr(error_log, "MAX_ROWS", 20)
    error_log.write({"old": error_log.CountedError("old", "", NOW - MINUTE, NOW - MINUTE)})
    for number in range(30):
        error_log.write(failure(f"place {number}"))
    error_log.write(failure("place 29"))
    assert ErrorReport.objects.count() == 20
    assert not ErrorReport.objects.filter(fingerprint__in=["old", "place 0"]).exists()
    assert ErrorReport.objects.get(fingerprint="place 29").count == 2


def test_the_same_error_is_one_row():
    error_log.write(failure("here"))
    error_log.write(failure("here", count=4))
    assert ErrorReport.objects.get().count == 5


def test_many_errors_are_one_mail_to_each_admin():
    for number in range(30):
        error_log.write(failure(f"place {number}", count=10))
    assert error_reports.report(now=NOW) == 30
    mails = OutgoingMail.objects.order_by("to")
    assert [row.to for row in mails] == ["ada@example.org", "bruno@example.org"]
    assert mails[0].subject.startswith("[Turnstone] 30 errors: RuntimeError")
    assert "10× until" in mails[0].text
    assert "20 more" in mails[0].text


def test_no_more_than_four_mails_an_hour():
    for minute in range(60):
        error_log.write(failure("here"))
        error_reports.report(now=NOW + minute * MINUTE)
    assert OutgoingMail.objects.filter(to="ada@example.org").count() == 4
    error_reports.report(now=NOW + 60 * MINUTE)
    last = OutgoingMail.objects.filter(to="ada@example.org").latest("pk")
    assert "14× until" in last.text


def test_nothing_new_is_no_mail():
    error_log.write(failure("here"))
    assert error_reports.report(now=NOW) == 1
    assert error_reports.report(now=NOW + timedelta(hours=1)) == 0
    error_reports.report(now=NOW + timedelta(days=31))
    assert not ErrorReport.objects.exists()
