"""The database that a first start of `make run` makes, made once for all who start a site.

Migrated and empty it is kept from run to run, as test databases are.
"""

import fcntl
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.deployment.programs import run
from tests.migrated import FOLDER, digest_of_migrations

SETTINGS = {"DJANGO_SETTINGS_MODULE": "config.settings.local"}
DATABASE = "turnstone.sqlite3"


@pytest.fixture(scope="session")
def fill_var(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path], Path]:
    """Put that database into a folder for ``VAR``, which is made, and return the folder."""
    samples = _shared(tmp_path_factory) / "samples"
    with samples.with_suffix(".lock").open("w") as lock:
        # Whichever worker comes first makes it.
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not samples.exists():
            _make(samples)

    def fill(var: Path) -> Path:
        var.mkdir(parents=True)
        shutil.copyfile(samples / DATABASE, var / DATABASE)
        return var

    return fill


def _shared(factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the whole run: each worker has one of its own in it."""
    base = factory.getbasetemp()
    return base.parent if "PYTEST_XDIST_WORKER" in os.environ else base


def _make(samples: Path) -> None:
    making = samples.with_suffix(".making")
    shutil.rmtree(making, ignore_errors=True)
    migrate_var(making)
    _manage("demo", making)
    making.rename(samples)


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
