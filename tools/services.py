"""Starts the services that the whole test run needs, runs a command with them, and stops them.

    python tools/services.py make first-tests

Needed are PostgreSQL, Redis and Chromium. Each is, in this order: what the environment names
(DATABASE_URL, REDIS_URL, CHROMIUM); a server that answers at its usual port on this machine; a
server started for the occasion, in a temporary folder, from an installed program; the same after
`apt-get install`, on Debian and as root. The browser's driver gets its library in the same way, and
tests that start and kill servers of their own the programs of PostgreSQL and Redis. Missing
services are reported, and the tests that need them are skipped; with CI=true that is an error. Only
the standard library is used here.
"""

import contextlib
import ctypes
import os
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NoReturn

HOST = "127.0.0.1"
POSTGRES_PORT = 5432
REDIS_PORT = 6379
REDIS_DATABASE = 15
"""Not the first one, which may contain data of the owner."""

START_TIMEOUT = 30.0
"""Seconds that a server has to start."""

SETTINGS = ("fsync=off", "synchronous_commit=off", "full_page_writes=off")
"""Settings of a PostgreSQL server with disposable data."""

CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
DRIVER_LIBRARY = "libatomic.so.1"
POSTGRES_PROGRAMS = "/usr/lib/postgresql/*/bin"


def main(command: list[str]) -> int:
    """Run the command with the services in its environment, and return its exit code."""
    signal.signal(signal.SIGTERM, _end)
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="turnstone-")))
        folder.chmod(0o755)
        environment = {
            "DATABASE_URL": stack.enter_context(_postgres(folder)),
            "REDIS_URL": stack.enter_context(_redis(folder)),
            "CHROMIUM": _chromium(),
        }
        had = {name: value for name, value in environment.items() if value}
        is_whole = _has_programs() and len(had) == len(environment)
        if not is_whole and os.environ.get("CI") == "true":
            print("CI=true: nothing may be skipped.", file=sys.stderr)
            return 1
        return subprocess.run(command, env={**os.environ, **had}, check=False).returncode


@contextlib.contextmanager
def _postgres(folder: Path) -> Iterator[str | None]:
    """Yield the address of a database that tests may create and drop copies of."""
    if given := os.environ.get("DATABASE_URL"):
        yield _said("PostgreSQL", "as DATABASE_URL says", given)
    elif _postgres_answers(POSTGRES_PORT):
        url = f"postgres://postgres@{HOST}:{POSTGRES_PORT}/turnstone"
        yield _said("PostgreSQL", f"the one at port {POSTGRES_PORT}", url)
    elif programs := _found(_postgres_programs, "postgresql"):
        with _started_postgres(Path(programs), folder / "postgres") as port:
            url = f"postgres://postgres@{HOST}:{port}/turnstone"
            yield _said("PostgreSQL", f"started at port {port}", url)
    else:
        yield _missed("PostgreSQL", "races and many processes")


@contextlib.contextmanager
def _redis(folder: Path) -> Iterator[str | None]:
    """Yield the address of a Redis database that tests may write to."""
    if given := os.environ.get("REDIS_URL"):
        yield _said("Redis", "as REDIS_URL says", given)
    elif _redis_answers(REDIS_PORT):
        url = f"redis://{HOST}:{REDIS_PORT}/{REDIS_DATABASE}"
        yield _said("Redis", f"the one at port {REDIS_PORT}", url)
    elif program := _found(_redis_program, "redis-server"):
        port = _free_port()
        command = [program, "--port", str(port), "--bind", HOST, "--save", "", "--dir", str(folder)]
        with _running(command, lambda: _redis_answers(port), log=folder / "redis.log"):
            yield _said("Redis", f"started at port {port}", f"redis://{HOST}:{port}/0")
    else:
        yield _missed("Redis", "races and many processes")


def _has_programs() -> bool:
    """Whether the programs of servers are available, which some tests start, freeze and kill."""
    wanted = ((_postgres_programs, "postgresql"), (_redis_program, "redis-server"))
    missing = [package for look, package in wanted if not _found(look, package)]
    for package in missing:
        _missed(f"The server of {package}", "faults and outages")
    return not missing


def _chromium() -> str | None:
    """Return the path of a Chromium. Its driver needs a library that a bare Debian lacks."""
    if not _found(_driver_library, "libatomic1"):
        print(f"{DRIVER_LIBRARY} is not here; the browser's driver may need it.", file=sys.stderr)
    if given := os.environ.get("CHROMIUM"):
        return _said("Chromium", "as CHROMIUM says", given)
    program = _found(_installed_chromium, "chromium", "fonts-dejavu-core")
    return _said("Chromium", program, program) if program else _missed("Chromium", "browsers")


