"""Notifications about noticeboards: replies in followed topics, and mentions."""

import re
from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Any

from django.db.models import CharField, F, QuerySet, Value
from django.db.models.functions import Cast, Concat
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts import blocks, notification_emails, notifications
from accounts.models import Notification, User
from accounts.names import skeleton
from accounts.notifications import NotificationEmail, Summary
from games.noticeboards.boards import Board
from games.noticeboards.models import Post, Reading
from games.talk.models import Muting

REPLY = "board-reply"
MENTION = "board-mention"

PAGE = "topic:"
"""Prefix of the key of a topic's page."""

MENTIONED = re.compile(r"(?<![\w@/.])@(?P<name>[A-Za-z0-9_-]{3,20})")
MAX_MENTIONS = 10
"""How many names in a post notify anybody, and are links."""

GONE = gettext_lazy("You can’t read it any more.")


def page_key(topic_id: int) -> str:
    return f"{PAGE}{topic_id}"


def posted(post: Post, now: datetime) -> None:
    """Notify those who are mentioned in a post, and those who follow its topic."""
    mentioned = {user.pk for user in people_in([post]).values()}
    mentioned = _readers(post, mentioned)
    _notify(MENTION, post, mentioned, now)
    following = Reading.objects.filter(topic=post.topic_id, follows=True)
    readers = _readers(post, set(following.values_list("user", flat=True)))
    _notify(REPLY, post, readers - mentioned, now)


def names_in(text: str) -> list[str]:
    """Return the names that a text mentions, in lower case, ``MAX_MENTIONS`` at most."""
    return list(dict.fromkeys(name.lower() for name in MENTIONED.findall(text)))[:MAX_MENTIONS]


def people_in(posts: Iterable[Post]) -> dict[str, User]:
    """Return the users whom posts mention, by their names in lower case."""
    names = {name for post in posts for name in names_in(post.text)}
    if not names:
        return {}
    same = User.objects.filter(skeleton__in={skeleton(name) for name in names})
    people = same.filter(is_active=True, is_guest=False)
    return {user.username.lower(): user for user in people if user.username.lower() in names}


def _readers(post: Post, users: set[int]) -> set[int]:
    """Return those of some users who may read the post and hear its author, without the author."""
    author = post.author
    deaf = set(Muting.objects.filter(muted=author, user__in=users).values_list("user", flat=True))
    heard = users - deaf - blocks.apart(author, users) - {author.pk}
    board = Board.of(post.topic)
    people = User.objects.filter(pk__in=heard, is_active=True, is_bot=False)
    return {user.pk for user in people if board.may_read(user)}


def _notify(kind: str, post: Post, users: Collection[int], now: datetime) -> None:
    payload = {"post": post.pk, "topic": post.topic_id, "place": page_key(post.topic_id)}
    key = f"{kind}:{post.pk}"
    notifications.notify_all(recipients=users, kind=kind, payload=payload, now=now, key=key)


def _unread(user: User) -> QuerySet[Any, str]:
    """Return the keys of the topics that a user follows and hasn't read to their ends."""
    behind = Reading.objects.filter(user=user, follows=True, topic__hidden=None)
    behind = behind.filter(topic__last__gt=F("post"))
    key = Concat(Value(PAGE), Cast("topic", CharField()))
    return behind.order_by().values_list(key, flat=True)


def _post(notification: Notification) -> Post | None:
    """Return the post, if the recipient may still read it."""
    rows = Post.objects.filter(pk=notification.payload["post"], hidden=None, waits=False)
    post = rows.select_related("topic__club", "topic__tournament", "author").first()
    if post is None or post.topic.hidden:
        return None
    return post if Board.of(post.topic).may_read(notification.recipient) else None


def _subject(notification: Notification, post: Post | None) -> str:
    if post is None:
        return _("Something was written on a noticeboard")
    if notification.kind == MENTION:
        subject = _("{name} mentions you in “{topic}”")
    else:
        subject = _("{name} replied in “{topic}”")
    return subject.format(name=post.author.shown_name, topic=post.topic.shown_subject)


def _url(notification: Notification) -> str:
    return reverse("post", args=[notification.payload["post"]])


def _summary(notification: Notification) -> Summary:
    return Summary(_subject(notification, _post(notification)), _url(notification))


def _email(notification: Notification) -> NotificationEmail:
    post = _post(notification)
    subject = _subject(notification, post)
    text = post.text if post else str(GONE)
    return notification_emails.email(subject, text, _url(notification))


def register() -> None:
    notifications.register(
        REPLY,
        title=gettext_lazy("Somebody replies in a topic that you follow"),
        render=_email,
        summary=_summary,
        current=_unread,
        group=REPLY,
    )
    notifications.register(
        MENTION,
        title=gettext_lazy("Somebody mentions you on a noticeboard"),
        render=_email,
        summary=_summary,
    )
