"""The lock files: whole, from nowhere in particular, and no older than pyproject.toml."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
RUNTIME, DEV = "requirements.lock", "requirements-dev.lock"


def locked(name):
    """Versions by package."""
    pins = re.findall(r"^([A-Za-z0-9._-]+)==(\S+) \\$", (ROOT / name).read_text(), re.MULTILINE)
    return {canonicalize_name(package): version for package, version in pins}


@pytest.mark.parametrize("name", [RUNTIME, DEV])
def test_every_package_has_hashes_and_no_source(name):
    text = (ROOT / name).read_text()
    packages = re.split(r"^(?=[a-z0-9])", text, flags=re.MULTILINE | re.IGNORECASE)[1:]
    assert len(packages) == len(locked(name))
    assert all("--hash=sha256:" in package for package in packages)
    assert not re.search(r"://|^--| @ ", text, re.MULTILINE)


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        (RUNTIME, PROJECT["dependencies"]),
        (DEV, PROJECT["dependencies"] + PROJECT["optional-dependencies"]["dev"]),
    ],
)
def test_lock_holds_what_the_project_asks_for(name, wanted):
    """When this fails: `make lock`."""
    pins = locked(name)
    for requirement in map(Requirement, wanted):
        assert requirement.specifier.contains(pins[canonicalize_name(requirement.name)])


def test_tests_run_with_what_the_site_runs_with():
    runtime, dev = locked(RUNTIME), locked(DEV)
    assert {package: dev[package] for package in runtime} == runtime
