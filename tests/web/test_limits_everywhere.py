"""Every form of a page counts how often it is sent: none was forgotten."""

import pytest

from tests.match_driver import fresh_cache
from tests.permissions import World, addresses, answer, table

__all__ = ["fresh_cache"]

FREE = {
    "account": "allauth counts by limits of its own (ACCOUNT_RATE_LIMITS)",
    "admin": "for staff alone",
    "desk": "for moderators alone",
    "api": "throttled by the REST framework",
    "healthz": "answers whatever is asked, and takes nothing",
    "readyz": "answers whatever is asked, and takes nothing",
    ".well-known": "leads on to a form that counts",
}


@pytest.fixture
def world(db, settings):
    """Let nothing be sent even once."""
    world = World()
    settings.FORM_LIMITS = {name: {"account": ["0/d"]} for name in settings.FORM_LIMITS}
    return world


def test_a_form_that_may_not_be_sent_even_once_is_not_taken(world):
    known, taken = table(), []
    for address in addresses():
        usual = known[address.route, "POST"][2]
        if address.route.partition("/")[0] in FREE or usual in ("405", "404", "403"):
            continue
        path = world.path(address)
        found = answer(world.clients["player"], "POST", path, is_api=False)
        if found not in ("429", "404"):
            taken.append(f"{path}: {found}, else {usual}")
    assert not taken, "\n".join(taken)
