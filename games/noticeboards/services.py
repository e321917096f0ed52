"""Writing on noticeboards, following topics, and what moderators do with posts."""

import re
from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import Count, Max
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts import texts
from accounts.models import User
from games.matches.errors import Refused
from games.noticeboards import notifications, selectors
from games.noticeboards.boards import Board
from games.noticeboards.errors import NoSuchTopic
from games.noticeboards.models import (
    DELETED_SUBJECT,
    MAX_POST_LENGTH,
    MAX_SUBJECT_LENGTH,
    Post,
    Reading,
    Topic,
)
from games.talk import writing

EDITABLE = timedelta(minutes=10)
"""How long authors can edit their posts."""

MAX_POSTS = 1000
"""How many posts a topic may have."""

LINK = re.compile(r"https?:|www\.|\]\(|\w\.[a-z]{2,}/", re.IGNORECASE)
"""What looks like an address."""

# Translators: {count} is always more than 1.
FULL = gettext_lazy("This topic has {count} posts. Begin a new one.")


def begin(
    *, board: Board, user: User, subject: str, text: str, submission: UUID, now: datetime
) -> Post:
    """Begin a topic, which its author follows. The same submission does it once.

    :raises Refused: the user may not write here, or a text is empty or too long.
    """
    line = texts.one_line(subject)
    if not line:
        raise Refused(_("A topic needs a subject."))
    if len(line) > MAX_SUBJECT_LENGTH:
        # Translators: {count} is always more than 1.
        words = _("A subject has at most {count} characters.")
        raise Refused(words.format(count=MAX_SUBJECT_LENGTH))
    clean = writing.written(text, MAX_POST_LENGTH)
    board.check_may_write(user, now)
    topic = Topic(
        club=board.club,
        game=board.game,
        tournament=board.tournament,
        subject=line,
        author=user,
        created=now,
    )
    fields = {"author": user, "text": clean, "created": now, "submission": submission}
    return _written_once(topic, Post(**fields, waits=_waits(user, f"{line}\n{clean}")))


def reply(*, topic_id: int, user: User, text: str, submission: UUID, now: datetime) -> Post:
    """Reply to a topic, and notify those who follow it. The same submission does it once.

    :raises NoSuchTopic: the user can't read it.
    :raises Refused: the user may not write here, the text is empty or too long, or it is full.
    """
    topic = selectors.topic(topic_id, user)
    clean = writing.written(text, MAX_POST_LENGTH)
    Board.of(topic).check_may_write(user, now)
    if topic.last is None or topic.hidden:
        raise Refused(_("Nobody can reply before a moderator has seen this topic."))
    if topic.posts.count() >= MAX_POSTS:
        raise Refused(FULL.format(count=MAX_POSTS))
    fields = {"author": user, "text": clean, "created": now, "submission": submission}
    return _written_once(topic, Post(**fields, waits=_waits(user, clean)))


def _waits(user: User, text: str, *, besides: int = 0) -> bool:
    """Whether a post waits for a moderator: it has a link, and no post of the user was shown."""
    shown = Post.objects.filter(author=user, waits=False, hidden=None).exclude(pk=besides)
    return bool(LINK.search(text)) and not shown.exists()


def _written_once(topic: Topic, post: Post) -> Post:
    submission = {"author": post.author, "submission": post.submission}
    return writing.written_once(post, lambda: _write(topic, post), **submission)[0]


@transaction.atomic
def _write(topic: Topic, post: Post) -> None:
    is_first = topic.pk is None
    if is_first:
        topic.save()
    else:
        _lock(topic.pk)
    post.topic = topic
    post.save(force_insert=True)
    _read(topic, post.author, post.pk, follows=is_first)
    if not post.waits:
        _show(topic, post)


def _lock(topic_id: int) -> None:
    Topic.objects.select_for_update(no_key=True).filter(pk=topic_id).first()


def _show(topic: Topic, post: Post) -> None:
    """Count a post that everybody sees from now on, and notify people."""
    _recount(topic)
    notifications.posted(post, post.created)


