"""The engine protocol: every request, every field, and every way to get one wrong."""

import hashlib
import json
import re
import subprocess
import sys
from io import BytesIO
from pathlib import Path

import pytest

from games.engine import Engine, serve
from games.kernel import registry
from games.kernel.dice import CommittedDice
from games.kernel.options import Choice, Options, Span
from tests.example_games import heap
from tests.replaced_parts import with_parts

ROOT = Path(__file__).parents[2]
FIRST = {"size": 3, "rows": ["...", "....", ".....", "....", "..."], "ply": 0, "mover": 0}


class Talk:
    """An engine, and requests to it in short."""

    def __init__(self):
        self.engine = Engine()

    def __call__(self, cmd, **fields):
        answer = json.loads(self.engine.answer(json.dumps({"cmd": cmd, **fields})))
        assert answer.pop("ok") is True, answer
        return answer

    def fails(self, cmd, **fields):
        return self.refused(json.dumps({"cmd": cmd, **fields}))

    def refused(self, line):
        held = self.engine.answer('{"cmd": "position"}')
        answer = json.loads(self.engine.answer(line))
        assert answer["ok"] is False
        assert set(answer) == {"ok", "error", "code"}
        assert self.engine.answer('{"cmd": "position"}') == held
        return answer["error"]


@pytest.fixture
def talk():
    return Talk()


@pytest.fixture
def die(talk):
    talk("new", game="die", seats=2, params={"size": 3})
    return talk


@pytest.fixture
def toy(talk, monkeypatch):
    """An engine with a match of a game with dice, cards and options that are numbers."""
    monkeypatch.setattr(registry, "titles", lambda: {"heap": heap.TITLE})
    talk("new", game="heap", seats=2, params={}, seed="00ff")
    return talk


def test_games(talk):
    games = {game["slug"]: game for game in talk("games")["games"]}
    assert list(games) == list(registry.titles())
    assert games["die"].keys() == {
        *("slug", "name", "title", "designer", "seats", "dice", "params"),
    }
    assert games["die"]["designer"] == "Mark Steere"
    assert games["die"]["seats"] == [2, 2]
    assert games["die"]["params"]["properties"]["size"]["default"] == 5


def test_new(talk):
    answer = talk("new", game="die", seats=2, params={"size": 3})
    assert answer == {"position": {**FIRST, "result": None}, "to_move": [0], "result": None}
    assert talk("new", game="die", seats=2)["position"]["size"] == 5
    assert talk("new", game="die", seats=2, params=None)["position"]["size"] == 5


def test_play(die):
    answer = die("play", seat=0, move=" C 3 ")
    assert answer == {
        "move": "c3",
        "events": [{"type": "place", "seat": 0, "cell": "c3"}, {"type": "turn", "seat": 0}],
        "position": {
            "size": 3,
            "rows": ["...", "....", "..r..", "....", "..."],
            "ply": 1,
            "mover": 1,
            "result": None,
        },
        "to_move": [1],
        "result": None,
        "rolls": [],
    }
    assert die("position") == {"position": answer["position"]}
    assert die("view", seat=None) == die("view", seat=1) == die("view") == die("position")


def test_drop_and_close(die):
    die("play", seat=0, move="c3")
    answer = die("drop", seat=1)
    assert answer["move"] is None
    assert answer["events"] == [{"type": "end", "seat": None, "ending": "dropped", "ranks": [1, 2]}]
    assert (answer["to_move"], answer["result"], answer["rolls"]) == ([], [1, 2], [])
    assert answer["position"]["result"] == [1, 2]
    die("new", game="die", seats=2)
    assert die("close")["result"] == [1, 1]


def test_load(talk):
    rows = [".br", "bbrb", "r.rb.", "rbrb", "rbr"]
    position = {"size": 3, "rows": rows, "ply": 17, "mover": 1, "result": None, "more": "ignored"}
    answer = talk("load", game="die", seats=2, params={"size": 3}, position=position)
    assert (answer["to_move"], answer["result"]) == ([1], None)
    assert answer["position"]["rows"] == rows
    assert talk("play", seat=1, move="c2")["result"] == [1, 2]


