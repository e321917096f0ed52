"""The database that a first start of `make run` makes, made once for all who start a site.

Migrated and empty it is kept from run to run, as test databases are. With samples, which takes ten
seconds, it is kept for an hour, while the code is the same: several runs of `make test` share it.
"""

import fcntl
import hashlib
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.deployment.programs import ROOT, run
from tests.migrated import FOLDER, digest_of_migrations

SETTINGS = {"DJANGO_SETTINGS_MODULE": "config.settings.local"}
DATABASE = "turnstone.sqlite3"
CODE = ("accounts", "config", "games")
KEPT = 3600.0
"""Seconds for which samples are like new."""


@pytest.fixture(scope="session")
def fill_var(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path], Path]:
    """Put that database into a folder for ``VAR``, which is made, and return the folder."""
    samples = tmp_path_factory.mktemp("samples") / DATABASE
    kept = FOLDER / f"samples-{_digest_of_code()}.sqlite3"
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (FOLDER / "samples-lock").open("w") as lock:
        # Whichever process comes first makes it.
        fcntl.flock(lock, fcntl.LOCK_EX)
        for old in FOLDER.glob("samples-*.sqlite3"):
            if time.time() - old.stat().st_mtime > KEPT:
                old.unlink()
        if not kept.exists():
            _make(kept)
        shutil.copyfile(kept, samples)

    def fill(var: Path) -> Path:
        var.mkdir(parents=True)
        shutil.copyfile(samples, var / DATABASE)
        return var

    return fill


def _digest_of_code() -> str:
    digest = hashlib.sha256(digest_of_migrations().encode())
    for file in sorted(file for part in CODE for file in (ROOT / part).rglob("*.py")):
        digest.update(f"{file.relative_to(ROOT)}\n".encode() + file.read_bytes())
    return digest.hexdigest()[:16]


def _make(kept: Path) -> None:
    making = FOLDER / "samples-making"
    shutil.rmtree(making, ignore_errors=True)
    migrate_var(making)
    _manage("demo", making)
    (making / DATABASE).rename(kept)
    shutil.rmtree(making)


def migrate_var(var: Path) -> None:
    """Make a folder for ``VAR`` with a migrated database."""
    kept = FOLDER / f"run-{digest_of_migrations()}.sqlite3"
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (FOLDER / "run-lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not kept.exists():
            making = FOLDER / "run-making"
            shutil.rmtree(making, ignore_errors=True)
            _manage("migrate", making)
            (making / DATABASE).rename(kept)
        var.mkdir(parents=True)
        shutil.copyfile(kept, var / DATABASE)


def _manage(command: str, var: Path) -> None:
    done = run("manage.py", command, "-v0", **SETTINGS, VAR=str(var))
    assert done.returncode == 0, done.stderr
