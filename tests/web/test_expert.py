"""The expert beside boards: asked, answered, bounded, and silent about running matches."""

import html
import json
import re

import pytest
from django.core.cache import cache
from django.test import Client

from accounts import personal_data
from accounts.models import User
from games.bots.advising import advise
from games.bots.questions import Advice, BestMove, Consultation, read
from games.bots.thinker import ThinkerFailed
from games.kernel import registry
from games.matches import services
from games.matches.errors import Refused
from games.study import expert, tasks
from games.study import services as studies
from games.study.models import ExpertQuestion
from games.study.replaying import moment_of, played, set_up
from games.study.tree import Start, Tree
from games.web.study.forms import standard
from tests.attack_match import start_attack_match
from tests.fixtures import NOW
from tests.match_driver import begin, fresh_cache
from tests.web.test_boards import address_of

__all__ = ["fresh_cache", "start_attack_match"]

pytestmark = pytest.mark.django_db

ADVICE = Advice((BestMove("c3", 0.625), BestMove("a1", 0.5)))
FORM = {"action": "expert"}


class Thinker:
    """Gives the same advice to everybody, and keeps the questions."""

    def __init__(self):
        self.asked = []

    def advise(self, asked, patience):
        self.asked.append(asked)
        return ADVICE


@pytest.fixture
def thinker(monkeypatch):
    found = Thinker()
    monkeypatch.setattr(expert, "own_thinker", lambda: found)
    return found


@pytest.fixture
def ada(people):
    client = Client()
    client.force_login(people[0])
    return client


def die(*texts, size=3):
    tree, at = Tree("die", 1, 2, {"size": size}, Start(setup=())), 0
    for number, text in enumerate(texts):
        tree, at = played(tree, at, number % 2, [text])
    return tree, at


def answered():
    for question in ExpertQuestion.objects.all():
        expert.answer(question.pk, question.digest)


def page_of(client, address):
    return html.unescape(client.get(f"{address}?part=expert").content.decode())


def test_a_board_asks_and_shows_the_answer(ada, thinker):
    address = address_of(*die())
    assert "Show the three best moves" in page_of(ada, address)
    assert ada.post(address, FORM).status_code == 303
    waiting = page_of(ada, address)
    assert "data-thinking" in waiting
    assert "Look for the answer" in waiting
    answered()
    page = page_of(ada, address)
    assert "Place a stone on c3" in page
    assert "<strong>62 %</strong>" in page
    assert "data-thinking" not in page
    assert 'name="move" value="a1"' in page
    later = address_of(*die("c3"))
    assert "Place a stone" not in page_of(ada, later)
    assert "Place a stone on c3" in html.unescape(ada.get(address).content.decode())


def test_nobody_else_sees_the_answer(ada, thinker, people):
    address = address_of(*die())
    ada.post(address, FORM)
    answered()
    other = Client()
    other.force_login(people[1])
    for client in (other, Client()):
        assert "62 %" not in page_of(client, address)
    assert "Join" in page_of(Client(), address)


def test_visitors_and_guests_cannot_ask(thinker, people):
    address = address_of(*die())
    answer = Client().post(address, FORM)
    assert "with an account" in html.unescape(answer.content.decode())
    with pytest.raises(Refused, match="account"):
        expert.ask(user=User(is_guest=True), tree=die()[0], number=0, now=NOW)
    assert not ExpertQuestion.objects.exists()


def test_the_same_question_is_answered_once_and_another_waits(people, thinker):
    admitted = []
    how = {"user": people[0], "now": NOW, "admit": lambda: admitted.append(1)}
    first = expert.ask(tree=die()[0], number=0, **how)
    assert expert.ask(tree=die()[0], number=0, **how) == first
    with pytest.raises(Refused, match="still thinking"):
        expert.ask(tree=die("c3")[0], number=1, **how)
    assert len(admitted) == 1
    answered()
    expert.ask(tree=die()[0], number=0, **how)
    expert.ask(tree=die("c3")[0], number=1, **how)
    assert len(admitted) == 2
    assert ExpertQuestion.objects.get().moves is None


def test_a_question_whose_task_was_lost_can_be_asked_again(people, thinker):
    how = {"user": people[0], "tree": die()[0], "number": 0}
    expert.ask(now=NOW, **how)
    admitted = []
    expert.ask(now=NOW + expert.PATIENCE, admit=lambda: admitted.append(1), **how)
    assert admitted


def test_a_late_answer_to_an_older_question_is_dropped(people, thinker):
    first = expert.ask(user=people[0], tree=die()[0], number=0, now=NOW)
    later = NOW + expert.PATIENCE
    second = expert.ask(user=people[0], tree=die("c3")[0], number=1, now=later)
    expert.answer(first.pk, first.digest)
    assert not thinker.asked
    expert.answer(second.pk, second.digest)
    assert len(thinker.asked) == 1


