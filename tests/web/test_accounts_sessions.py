"""What the session of a cookie is, and when its row goes."""

import pytest
from django.conf import settings
from django.test import Client

pytestmark = pytest.mark.django_db


@pytest.mark.postgres
@pytest.mark.parametrize("value", ['"aaaaaaaaaaaa\\000"', "aaaaaaaa-aaaa", "ä" * 12])
def test_cookie_that_is_no_key_is_nobodys(value):
    """PostgreSQL takes no NUL, which a cookie may hold between quotation marks."""
    cookie = f"{settings.SESSION_COOKIE_NAME}={value}"
    answer = Client(raise_request_exception=False).get("/", headers={"cookie": cookie})
    assert answer.status_code == 200
