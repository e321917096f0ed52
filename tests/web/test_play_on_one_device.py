"""Matches on one device, without script: whole matches, covers, Undo, and what stays hidden."""

import html
import re

import msgspec
import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.kernel import registry
from games.kernel.contract import Seat
from games.kernel.random_move import random_move
from games.kernel.tree import ROOT
from games.study import services
from games.study.models import Study
from games.study.replaying import moment_of
from games.study.tree import Node, Start, Tree
from games.web.study.forms import standard
from tests.contract.scenarios import some_pairs
from tests.fixtures import NOW
from tests.match_driver import fresh_cache
from tests.responses import lasting

__all__ = ["fresh_cache"]

pytestmark = pytest.mark.django_db

GAMES = tuple(registry.titles())
SECRET = "simple-life-or-death"


class Device:
    """A browser without script in which several people play."""

    def __init__(self, slug, **fields):
        self.client = Client()
        self.begin(slug, **fields)

    def begin(self, slug, **fields):
        address = f"/games/{slug}/play/"
        page = self.client.get(address).content.decode()
        checked = re.findall(
            r'<input type="radio" name="([^"]*)" value="([^"]*)"[^>]* checked', page
        )
        typed = re.findall(r'<input type="number" name="([^"]*)" value="([^"]*)"', page)
        ticked = re.findall(r'<input type="checkbox" name="([^"]*)"[^>]* checked', page)
        form = {**dict(checked), **dict(typed), **dict.fromkeys(ticked, "on"), **fields}
        self.answer = self.client.post(address, form, follow=True)
        self._read()

    def _read(self):
        if self.answer.redirect_chain:
            self.path = self.answer.redirect_chain[-1][0]
        self.page = html.unescape(lasting(self.answer))

    def open(self, path):
        self.path = path
        self.answer = self.client.get(path, follow=True)
        self._read()

    def post(self, **fields):
        self.answer = self.client.post(self.path, fields, follow=True)
        self._read()

    @property
    def study(self):
        return Study.objects.latest("created")

    @property
    def tree(self):
        return services.tree_of(self.study)

    @property
    def state(self):
        return moment_of(self.tree, self.tree.end(ROOT)).state

    @property
    def actor(self):
        return next(iter(self.tree.title.actors(self.state)), None)

    def is_covered(self):
        return "Show my cards" in self.page

    def uncover(self):
        self.open(
            self.path + re.search(r'<form class="action-confirm" action="([^"]*)"', self.page)[1]
        )

    def play(self, text):
        if self.is_covered():
            self.uncover()
        self.post(typed=text)
        assert self.answer.status_code == 200, self.page

    def play_on(self, most):
        """Play random moves until so many are made or the match is over."""
        for turn in range(most):
            if self.actor is None:
                break
            self.play(random_move(self.tree.title, self.state, Seat(self.actor), f"{turn}"))

    @property
    def log(self):
        """The moves in notation, in order."""
        return re.findall(r'<code class="log-move">([^<]*)</code>', self.log_part)[::-1]

    @property
    def log_part(self):
        return self.page.partition('id="log-head"')[2].partition("</section>")[0]


# --- Playing --------------------------------------------------------------------------------------


def test_two_visitors_play_a_whole_match_of_die_and_another():
    device = Device("die", **{"param-size": "3", "name-0": "Ada", "name-1": "Bea"})
    assert "Ada to move" in device.page
    device.post(typed="c3")
    assert "Bea to move" in device.page
    device.play_on(100)
    assert device.actor is None
    assert re.search(r"(Ada|Bea) won", device.page)
    assert len(device.log) == len(device.tree.nodes)
    assert device.log[0] == "c3"
    assert "Undo" not in device.page
    ended = device.study
    device.post(action="again")
    assert device.study.pk != ended.pk
    assert (device.study.names, device.log) == (["Ada", "Bea"], [])
    assert "Ada to move" in device.page
    assert ended.owner.is_guest
    assert User.objects.filter(is_guest=True).count() == 1


@pytest.mark.parametrize("slug", GAMES)
def test_every_game_is_played_on_one_device(slug):
    device = Device(slug)
    device.play_on(5)
    assert len(device.tree.nodes) == 5 or device.actor is None


def test_the_pages_of_a_game_and_of_a_new_board_lead_to_it():
    for page in ("/games/die/", "/games/die/board/new/"):
        assert 'href="/games/die/play/"' in Client().get(page).content.decode()


