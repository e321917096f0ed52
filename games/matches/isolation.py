"""Keeps an error in one match from stopping a sweep, and its details out of the log."""

import logging
from collections.abc import Callable
from typing import TypeVar

log = logging.getLogger(__name__)

Result = TypeVar("Result")


def isolate_errors(what: str, step: Callable[[], Result]) -> Result | None:
    """Return the result of ``step``; if it raises, log the type of the error and return ``None``.

    The message of the error is not logged: it may hold a card or a move that is hidden.
    """
    try:
        return step()
    except Exception as error:  # noqa: BLE001
        log.error("%s failed: %s", what, type(error).__name__)  # noqa: TRY400
        return None
