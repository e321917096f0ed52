"""A site in one process that is killed while people play, and whose disk is full."""

import contextlib
import json
import os
import shutil
import sqlite3
import subprocess
import time

import pytest
import requests

from tests.deployment.programs import answers, eventually, free_port, run, running
from tests.faults.conftest import wait_until_all_move
from tests.faults.players import Pair
from tests.faults.site import PREPARE

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.thorough,
    pytest.mark.timeout(1200),
]

DISK = 48
"""Megabytes of the disk of the test's own."""


@pytest.fixture(scope="module")
def disk(tmp_path_factory):
    """A small disk, which can be filled; only root may make one."""
    folder = tmp_path_factory.mktemp("disk")
    mount = ["mount", "-t", "tmpfs", "-o", f"size={DISK}m", "tmpfs", str(folder)]
    if os.geteuid() or subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("NOT TRIED: a full disk takes a file system of its own, which takes root")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


class OneProcess:
    """`manage.py serve`, and pairs who play there."""

    def __init__(self, disk, logs):
        self.port, self.logs, self.disk = free_port(), logs, disk
        self.address = f"http://127.0.0.1:{self.port}"
        self.variables = {
            "DJANGO_SETTINGS_MODULE": "config.settings.local",
            "VAR": str(disk / "var"),
            "PORT": str(self.port),
        }

    def start(self, stack):
        log = self.logs / f"log-{time.monotonic_ns()}"
        found = stack.enter_context(running("manage.py", "serve", log=log, **self.variables))
        eventually(lambda: answers(f"{self.address}/readyz"), patience=400)
        return found

    def pairs(self):
        done = run("manage.py", "shell", "--command", PREPARE, **self.variables)
        assert done.returncode == 0, done.stderr
        tables = json.loads(done.stdout.partition("TABLES ")[2])
        return [Pair(table, [self.address]) for table in tables]

    def submissions(self):
        with contextlib.closing(sqlite3.connect(self.disk / "var" / "turnstone.sqlite3")) as opened:
            rows = opened.execute("SELECT submission FROM match_move WHERE submission IS NOT NULL")
            return [row[0] for row in rows]


@pytest.fixture(scope="module")
def world(disk, tmp_path_factory):
    """The site, its pairs, and what ends the processes that were started."""
    world = OneProcess(disk, tmp_path_factory.mktemp("logs"))
    with contextlib.ExitStack() as stack:
        world.stack = stack
        world.process = world.start(stack)
        world.playing = world.pairs()
        for pair in world.playing:
            pair.start()
        yield world
        for pair in world.playing:
            pair.over.set()


def checked(world):
    """Every acknowledged move is there once; return how many there are."""
    acknowledged = {one.replace("-", "") for pair in world.playing for one in [*pair.acknowledged]}
    stored = world.submissions()
    assert len(stored) == len(set(stored))
    assert acknowledged <= set(stored)
    done = run("manage.py", "verify_matches", "--jobs", "1", **world.variables)
    assert done.returncode == 0, done.stdout + done.stderr
    return len(acknowledged)


def all_move(world):
    """Wait until every pair has had a move acknowledged from now on; return the seconds."""
    return wait_until_all_move(world.playing, time.time(), patience=240)


def test_killed_while_people_play(world, capsys):
    all_move(world)
    world.process.kill()
    world.process.wait()
    world.process = world.start(world.stack)
    seconds = all_move(world)
    with capsys.disabled():
        print(f"\none process killed: {checked(world)} moves, normal after {seconds:.1f} s")


def test_disk_full(world, capsys):
    all_move(world)
    filler = world.disk / "filler"
    with filler.open("wb") as file, contextlib.suppress(OSError):
        while True:
            file.write(b"\0" * 65536)
            file.flush()
    assert shutil.disk_usage(world.disk).free < 65536
    time.sleep(10)
    assert requests.get(f"{world.address}/games/", timeout=60).status_code == 200
    ready = requests.get(f"{world.address}/readyz", timeout=60)
    assert ready.status_code == 200
    assert ready.json()["parts"]["writing"]["ok"] is False
    filler.unlink()
    seconds = all_move(world)
    with capsys.disabled():
        print(f"\ndisk full: {checked(world)} moves, normal after {seconds:.1f} s")
