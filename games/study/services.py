"""Saving and changing boards."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

import msgspec
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from accounts import texts
from accounts.models import User
from accounts.sanctions import standing
from games.study.errors import BrokenBoard, MayNotSave
from games.study.models import PrivateBoard, Study
from games.study.replaying import start_of, with_position, with_positions
from games.study.tree import Tree, checked

MAX_STUDIES = 100
"""Maximum number of boards per person."""

MAX_BYTES = 500_000
"""Maximum size of a saved tree, in bytes."""

MAX_REASON_LENGTH = 200
"""Maximum number of characters of the reason why JSON can't be read."""

Edit = Callable[[Tree], tuple[Tree, int]]
"""Changes a tree, and returns the node to show as well."""

FULL = gettext_noop("This board is too large. Delete a line first.")


def readable(user: Any) -> QuerySet[Study]:
    """Return the boards that a user, who may be anonymous, can open by their address.

    Matches on one device aren't among them, since a board shows all hands.
    """
    boards = Study.objects.filter(names=[])
    is_open = Q(visibility=Study.Visibility.LINK, owner__is_active=True)
    return boards.filter(is_open | Q(owner=user) if user.is_authenticated else is_open)


def own(user: User) -> QuerySet[Study]:
    """Return a user's boards without their trees, the last changed first."""
    return Study.objects.filter(owner=user).defer("tree")


def tree_of(study: Study | PrivateBoard) -> Tree:
    """Return the lines of a board.

    :raises BrokenBoard: they can't be read.
    """
    try:
        return msgspec.convert(study.tree, Tree)
    except msgspec.ValidationError:
        raise BrokenBoard(_("This board cannot be read.")) from None


def read(data: str) -> Tree:
    """Return the lines in exported JSON, without replaying their moves.

    :raises BrokenBoard: it isn't valid.
    """
    try:
        tree = msgspec.json.decode(data, type=Tree)
    except (ValueError, RecursionError) as error:
        reason = str(error)[:MAX_REASON_LENGTH]
        text = _("This is no board as it is exported here: {reason}")
        raise BrokenBoard(text.format(reason=reason)) from None
    return checked(tree)


def exported(tree: Tree) -> Any:
    """Return lines as JSON, without the data that only speeds up replay."""
    return msgspec.to_builtins(checked(tree))


def save(*, user: User, tree: Tree, name: str, now: datetime, names: Sequence[str] = ()) -> Study:
    """Save lines as a new board. A start from a record becomes a position.

    With ``names``, one a seat, it is a match on one device.

    :raises MayNotSave: it has no name, or the user has too many boards.
    :raises BrokenBoard: a move doesn't replay, or the board is too large.
    """
    name = _checked_name(name)
    if tree.start.setup is None:
        tree = tree.standing_alone(tree.title.dump(start_of(tree)))
    content = content_of(with_positions(tree))
    with transaction.atomic():
        user.lock()
        if Study.objects.filter(owner=user).count() >= MAX_STUDIES:
            text = _("You have {count} boards. Delete one first.")
            raise MayNotSave(text.format(count=MAX_STUDIES))
        return Study.objects.create(
            owner=user,
            title=tree.game,
            name=name,
            tree=content,
            names=list(names),
            created=now,
            changed=now,
        )


def copy(*, user: User, study: Study, now: datetime) -> Study:
    """:raises MayNotSave: the user has too many boards."""
    is_own = study.owner_id == user.pk
    name = _("Copy of {board}").format(board=study.name)[:60] if is_own else study.name
    return save(user=user, tree=checked(tree_of(study)), name=name, now=now)


def describe(*, study: Study, name: str, visibility: str, now: datetime) -> None:
    """Rename a board, share it by link, or hide it. Its lines stay as they are.

    :raises MayNotSave: it has no name, or its owner may not publish anything.
    """
    name = _checked_name(name)
    _check_may_show(study.owner, visibility, now)
    Study.objects.filter(pk=study.pk).update(name=name, visibility=visibility)


def _checked_name(name: str) -> str:
    """Return a name as it is stored.

    :raises MayNotSave: it is invisible.
    """
    if name := texts.one_line(name):
        return name
    raise MayNotSave(_("A board needs a name."))


def _check_may_show(owner: User, visibility: str, now: datetime) -> None:
    if visibility == Study.Visibility.LINK and standing.is_muted(owner, now):
        raise MayNotSave(_("You may not publish anything now."))


@transaction.atomic
def change(*, board: Study | PrivateBoard, edit: Edit, now: datetime) -> int:
    """Change the current lines of a board, and return the node to show.

    :raises GameError: ``edit`` refuses it, or the board would be too large.
    """
    locked = type(board).objects.select_for_update().filter(pk=board.pk).first()
    if locked is None:
        raise BrokenBoard(_("This board has been deleted."))
    if isinstance(locked, Study):
        _check_may_show(board.owner, locked.visibility, now)
    tree, number = edit(tree_of(locked))
    locked.tree = content_of(with_position(tree, number))
    locked.changed = now
    locked.save(update_fields=["tree", "changed"])
    return number


def content_of(tree: Tree) -> Any:
    """Return a tree as it is saved.

    :raises BrokenBoard: it is too large, or can't be saved.
    """
    content = msgspec.to_builtins(tree)
    encoded = msgspec.json.encode(content)
    if len(encoded) > MAX_BYTES:
        raise BrokenBoard(_(FULL))
    if b"\\u0000" in encoded.replace(rb"\\", b""):
        # PostgreSQL can't store NUL.
        raise BrokenBoard(_("This board holds a character that can't be saved."))
    return content
