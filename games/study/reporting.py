"""Shared boards can be reported: names and notes are what somebody has written."""

from accounts.models import User
from games.moderation import subjects
from games.moderation.errors import NoSuchSubject
from games.moderation.subjects import Subject
from games.study import services

MAX_QUOTED = 2000
"""The most characters of names and notes that a report quotes."""


def register() -> None:
    """Make boards known to reports; called once, when the applications start."""
    subjects.register("board", _board)


def _board(study_id: int, user: User) -> Subject:
    study = services.readable(user).filter(pk=study_id).first()
    if study is None:
        raise NoSuchSubject("There is no such board.")
    nodes = study.tree.get("nodes", [])
    texts = [study.name, *(node.get(field, "") for node in nodes for field in ("name", "note"))]
    quote = "\n".join(filter(None, texts))[:MAX_QUOTED]
    return Subject(f"board {study.pk}", study.get_absolute_url(), [study.owner], quote)