def test_options(die):
    whole = die("options", seat=0, partial="")
    assert whole["complete"] is False
    assert len(whole["next"]) == 19
    assert die("options", seat=0) == whole
    assert die("options", seat=0, partial=" C")["next"][2] == {
        "text": "3",
        "label": "c3",
        "marks": ["c3"],
    }
    done = die("options", seat=0, partial="c3")
    assert done == {"complete": True, "prompt": whole["prompt"], "next": []}
    assert whole["prompt"].startswith("Choose a cell")
    assert die("options", seat=1, partial="") == {"complete": False, "prompt": "", "next": []}


def test_an_option_that_is_a_number(toy, monkeypatch):
    number = Span(-30.0, 30.0, 0.1, "{:+.1f}", "Place")
    offers = Options(complete=False, next=(Choice("x", "X"), number))
    monkeypatch.setattr(registry, "get", lambda slug: changed(options=lambda *_: offers))
    toy("new", game="heap", seats=2)
    assert toy("options", seat=0)["next"] == [
        {"text": "x", "label": "X", "marks": []},
        {
            "range": [-30.0, 30.0, 0.1],
            "format": "{:+.1f}",
            "examples": ["-30.0", "+0.0", "+30.0"],
            "label": "Place",
        },
    ]


def test_moves(die):
    answer = die("moves", seat=0)
    assert answer["more"] is False
    assert len(answer["moves"]) == 19
    assert answer["moves"] == sorted(answer["moves"])
    assert die("moves", seat=0, limit=19) == answer
    assert die("moves", seat=0, limit=2) == {"moves": ["a1", "a2"], "more": True}
    assert die("moves", seat=0, limit=0) == {"moves": [], "more": True}
    assert die("moves", seat=1) == {"moves": [], "more": False}


def test_moves_are_sorted_by_code_point_before_they_are_cut(talk):
    talk("new", game="die", seats=2, params={"size": 12})
    assert talk("moves", seat=0, limit=4)["moves"] == ["a1", "a10", "a11", "a12"]


@pytest.mark.parametrize("count", [50, 6_000])
def test_a_list_cut_short_still_shows_a_pass(toy, monkeypatch, count):
    texts = [f"m{number:05}" for number in range(count)] + ["pass"]
    offers = {
        "moves": lambda state, seat: iter(texts),
        "options": lambda *_: Options(complete=True, next=()),
    }
    monkeypatch.setattr(registry, "get", lambda slug: changed(**offers))
    toy("new", game="heap", seats=2)
    answer = toy("moves", seat=0, limit=3)
    assert answer == {"moves": ["m00000", "m00001", "pass"], "more": True}


def test_a_list_of_moves_without_end_is_not_listed_to_the_end(toy, monkeypatch):
    def endless(state, seat):
        number = 0
        while True:
            yield f"m{number}"
            number += 1

    monkeypatch.setattr(registry, "get", lambda slug: changed(moves=endless))
    toy("new", game="heap", seats=2)
    assert len(toy("moves", seat=0)["moves"]) == 1_000


def test_a_random_move_follows_from_its_seed(die):
    first = die("random", seat=0, seed="any text")
    assert first["seed"] == "any text"
    assert first["move"] in die("moves", seat=0)["moves"]
    assert die("random", seat=0, seed="any text") == first
    seeds = [die("random", seat=0)["seed"] for _ in range(2)]
    assert seeds[0] != seeds[1]
    again = die("random", seat=0, seed=seeds[0])
    assert again["seed"] == seeds[0]
    assert "\ud800" in die("random", seat=0, seed="\ud800")["seed"]


def test_the_same_seed_draws_again_at_every_move(talk):
    """After moves were played, it draws other moves than at the same position loaded by hand."""
    played, loaded = talk, Talk()
    facts = {"game": "die", "seats": 2, "params": {"size": 3}}
    played("new", **facts)
    played("play", seat=0, move="a1")
    position = played("play", seat=1, move="c3")["position"]
    loaded("load", **facts, position=position)
    one, other = (
        [engine("random", seat=0, seed=str(seed))["move"] for seed in range(10)]
        for engine in (played, loaded)
    )
    assert one != other


