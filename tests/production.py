"""A site in production's settings: what its tests share is prepared once."""

import contextlib
import os
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest

from tests.deployment.programs import run


class Production:
    """Settings for processes of the site, and databases that are migrated already."""

    def __init__(self, folder: Path) -> None:
        self.server = urlsplit(os.environ["DATABASE_URL"])
        self.template = f"turnstone_production_{os.getpid()}"
        self.numbers = count(1)
        self.variables = {
            "DJANGO_SETTINGS_MODULE": "config.settings.production",
            "SECRET_KEY": "correct-horse-battery-staple-0123456789-abcdefghijklmnop",
            "SITE_URL": "http://127.0.0.1",
            "ANY_HOST_PORT": "true",
            "DATABASE_URL": self._url(self.template),
            "REDIS_URL": os.environ["REDIS_URL"],
            "EMAIL_URL": "smtp://127.0.0.1:1",
            "DEFAULT_FROM_EMAIL": "games@example.org",
            "STATIC_ROOT": str(folder / "static"),
        }

    def prepare(self) -> None:
        """Migrate the template and collect the static files."""
        for command in (("migrate", "--no-input"), ("collectstatic", "--no-input")):
            done = run("manage.py", *command, **self.variables)
            assert done.returncode == 0, done.stderr

    @contextlib.contextmanager
    def database(self) -> Iterator[str]:
        """Make a migrated database; yield its address."""
        name = f"{self.template}_{next(self.numbers)}"
        with self.made(name, f'TEMPLATE "{self.template}"'):
            yield self._url(name)

    @contextlib.contextmanager
    def made(self, name: str, how: str = "") -> Iterator[None]:
        """Create a database, and drop it at the end."""
        self._do(f'CREATE DATABASE "{name}" {how}')
        try:
            yield
        finally:
            self._do(f'DROP DATABASE "{name}" WITH (FORCE)')

    def _url(self, name: str) -> str:
        return self.server._replace(path=f"/{name}").geturl()

    def _do(self, statement: str) -> None:
        with psycopg.connect(self._url("postgres"), autocommit=True) as admin:
            admin.execute(statement)


@pytest.fixture(scope="session")
def production(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Production]:
    """Return what every site in production's settings needs."""
    found = Production(tmp_path_factory.mktemp("production"))
    with found.made(found.template):
        found.prepare()
        yield found
