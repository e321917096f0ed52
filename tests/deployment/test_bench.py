"""Every section of the bench runs, with as little work as it can do."""

import json
import os

import pytest

from bench.options import COMMANDS, NAMED_ONLY, SECTIONS
from bench.pairs import Played
from bench.site import Server
from bench.table import line, seats
from tests.deployment.programs import run

pytestmark = [pytest.mark.postgres, pytest.mark.thorough]

OPTIONS = (
    *("--games", "die", "--pairs", "1", "--rounds", "1", "--seconds", "1"),
    *("--matches", "10000", "--sockets", "4", "--players", "8", "--days", "2"),
    *("--attacks", "streams-held,words-by-socket,animations,sign-in,mails,pages"),
)
"""The options that make the sections small."""

SMALLEST = {
    "year": {},
    "table": {"table.SCRIPTS": 1},
    "click": {"click.MOVES": 12},
    "sockets": {},
    "lists": {"crowd.STAGES": [2, 6], "visits.TIMES": 2},
    "explorer": {"explorer.TIMES": 2},
    "season": {"season.PLAYERS": 8},
    "hostile": {
        "attacks.RUNNING": 2,
        "attacks.ENTRIES": 20,
        "hostile.LEAD": 0.5,
        "hostile.CALM": 0.0,
    },
    "reviews": {"reviews.LAST": 3, "reviews.MOVES": 1000},
    "feel": {},
}
"""The constants of each section that make it smaller still."""

RUN_ALL = """
import importlib, json, sys, traceback
from bench import options, site

constants_of, arguments = map(json.loads, sys.argv[1:])
options.parse(arguments)
with site.prepared():
    for name, constants in constants_of.items():
        try:
            section = importlib.import_module(f"bench.{name}")
            for place, value in constants.items():
                module, _, constant = place.rpartition(".")
                module = importlib.import_module(f"bench.{module}")
                assert hasattr(module, constant), place
                setattr(module, constant, value)
            rows = list(section.rows())
            print("DONE", json.dumps([name, len(rows)]), flush=True)
        except Exception:
            traceback.print_exc()
"""


@pytest.fixture(scope="module")
def done():
    """All sections, run one after the other by one process; how many rows each has printed."""
    script = run("python", "-c", RUN_ALL, json.dumps(SMALLEST), json.dumps(OPTIONS), **os.environ)
    lines = [line for line in script.stdout.splitlines() if line.startswith("DONE ")]
    return dict(json.loads(line.removeprefix("DONE ")) for line in lines), script.stderr


@pytest.mark.parametrize("name", SMALLEST)
def test_a_section_runs(name, done):
    rows, errors = done
    assert rows.get(name), errors


def test_no_section_is_left_out():
    assert {*SECTIONS, *NAMED_ONLY} - COMMANDS.keys() == SMALLEST.keys()


def test_the_help_names_every_section_and_option():
    script = run("python", "-m", "bench", "-h", **os.environ)
    assert script.returncode == 0, script.stderr
    assert [name for name in (*SECTIONS, *NAMED_ONLY) if f"  {name} " not in script.stdout] == []
    assert [name for name in OPTIONS[::2] if name not in script.stdout] == []


def test_goals_of_the_table_are_named_where_they_are_missed():
    fast, slow = Played(300.0, 4.0, 5.0, 5.0), Played(100.0, 12.0, 50.0, 50.0)
    floor = Played(600.0, 1.0, 4.0, 4.0)
    assert line("die", 25, 1, [(fast, floor)])[-1] == ""
    missed = line("die", 25, 1, [(slow, floor)])
    assert missed[-1] == "≥ 0.45, core ≤ 5, p95 ≤ 3 ×"
    assert missed[4] == "0.17"


def test_players_of_a_match_are_at_one_process_or_at_two():
    servers = [Server(1, 0), Server(2, 0)]
    assert seats(4, 2, servers) == [(1, 2)] * 4
    assert seats(4, 1, servers) == [(1, 1), (2, 2), (1, 1), (2, 2)]


def test_a_corpus_can_be_written_and_compared(tmp_path):
    file = tmp_path / "corpus"
    variables = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings.test"}
    for option in ("--write", "--compare"):
        command = ("-m", "bench", "corpus", option, file, "--game", "die", "--first", "1")
        script = run("python", *command, **variables)
        assert script.returncode == 0, script.stdout + script.stderr