def test_a_thinker_that_fails_is_no_error(people, monkeypatch):
    class Broken:
        def advise(self, asked, patience):
            raise ThinkerFailed("killed")

    monkeypatch.setattr(expert, "own_thinker", Broken)
    question = expert.ask(user=people[0], tree=die()[0], number=0, now=NOW)
    tasks.answer_expert(question.pk, question.digest)
    assert ExpertQuestion.objects.get().moves is None


def test_the_task_waits_until_bots_have_moved(people, monkeypatch):
    sent = []
    monkeypatch.setattr(tasks.answer_expert, "apply_async", lambda **how: sent.append(how))
    tasks._start_answers({7: "abc"})
    assert (sent[0]["args"], sent[0]["priority"]) == ((7, "abc"), 9)


def test_a_day_has_so_many_questions(ada, thinker, settings, people):
    limits = settings.FORM_LIMITS
    settings.FORM_LIMITS = {**limits, "expert": {"account": ["1/d"]}}
    cache.clear()
    assert ada.post(address_of(*die()), FORM).status_code == 303
    answered()
    assert ada.post(address_of(*die("c3")), FORM).status_code == 429
    assert "1 question a day" in page_of(ada, address_of(*die("c3")))


def test_an_ended_game_has_no_best_move(people, thinker):
    tree, at = die(size=3)
    title = tree.title
    while actors := title.actors(state := moment_of(tree, at).state):
        tree, at = played(tree, at, actors[0], [str(next(iter(title.moves(state, actors[0]))))])
    with pytest.raises(Exception, match="over"):
        expert.ask(user=people[0], tree=tree, number=at, now=NOW)


# --- Running matches ------------------------------------------------------------------------------


@pytest.fixture
def running(people):
    match = begin("die", people, size=3)
    match.play("c3", "a1")
    return match


MIRRORED = ("c3", "a3"), ("c3", "e3"), ("c3", "c5")


@pytest.mark.parametrize("texts", [("c3", "a1"), *MIRRORED])
def test_the_position_of_an_own_running_match_is_refused_in_any_mirror(texts, running, people):
    tree, at = die(*texts)
    ask = {"user": people[0], "tree": tree, "number": at, "now": NOW}
    with pytest.raises(Refused, match=f"running match {running.id}"):
        expert.ask(**ask)
    pasted = tree.standing_alone(tree.title.dump(moment_of(tree, at).state)).without_nodes()
    with pytest.raises(Refused, match="running match"):
        expert.ask(**{**ask, "tree": pasted, "number": 0})
    running.act(services.resign, 0)
    assert expert.ask(**ask)


def test_the_position_of_an_own_running_match_is_refused_in_the_other_colours(running, people):
    tree, at = die("c3", "a1")
    seen = tree.title.view(moment_of(tree, at).state, None)
    [other] = tree.title.exchanged(seen)
    assert other.rows == tuple(row.translate(str.maketrans("rb", "br")) for row in seen.rows)
    pasted = tree.standing_alone(other.dump() | {"ply": other.ply + 2}).without_nodes()
    with pytest.raises(Refused, match="running match"):
        expert.ask(user=people[0], tree=pasted, number=0, now=NOW)
    assert expert.ask(user=people[2], tree=pasted, number=0, now=NOW)


def test_positions_a_few_moves_later_are_refused_and_others_are_not(running, people):
    tree, at = die("c3", "a1", "e3")
    with pytest.raises(Refused, match="running match"):
        expert.ask(user=people[1], tree=tree, number=at, now=NOW)
    other, there = die("c3", "b1")
    assert expert.ask(user=people[1], tree=other, number=there, now=NOW)
    assert expert.ask(user=people[2], tree=tree, number=at, now=NOW)
    larger, last = die("c3", "a1", size=4)
    later = NOW + expert.PATIENCE
    assert expert.ask(user=people[1], tree=larger, number=last, now=later)


def test_running_matches_are_looked_up_by_one_query(running, people, django_assert_num_queries):
    begin("die", people, size=4)
    begin("grim-reaper", people)
    three = begin("simple-life-or-death", people, seats=3)
    tree, at = die("c3", "b1")
    with django_assert_num_queries(1) as asked:
        expert._check_not_played(people[0], tree, at)
    assert "setup_chance" not in asked.captured_queries[0]["sql"]
    found = expert._running(people[0], "die", 2)
    assert [row[0] for row in found] == sorted(row[0] for row in found)
    assert len(found) == 2
    assert [row[0] for row in expert._running(people[2], "simple-life-or-death", 3)] == [three.id]
    assert not expert._running(people[2], "simple-life-or-death", 2)


def test_the_private_board_of_a_match_asks_after_the_end(running, people, thinker):
    client = running.client(0)
    address = client.get(f"/matches/{running.id}/board/", follow=True).redirect_chain[-1][0]
    answer = client.post(address, FORM)
    assert "belongs to a running match" in answer.content.decode()
    assert not ExpertQuestion.objects.exists()
    running.act(services.resign, 0)
    assert client.post(address, FORM).status_code == 303


