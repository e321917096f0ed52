"""What the session of a cookie is, and when its row goes."""

from datetime import timedelta

import pytest
from django.conf import settings
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from accounts import tasks

pytestmark = pytest.mark.django_db


@pytest.mark.postgres
@pytest.mark.parametrize("value", ['"aaaaaaaaaaaa\\000"', "aaaaaaaa-aaaa", "ä" * 12])
def test_cookie_that_is_no_key_is_nobodys(value):
    """PostgreSQL takes no NUL, which a cookie may hold between quotation marks."""
    cookie = f"{settings.SESSION_COOKIE_NAME}={value}"
    answer = Client(raise_request_exception=False).get("/", headers={"cookie": cookie})
    assert answer.status_code == 200


def test_sessions_are_deleted_when_they_have_expired():
    now = timezone.now()
    for name, expires in (("over", now - timedelta(days=1)), ("kept", now + timedelta(days=1))):
        Session.objects.create(session_key=name, session_data="", expire_date=expires)
    tasks.forget_sessions()
    assert [session.session_key for session in Session.objects.all()] == ["kept"]
