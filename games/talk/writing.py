"""Texts that people write for others: in chats and clubs, with challenges, on noticeboards."""

from collections.abc import Callable
from datetime import datetime
from typing import Any, TypeVar

from django.db import IntegrityError, models
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from accounts import texts
from accounts.models import User
from accounts.sanctions import standing
from games.matches.errors import Refused

Row = TypeVar("Row", bound=models.Model)


def check_may_write(user: User, text: str, now: datetime) -> None:
    """:raises Refused: the user is muted, and this is a text."""
    if text.strip() and standing.is_muted(user, now):
        raise Refused(str(standing.MUTED))


def written(text: str, most: int) -> str:
    """Return what somebody has written, trimmed.

    :raises Refused: it is empty, or longer than ``most`` characters.
    """
    clean = texts.lines(text)
    if not clean:
        raise Refused(_("There is nothing in it."))
    if len(clean) > most:
        # Translators: {count} is always more than 1.
        words = _("That is too long: at most {most} characters, these are {count}.")
        raise Refused(words.format(most=most, count=len(clean)))
    return clean


def written_once(row: Row, write: Callable[[], Any], **submission: Any) -> tuple[Row, bool]:
    """Write a row once for each submission. Return it, and whether it had been written before.

    ``submission`` are the fields by which a row of the same submission is found.
    """
    same: QuerySet[Row] = type(row)._default_manager.filter(**submission)
    if known := same.first():
        return known, True
    try:
        write()
    except IntegrityError:
        # The same row, sent twice at once.
        return same.get(), True
    return row, False
