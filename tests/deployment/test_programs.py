"""Programs that tests and the bench start don't outlive them."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.deployment.programs import ROOT, eventually

STARTS_A_PROGRAM = """
import sys
from pathlib import Path
from tests.deployment.programs import running

with running("python", "-c", "import time; time.sleep(600)", log=Path(sys.argv[1])) as program:
    print(program.pid, flush=True)
    program.wait()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends them")
def test_a_program_ends_when_its_starter_is_killed(tmp_path):
    command = (sys.executable, "-c", STARTS_A_PROGRAM, tmp_path / "log")
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as starter:
        pid = int(starter.stdout.readline())
        assert is_running(pid)
        starter.send_signal(signal.SIGKILL)
    eventually(lambda: not is_running(pid))


def is_running(pid):
    """Whether a process is there and hasn't ended, even if nobody has noticed that yet."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