def test_the_log_is_in_words_as_on_the_page_of_a_match():
    device = Device("grim-reaper")
    device.play_on(1)
    headline = re.search(r'<span class="log-headline" [^>]*>([^<]*)<', device.log_part)[1]
    assert re.fullmatch(r"(Male|Female), \d+ turns?, on [a-z]\d", headline)
    assert '<span class="log-told">Red places a' in device.log_part


def test_a_match_is_in_the_list_of_boards_and_can_be_deleted():
    device = Device("die")
    page = device.client.get("/boards/").content.decode()
    assert f'href="/play/{device.study.key}/"' in page
    device.client.post(f"/boards/{device.study.key}/delete/")
    assert not Study.objects.exists()


def test_an_illegal_move_is_refused_and_what_was_typed_stays():
    device = Device("die")
    device.play("c3")
    device.post(typed="c3")
    assert device.answer.status_code == 422
    assert "c3 is taken" in device.page
    assert 'value="c3"' in device.page
    assert device.log == ["c3"]


def test_the_last_move_is_undone():
    device = Device("die")
    device.play("c3")
    device.post(action="undo")
    assert (device.log, device.tree.nodes) == ([], ())
    assert "Red to move" in device.page
    assert 'value="undo"' not in device.page


def test_rolled_dice_are_never_chosen_and_never_undone():
    device = Device("dice-is-health")
    for turn in range(60):
        move = random_move(device.tree.title, device.state, device.actor, f"{turn}")
        device.post(typed=move, dice="99")
        assert device.answer.status_code == 200, device.page
        if device.tree.nodes[-1].chance:
            break
    rolled = device.tree.nodes
    assert rolled[-1].chance
    assert 'name="dice"' not in device.page
    assert 'value="undo"' not in device.page
    device.post(action="undo")
    assert "it showed dice or cards" in device.page
    assert device.tree.nodes == rolled


def test_a_move_sent_twice_is_played_once():
    device = Device("die")
    first = device.path
    device.play("c3")
    device.path = first
    device.post(typed="a1")
    assert "The match has moved on" in device.page
    assert device.log == ["c3"]
    assert device.client.get(first).status_code == 303


def test_a_match_longer_than_a_board_goes_on_without_its_first_moves(monkeypatch):
    monkeypatch.setattr("games.web.study.play.MAX_NODES", 2)
    device = Device("die")
    for move in ("c3", "a1", "b1"):
        device.play(move)
    assert device.log == ["b1"]
    assert "c3, red stone" in device.page


def test_the_players_stop_a_match_and_begin_another():
    device = Device("die", **{"name-0": "Ada", "name-1": "Bea"})
    device.play("c3")
    stopped = device.study
    assert "Stop and play another match" in device.page
    device.post(action="again")
    assert device.study.pk != stopped.pk
    assert (device.study.names, device.log) == (["Ada", "Bea"], [])
    device.open(stopped.get_absolute_url())
    assert device.log == ["c3"]


def test_a_match_is_stopped_under_its_cover():
    device = covered()
    stopped = device.study
    form = device.page.partition("Stop and play another match")[2]
    device.path += re.search(r'action="([^"]*)"', form)[1]
    device.post(action="again")
    assert device.study.pk != stopped.pk
    assert device.is_covered()


def test_a_button_that_begins_a_match_works_once():
    once = re.compile(r"<form[^>]* data-once>")
    assert once.search(Client().get("/games/die/play/").content.decode())
    device = Device("die", **{"param-size": "3"})
    assert once.search(device.page.partition("Stop and play another match")[2])
    device.play_on(100)
    assert once.search(device.page.partition("Play again")[0])


# --- Who plays ------------------------------------------------------------------------------------


def test_hostile_names_are_text():
    names = {"name-0": "<b>\u202eAda", "name-1": '"&{{ 7 }}'}
    device = Device("die", **names)
    assert device.study.names == ["<b>Ada", '"&{{ 7 }}']
    page = device.answer.content.decode()
    assert "&lt;b&gt;Ada to move" in page
    assert "<b>Ada" not in page
    assert '"&{{' not in page


@pytest.mark.parametrize(
    ("names", "reason"),
    [
        ({"name-0": "Ada", "name-1": "aDA"}, "Give each player another name."),
        ({"name-0": "Blue"}, "Give each player another name."),
        ({"name-0": "x" * 21}, "at most 20 characters"),
        ({"param-size": "99"}, "less than or equal to"),
    ],
)
def test_what_cannot_be_played_is_refused_with_the_reason(names, reason):
    client = Client()
    answer = client.post("/games/die/play/", {"param-size": "5", **names})
    assert answer.status_code == 422
    assert reason in html.unescape(answer.content.decode())
    assert not User.objects.exists()


