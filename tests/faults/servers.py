"""PostgreSQL, Redis and a mail server at free ports, to be killed, frozen and started again."""

import contextlib
import os
import shutil
import signal
import socket
import socketserver
import subprocess
import threading
import time
from collections import Counter
from pathlib import Path

import psycopg

from tests.deployment.programs import eventually, free_port
from tools import services

SETTINGS_OF_POOLER = Path(__file__).resolve().parents[2] / "docs" / "pgbouncer.ini"

SILENCE = 600
"""Seconds for which a server that hangs says nothing: longer than any test."""


class Redis:
    """A Redis that keeps nothing."""

    def __init__(self):
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self.process = None

    def start(self):
        command = ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--save", ""]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        eventually(self.is_up)

    def is_up(self):
        return self.ask(b"PING") == b"+PONG"

    def ask(self, command):
        with (
            contextlib.suppress(OSError),
            socket.create_connection(("127.0.0.1", self.port), 1) as s,
        ):
            s.sendall(command + b"\r\n")
            return s.recv(5)
        return b""

    def signal(self, number):
        self.process.send_signal(number)

    def kill(self):
        self.process.kill()
        self.process.wait()


class Postgres:
    """A PostgreSQL in a folder of its own; where the tests are root, it runs as somebody else."""

    def __init__(self, folder, most=60):
        programs = services._postgres_programs()
        assert programs, "PostgreSQL's server is not installed"
        self.programs, self.data, self.port = Path(programs), folder / "data", free_port()
        self.user = "postgres" if os.geteuid() == 0 else None
        self.process = None
        folder.mkdir()
        if self.user:
            shutil.chown(folder, self.user)
        self.options = ["-k", folder, "-c", "listen_addresses=127.0.0.1", "-c", "fsync=off"]
        self.options += ["-c", f"max_connections={most}"]
        self._make()

    def _make(self):
        self._run("initdb", "--username=postgres", "--auth=trust", "--no-sync", self.data)

    def _run(self, program, *arguments):
        command = [str(part) for part in (self.programs / program, *arguments)]
        subprocess.run(
            command, user=self.user, cwd=self.data.parent, stdout=subprocess.DEVNULL, check=True
        )

    def start(self):
        server = [self.programs / "postgres", "-D", self.data, "-p", self.port, *self.options]
        with (self.data.parent / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [str(part) for part in server],
                user=self.user,
                cwd=self.data.parent,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        eventually(lambda: services._postgres_answers(self.port))

    @property
    def address(self):
        """How PostgreSQL's own programs find it."""
        return ["--host", "127.0.0.1", "--port", str(self.port), "--username", "postgres"]

    def url(self, database="turnstone"):
        return f"postgres://postgres@127.0.0.1:{self.port}/{database}"

    def restart(self, number):
        """End it, by SIGINT (fast), SIGQUIT (at once) or SIGKILL, and start it again."""
        self.process.send_signal(number)
        self.process.wait()
        # What was killed leaves backends behind for a moment, and a note of who it was.
        time.sleep(2)
        self.start()

    def all_processes(self):
        """The server and its backends, each of which is a process."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text()
        return [self.process.pid, *map(int, children.split())]

    def signal(self, number):
        for process in self.all_processes():
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, number)

    def stop(self):
        if self.process.poll() is None:
            self.signal(signal.SIGCONT)
            self.process.send_signal(signal.SIGINT)
            self.process.wait()

    def one(self, query, *values):
        """The first row of an answer."""
        with psycopg.connect(self.url(), autocommit=True, connect_timeout=5) as connection:
            return connection.execute(query, values).fetchone()


class Replica(Postgres):
    """A copy of a PostgreSQL that runs, which follows it and can only be read."""

    def __init__(self, folder, primary):
        self.primary = primary
        super().__init__(folder)

    def _make(self):
        how = ("--checkpoint=fast", "--write-recovery-conf", "-D", self.data)
        self._run("pg_basebackup", *self.primary.address, *how)

    def follow(self, *, does_follow):
        """Go on replaying, or stop."""
        self.one(f"SELECT pg_wal_replay_{'resume' if does_follow else 'pause'}()")


class PgBouncer:
    """A pooler in transaction mode before a database and its replica, set up as in the manual."""

    def __init__(self, primary, replica):
        self.port, self.process, self.user = free_port(), None, primary.user
        folder = primary.data.parent
        self.settings, passwords = folder / "pgbouncer.ini", folder / "passwords"
        text = SETTINGS_OF_POOLER.read_text()
        for usual, here in (
            ("host=postgres port=5432", f"host=127.0.0.1 port={primary.port}"),
            ("host=replica port=5432", f"host=127.0.0.1 port={replica.port}"),
            ("listen_addr = *", "listen_addr = 127.0.0.1"),
            ("listen_port = 6432", f"listen_port = {self.port}"),
            ("/tmp/userlist.txt", str(passwords)),
        ):
            assert usual in text
            text = text.replace(usual, here)
        self.settings.write_text(text)
        passwords.write_text('"postgres" "letters"\n')

    def start(self):
        with (self.settings.parent / "pgbouncer.log").open("ab") as log:
            self.process = subprocess.Popen(
                ["pgbouncer", self.settings], user=self.user, stdout=log, stderr=log
            )
        eventually(self.is_up)

    def is_up(self):
        with contextlib.suppress(psycopg.OperationalError), psycopg.connect(self.url("_command")):
            return True
        return False

    def kill(self):
        self.process.kill()
        self.process.wait()

    def url(self, kind=""):
        return f"postgres://postgres:letters@127.0.0.1:{self.port}/turnstone{kind}"


class Mail(socketserver.StreamRequestHandler):
    """One connection to the mail server, which does as its ``mode`` says."""

    def handle(self):
        mode = self.server.mode
        if mode == "hangs":
            self.server.over.wait(SILENCE)
            return
        self._greet(drips=mode == "drips")
        for line in self.rfile:
            word = line[:4].upper().strip()
            if word == b"DATA":
                self._take_mail(mode)
                if mode == "drops":
                    return
            elif word == b"QUIT":
                return
            else:
                refused = mode == "refuses" and word == b"RCPT"
                self._say(b"554 no" if refused else b"250 well")

    def _greet(self, *, drips):
        """Say who this is; where it drips, a letter a second."""
        if drips:
            for _ in range(SILENCE):
                self.wfile.write(b"2")
                if self.server.over.wait(1):
                    return
        self._say(b"220 here")

    def _take_mail(self, mode):
        self._say(b"354 go on")
        lines = []
        while (line := self.rfile.readline()) not in (b".\r\n", b""):
            lines.append(line)
        if mode != "drops":
            self._say(b"250 taken")
            ids = [line for line in lines if line.lower().startswith(b"message-id:")]
            self.server.taken[ids[0].split()[-1]] += 1

    def _say(self, text):
        self.wfile.write(text + b"\r\n")

    def finish(self):
        with contextlib.suppress(OSError):
            super().finish()


class MailServer(socketserver.ThreadingTCPServer):
    """Counts the mails that it has said yes to, by their Message-ID.

    ``mode`` is ``takes``, ``hangs``, ``refuses``, ``drops`` (after a mail, without an answer) or
    ``drips``.
    """

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Mail)
        self.mode, self.taken, self.over = "takes", Counter(), threading.Event()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def change(self, mode):
        """Do otherwise from now on; what has hung until now ends."""
        self.mode = mode
        self.over.set()
        self.over = threading.Event()

    def handle_error(self, request, client_address):
        """Say nothing of clients that have gone."""

    @property
    def port(self):
        return self.server_address[1]
