"""What all tests share: those that need a server or a browser are skipped aloud without it."""

import os

import pytest
from django.core.cache import cache

from games.matches import kept_log, kept_matches
from tests.fixtures import people, play, start, toy

__all__ = ["people", "play", "start", "toy"]


@pytest.fixture(autouse=True)
def _nothing_counted() -> None:
    """Forget how often anybody has done anything: ids of people come again in the next test."""
    cache.clear()
    kept_log.clear()
    kept_matches.clear()


NEEDS = {
    "postgres": ("DATABASE_URL", "REDIS_URL"),
    "browser": ("CHROMIUM",),
}


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip what cannot run here; where everything must run (CI=true), fail instead."""
    for marker, variables in NEEDS.items():
        missing = [name for name in variables if not os.environ.get(name)]
        if item.get_closest_marker(marker) is None or not missing:
            continue
        reason = f"needs {' and '.join(missing)} in the environment; `make test` sees to that"
        if os.environ.get("CI") == "true":
            pytest.fail(reason, pytrace=False)
        pytest.skip(reason)
