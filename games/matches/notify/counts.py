"""The counts in the head of every page, which sockets and the API send as well."""

from datetime import datetime
from typing import NamedTuple

from accounts import notifications
from accounts.models import User
from games.matches import listing
from games.matches.notify.notification_emails import waiting_pages
from games.matches.notify.notifications import page_key


class Counts(NamedTuple):
    """How many matches wait for a user, and how many notifications are unseen.

    ``deletion`` is when the account will be deleted, ``None`` if it won't.
    """

    waiting: int
    unseen: int
    deletion: datetime | None


def counts_of(user: User, open_match: int | None = None) -> Counts:
    """Read the counts of a user.

    :param open_match: a match whose notifications don't count: its page is open and shows the news.
    """
    waiting = listing.waiting_ids(user.pk)
    pages = {page_key(match_id) for match_id in waiting}
    besides = page_key(open_match) if open_match else None
    unseen, due = notifications.unseen_and_deletion(user, {waiting_pages: pages}, besides=besides)
    return Counts(len(waiting), unseen, due)
