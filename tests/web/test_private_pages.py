"""What is shown to one person stays out of shared caches."""

import pytest

from tests.people import confirmed

pytestmark = pytest.mark.django_db

PAGES = ["/", "/lobby/", "/archive/", "/games/"]


@pytest.mark.parametrize("page", PAGES)
def test_pages_of_the_signed_in_are_private(client, page):
    assert "private" not in client.get(page).headers.get("Cache-Control", "")
    client.force_login(confirmed("ada"))
    assert "private" in client.get(page).headers["Cache-Control"]
