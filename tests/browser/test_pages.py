"""Every page as a browser shows it: pictures to look at, and nothing that keeps people out."""

import contextlib
import zlib

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from games.web.study.lessons import packed
from tests.browser.people import PHONE, WIDE
from tests.sampling import rest_thorough

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

# To read imported sheets axe would add style elements, which the site's policy forbids. Only its
# experimental rule on the orientation of screens, which is off, reads them.
# Of what is in order it would describe every element. Two rules are off unless asked for.
AXE = {
    "preload": False,
    "resultTypes": ["violations"],
    "rules": {
        "target-size": {"enabled": True},
        "label-content-name-mismatch": {"enabled": True},
    },
}
AXE_SCRIPT = Axe().axe_script

LOOKS = {
    "phone": {"size": PHONE, "steps": False},
    "wide": {"size": WIDE, "steps": False},
}
GRAVE = ("serious", "critical")
ALSO = ("landmark-unique",)
"""Rules that are heeded though axe calls their violations moderate."""

OF_COLOURS = ["color-contrast", "link-in-text-block"]
"""The rules that may find something else in other colours; all others look at elements."""

DARK = 3
"""On a phone one page of so many is looked at in dark colours, too; in a wide window each is."""

OPEN_PAGES = {
    "play-now": "/play/",
    "home": "/",
    "activity": "/activity/",
    "games": "/games/",
    "game": "/games/die/",
    "rules": "/games/die/rules/",
    "lessons": "/games/die/lessons/",
    "lesson": "/games/die/lessons/2/",
    "lesson-solved": f"/games/die/lessons/1/{packed(['c3'])}/",
    "puzzles": "/games/die/puzzles/",
    "puzzle": "/games/die/puzzles/1/",
    "lobby": "/lobby/",
    "archive": "/archive/",
    "player": "/players/sample-ada/",
    "player-ratings": "/players/sample-ada/ratings/",
    "ratings": "/games/die/ratings/?who=all",
    "ladder": "/games/die/ladder/",
    "sign-in": "/account/login/",
    "join": "/account/signup/",
    "reset": "/account/password/reset/",
    "not-found": "/nowhere/",
    "mails": "/mails/",
}
OWN_PAGES = {
    "home-own": "/",
    "challenge-new": "/games/die/challenge/",
    "lobby-own": "/lobby/",
    "find-opponent": "/lobby/find/?game=die",
    "my-matches": "/home/",
    "preferences": "/account/preferences/",
    "profile": "/account/profile/",
    "notification-settings": "/account/notices/settings/",
    "people": "/account/people/",
    "account": "/account/security/",
    "notifications": "/account/notices/",
}


def examine(person, name, look):
    """Keep pictures of the page by day or by night, and look for what keeps people out."""
    page = person.page
    page.wait_for_load_state("networkidle")
    person.shoot(f"{name}-{look}")
    assert grave(page) == []
    wider = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wider <= 0, f"{name} is {wider} pixels wider than the window"
    if look != "wide" and zlib.crc32(name.encode()) % DARK:
        return
    with dark(page):
        person.shoot(f"{name}-{look}-dark")
        assert grave(page, runOnly={"type": "rule", "values": OF_COLOURS}) == []


def grave(page, **options):
    """What axe finds on the page that keeps people out: its rules, with some of the elements."""
    if page.evaluate("window.axe === undefined"):
        page.evaluate(AXE_SCRIPT)
    run = "async (options) => (await axe.run(options)).violations"
    return [
        (violation["id"], [node["html"][:200] for node in violation["nodes"][:3]])
        for violation in page.evaluate(run, {**AXE, **options})
        if violation["impact"] in GRAVE or violation["id"] in ALSO
    ]


@contextlib.contextmanager
def dark(page):
    """The page in dark colours, none of which is still changing."""
    turn_to(page, "dark")
    yield
    turn_to(page, "light")


