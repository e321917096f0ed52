"""Requests whose Host header names another port than the site's."""

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db


def status(host):
    return Client(raise_request_exception=False).get("/games/", headers={"host": host}).status_code


@pytest.fixture
def site_at(settings):
    def choose(port):
        settings.HOST_PORT = port
        settings.ALLOWED_HOSTS = ["games.example.org", "[2001:db8::1]"]

    return choose


@pytest.mark.parametrize(
    ("port", "host", "answer"),
    [
        (443, "games.example.org", 200),
        (443, "games.example.org:443", 200),
        (443, "games.example.org.", 200),
        (443, "games.example.org:1000", 400),
        (443, "Games.Example.org:1000", 400),
        (443, "games.example.org.:1000", 400),
        (443, "games.example.org:80", 400),
        (443, "games.example.org:", 400),
        (443, "games.example.org:x", 400),
        (443, "[2001:db8::1]:443", 200),
        (443, "[2001:db8::1]:1000", 400),
        (8443, "games.example.org:8443", 200),
        (8443, "games.example.org", 200),
        (None, "games.example.org:1000", 200),
    ],
)
def test_only_the_port_of_the_site_is_answered(site_at, port, host, answer):
    site_at(port)
    assert status(host) == answer


def test_health_is_told_at_any_port(site_at):
    site_at(443)
    assert Client().get("/healthz", headers={"host": "10.0.0.7:8000"}).status_code == 200
