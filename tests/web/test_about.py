"""What the site says about itself, and the files that browsers and robots ask for."""

from datetime import datetime, timedelta
from html.parser import HTMLParser
from io import BytesIO
from pathlib import Path
from xml.etree import ElementTree

import pytest
from django.contrib.staticfiles import finders
from django.urls import reverse
from django.utils import timezone
from PIL import Image

from config import translation_progress
from games.kernel import registry
from games.matches import services
from games.web import about
from tests.match_driver import begin
from tools import messages

SITEMAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
PAGES = ("help", "contact", "privacy", "terms")


@pytest.mark.django_db
@pytest.mark.parametrize("name", PAGES)
def test_every_page_links_them(client, name):
    assert f'href="{reverse(name)}"' in client.get("/").content.decode()
    assert client.get(reverse(name)).status_code == 200
    assert client.post(reverse(name)).status_code == 405


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["game-ratings", "game-ladder"])
def test_help_links_the_leaderboard_and_the_ladder_of_each_game(client, name):
    page = client.get("/help/").content.decode()
    for slug in registry.titles():
        assert f'<a href="{reverse(name, args=[slug])}">' in page


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
    assert "have not visited for 9 days" in page
    assert "400 days" in page


@pytest.mark.django_db
def test_the_source_is_linked_where_the_operator_says_where_it_is(client, settings):
    assert "Source code" not in client.get("/").content.decode()
    settings.SOURCE_URL = "https://example.org/source"
    assert (
        '<a href="https://example.org/source">Source code</a>' in client.get("/").content.decode()
    )


GAME = """
gettext("Pass")
gettext("A sentence that is so long that it stands on more than one line of the catalogue, "
        "as many of them do")
ngettext("%(n)s stone", "%(n)s stones", n)
pgettext("game", "New")
gettext("{a} \\"quoted\\"")
"""
TRANSLATIONS = {"Pass": "Passen", "New": "Neu"}


@pytest.fixture
def catalogues(tmp_path):
    """The catalogues of two games, in German; one is in French, too."""
    for name, languages in (("one", ["de", "fr"]), ("other", ["de"])):
        game = tmp_path / name
        (game / "static").mkdir(parents=True)
        (game / "game.py").write_text(GAME)
        (game / "static" / "match.js").write_text('say(gettext("Aim first."));')
        for language in languages:
            assert messages.main(["--game", str(game), "new", language]) == 0
    file = tmp_path / "one" / "locale" / "de" / "LC_MESSAGES" / "django.po"
    found = messages.read(file)
    for one in found:
        if one.id in TRANSLATIONS:
            one.string = TRANSLATIONS[one.id]
        elif isinstance(one.id, tuple):
            one.string = ("%(n)s Stein", "")
        elif one.id:
            one.string = one.id
            one.flags |= {"fuzzy"} if "quoted" in one.id else set()
    with file.open("wb") as output:
        messages.pofile.write_po(output, found, width=100)
    return [tmp_path / name / "locale" for name in ("one", "other")]


def test_the_progress_of_languages_is_that_of_their_catalogues(catalogues):
    german, french = translation_progress.progress(catalogues[0], catalogues)
    assert (german.code, german.name, german.site, german.games) == (
        "de",
        "Deutsch",
        (3, 6),
        (3, 12),
    )
    assert (german.percent_of_site, german.percent_of_games) == (50, 25)
    assert (french.site, french.games) == ((0, 6), (0, 12))
    files = catalogues[0].glob("de/LC_MESSAGES/*.po")
    assert messages.share(messages.read(file) for file in files) == 0.5
    assert translation_progress.LEAST == 100 * messages.LEAST
    assert translation_progress.DOMAINS == messages.DOMAINS


