"""Reading noticeboards: what a user may read, and what of it is new."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db.models import (
    BooleanField,
    Count,
    Exists,
    OuterRef,
    Q,
    QuerySet,
    Value,
)

from accounts import blocks
from accounts.models import User
from games.clubs.models import Club
from games.noticeboards.boards import Board
from games.noticeboards.errors import NoSuchTopic
from games.noticeboards.models import Post, Reading, Topic
from games.talk.models import Muting

MODERATES = "moderation.use_desk"


def topics(board: Board, user: Any) -> QuerySet[Topic]:
    """Return the topics of a board that a user sees, the latest first.

    Each has ``is_unread``. Topics of blocked and muted authors are left out.
    """
    rows = Topic.objects.filter(
        club=board.club,
        game=board.game,
        tournament=board.tournament,
        hidden=None,
        last__isnull=False,
    )
    rows = _heard(rows, user).select_related("author")
    if not user.is_authenticated:
        return rows.annotate(is_unread=Value(value=False, output_field=BooleanField()))
    return rows.annotate(is_unread=~_has_read(user))


def _has_read(user: User) -> Exists:
    """Return the condition that a user has read a topic to its end."""
    return Exists(
        Reading.objects.filter(user=user, topic=OuterRef("pk"), post__gte=OuterRef("last"))
    )


def latest_topics(board: Board, user: Any, few: int) -> QuerySet[Topic]:
    """Return the latest topics of a board that a user sees, without their authors."""
    return topics(board, user).select_related(None).order_by("-latest", "-pk")[:few]


def unread_in_clubs(user: User, clubs: Sequence[Club], *, since: datetime) -> Counter[int]:
    """Return how many topics with a post since a time a member hasn't read, by club."""
    rows = Topic.objects.filter(club__in=clubs, hidden=None, latest__gt=since)
    unread = _heard(rows.exclude(_has_read(user)), user)
    return Counter(dict(unread.order_by().values_list("club").annotate(Count("pk"))))


def _heard(rows: QuerySet[Any], user: Any) -> QuerySet[Any]:
    """Leave out what blocked and muted authors wrote."""
    if not user.is_authenticated:
        return rows
    # Most people have muted and blocked nobody: then the other query needs no condition.
    muted = Muting.objects.filter(user=user).order_by().values_list("muted")
    unheard = [pk for (pk,) in muted.union(*blocks.sides(user))]
    return rows.exclude(author__in=unheard) if unheard else rows


def topic(pk: int, user: Any) -> Topic:
    """Return a topic that a user may read.

    :raises NoSuchTopic: there is none. One that nobody else sees yet is for author and moderators.
    """
    # It has a club or a tournament, or neither. To join both takes longer than to read one.
    found = Topic.objects.filter(pk=pk).first()
    if found is None or not Board.of(found).may_read(user):
        raise NoSuchTopic(f"There is no topic {pk}.")
    is_shown = found.hidden is None and found.last is not None
    own = user.pk is not None and found.author_id == user.pk and found.hidden is None
    if not (is_shown or own or user.has_perm(MODERATES)):
        raise NoSuchTopic(f"There is no topic {pk}.")
    return found


def posts(topic: Topic, user: Any) -> QuerySet[Post]:
    """Return the posts of a topic that a user sees, and hidden ones, whose text isn't shown.

    Those that wait for a moderator are for their author and moderators.
    """
    rows = _heard(topic.posts.select_related("author"), user)
    if user.has_perm(MODERATES):
        return rows
    return rows.filter(Q(waits=False) | Q(author=user.pk))


def post(pk: int, user: Any) -> Post:
    """Return a post that a user may read.

    :raises NoSuchTopic: there is none.
    """
    found = (
        Post.objects.filter(pk=pk)
        .select_related("topic__club", "topic__tournament", "author")
        .first()
    )
    if found is None:
        raise NoSuchTopic(f"There is no post {pk}.")
    topic(found.topic_id, user)
    if not posts(found.topic, user).filter(pk=pk).exists():
        raise NoSuchTopic(f"There is no post {pk}.")
    return found


def waiting() -> QuerySet[Post]:
    """Return the posts that wait for a moderator, the first on top."""
    rows = Post.objects.filter(waits=True, hidden=None)
    return rows.select_related("topic__club", "topic__tournament", "author").order_by(
        "created", "pk"
    )


def follows(topic: Topic, user: Any) -> bool:
    if not user.is_authenticated:
        return False
    return Reading.objects.filter(user=user, topic=topic, follows=True).exists()
