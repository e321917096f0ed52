"""The commands by which the manual restores a dump, run against a server that is there."""

import os
import re
import secrets
import shlex
import shutil
import subprocess
from fnmatch import fnmatch
from pathlib import Path

import psycopg
import pytest
import yaml

from tests.deployment.programs import run

ROOT = Path(__file__).resolve().parents[2]
MANUAL = (ROOT / "docs" / "running.md").read_text()
RESTORE = MANUAL.partition("### Restore\n")[2].partition("\n## ")[0]
COMPOSE, BY_HAND = re.findall(r"^```sh\n(.+?)^```", RESTORE, re.MULTILINE | re.DOTALL)
PREFIX = {
    COMPOSE: re.compile(r"docker compose exec (?:-T )?postgres (.+)"),
    BY_HAND: re.compile(r"sudo -u postgres (.+)"),
}
"""What stands before the programs of PostgreSQL."""

DUMP = "turnstone-2030-01-31.dump"
PASSWORD = "letters0123"


class Server:
    """The server of the tests, with a role and databases whose names begin alike."""

    def __init__(self, url):
        self.url = url
        self.name = f"turnstone_restore_{secrets.token_hex(4)}"
        self.variables = {
            "PATH": os.environ["PATH"],
            "PGHOST": str(url.hostname),
            "PGPORT": str(url.port or 5432),
            "PGUSER": str(url.username),
            "PGPASSWORD": url.password or "",
        }

    def do(self, statement):
        with psycopg.connect(
            self.url._replace(path="/postgres").geturl(), autocommit=True
        ) as admin:
            admin.execute(statement)

    def tool(self, line, folder):
        """Run a line of the manual, with this server's names for role and databases."""
        command, _, file = line.replace("turnstone", self.name).partition(" < ")
        with Path(folder / file if file else os.devnull).open("rb") as given:
            return subprocess.run(
                shlex.split(command),
                cwd=folder,
                env=self.variables,
                stdin=given,
                capture_output=True,
                text=True,
                check=False,
            )


@pytest.fixture
def server(production, tmp_path):
    """A role and its database, a dump of it, and a move later one table less."""
    if not shutil.which("pg_restore"):
        pytest.skip("needs the client programs of PostgreSQL")
    found = Server(production.server)
    found.do(f"CREATE ROLE {found.name} LOGIN PASSWORD '{PASSWORD}'")
    try:
        yield found
    finally:
        for database in (found.name, f"{found.name}_before"):
            found.do(f"DROP DATABASE IF EXISTS {database} WITH (FORCE)")
        found.do(f"DROP ROLE {found.name}")


def lines(block):
    """Return the lines of a block that run a program of PostgreSQL."""
    whole = re.sub(r"\\\n\s*", "", block).splitlines()
    return [match[1] for line in whole if (match := PREFIX[block].fullmatch(line))]


@pytest.mark.postgres
@pytest.mark.slow
@pytest.mark.parametrize(
    ("block", "rights"), [(COMPOSE, "SUPERUSER"), (BY_HAND, "NOSUPERUSER")], ids=["Compose", "hand"]
)
def test_a_dump_is_restored_as_the_manual_says(server, production, tmp_path, block, rights):
    server.do(f"ALTER ROLE {server.name} {rights}")
    server.do(f'CREATE DATABASE {server.name} TEMPLATE "{production.template}"')
    file = DUMP.replace("turnstone", server.name)
    done = server.tool(f"pg_dump --format custom --file {DUMP} turnstone", tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / file).exists()
    *restoring, dropping = lines(block)
    assert "turnstone_before" in dropping
    for line in restoring:
        done = server.tool(line, tmp_path)
        assert done.returncode == 0, (line, done.stderr)
    own = f"{server.name}:{PASSWORD}@{server.url.hostname}:{server.url.port or 5432}"
    variables = {**production.variables, "DATABASE_URL": f"postgres://{own}/{server.name}"}
    for command in (("migrate", "--check"), ("migrate", "--no-input"), ("verify_matches",)):
        done = run("manage.py", *command, **variables)
        assert done.returncode == 0, (command, done.stdout + done.stderr)
    done = server.tool(dropping, tmp_path)
    assert done.returncode == 0, done.stderr


def test_everything_that_holds_a_connection_is_stopped_first():
    """A database with connections can't be renamed."""
    compose = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
    profiles = {profile for one in compose.values() for profile in one.get("profiles", ())}
    first, second, *_ = COMPOSE.splitlines()
    named = "".join(f"--profile {profile} " for profile in sorted(profiles))
    assert first == f"docker compose {named}stop"
    assert second == "docker compose up --detach --wait postgres"
    pattern = re.match(r"sudo systemctl stop '(.+)'", BY_HAND)[1]
    units = [unit.name for unit in (ROOT / "docs" / "systemd").glob("*.service")]
    assert units
    assert all(fnmatch(unit, pattern) for unit in units)
