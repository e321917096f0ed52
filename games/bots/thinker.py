"""Thinkers: separate processes that compute moves, so that no page waits for them."""

import selectors
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import msgspec

from games.bots.questions import Advice, Answer, Appraisal, Appraised, Consultation, Question

T = TypeVar("T")

THINKER_TIMEOUT = 120.0
"""Seconds after which a thinker has failed. It runs at low priority, so this is long."""

BEAT = 4.0
"""Seconds between two reports that a thinker is still at work."""

Beat = Callable[[float], object]
"""Called every ``BEAT`` seconds while a thinker works, with the seconds since it was asked."""

ROOT = Path(__file__).resolve().parents[2]
COMMAND = (sys.executable, "-m", "games.bots.process")


class ThinkerFailed(Exception):
    """A thinker has crashed, was killed, or took too long. It can be asked again."""


def _no_beat(_waited: float) -> None: ...


class Thinker:
    """A thinking process, started on the first question and again after a failure."""

    def __init__(self, command: tuple[str, ...] = COMMAND) -> None:
        self._command = command
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int | None:
        """The id of the process. ``None`` before it is started."""
        return self._process.pid if self._process else None

    def ask(
        self, question: Question, patience: float = THINKER_TIMEOUT, beat: Beat = _no_beat
    ) -> Answer:
        """Return the answer to a question.

        :raises ThinkerFailed: no answer after ``patience`` seconds, or the process has ended.
        """
        return self._answer(question.dump(), Answer, patience, beat)

    def appraise(
        self, asked: Appraisal, patience: float = THINKER_TIMEOUT, beat: Beat = _no_beat
    ) -> Appraised:
        """Return the evaluation of a position.

        :raises ThinkerFailed: see :meth:`ask`.
        """
        return self._answer(asked.dump(), Appraised, patience, beat)

    def advise(
        self, asked: Consultation, patience: float = THINKER_TIMEOUT, beat: Beat = _no_beat
    ) -> Advice:
        """Return the best moves of a position.

        :raises ThinkerFailed: see :meth:`ask`.
        """
        return self._answer(asked.dump(), Advice, patience, beat)

    def _answer(self, asked: bytes, kind: type[T], patience: float, beat: Beat) -> T:
        try:
            line = self._exchange(self._started(), asked + b"\n", patience, beat)
            answer = msgspec.json.decode(line, type=kind | str)
        except (OSError, msgspec.DecodeError) as error:
            self.stop()
            raise ThinkerFailed(str(error) or type(error).__name__) from error
        except BaseException:
            # Its answer would be taken for that to the next question.
            self.stop()
            raise
        if isinstance(answer, str):
            self.stop()
            raise ThinkerFailed(answer)
        return answer

    def stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            self._process = subprocess.Popen(  # noqa: S603 - a command of our own
                self._command,
                cwd=ROOT,
                env={"PYTHONHASHSEED": "0", "PYTHONUTF8": "1"},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                start_new_session=True,
            )
        return self._process

    @staticmethod
    def _exchange(
        process: subprocess.Popen[bytes], line: bytes, patience: float, beat: Beat
    ) -> bytes:
        """Write a line and return the response.

        :raises OSError: there is no response.
        """
        if process.stdin is None or process.stdout is None:
            raise OSError("The thinker cannot be reached.")
        process.stdin.write(line)
        process.stdin.flush()
        with selectors.DefaultSelector() as ready:
            ready.register(process.stdout, selectors.EVENT_READ)
            asked = time.monotonic()
            waited = 0.0
            while not ready.select(min(BEAT, patience - waited)):
                waited = time.monotonic() - asked
                if waited >= patience:
                    raise OSError(f"The thinker has not answered for {patience:g} seconds.")
                beat(waited)
        return process.stdout.readline()


_own = threading.local()


def own_thinker() -> Thinker:
    """Return the thinker of this thread: each worker that waits for answers has one."""
    if not hasattr(_own, "thinker"):
        _own.thinker = Thinker()
    thinker: Thinker = _own.thinker
    return thinker
