"""The whole site as processes: two web processes, a worker for each queue, a beat."""

import contextlib
import json
import os
import signal
import time
from pathlib import Path

from config.settings.base import WORK_QUEUES
from tests.deployment.programs import answers, eventually, free_port, run, running

PAIRS = int(os.environ.get("PAIRS", "4"))
"""How many people play, in pairs."""

WITH_MAIL = 2
"""How many of the pairs get a mail with every move: each is drawn, and takes as long as a page."""

MATCHES = 4
"""How many matches each pair has: one of the largest board ends after some 450 moves."""

PREPARE = f"""
import json
from bench import people
users = people.make({2 * PAIRS}, "pair")
for user in users[:{2 * WITH_MAIL}]:
    known = {{"primary": True, "verified": True}}
    user.emailaddress_set.get_or_create(email=user.email, defaults=known)
found = []
for pair in zip(users[::2], users[1::2]):
    signed_in = [people.sign_in(user) for user in pair]
    found.append({{
        "matches": [people.start(pair, params={{"size": 12}}).pk for _ in range({MATCHES})],
        "people": [{{"cookies": one.cookies, "token": one.token}} for one in signed_in],
    }})
print("TABLES " + json.dumps(found))
"""
"""Makes people who are signed in, and the matches of each pair, as those who play them need it."""


class Site:
    """Its processes by name: ``web-0``, ``web-1``, the queues and ``beat``."""

    def __init__(self, folder, variables):
        # All visitors come from one address.
        self.folder, self.variables = folder, {**variables, "CLIENT_CONNECTIONS": "10000"}
        self.ports = [free_port(), free_port()]
        self.addresses = [f"http://127.0.0.1:{port}" for port in self.ports]
        self.stack = contextlib.ExitStack()
        self.processes, self.logs = {}, {}
        for command in (("migrate", "--no-input"), ("collectstatic", "--no-input")):
            done = run("manage.py", *command, **variables)
            assert done.returncode == 0, done.stderr

    def tables(self):
        """Matches with cookies of their players."""
        done = run("manage.py", "shell", "--command", PREPARE, **self.variables)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout.partition("TABLES ")[2])

    def command(self, name):
        if name.startswith("web-"):
            port = self.ports[int(name[4:])]
            return ("python", "-m", "config.server", "--port", port, "--notice", "0.5")
        celery = ("celery", "--quiet", "-A", "config")
        if name.startswith("beat"):
            return (*celery, "beat", "--schedule", self.folder / name, "--pidfile=")
        queue = name.partition("-")[0]
        worker = (*celery, "worker", "--queues", queue, "--concurrency", "1")
        return (*worker, "--hostname", f"{name}@%h", "--without-gossip", "--without-mingle")

    @property
    def names(self):
        return ["web-0", "web-1", *(queue for queue, tasks in WORK_QUEUES.items() if tasks), "beat"]

    def start(self, *names):
        for name in names:
            log = self.folder / f"log-{name}-{time.monotonic_ns()}"
            self.logs.setdefault(name, []).append(log)
            program = running(*self.command(name), log=log, **self.variables)
            self.processes[name] = self.stack.enter_context(program)

    def wait(self):
        """Wait until all web processes are ready."""
        for address in self.addresses:
            eventually(lambda address=address: answers(f"{address}/readyz"), patience=240)

    def kill(self, name, number=signal.SIGKILL):
        """End a process, and with a worker what it has forked."""
        process = self.processes[name]
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        process.send_signal(number)
        process.wait()
        if number == signal.SIGKILL:
            for child in children:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(int(child), number)

    def lines(self):
        """How many lines all processes have logged, requests apart."""
        texts = [log.read_text() for logs in self.logs.values() for log in logs]
        return sum(" - - [" not in line for text in texts for line in text.splitlines())

    def stop(self):
        self.stack.close()