def _driver_library() -> str | None:
    """Return the name of the library, if it can be loaded."""
    try:
        ctypes.CDLL(DRIVER_LIBRARY)
    except OSError:
        return None
    return DRIVER_LIBRARY


def _installed_chromium() -> str | None:
    return next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)


def _redis_program() -> str | None:
    return shutil.which("redis-server")


def _postgres_programs() -> str | None:
    """Return the folder of the newest PostgreSQL's programs."""
    if initdb := shutil.which("initdb"):
        return str(Path(initdb).resolve().parent)
    folders = Path("/").glob(POSTGRES_PROGRAMS.lstrip("/"))
    return max(map(str, folders), default=None, key=lambda name: (len(name), name))


@contextlib.contextmanager
def _started_postgres(programs: Path, folder: Path) -> Iterator[int]:
    """Run a temporary server, as another user if we are root, since it refuses that."""
    user = "postgres" if os.geteuid() == 0 else None
    folder.mkdir()
    if user:
        shutil.chown(folder, user)
    data, port = folder / "data", _free_port()
    options = ["--username=postgres", "--auth=trust", "--encoding=UTF8", "--no-sync"]
    initdb = [str(programs / "initdb"), *options, str(data)]
    subprocess.run(initdb, user=user, cwd=folder, stdout=subprocess.DEVNULL, check=True)
    server = [programs / "postgres", "-D", data, "-p", str(port), "-k", folder]
    settings = [f"listen_addresses={HOST}", *SETTINGS]
    options = [word for setting in settings for word in ("-c", setting)]
    command = [str(part) for part in (*server, *options)]
    with _running(command, lambda: _postgres_answers(port), log=folder / "log", user=user):
        yield port


@contextlib.contextmanager
def _running(
    command: list[str], answers: Callable[[], bool], *, log: Path, user: str | None = None
) -> Iterator[None]:
    """Run a server that answers, and stop it at the end.

    :raises SystemExit: it doesn't answer.
    """
    with (
        log.open("wb") as output,
        subprocess.Popen(
            command,
            stdout=output,
            stderr=subprocess.STDOUT,
            user=user,
            cwd=log.parent,
            # Ctrl-C is for the tests; the servers are stopped after them.
            start_new_session=True,
        ) as server,
    ):
        try:
            end = time.monotonic() + START_TIMEOUT
            while not answers():
                if server.poll() is not None or time.monotonic() > end:
                    raise SystemExit(f"{command[0]} did not start:\n{log.read_text()}")
                time.sleep(0.1)
            yield
        finally:
            server.send_signal(signal.SIGINT)
            server.wait(START_TIMEOUT)


def _found(look: Callable[[], str | None], *packages: str) -> str | None:
    """Return the result of ``look``, at once or after the packages have been installed."""
    if found := look():
        return found
    if os.geteuid() != 0 or not Path("/etc/debian_version").exists():
        return None
    print(f"Installing {' '.join(packages)} …", flush=True)
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for arguments in (["update"], ["install", "--yes", "--no-install-recommends", *packages]):
        command = ["apt-get", "--quiet=2", *arguments]
        subprocess.run(command, env=quiet, stdout=subprocess.DEVNULL, check=False)
    return look()


def _postgres_answers(port: int) -> bool:
    """Whether user postgres may connect without a password (PostgreSQL's protocol, version 3)."""
    names = b"user\0postgres\0database\0postgres\0\0"
    hello = struct.pack("!ii", 8 + len(names), 3 << 16) + names
    allowed = b"R" + struct.pack("!ii", 8, 0)
    return _answer(port, hello, len(allowed)) == allowed


def _redis_answers(port: int) -> bool:
    return _answer(port, b"PING\r\n", 5) == b"+PONG"


def _answer(port: int, question: bytes, size: int) -> bytes:
    try:
        with socket.create_connection((HOST, port), timeout=2) as connection:
            connection.sendall(question)
            return connection.recv(size, socket.MSG_WAITALL)
    except OSError:
        return b""


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def _said(name: str, how: str, value: str) -> str:
    print(f"{name}: {how}", flush=True)
    return value


def _missed(name: str, tests: str) -> str | None:
    print(f"{name}: NOT FOUND, so the tests of {tests} are SKIPPED", file=sys.stderr, flush=True)
    return None


def _end(number: int, frame: object) -> NoReturn:
    raise SystemExit(128 + number)


if __name__ == "__main__":
    if not sys.argv[1:]:
        raise SystemExit(__doc__)
    raise SystemExit(main(sys.argv[1:]))
