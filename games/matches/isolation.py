"""What goes wrong behind the scenes goes wrong for one match only, and its log tells no secrets."""

import logging
from collections.abc import Callable
from typing import TypeVar

log = logging.getLogger(__name__)

Result = TypeVar("Result")


def isolate_errors(what: str, step: Callable[[], Result]) -> Result | None:
    """Return what a step comes to; if it fails nothing, and the log names it but quotes nothing.

    An error may hold a card or a move that only its owner may know of.
    """
    try:
        return step()
    except Exception as error:  # noqa: BLE001
        log.error("%s failed: %s", what, type(error).__name__)  # noqa: TRY400
        return None
