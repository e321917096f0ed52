"""Parameters of a test that `make test` tries in part, and `make thorough` in full."""

from collections.abc import Iterable
from typing import Any

import pytest


def rest_thorough(values: Iterable[Any], often: int = 1) -> list[Any]:
    """Mark all but the first values as thorough."""
    return [
        pytest.param(value, marks=pytest.mark.thorough if number >= often else ())
        for number, value in enumerate(values)
    ]
