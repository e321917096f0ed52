"""Every page answers: for visitors and for players, empty and full, with sound HTML."""

import json
import re
from datetime import UTC, datetime
from html.parser import HTMLParser

import pytest
from django.template.loader import render_to_string
from django.test import Client
from django.urls import reverse

from games.kernel import registry
from games.kernel.errors import BadParams, BrokenPosition
from games.lobby import services as lobby
from games.lobby.models import Challenge
from games.matches import services
from games.matches.listing import Results
from games.screen import rules as rules_page
from tests.fixtures import NOW

OPEN = ["home", "games", "lobby", "archive"]
OWN = ["my-matches", "next-match"]


class Outline(HTMLParser):
    """What matters of a page's HTML: ids, headings, and what the content policy forbids."""

    def __init__(self, html):
        super().__init__()
        self.ids, self.headings, self.inline, self.nameless = [], [], [], []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if "id" in attrs:
            self.ids.append(attrs["id"])
        if re.fullmatch(r"h[1-6]", tag):
            self.headings.append(int(tag[1]))
        forbidden = "style" in attrs or any(name.startswith("on") for name in attrs)
        if forbidden or tag == "style" or (tag == "script" and "src" not in attrs):
            self.inline.append((tag, attrs))
        if tag == "img" and "alt" not in attrs:
            self.nameless.append(attrs)


def check(response):
    """Demand a page that is whole, and return its text."""
    html = response.content.decode()
    outline = Outline(html)
    assert len(outline.ids) == len(set(outline.ids)), "an id stands twice"
    assert outline.headings.count(1) == 1
    steps = zip(outline.headings, outline.headings[1:], strict=False)
    assert all(after <= before + 1 for before, after in steps), outline.headings
    assert not outline.inline
    assert not outline.nameless
    return html


@pytest.fixture
def offered(people):
    """An open challenge of the first person."""
    return offer(people[0], Challenge.Audience.OPEN)


def offer(creator, audience, **wishes):
    return lobby.challenge(
        creator=creator,
        audience=audience,
        now=NOW,
        **{"title": "heap", "params": {}, "clock": None, "seats": 2, **wishes},
    )


@pytest.mark.django_db
@pytest.mark.parametrize("name", OPEN)
def test_open_pages_answer_when_nothing_has_happened_yet(client, name):
    html = check(client.get(reverse(name)))
    for title in registry.titles().values():
        assert title.meta.name in html
        assert title.meta.author in html


@pytest.mark.parametrize("name", OPEN)
def test_open_pages_answer_when_much_has_happened(client, start, offered, people, name):
    start().move(0, "3")
    ended = start()
    ended.act(services.resign, 0)
    check(client.get(reverse(name)))
    client.force_login(people[1])
    check(client.get(reverse(name)))


@pytest.mark.django_db
def test_home_features_every_game_in_turn(client, monkeypatch):
    featured = []
    for day in range(1, len(registry.titles()) + 1):
        noon = datetime(2026, 5, day, 12, tzinfo=UTC)
        monkeypatch.setattr("games.web.titles.timezone.now", lambda noon=noon: noon)
        html = client.get("/").content.decode()
        featured.append(re.search(r'class="welcome-board"[^>]*><a href="/games/([^/]+)/', html)[1])
    assert sorted(featured) == sorted(registry.titles())


@pytest.mark.parametrize("name", OWN)
@pytest.mark.django_db
def test_ones_own_pages_ask_to_sign_in(client, name):
    response = client.get(reverse(name))
    assert response.status_code == 302
    assert response.url.startswith(reverse("account_login"))


def test_my_matches_say_when_there_are_none(client, toy, people):
    client.force_login(people[0])
    page = check(client.get(reverse("my-matches")))
    assert "Your first match" in page
    for slug in registry.titles():
        assert f'href="/play/?game={slug}"' in page


@pytest.mark.django_db
def test_every_game_has_a_page_and_rules(client):
    for slug, title in registry.titles().items():
        page = check(client.get(reverse("game", args=[slug])))
        rules = check(client.get(reverse("game-rules", args=[slug])))
        for html in (page, rules):
            assert title.meta.author in html
            assert reverse("challenge-new", args=[slug]) in html
        assert "<figure" in rules
        assert 'id="rulings"' in rules


@pytest.mark.django_db
def test_the_front_page_can_play_the_end_of_a_match_of_every_game(client):
    for slug in registry.titles():
        answer = client.get(reverse("game-steps", args=[slug]))
        steps = answer.json()
        assert all(step["board"].startswith("<svg") for step in steps)
        assert all(step["told"] for step in steps)
        assert "wins" in steps[-1]["told"]
        assert len(steps) == 9
        assert "public" in answer["Cache-Control"]


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["game", "game-rules"])
def test_an_unknown_game_is_not_found(client, name):
    response = client.get(reverse(name, args=["backgammon"]))
    assert response.status_code == 404
    assert "Page not found" in check(response)


