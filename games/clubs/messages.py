"""Messages of leaders to all members of a club: once a week, and spread by a worker."""

from datetime import datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext as _

from accounts import blocks, dates
from accounts.models import User
from accounts.sanctions import standing
from games.clubs import changes, notifications
from games.clubs.models import MAX_MESSAGE_LENGTH, LeaderAct, Membership, Message
from games.matches.errors import Refused
from games.talk import writing
from games.talk.models import Muting

PERIOD = timedelta(days=7)
"""How long a club waits between two messages."""

BATCH = 500
"""How many members are notified in one transaction."""


@transaction.atomic
def write(*, club_id: int, leader: User, text: str, now: datetime) -> Message:
    """Write a message to all members, who are notified in the next minute.

    :raises NotALeader: only leaders write to all.
    :raises Refused: a message was sent within the last week, the text is empty or too long, or the
        leader is muted.
    """
    club, _own = changes.locked_by_leader(club_id, leader)
    clean = writing.written(text, MAX_MESSAGE_LENGTH)
    writing.check_may_write(leader, clean, now)
    if due := next_due(club_id, now):
        words = _(
            "The leaders of a club can write to all members once a week. The next message can be"
            " sent on {time}."
        )
        raise Refused(words.format(time=dates.day_of_year_and_time(due)))
    changes.log(club, leader, LeaderAct.Kind.MESSAGE, now)
    return Message.objects.create(club=club, author=leader, text=clean, created=now)


def next_due(club_id: int, now: datetime) -> datetime | None:
    """Return when the next message can be sent. ``None`` if it can be sent now."""
    sent = Message.objects.filter(club=club_id, created__gt=now - PERIOD).first()
    return sent.created + PERIOD if sent else None


def spread(*, now: datetime) -> None:
    """Notify the members of all messages that aren't out yet, some at a time.

    Running twice, or twice at once, notifies nobody twice.
    """
    for pk in list(Message.objects.filter(sent=None).values_list("pk", flat=True)):
        while _spread_some(pk, now):
            pass


@transaction.atomic
def _spread_some(pk: int, now: datetime) -> bool:
    """Notify the next members of a message. Return whether there may be more."""
    waiting = Message.objects.filter(pk=pk, sent=None).select_related("club", "author")
    message = waiting.select_for_update(of=("self",), no_key=True).first()
    if message is None:
        return False
    if not message.club.is_open or standing.is_muted(message.author, now):
        message.delete()
        return False
    members = Membership.objects.filter(club=message.club_id, pk__gt=message.sent_up_to)
    rows = list(members.order_by("pk").values_list("pk", "user")[:BATCH])
    notifications.message(message, _hearing(message, [user for _pk, user in rows]), now)
    if len(rows) < BATCH:
        message.sent = now
    if rows:
        message.sent_up_to = rows[-1][0]
    message.save(update_fields=["sent", "sent_up_to"])
    return message.sent is None


def _hearing(message: Message, users: list[int]) -> list[int]:
    """Return the users without the author, and those who have muted or blocked the author."""
    author = message.author
    deaf = set(Muting.objects.filter(muted=author, user__in=users).values_list("user", flat=True))
    deaf |= blocks.apart(author, users) | {author.pk}
    return [user for user in users if user not in deaf]
