"""Begin test databases as copies of a migrated one that is kept from run to run.

All migrations take ten seconds, and each worker of each run would wait for them. They are applied
again when a file of theirs has changed. `migrate` still runs on the copy, and finds nothing to do.
"""

import fcntl
import hashlib
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.conf import settings
from django.db.backends.base.creation import BaseDatabaseCreation
from django.db.backends.postgresql.creation import DatabaseCreation

FOLDER = settings.BASE_DIR / ".pytest_cache" / "migrated"


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings: None) -> Iterator[None]:
    """Make pytest-django begin with the copy, and drop databases that are still in use."""
    create = BaseDatabaseCreation.create_test_db

    def create_test_db(self: Any, *arguments: Any, **how: Any) -> str:
        copied = _copied_on_postgresql if self.connection.vendor == "postgresql" else _copied
        FOLDER.mkdir(parents=True, exist_ok=True)
        with (FOLDER / "lock").open("w") as lock:
            # Whichever worker comes first migrates.
            fcntl.flock(lock, fcntl.LOCK_EX)
            return copied(self, lambda: create(self, *arguments, **how))

    def destroy_test_db(self: Any, name: str, verbosity: int) -> None:
        """Drop the database although a thread that a test has left behind is connected to it."""
        self.connection.close_pool()
        with self._nodb_cursor() as cursor:
            cursor.execute(f"DROP DATABASE {self.connection.ops.quote_name(name)} WITH (FORCE)")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(BaseDatabaseCreation, "create_test_db", create_test_db)
        patch.setattr(DatabaseCreation, "_destroy_test_db", destroy_test_db)
        yield


def _copied(creation: Any, create: Callable[[], str]) -> str:
    """Create the database in memory from a file, or the file from it."""
    file = FOLDER / f"{digest_of_migrations()}.sqlite3"
    # What is in memory lasts while somebody is connected to it.
    creation.kept_open = memory = sqlite3.connect(creation._get_test_db_name(), uri=True)
    if file.exists():
        with closing(sqlite3.connect(file)) as kept:
            kept.backup(memory)
        return create()
    name = create()
    for old in FOLDER.glob("*.sqlite3"):
        old.unlink()
    making = file.with_suffix(".making")
    making.unlink(missing_ok=True)
    with closing(sqlite3.connect(making)) as kept:
        memory.backup(kept)
    making.rename(file)
    return name


def _copied_on_postgresql(creation: Any, create: Callable[[], str]) -> str:
    """Create the database from a template, or the template from it."""
    settings_dict, quote = creation.connection.settings_dict, creation.connection.ops.quote_name
    digest = digest_of_migrations()
    template = f"test_{settings_dict['NAME']}_migrated"
    with creation._nodb_cursor() as cursor:
        cursor.execute(
            "SELECT shobj_description(oid, 'pg_database') FROM pg_database WHERE datname = %s",
            [template],
        )
        found = cursor.fetchone()
    if found == (digest,):
        settings_dict["TEST"]["TEMPLATE"] = template
        return create()
    name = create()
    creation.connection.close()
    creation.connection.close_pool()
    with creation._nodb_cursor() as cursor:
        cursor.execute(f"DROP DATABASE IF EXISTS {quote(template)}")
        cursor.execute(f"CREATE DATABASE {quote(template)} TEMPLATE {quote(name)}")
        # Written last: a template without it is not whole.
        cursor.execute(f"COMMENT ON DATABASE {quote(template)} IS '{digest}'")
    return name


def digest_of_migrations() -> str:
    """Return what changes with any migration, those of libraries included."""
    digest = hashlib.sha256()
    for app in apps.get_app_configs():
        for file in sorted(Path(app.path, "migrations").glob("*.py")):
            digest.update(f"{app.label} {file.name}\n".encode() + file.read_bytes())
    return digest.hexdigest()[:16]
