"""Parameters of a test that `make test` tries in part, and `make thorough` in full."""

from collections.abc import Iterable
from typing import Any

import pytest


def rest_thorough(values: Iterable[Any], often: int = 1, *, unpack: bool = False) -> list[Any]:
    """Mark all but the first values as thorough.

    :param unpack: each value is a tuple, for a test with several parameters.
    """
    return [
        pytest.param(
            *(value if unpack else (value,)),
            marks=pytest.mark.thorough if number >= often else (),
        )
        for number, value in enumerate(values)
    ]