def turn_to(page, scheme):
    page.emulate_media(color_scheme=scheme)
    page.evaluate(
        "document.getAnimations().forEach((one) => one instanceof CSSTransition && one.finish())"
    )


@pytest.mark.parametrize("look", rest_thorough(LOOKS))
def test_pages_for_everybody(people, look):
    visitor = people(**LOOKS[look])
    for name, path in OPEN_PAGES.items():
        visitor.go(path)
        examine(visitor, name, look)


@pytest.mark.parametrize("look", rest_thorough(LOOKS))
def test_pages_for_who_is_signed_in(people, look):
    ada = people("sample-ada", **LOOKS[look])
    for name, path in OWN_PAGES.items():
        ada.go(path)
        examine(ada, name, look)


@pytest.mark.parametrize("look", rest_thorough(LOOKS))
def test_pages_of_a_match(people, look):
    ada, bruno = people("sample-ada", **LOOKS[look]), people("sample-bruno", **LOOKS[look])
    challenge = ada.challenge(bruno, size=5)
    examine(ada, "challenge-own", look)
    bruno.go(challenge)
    examine(bruno, "challenge", look)
    path = bruno.accept(challenge)
    examine(bruno, "match-waiting", look)
    ada.follow(path)
    play(ada, bruno, 8)
    look_at_the_running_match(ada, bruno, path, look)
    ada.press("Accept")
    ada.sees("Rematch")
    examine(ada, "match-over", look)


def look_at_the_running_match(ada, bruno, path, look):
    examine(ada, "match", look)
    ada.click(ada.legal[5])
    expect(ada.page.locator("[data-confirm]")).to_be_visible()
    examine(ada, "match-preview", look)
    ada.go(f"{path}?typed=zz")
    examine(ada, "match-refused", look)
    bruno.go(f"{path}?ask=offer")
    examine(bruno, "match-question", look)
    bruno.press("Offer a draw")
    ada.sees("sample-bruno offers a draw")
    examine(ada, "match-offer", look)
    ada.go(f"{path}4/")
    examine(ada, "record", look)
    ada.go(path)


def play(mover, other, count):
    """Play moves by clicking, somewhere in the middle of what is legal."""
    for version in range(1, count + 1):
        mover.waits_for_turn()
        legal = mover.legal
        mover.click(legal[len(legal) * version // (count + 2)])
        mover.confirm()
        mover.sees_version(version)
        other.sees_version(version)
        mover, other = other, mover


@pytest.mark.parametrize("look", rest_thorough(LOOKS))
def test_the_largest_board(people, look):
    clara, daniel = people("sample-clara", **LOOKS[look]), people("sample-daniel", **LOOKS[look])
    path = daniel.accept(clara.challenge(daniel, size=12))
    clara.follow(path)
    examine(clara, "match-large", look)


@pytest.mark.parametrize("look", rest_thorough(LOOKS))
def test_a_match_of_every_game(people, look):
    visitor, players = people(**LOOKS[look]), {}
    visitor.go("/games/")
    for slug in (path.split("/")[2] for path in links(visitor)):
        # Not a match of a guest whom another test let play: guests have no link.
        visitor.go(f"/archive/?game={slug}&status=running&player=sample-ada")
        (path, *_) = links(visitor)
        visitor.go(path)
        name = visitor.page.locator(".seat-turn a").first.text_content()
        if name not in players:
            players[name] = people(name, **LOOKS[look])
        players[name].go(path)
        players[name].waits_for_turn()
        examine(players[name], f"match-of-{slug}", look)
        visitor.go(f"/archive/?game={slug}")
        (path, *_) = links(visitor)
        if look == "wide":
            visitor.go(path)
            taller = visitor.page.evaluate("document.documentElement.scrollHeight - innerHeight")
            assert taller <= 0, f"{path} is {taller} pixels taller than the window"
        visitor.go(f"{path}5/")
        examine(visitor, f"record-of-{slug}", look)


def links(person):
    """Where the games or matches of a list lead."""
    return [link.get_attribute("href") for link in person.page.locator(".match-link").all()]