@pytest.mark.django_db
def test_an_unknown_address_is_not_found(client):
    response = client.get("/there/is/nothing/here/")
    assert response.status_code == 404
    check(response)


@pytest.mark.parametrize("name", ["400", "403", "403_csrf", "404", "429", "500"])
def test_pages_of_errors_stand_alone(name):
    """They are drawn without a request too: then nothing may be asked of the database."""
    html = render_to_string(f"{name}.html")
    assert Outline(html).headings.count(1) == 1


def test_a_form_without_its_token_is_refused_with_a_page(people):
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(people[0])
    response = strict.post(reverse("challenge-accept", args=[1]))
    assert response.status_code == 403
    assert "The form has expired" in check(response)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_page_has_the_theme_of_its_reader(client, toy, people, theme):
    people[0].theme = theme
    people[0].save()
    client.force_login(people[0])
    assert f'data-theme="{theme}"' in client.get(reverse("home")).content.decode()


def test_the_page_follows_the_device_unless_told_otherwise(client, toy, people):
    client.force_login(people[0])
    assert "data-theme" not in client.get(reverse("home")).content.decode()


def test_the_header_counts_what_waits(client, play, people):
    client.force_login(people[0])
    html = client.get(reverse("lobby")).content.decode()
    assert 'data-waiting="1"' in html
    client.force_login(people[1])
    assert 'data-waiting="0"' in client.get(reverse("lobby")).content.decode()


def test_a_player_page_answers_without_regard_to_case(client, play, people):
    html = check(client.get(reverse("player", args=["ADA"])))
    assert "ada" in html
    client.force_login(people[1])
    html = check(client.get(reverse("player", args=["ada"])))
    assert "?player=ada" in html


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["nobody", "a", "%00", "x" * 200, "<script>", "ɑda"])
def test_a_player_whom_nobody_knows_is_not_found(client, name):
    assert client.get(reverse("player", args=[name])).status_code == 404


def test_what_players_write_is_text(client, toy, people):
    people[0].about = "<script>alert(1)</script>"
    people[0].save()
    offer(people[0], Challenge.Audience.OPEN, message="<b>bold</b>")
    for address in (reverse("player", args=["ada"]), reverse("lobby")):
        html = check(client.get(address))
        assert "<script>alert" not in html
        assert "<b>bold" not in html


def test_results_are_counted_by_game(client, start, people):
    services.resign(
        match_id=start().id,
        user=people[0],
        version=0,
        submission="6f1d1c34-0000-4000-8000-000000000000",
        now=NOW,
    )
    won = client.get(reverse("player", args=["bruno"])).context["results"]
    lost = client.get(reverse("player", args=["ada"])).context["results"]
    assert won == [Results("heap", with_bots=False, won=1, tied=0, lost=0)]
    assert lost == [Results("heap", with_bots=False, won=0, tied=0, lost=1)]


DIE = {"size": 3, "rows": ["...", "....", "..r..", "....", "b.."], "ply": 2, "mover": 0}


SOURCE = """# Title

## One

<b>x</b>

## Rulings

- Ours.

## After

End.

```
code
```
"""


def fenced(shown):
    return f"# Title\n\nWords.\n\n```board\n{json.dumps(shown)}\n```\n"


def test_a_rules_page_draws_positions():
    shown = {
        "params": {"size": 3},
        "position": {**DIE, "result": None},
        "targets": ["a2"],
        "caption": "Red & <blue>",
    }
    page = rules_page.page(registry.get("die"), fenced(shown))
    assert "<svg" in page.rules
    assert "var(--c-target)" in page.rules
    assert "<figcaption>Red &amp; &lt;blue&gt;</figcaption>" in page.rules
    assert "<h1" not in page.rules


@pytest.mark.parametrize(
    ("shown", "error"),
    [
        ({"position": {"size": 3}, "params": {"size": 3}}, BrokenPosition),
        ({"position": DIE, "params": {"size": 99}}, BadParams),
    ],
)
def test_a_rules_page_refuses_impossible_figures(shown, error):
    with pytest.raises(error):
        rules_page.page(registry.get("die"), fenced(shown))


def test_a_rules_page_sets_rulings_apart_and_leaves_html_out():
    page = rules_page.page(registry.get("die"), SOURCE)
    assert page.contents == (("one", "One"), ("rulings", "Rulings"), ("after", "After"))
    assert "&lt;b&gt;" in page.rules
    assert "Ours." in page.rulings
    assert "Ours." not in page.rules
    assert "End." in page.rest
    assert "<code>code" in page.rest