@pytest.mark.django_db
def test_a_page_says_how_complete_languages_are(client, catalogues, settings, monkeypatch):
    found = translation_progress.progress(catalogues[0], catalogues)
    monkeypatch.setattr(about, "translations", lambda: found)
    settings.SOURCE_URL = "https://example.org/source"
    page = client.get(reverse("help-languages")).content.decode()
    assert '<th scope="row" lang="de" dir="auto">Deutsch</th><td class="num">50 %</td>' in page
    assert "not offered yet" in page
    assert "docs/translating.md" in page
    assert f'href="{reverse("help-languages")}"' in client.get(reverse("help")).content.decode()
    settings.SOURCE_URL = ""
    assert "docs/translating.md" not in client.get(reverse("help-languages")).content.decode()


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


def test_the_application_keeps_its_id_and_has_an_icon_to_cut_to_any_shape(client):
    about = client.get("/manifest.webmanifest").json()
    assert about["id"] == about["start_url"]  # browsers took that address before there was an id
    (icon,) = [icon for icon in about["icons"] if icon.get("purpose") == "maskable"]
    with Image.open(finders.find(icon["src"].removeprefix("/static/"))) as picture:
        assert "x".join(map(str, picture.size)) == icon["sizes"]
        assert picture.convert("RGBA").getchannel("A").getextrema() == (255, 255)


@pytest.mark.slow
def test_the_sitemap_lists_pages_games_and_ended_matches(client, people, settings):
    settings.SITE_URL = "https://games.example.org"
    play, running = (begin("die", people, size=3) for _ in range(2))
    play.act(services.resign, 0)
    robots = client.get("/robots.txt").content.decode()
    assert "Sitemap: https://games.example.org/sitemap.xml" in robots.splitlines()
    root = ElementTree.fromstring(client.get("/sitemap.xml").content)
    listed = [each.text for each in root.iter(f"{SITEMAP}loc")]
    paths = [address.removeprefix("https://games.example.org") for address in listed]
    assert {"/", "/games/die/", "/games/die/rules/", f"/matches/{play.id}/"} <= {*paths}
    assert f"/matches/{running.id}/" not in paths
    assert len({*paths}) == len(paths)
    for path in paths:
        assert client.get(path).status_code == 200


PAGES_WITH_CARDS = (
    "/",
    "/games/",
    "/games/die/",
    "/games/die/rules/",
    "/games/die/statistics/",
    "/games/die/ratings/",
    "/games/die/ladder/",
    "/players/ada/",
    "/players/ada/ratings/",
    "/players/ada/statistics/",
    "/players/ada/against/bruno/",
)


def test_pages_say_how_links_to_them_look(client, people, settings):
    settings.SITE_URL = "https://games.example.org"
    match = begin("die", people, size=3)
    described = set()
    for path in (*PAGES_WITH_CARDS, match.page, f"{match.page}0/"):
        head = Head(client.get(path, {"from": "somewhere"}).content.decode())
        address = f"https://games.example.org{path}"
        assert head.links["canonical"] == head.metas["og:url"] == address
        assert head.metas["og:title"]
        assert head.metas["og:description"] == head.metas["description"]
        assert head.metas["twitter:card"] == "summary_large_image"
        described.add(head.metas["description"])
        picture = head.metas["og:image"].removeprefix("https://games.example.org")
        size = tuple(int(head.metas[f"og:image:{side}"]) for side in ("width", "height"))
        assert size == picture_size(client, picture) == (1200, 630)
    assert len(described) == len(PAGES_WITH_CARDS) + 2


def picture_size(client, path):
    found = finders.find(path.removeprefix("/static/")) if path.startswith("/static/") else None
    data = Path(found).read_bytes() if found else client.get(path).content
    return Image.open(BytesIO(data)).size


class Head(HTMLParser):
    """The metas and links of a page, by name."""

    def __init__(self, html):
        super().__init__()
        self.metas, self.links = {}, {}
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if tag == "meta":
            self.metas[attrs.get("name") or attrs.get("property")] = attrs.get("content")
        if tag == "link":
            self.links[attrs["rel"]] = attrs["href"]


def test_browsers_find_an_icon_at_the_root(client):
    answer = client.get("/favicon.ico")
    assert finders.find(answer["Location"].removeprefix("/static/"))
