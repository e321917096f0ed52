"""Bodies over 1 MB are refused: with a page for people, with a problem for programs."""

import pytest

from config.middleware import LARGEST_BODY

pytestmark = pytest.mark.django_db


def post(client, path, size):
    return client.post(path, bytes(size), content_type="application/octet-stream")


def test_a_megabyte_is_taken(client):
    assert post(client, "/account/login/", LARGEST_BODY).status_code != 413


@pytest.mark.parametrize("size", [LARGEST_BODY + 1, 2 * LARGEST_BODY])
def test_who_sends_more_gets_a_page(client, size):
    answer = post(client, "/account/login/", size)
    assert answer.status_code == 413
    assert "That is too large" in answer.content.decode()
    assert "default-src 'self'" in answer["Content-Security-Policy"]
    assert answer["X-Content-Type-Options"] == "nosniff"


def test_a_program_gets_a_problem(client):
    answer = post(client, "/api/v1/me/", LARGEST_BODY + 1)
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")
    assert answer["Content-Type"] == "application/problem+json"
