"""Every contract test runs once for each game that the registry finds."""

import pytest

from games.kernel import registry


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "title" in metafunc.fixturenames:
        found = registry.titles()
        metafunc.parametrize("title", found.values(), ids=found.keys())
