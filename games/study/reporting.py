"""Reports of shared boards, since people wrote their names and notes."""

from django.utils.translation import gettext as _

from accounts.models import User
from games.moderation import subjects
from games.moderation.errors import NoSuchSubject
from games.moderation.subjects import Subject
from games.study import services

MAX_QUOTED = 2000
"""Maximum number of quoted characters of names and notes in a report."""


def register() -> None:
    """Register boards as subjects of reports. Called once at startup."""
    subjects.register("board", _board)


def _board(study_id: int, user: User) -> Subject:
    study = services.readable(user).filter(pk=study_id).first()
    if study is None:
        raise NoSuchSubject(_("There is no such board."))
    nodes = study.tree.get("nodes", [])
    texts = [study.name, *(node.get(field, "") for node in nodes for field in ("name", "note"))]
    quote = "\n".join(filter(None, texts))[:MAX_QUOTED]
    return Subject(f"board {study.pk}", study.get_absolute_url(), [study.owner], quote)