def test_a_name_that_cannot_be_seen_is_the_colour():
    device = Device("die", **{"name-0": "\u200d\u202e", "name-1": "  "})
    assert device.study.names == ["Red", "Blue"]


# --- Secrets --------------------------------------------------------------------------------------


def covered():
    return Device(SECRET, **{"param-combat": "cards", "name-0": "Ada", "name-1": "Bea"})


def test_a_cover_stands_between_turns():
    device = covered()
    names = device.study.names
    first = device.actor
    assert device.is_covered()
    assert f"Pass the device to {names[first]}" in device.page
    device.uncover()
    assert f"{names[first]} to move" in device.page
    assert not device.is_covered()
    while device.actor == first:
        device.play(random_move(device.tree.title, device.state, first, "1"))
        assert device.is_covered() == (device.actor != first)
    assert f"Pass the device to {names[device.actor]}" in device.page


def test_the_page_of_a_turn_shows_the_view_of_its_seat():
    device = covered()
    seat = device.actor
    title, state = device.tree.title, device.state
    drawn = device.client.get(device.path).context["page"]
    assert drawn.view.position == title.view(state, None)
    device.uncover()
    drawn = device.client.get(device.path).context["page"]
    assert drawn.view.position == title.view(state, seat)
    assert drawn.view.position != title.open_view(state)


def tree_of(pair, world):
    """The stretch of a match in one of two worlds."""
    nodes = [
        Node(number, number - 1, step.seat, step.text, step.chance)
        for number, step in enumerate(world.steps, 1)
    ]
    meta = pair.title.meta
    start = Start(position=world.start)
    return Tree(meta.slug, meta.rules_version, pair.seats, pair.params, start, tuple(nodes))


def two_pages(device, pair, *, is_covered):
    """The page of the same turn in two worlds."""
    for world in pair.scenarios:
        tree = tree_of(pair, world)
        names = [f"player {seat}" for seat in range(pair.seats)]
        Study.objects.update(tree=msgspec.to_builtins(tree), names=names)
        device.open(f"/play/{device.study.key}/")
        assert device.is_covered()
        if not is_covered:
            device.uncover()
            assert not device.is_covered()
        yield device.page


def played_pairs(viewers):
    """Pairs of worlds that look alike to who reads the page, at a turn of a match."""
    for pair in some_pairs(SECRET):
        here = pair.scenarios[0]
        state = [state for state, _ in pair.replay(here)][-1]
        actors = pair.title.actors(state)
        moves_only = all(step.kind == "play" for step in here.steps)
        if actors and moves_only and pair.viewer in viewers(actors):
            yield pair


@pytest.mark.slow
@pytest.mark.xdist_group("pairs")
def test_a_cover_is_the_same_whatever_is_hidden():
    device = covered()
    pairs = list(played_pairs(lambda _: [None]))
    assert any(here != there for here, there in (pair.scenarios for pair in pairs))
    for pair in pairs:
        here, there = two_pages(device, pair, is_covered=True)
        assert here == there, pair


@pytest.mark.slow
@pytest.mark.xdist_group("pairs")
def test_a_turn_is_the_same_whatever_its_player_does_not_know():
    device = covered()
    pairs = list(played_pairs(lambda actors: actors[:1]))
    assert any(here != there for here, there in (pair.scenarios for pair in pairs))
    for pair in pairs:
        here, there = two_pages(device, pair, is_covered=False)
        assert here == there, pair


def test_a_match_in_play_is_no_board():
    device = covered()
    key = device.study.key
    for name in ("study-json", "study-text"):
        assert device.client.get(reverse(name, args=[key])).status_code == 404
    assert device.client.get(f"/boards/{key}/0/").status_code == 404
    assert device.client.post(f"/boards/{key}/copy/").status_code == 404
    assert Study.objects.count() == 1


def test_nobody_else_sees_a_match(people):
    device = covered()
    Study.objects.update(visibility="link")
    other = Client()
    for path in (device.path, device.path + "0/"):
        assert "/login/" in other.get(path).url
    other.force_login(people[0])
    for path in (device.path, device.path + "0/"):
        assert other.get(path).status_code == 404
        assert other.post(path, {"action": "undo"}).status_code in (404, 405)


def test_pages_of_a_match_are_never_cached():
    device = covered()
    for path in (device.path, device.path + "0/"):
        assert "no-store" in device.client.get(path).headers["Cache-Control"]


def test_a_board_that_is_saved_to_think_on_is_not_played(people):
    study = services.save(
        user=people[0], tree=standard(registry.get("die")), name="Corners", now=NOW
    )
    client = Client()
    client.force_login(people[0])
    assert client.get(f"/play/{study.key}/").status_code == 404