def test_perft(die):
    assert [die("perft", depth=depth)["nodes"] for depth in range(4)] == [1, 19, 342, 4386]


def test_perft_where_chance_is_involved(toy):
    assert "draw" in toy.fails("perft", depth=2)


def test_a_seed_decides_every_roll(toy):
    expected = CommittedDice(hashlib.sha256(bytes.fromhex("00ff")).digest())
    faces = [expected.roll(6) for _ in range(3)]
    assert [toy("play", seat=seat, move="roll")["rolls"] for seat in (0, 1, 0)] == [
        [face] for face in faces
    ]


def test_a_refused_move_uses_up_no_roll(toy):
    toy.fails("play", seat=1, move="roll")
    toy.fails("play", seat=0, move="roll", chance=[2, 2])
    expected = CommittedDice(hashlib.sha256(bytes.fromhex("00ff")).digest())
    assert toy("play", seat=0, move="roll")["rolls"] == [expected.roll(6)]


def test_rolls_brought_along_count_among_those_of_the_seed(toy):
    expected = CommittedDice(hashlib.sha256(bytes.fromhex("00ff")).digest(), 1)
    assert toy("play", seat=0, move="roll", chance=[2])["rolls"] == [2]
    assert toy("play", seat=1, move="roll")["rolls"] == [expected.roll(6)]


def test_without_a_seed_no_two_matches_need_be_the_same(toy):
    rolls = set()
    for _ in range(30):
        toy("new", game="heap", seats=2)
        rolls.add(toy("play", seat=0, move="peek")["rolls"][0])
    assert len(rolls) > 1


@pytest.mark.parametrize(
    ("chance", "words"),
    [
        ([], "a roll of 6"),
        ([7], "7 is not a roll of 6"),
        ([0], "0 is not a roll of 6"),
        (["3"], "'3' is not a roll of 6"),
        ([True], "true is not a roll of 6"),
        ([3, 5], "5 is left over"),
        (3, "chance is a list"),
    ],
)
def test_chance_that_does_not_fit_is_named(toy, chance, words):
    assert words in toy.fails("play", seat=0, move="roll", chance=chance)


def test_chance_left_over_by_a_setup_a_drop_or_a_close(toy):
    assert "4 is left over" in toy.fails("new", game="heap", seats=2, chance=[4])
    assert "4 is left over" in toy.fails("drop", seat=0, chance=[4])
    assert "4 is left over" in toy.fails("close", chance=[4])


def test_what_is_observed_is_answered_apart_from_rolls(toy, monkeypatch):
    def observing(state, seat, move, dice):
        dice.roll(6)
        dice.observe(lambda: ({"fell": False}, None))
        return state, ()

    monkeypatch.setattr(registry, "get", lambda slug: changed(play=observing))
    toy("new", game="heap", seats=2)
    answer = toy("play", seat=0, move="roll", chance=[3, {"fell": True}])
    assert (answer["rolls"], answer["observed"]) == ([3], [{"fell": True}])
    assert toy("play", seat=0, move="roll")["observed"] == [{"fell": False}]


def test_views_hide_until_the_end_and_events_are_whole(toy):
    answer = toy("play", seat=0, move="peek", chance=[42])
    assert answer["events"] == [{"type": "peek", "seat": 0, "card": 42}]
    views = [toy("view", seat=seat)["position"]["peeked"] for seat in (None, 0, 1)]
    assert views == [["??", 0], [42, 0], ["??", 0]]
    toy("close")
    assert toy("view", seat=1)["position"]["peeked"] == [42, 0]


@pytest.mark.parametrize(
    "line",
    [
        "",
        "x",
        "{",
        "[]",
        "null",
        "3",
        '"play"',
        "[" * 100_000,
        '{"cmd": ' + "9" * 5_000 + "}",
        b"\xff\xfe\x00",
        b"\x80",
        "{}",
        '{"cmd": null}',
        '{"cmd": ["new"]}',
        '{"cmd": "quit"}',
        '{"cmd": "__init__"}',
    ],
    ids=range(16),
)
def test_a_bad_line_is_answered(die, line):
    assert die.refused(line)