def test_other_hands_or_a_mirror_do_not_make_it_another_position(start_attack_match, people):
    """Twin worlds: what a player cannot see makes no difference to what is refused."""
    match = start_attack_match()
    tree, at = board_of(match)
    user = match.people[0]
    others = (with_other_hands(tree), mirrored(with_other_hands(tree)), in_other_colours(tree))
    for board in (tree, *others):
        with pytest.raises(Refused, match="running match"):
            expert.ask(user=user, tree=board, number=at, now=NOW)


def board_of(match):
    stored = match.match
    title = registry.get(stored.title, stored.rules_version)
    seats = stored.players.count()
    start = Start(position=stored.position)
    return Tree(title.meta.slug, stored.rules_version, seats, stored.params, start), 0


def with_other_hands(tree):
    """Return a board on which two players have swapped a card."""
    position = json.loads(json.dumps(tree.start.position))
    hands = position["hands"]
    hands[0][0], hands[1][0] = hands[1][0], hands[0][0]
    return tree.standing_alone(position)


def mirrored(tree):
    """Return the board with its lowest row at the top."""
    position = dict(tree.start.position)
    rows = {square: f"{square[0]}{17 - int(square[1:])}" for square in position["board"]}
    board = {rows[square]: stack for square, stack in position["board"].items()}
    return tree.standing_alone(position | {"board": board})


OTHERS = {'"r': '"o', '"o': '"r'}
"""The first letters of pieces, in the other colour."""


def in_other_colours(tree):
    """Return the board with what Red has given to Orange, and the other way round."""
    text = json.dumps(tree.start.position)
    position = json.loads(re.sub('"[ro](?=[SML][1-5]")', lambda found: OTHERS[found[0]], text))
    for field in ("stock", "trophies", "hands", "in"):
        position[field] = position[field][::-1]
    changed = {field: 1 - position[field] for field in ("first", "turn")}
    return tree.standing_alone(position | changed)


# --- The answer -----------------------------------------------------------------------------------


@pytest.mark.parametrize("slug", [*registry.titles()])
def test_every_game_names_legal_moves(slug):
    tree = set_up(standard(registry.get(slug)))
    state = moment_of(tree, 0).state
    asked = expert.question_of(tree, state)
    quick = Consultation(
        **{name: getattr(asked, name) for name in asked.__struct_fields__ if name != "seconds"},
        seconds=0.05,
    )
    assert read(quick.dump()) == quick
    advice = advise(quick)
    assert 0 < len(advice.moves) <= expert.SHOWN
    title = tree.title
    for one in advice.moves:
        assert played(tree, 0, title.actors(state)[0], [one.move])
        assert one.chance is None if title.meta.observes else 0 <= one.chance <= 1


def test_a_position_near_the_end_is_solved():
    tree, at = die(size=3)
    title = tree.title
    while True:
        state = moment_of(tree, at).state
        moves = [str(move) for move in title.moves(state, title.actors(state)[0])]
        if len(moves) <= 4:
            break
        tree, at = played(tree, at, title.actors(state)[0], moves[:1])
    asked = expert.question_of(tree, state)
    advice = advise(asked)
    assert advice.exact
    chances = [one.chance for one in advice.moves]
    assert chances == sorted(chances, reverse=True)
    assert set(chances) <= {0.0, 1.0}


def test_an_answer_is_part_of_the_own_data_and_goes_with_the_account(people, thinker):
    expert.ask(user=people[0], tree=die()[0], number=0, now=NOW)
    assert personal_data.export(people[0])["expert_question"][0]["title"] == "die"


def test_a_program_asks_and_asks_again_until_there_is_an_answer(ada, thinker):
    tree, at = die("c3")
    position = tree.title.dump(moment_of(tree, at).state)
    body = {"params": {"size": 3}, "position": position}

    def ask(client, **changed):
        sent = {**body, **changed}
        return client.post("/api/v1/games/die/expert/", sent, content_type="application/json")

    waiting = {"status": "waiting", "seat": 1, "exact": False, "moves": []}
    assert ask(ada).json() == ask(ada).json() == waiting
    answered()
    found = ask(ada).json()
    assert (found["status"], found["moves"][0]) == ("ready", {"move": "c3", "chance": 0.625})
    assert ask(Client()).status_code == 401
    assert ask(ada, position={"size": 9}).status_code == 422
    assert ask(ada, params={"size": 99}).status_code == 422
    assert len(thinker.asked) == 1


def test_a_saved_board_of_somebody_else_can_be_asked_about(people, thinker):
    tree, at = die("c3")
    study = studies.save(user=people[1], tree=tree, name="Lines", now=NOW)
    studies.describe(study=study, name="Lines", visibility="link", now=NOW)
    client = Client()
    client.force_login(people[0])
    assert client.post(f"/boards/{study.key}/{at}/", FORM).status_code == 303
    answered()
    page = page_of(client, f"/boards/{study.key}/{at}/")
    assert "62 %" in page
    assert "<form" not in page
