"""Notifications of chat: one at a time for each match, until it is seen."""

from collections.abc import Collection
from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from django.template.loader import render_to_string
from django.utils.translation import gettext, gettext_lazy, ngettext

from accounts import notifications, presence
from accounts.models import Notification, User
from accounts.notifications import NotificationEmail, Summary
from games.kernel import registry
from games.kernel.formatting import listed
from games.matches.models import Player
from games.matches.notify.notifications import page_key, page_keys, payload
from games.talk import selectors
from games.talk.models import Line, Room

CHAT_MESSAGE = "chat-message"

MAX_LINES = 10
"""Maximum number of lines in a mail. The latest are kept."""


def said(line: Line, listeners: Collection[int], now: datetime) -> None:
    """Notify the other players of a line, unless the match is open or a notification unseen.

    Players who can't read the line because of a block or a mute aren't notified.
    """
    key = page_key(line.match_id)
    waiting = Notification.objects.filter(
        recipient__in=listeners, kind=CHAT_MESSAGE, page_key=key, seen_at=None
    )
    recipients = set(waiting.values_list("recipient", flat=True))
    notifications.notify_all(
        recipients=[
            user.pk for user in _readers(line, listeners, key) if user.pk not in recipients
        ],
        kind=CHAT_MESSAGE,
        payload=payload(line.match_id, line.version),
        now=now,
    )


def _readers(line: Line, listeners: Collection[int], key: str) -> list[User]:
    people = User.objects.filter(pk__in=listeners)
    return [
        user
        for user in people
        if presence.last(user.pk, key) is None
        and selectors.visible(user, Room.PLAYERS).filter(pk=line.pk).exists()
    ]


def current(user: User) -> QuerySet[Any, str]:
    """Return the pages of the matches in which a player has unread lines."""
    seats = Player.objects.filter(user=user).values("match")
    return page_keys(selectors.new_lines(user, Room.PLAYERS).filter(match__in=seats))


def register() -> None:
    notifications.register(
        CHAT_MESSAGE,
        title=gettext_lazy("Somebody writes in a match of yours"),
        render=_email,
        summary=_summary,
        current=current,
        many=lambda count: ngettext(
            "Somebody wrote in {count} match", "Somebody wrote in {count} matches", count
        ),
    )


def _lines(notification: Notification) -> list[Line]:
    """Return the lines that the recipient has not read, the latest last."""
    new = selectors.new_lines(notification.recipient, Room.PLAYERS)
    lines = new.filter(match=notification.payload["match"]).order_by("-created", "-pk")
    return list(lines[:MAX_LINES])[::-1]


def _subject(notification: Notification, lines: list[Line]) -> str:
    match, _ = selectors.seated(notification.payload["match"])
    title = registry.titles().get(match.title)
    game = title.meta.name if title else match.title
    names = list(dict.fromkeys(line.author.username for line in lines))
    text = ngettext(
        "{players} wrote in {game}, match {number}",
        "{players} wrote in {game}, match {number}",
        max(len(names), 1),
    )
    players = listed(names) or gettext("Somebody")
    return text.format(players=players, game=game, number=match.pk)


def _url(notification: Notification) -> str:
    return f"/matches/{notification.payload['match']}/chat/"


def _summary(notification: Notification) -> Summary:
    lines = _lines(notification)
    return Summary(_subject(notification, lines), _url(notification))


def _email(notification: Notification) -> NotificationEmail:
    lines = _lines(notification)
    context = {"lines": lines}
    return NotificationEmail(
        subject=_subject(notification, lines),
        text=render_to_string("notification_emails/chat.txt", context),
        html=render_to_string("notification_emails/chat.html", context),
        url=_url(notification),
    )