@pytest.mark.parametrize("cmd", ["position", "view", "options", "moves", "play", "drop", "close"])
def test_before_there_is_a_match(talk, cmd):
    answer = json.loads(talk.engine.answer(json.dumps({"cmd": cmd, "seat": 0, "move": "c3"})))
    assert answer["error"] == "There is no match yet: new or load begins one."


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"cmd": "play", "seat": 0}, "move is a text, not null"),
        ({"cmd": "play", "seat": 0, "move": 3}, "move is a text, not 3"),
        ({"cmd": "play", "move": "c3"}, "seat is a whole number"),
        ({"cmd": "play", "seat": True, "move": "c3"}, "seat is a whole number, not true"),
        ({"cmd": "play", "seat": 2, "move": "c3"}, "There is no seat 2"),
        ({"cmd": "play", "seat": -1, "move": "c3"}, "There is no seat -1"),
        ({"cmd": "play", "seat": 1, "move": "c3"}, "Red's move"),
        ({"cmd": "play", "seat": 0, "move": "zz"}, "'zz' is no cell"),
        ({"cmd": "play", "seat": 0, "move": "a4"}, "a4 is not on a board of size 3"),
        ({"cmd": "options", "seat": 0, "partial": "x"}, "No move begins with 'x'"),
        ({"cmd": "options", "seat": 0, "partial": 1}, "partial is a text"),
        ({"cmd": "moves", "seat": 0, "limit": -1}, "limit is a whole number"),
        ({"cmd": "moves", "seat": 0, "limit": 10**22}, "a whole number from 0 to 1000000, not 1"),
        ({"cmd": "moves", "seat": 0, "limit": "all"}, "limit is a whole number"),
        ({"cmd": "moves"}, "seat is a whole number"),
        ({"cmd": "view", "seat": "0"}, "seat is a whole number"),
        ({"cmd": "drop"}, "seat is a whole number"),
        ({"cmd": "perft"}, "depth is a whole number"),
        ({"cmd": "perft", "depth": -1}, "depth is a whole number"),
        ({"cmd": "new"}, "game is a text"),
        ({"cmd": "new", "game": "chess", "seats": 2}, "There is no game 'chess'"),
        ({"cmd": "new", "game": "die"}, "for 2 players, not null"),
        ({"cmd": "new", "game": "die", "seats": 3}, "for 2 players, not 3"),
        ({"cmd": "new", "game": "die", "seats": 2, "params": {"size": 2}}, "less than the minimum"),
        ({"cmd": "new", "game": "die", "seats": 2, "params": {"pie": 1}}, "no parameter 'pie'"),
        ({"cmd": "new", "game": "die", "seats": 2, "params": []}, "params is an object"),
        ({"cmd": "new", "game": "die", "seats": 2, "seed": "xyz"}, "hexadecimal digits"),
        ({"cmd": "new", "game": "die", "seats": 2, "seed": 7}, "seed is a text"),
        ({"cmd": "load", "game": "die", "seats": 2}, "position is an object"),
        (
            {"cmd": "load", "game": "die", "seats": 2, "position": FIRST},
            "size is 5 in this match, not 3",
        ),
    ],
)
def test_a_request_that_cannot_be_done_says_why(die, fields, words):
    assert words in die.refused(json.dumps(fields))


def test_after_the_end(die):
    die("drop", seat=0)
    assert "the match is over" in die.fails("play", seat=0, move="c3")
    assert "over already" in die.fails("drop", seat=1)
    assert "over already" in die.fails("close")
    assert die("moves", seat=0) == {"moves": [], "more": False}
    assert die("perft", depth=3) == {"nodes": 1}


