"""Keeps an error in one match from stopping a sweep, and its details out of the log."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from django.db import IntegrityError, transaction

log = logging.getLogger(__name__)

Result = TypeVar("Result")


def isolate_errors(what: str, step: Callable[[], Result]) -> Result | None:
    """Return the result of ``step``. If it raises, log the type of the error and return ``None``.

    The message of the error isn't logged: it may contain a hidden card or move.
    """
    try:
        return step()
    except Exception as error:  # noqa: BLE001
        log.error("%s failed: %s", what, type(error).__name__)  # noqa: TRY400
        return None


@contextmanager
def secret_errors() -> Iterator[None]:
    """Keep rows out of error messages.

    For a row that fails a check, PostgreSQL quotes all columns: hidden cards, nonces, the secret.

    :raises IntegrityError: a row was refused. The message names only the constraint.
    """
    try:
        yield
    except IntegrityError as error:
        raise IntegrityError(str(error).partition("\n")[0]) from None


@contextmanager
def secret_transaction() -> Iterator[None]:
    """Open a transaction whose errors quote no row.

    :raises IntegrityError: see :func:`secret_errors`.
    """
    with secret_errors(), transaction.atomic():
        yield
