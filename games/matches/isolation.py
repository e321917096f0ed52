"""Keeps an error in one match from stopping a sweep, and its details out of the log."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import IntegrityError, transaction

log = logging.getLogger(__name__)


class IsolatedErrors:
    """Logs the type of an error in its block, and goes on after the block.

    The message of the error isn't logged: it may contain a hidden card or move.
    """

    def __init__(self, what: str) -> None:
        self._what = what

    def __enter__(self) -> None:
        pass

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> bool:
        is_isolated = isinstance(error, Exception)
        if is_isolated:
            log.error("%s failed: %s", self._what, type(error).__name__)
        return is_isolated


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