def test_a_mistake_in_a_game_does_not_end_the_process(toy, monkeypatch, capsys):
    def mistaken(state, seat, move, dice):
        raise ZeroDivisionError("in the rules")

    monkeypatch.setattr(registry, "get", lambda slug: changed(play=mistaken))
    lines = (
        b'{"cmd": "new", "game": "heap", "seats": 2}\n'
        b'{"cmd": "play", "seat": 0, "move": "1"}\n'
        b'{"cmd": "position"}\n'
    )
    answers = BytesIO()
    serve(BytesIO(lines), answers)
    _, failed, after = map(json.loads, answers.getvalue().splitlines())
    assert (failed["ok"], after["ok"]) == (False, True)
    assert "in the rules" in failed["error"]
    assert "ZeroDivisionError" in capsys.readouterr().err


def changed(**parts):
    """Return the toy game with some parts replaced."""
    return with_parts(heap.TITLE, **parts)


LINES = (
    '{"cmd": "new", "game": "die", "seats": 2, "params": {"size": 3}}\n'
    "nonsense\n"
    '{"cmd": "play", "seat": 0, "move": "c3"}\n'
    '{"cmd": "perft", "depth": 2}'
)


@pytest.mark.slow
@pytest.mark.parametrize("command", [["-m", "games.engine"], ["manage.py", "engine"]])
def test_a_process_answers_line_by_line(command):
    done = subprocess.run(
        [sys.executable, *command],
        input=LINES,
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=True,
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["ok"] for answer in answers] == [True, False, True, True]
    assert answers[3] == {"ok": True, "nodes": 204}
    assert done.stderr == ""


def test_a_process_answers_before_the_next_line_comes():
    command = [sys.executable, "-m", "games.engine"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT
    ) as process:
        for line in LINES.splitlines():
            process.stdin.write(line + "\n")
            process.stdin.flush()
            assert "ok" in json.loads(process.stdout.readline())
        process.stdin.close()
        assert process.wait(timeout=20) == 0


# --- Boards and stories -------------------------------------------------------------------------


def test_the_board_is_drawn_in_colours_with_marks_if_asked(die):
    die("play", seat=0, move="c3")
    plain, dark, marked = (
        die("svg", **fields)["svg"] for fields in ({}, {"theme": "dark"}, {"marks": True})
    )
    assert plain.startswith("<svg")
    assert plain != dark
    assert "var(--" not in plain + dark
    assert "data-mark" not in plain
    assert 'data-mark="a1"' in marked
    assert "theme is one of" in die.fails("svg", theme="pink")
    assert "marks is true or false" in die.fails("svg", marks=1)


def test_the_story_is_told_to_each_seat(die):
    die("play", seat=0, move=" C3")
    die("play", seat=1, move="b2")
    own = die("story", seat=0)["entries"]
    assert [entry["number"] for entry in own] == [1, 2]
    assert own[0] == {
        "number": 1,
        "seat": 0,
        "move": "c3",
        "sentences": ["You place a stone on c3."],
    }
    assert die("story")["entries"][0]["sentences"] == ["Red places a stone on c3."]
    assert die("story", after=1)["entries"] == die("story")["entries"][1:]
    die("close")
    assert die("story", after=2)["entries"][0]["move"] is None
    die("new", game="die", seats=2)
    assert die("story")["entries"] == []


def test_story_and_board_hide_what_a_page_hides(toy):
    toy("new", game="heap", seats=2, seed="07")
    toy("play", seat=0, move="peek")
    told = {seat: toy("story", seat=seat)["entries"][0]["move"] for seat in (0, 1, None)}
    assert told == {0: "peek", 1: "??", None: "??"}


def test_the_session_of_the_documentation_is_as_it_stands_there():
    """What is left out there stands for anything."""
    (session,) = re.findall(r"```\n(> .*?)```", (ROOT / "docs/engine.md").read_text(), re.DOTALL)
    lines = session.splitlines()
    asked = [line[2:] for line in lines if line.startswith(">")]
    told = [line[2:] for line in lines if line.startswith("<")]
    assert len(asked) == len(told) > 10
    engine = Engine()
    for request, answer in zip(asked, told, strict=True):
        pattern = ".*".join(map(re.escape, answer.split("…")))
        assert re.fullmatch(pattern, engine.answer(request), re.DOTALL), request
