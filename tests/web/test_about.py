"""What the site says about itself, and the files that browsers and robots ask for."""

from datetime import datetime, timedelta

import pytest
from django.contrib.staticfiles import finders
from django.urls import reverse
from django.utils import timezone

PAGES = ("help", "contact", "privacy", "terms")


@pytest.mark.django_db
@pytest.mark.parametrize("name", PAGES)
def test_every_page_links_them(client, name):
    assert f'href="{reverse(name)}"' in client.get("/").content.decode()
    assert client.get(reverse(name)).status_code == 200
    assert client.post(reverse(name)).status_code == 405


@pytest.mark.django_db
def test_contact_names_the_operator(client, settings):
    settings.CONTACT_EMAIL, settings.OPERATOR = "help@example.org", "Ada & Sons"
    page = client.get("/contact/").content.decode()
    assert 'href="mailto:help@example.org"' in page
    assert "run by Ada &amp; Sons" in page


@pytest.mark.django_db
def test_privacy_tells_how_long_things_are_kept(client, settings):
    settings.SESSION_COOKIE_AGE = 9 * 86_400
    page = client.get("/privacy/").content.decode()
    assert "have not been here for 9 days" in page
    assert "400 days" in page


@pytest.mark.django_db
def test_the_source_is_linked_where_the_operator_says_where_it_is(client, settings):
    assert "Source code" not in client.get("/").content.decode()
    settings.SOURCE_URL = "https://example.org/source"
    assert (
        '<a href="https://example.org/source">Source code</a>' in client.get("/").content.decode()
    )


def test_security_txt_has_what_its_specification_asks_for(client, settings):
    settings.CONTACT_EMAIL, settings.SITE_URL = "help@example.org", "https://games.example.org"
    answer = client.get("/.well-known/security.txt")
    assert answer["Content-Type"].startswith("text/plain")
    fields = dict(line.split(": ", 1) for line in answer.content.decode().splitlines())
    assert fields["Contact"] == "mailto:help@example.org"
    assert fields["Canonical"] == "https://games.example.org/.well-known/security.txt"
    left = datetime.fromisoformat(fields["Expires"]) - timezone.now()
    assert timedelta(days=170) < left < timedelta(days=365)


def test_password_managers_find_where_to_change_the_password(client):
    answer = client.get("/.well-known/change-password")
    assert (answer.status_code, answer["Location"]) == (302, reverse("account_change_password"))


def test_robots_are_kept_from_private_pages(client):
    lines = client.get("/robots.txt").content.decode().splitlines()
    assert lines[0] == "User-agent: *"
    assert f"Disallow: {reverse('my-matches')}" in lines


def test_the_manifest_names_icons_that_exist(client):
    answer = client.get("/manifest.webmanifest")
    assert answer["Content-Type"] == "application/manifest+json"
    about = answer.json()
    assert about["start_url"] == reverse("my-matches")
    for icon in about["icons"]:
        assert finders.find(icon["src"].removeprefix("/static/"))


def test_browsers_find_an_icon_at_the_root(client):
    answer = client.get("/favicon.ico")
    assert finders.find(answer["Location"].removeprefix("/static/"))
