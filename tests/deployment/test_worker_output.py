"""What a worker writes: its log as JSON to standard error, and mails of a trial as they are."""

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.deployment.programs import BIN, PATIENCE, ROOT, eventually, run

pytestmark = [pytest.mark.postgres, pytest.mark.slow]

LINK = (
    "http://127.0.0.1/account/confirm-email/MQ:1vTtUv:Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MGFiY2RlZmdoaWo/"
)
WRITE = f"""
from django.utils import timezone
from accounts import outgoing, tasks
outgoing.write(to="ada@example.org", subject="Hello", text="Open:\\n\\n{LINK}", now=timezone.now())
tasks.send_mails.apply_async()
"""


@pytest.fixture
def variables(production):
    with production.database() as address:
        yield {**production.variables, "DATABASE_URL": address, "EMAIL_URL": "consolemail://"}


@pytest.fixture
def worker(variables, tmp_path):
    """A worker, with files for its two outputs."""
    command = ("--quiet", "-A", "config", "worker", "--queues", "mail", "--concurrency", "1")
    options = ("--loglevel", "INFO", "--without-gossip", "--without-mingle")
    environment = {"PATH": os.environ["PATH"], **variables}
    with (tmp_path / "out").open("wb") as out, (tmp_path / "err").open("wb") as err:
        process = subprocess.Popen(
            [BIN / "celery", *command, *options],
            cwd=ROOT,
            env=environment,
            stdout=out,
            stderr=err,
            start_new_session=True,
        )
    process.out, process.err = tmp_path / "out", tmp_path / "err"
    try:
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def objects(worker):
    """Return the lines of the log; all must be JSON."""
    return [json.loads(line) for line in worker.err.read_text().splitlines()]


def children(process):
    return list(map(int, Path(f"/proc/{process}/task/{process}/children").read_text().split()))


def test_a_mail_on_the_console_has_its_links_and_the_log_is_json(worker, variables):
    done = run("manage.py", "shell", "--command", WRITE, **variables)
    assert done.returncode == 0, done.stderr
    eventually(lambda: LINK in worker.out.read_text())
    (child,) = children(worker.pid)
    os.kill(child, signal.SIGKILL)
    eventually(lambda: any("SIGKILL" in line["event"] for line in objects(worker)))
    worker.send_signal(signal.SIGTERM)
    assert worker.wait(PATIENCE) == 0
    lines = objects(worker)
    assert all({"timestamp", "level", "logger", "event"} <= line.keys() for line in lines)
    assert [line for line in lines if line["event"] == "worker: Warm shutdown (MainProcess)"]
    assert LINK not in worker.err.read_text()
    # Django's backend for the console ends each mail with a rule.
    assert re.fullmatch(r"(Content-Type: .*\n-{79}\n)+", worker.out.read_text(), re.DOTALL)


def test_a_warning_of_python_is_a_line_too(variables):
    code = "import django, warnings; django.setup(); warnings.warn('look out', stacklevel=1)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], **variables},
        capture_output=True,
        text=True,
        check=True,
    )
    (line,) = map(json.loads, done.stderr.splitlines())
    assert line["logger"] == "py.warnings"
    assert "look out" in line["event"]