def _recount(topic: Topic) -> None:
    """Note the number and the last of the posts that everybody sees."""
    shown = topic.posts.filter(waits=False, hidden=None)
    facts = shown.aggregate(latest=Max("created"), last=Max("pk"), posts_shown=Count("pk"))
    Topic.objects.filter(pk=topic.pk).update(**facts)


def _read(topic: Topic, user: User, post_id: int, *, follows: bool = False) -> None:
    reading, _ = Reading.objects.get_or_create(user=user, topic=topic)
    reading.post = max(reading.post, post_id)
    reading.follows = reading.follows or follows
    reading.save(update_fields=["post", "follows"])


def mark_read(topic: Topic, user: User, post_id: int) -> None:
    """Note that a user has read a topic up to a post. Never moves back."""
    known = Reading.objects.filter(user=user, topic=topic)
    if not known.filter(post__gte=post_id).exists():
        _read(topic, user, post_id)


def follow(*, topic_id: int, user: User, follows: bool) -> None:
    """Follow a topic, or stop following it.

    :raises NoSuchTopic: the user can't read it.
    :raises Refused: guests follow nothing.
    """
    topic = selectors.topic(topic_id, user)
    if user.is_guest:
        raise Refused(_("Join to follow topics."))
    Reading.objects.update_or_create(user=user, topic=topic, defaults={"follows": follows})


@transaction.atomic
def edit(*, post_id: int, user: User, text: str, now: datetime) -> Post:
    """Edit one's own post, within ten minutes. It may have to wait for a moderator then.

    :raises NoSuchTopic: the user has no such post.
    :raises Refused: it is too late, or the user may not write.
    """
    post = selectors.post(post_id, user)
    if post.author_id != user.pk or post.hidden:
        raise NoSuchTopic(_("You have no post {number}.").format(number=post_id))
    if now > post.created + EDITABLE:
        raise Refused(_("Posts can be edited for ten minutes."))
    clean = writing.written(text, MAX_POST_LENGTH)
    Board.of(post.topic).check_may_write(user, now)
    _lock(post.topic_id)
    post.text = clean
    post.edited = now
    post.waits = post.waits or _waits(user, clean, besides=post.pk)
    post.save(update_fields=["text", "edited", "waits"])
    _recount(post.topic)
    return post


# --- Moderators and accounts that go --------------------------------------------------------------


@transaction.atomic
def release(post_id: int) -> Post:
    """Show a post that waited, and notify people.

    :raises Refused: it doesn't wait.
    """
    post = _waiting(post_id)
    Post.objects.filter(pk=post_id).update(waits=False)
    post.waits = False
    _show(post.topic, post)
    return post


def _waiting(post_id: int) -> Post:
    rows = Post.objects.filter(pk=post_id, waits=True, hidden=None)
    post = rows.select_related("topic", "author").select_for_update(of=("self",)).first()
    if post is None:
        raise Refused(_("This post doesn’t wait any more."))
    return post


@transaction.atomic
def hide(post: Post, *, now: datetime) -> bool:
    """Hide a post from everybody, with its whole topic if it is the first.

    Returns ``False`` if it was hidden.
    """
    return _set_hidden(post, now)


@transaction.atomic
def restore(post: Post) -> bool:
    """Show a hidden post again. ``False`` if it wasn't hidden."""
    return _set_hidden(post, None)


def _set_hidden(post: Post, hidden: datetime | None) -> bool:
    _lock(post.topic_id)
    rows = Post.objects.filter(pk=post.pk, hidden__isnull=hidden is not None)
    changed = rows.update(hidden=hidden)
    if post.topic.posts.order_by("created", "pk").first() == post:
        Topic.objects.filter(pk=post.topic_id).update(hidden=hidden)
    _recount(post.topic)
    return bool(changed)


@transaction.atomic
def delete_all(user: User) -> None:
    """Delete the posts of a user, and their topics if nobody else wrote in them."""
    touched = list(Topic.objects.filter(posts__author=user).distinct())
    Post.objects.filter(author=user).delete()
    for topic in touched:
        if not topic.posts.exists():
            topic.delete()
            continue
        if topic.author_id == user.pk:
            Topic.objects.filter(pk=topic.pk).update(author=None, subject=DELETED_SUBJECT)
        _recount(topic)
    Reading.objects.filter(user=user).delete()
