"""How often programs of visitors may ask."""

import pytest
from django.core.cache import cache
from django.test import Client

from games.api.throttles import VisitorThrottle

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _tight(monkeypatch):
    cache.clear()
    monkeypatch.setattr(VisitorThrottle, "rate", "2/min", raising=False)


def asked(*addresses):
    return [Client(REMOTE_ADDR=one).get("/api/v1/games/").status_code for one in addresses]


def test_addresses_of_one_ipv6_network_count_together():
    assert asked("2001:db8::1", "2001:db8::2", "2001:db8::3") == [200, 200, 429]


def test_visitors_of_other_networks_count_apart():
    assert asked("2001:db8::1", "2001:db8:0:1::1", "192.0.2.1", "192.0.2.2") == [200] * 4
