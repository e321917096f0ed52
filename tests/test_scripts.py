"""Units of the site's scripts that need no page, run by deno."""

import os
import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).parent / "scripts"


def test_units_of_scripts(tmp_path):
    deno = Path(sys.executable).with_name("deno")
    options = ["--quiet", "--no-check", "--no-remote", "--no-npm", "--no-config"]
    options.append(f"--allow-read={TESTS.parents[1] / 'static'}")
    environment = {**os.environ, "DENO_DIR": str(tmp_path), "DENO_NO_UPDATE_CHECK": "1"}
    run = subprocess.run(
        [deno, "test", *options, TESTS],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
