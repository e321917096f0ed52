"""Every section of the bench runs, with as little work as it can do."""

import json
import os

import pytest

from bench.__main__ import BY_THEMSELVES, SECTIONS
from tests.deployment.programs import run

pytestmark = [pytest.mark.postgres, pytest.mark.slow]

VARIABLES = {
    "GAMES": "die",
    "ROUNDS": "1",
    "MATCHES": "1000",
    "SOCKETS": "4",
    "PLAYERS": "8",
    "DAYS": "2",
}
"""What the sections read from the environment."""

SMALLEST = {
    "year": {},
    "rules": {
        "plies.MATCHES": 1,
        "plies.OBSERVED_MATCHES": 1,
        "plies.TURNS": 1,
        "plies.PLIES": 20,
        "rules.SIZES": [3],
        "rows.SECONDS": 0.01,
    },
    "table": {"table.PAIRS": [1], "table.SECONDS": 1.0, "table.SCRIPTS": 1},
    "http": {"http.PLAYERS": 2, "http.SECONDS": 0.5, "http.WARM_UP": 0.1, "http.ROUNDS": 1},
    "profile": {"profile.MOVES": 2, "profile.WARM_UP": 2, "profile.MATCHES": 1},
    "push": {"push.MATCHES": 1, "push.ECHOES": 2, "http.SIZE": 3},
    "spectators": {},
    "pages": {"pages.LENGTHS": [20], "pages.STEPS": 2, "visits.TIMES": 2},
    "lists": {"crowd.STAGES": [2, 6]},
    "counting": {"counting.RUNS": 2},
    "sweep": {"sweep.TIMES": 1},
    "first": {"first.LOADS": 1, "first.MOVES": 2},
    "thinking": {
        "thinking.BOTS": 1,
        "thinking.PAGES": 2,
        "thinking.WARM_UP": 0,
        "thinking.UNDER_WAY": 0.0,
    },
    "feel": {},
    "hands": {"hands.PLAYERS": [["desktop", True]]},
}
"""The constants of each section that make it small."""

IN_A_BROWSER = {"first", "hands"}

RUN_ALL = """
import importlib, json, sys, traceback
from bench import site

with site.prepared():
    for name, constants in json.loads(sys.argv[1]).items():
        try:
            section = importlib.import_module(f"bench.{name}")
            for place, value in constants.items():
                module, _, constant = place.rpartition(".")
                module = importlib.import_module(f"bench.{module}")
                assert hasattr(module, constant), place
                setattr(module, constant, value)
            rows = [row.cells() for row in section.rows()]
            print("DONE", json.dumps([name, len(rows)]), flush=True)
        except Exception:
            traceback.print_exc()
"""


@pytest.fixture(scope="module")
def done():
    """All sections, run one after the other by one process; how many rows each has printed."""
    wanted = {name: constants for name, constants in SMALLEST.items() if _can_run(name)}
    script = run("python", "-c", RUN_ALL, json.dumps(wanted), **{**os.environ, **VARIABLES})
    lines = [line for line in script.stdout.splitlines() if line.startswith("DONE ")]
    return dict(json.loads(line.removeprefix("DONE ")) for line in lines), script.stderr


def _can_run(name):
    return name not in IN_A_BROWSER or "CHROMIUM" in os.environ


@pytest.mark.parametrize("name", SMALLEST)
def test_a_section_runs(name, done):
    if not _can_run(name):
        pytest.skip("CHROMIUM names no browser")
    rows, errors = done
    assert rows.get(name), errors


def test_no_section_is_left_out():
    assert {*SECTIONS, *BY_THEMSELVES} <= SMALLEST.keys()


def test_a_corpus_can_be_written_and_compared(tmp_path):
    file = tmp_path / "corpus"
    variables = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings.test"}
    for option in ("--write", "--compare"):
        command = ("-m", "bench", "corpus", option, file, "--game", "die", "--first", "1")
        script = run("python", *command, **variables)
        assert script.returncode == 0, script.stdout + script.stderr
