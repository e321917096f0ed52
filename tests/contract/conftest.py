"""Every contract test runs once for each game that the registry finds."""

from collections.abc import Iterator

import pytest

from games.kernel import registry
from games.kernel.language import looked_up


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "title" in metafunc.fixturenames:
        # A worker takes all of a game's, and plays its random matches once.
        found = [
            pytest.param(title, id=slug, marks=pytest.mark.xdist_group(slug))
            for slug, title in registry.titles().items()
        ]
        metafunc.parametrize("title", found)


@pytest.fixture
def _in_one_language() -> Iterator[None]:
    """Write a million labels without asking each time in which language."""
    with looked_up():
        yield
