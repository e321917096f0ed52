"""Which of a member's lists on the front page may have rows.

Most members have few of them: no invitation, no request, nobody blocked. One statement finds that
out, and saves the queries of the empty lists.
"""

from datetime import datetime
from typing import NamedTuple

from django.db import connection

from accounts import outcomes
from accounts.models import User
from games.matches import store


class OwnAffairs(NamedTuple):
    """Whether a member has rows of each kind. The lists may still leave all of them out."""

    is_challenged: bool
    plays_tournaments: bool
    is_in_clubs: bool
    is_invited_to_clubs: bool
    follows_players: bool
    has_blocks: bool
    clubs_hold_tournaments: bool
    clubs_have_requests: bool
    clubs_have_new_topics: bool
    has_unseen_outcomes: bool
    has_unconfirmed_address: bool
    has_refused_mails: bool
    has_solved_lessons: bool


SQL = """
    SELECT
        EXISTS (SELECT 1 FROM lobby_place WHERE user_id = u.id AND state = 'invited'),
        EXISTS (SELECT 1 FROM events_entry WHERE user_id = u.id AND "left" IS NULL),
        EXISTS (SELECT 1 FROM clubs_membership WHERE user_id = u.id),
        EXISTS (SELECT 1 FROM clubs_candidate WHERE user_id = u.id AND kind = 'invitation'),
        EXISTS (SELECT 1 FROM lobby_follow WHERE follower_id = u.id),
        EXISTS (SELECT 1 FROM accounts_block WHERE blocker_id = u.id OR blocked_id = u.id),
        EXISTS (
            SELECT 1 FROM clubs_membership AS m
            JOIN events_tournament AS t ON t.club_id = m.club_id AND t.status = 'open'
            WHERE m.user_id = u.id
        ),
        EXISTS (
            SELECT 1 FROM clubs_membership AS m
            JOIN clubs_candidate AS c ON c.club_id = m.club_id AND c.kind = 'request'
            WHERE m.user_id = u.id AND m.led_since IS NOT NULL
        ),
        EXISTS (
            SELECT 1 FROM clubs_membership AS m
            JOIN noticeboards_topic AS t ON t.club_id = m.club_id AND t.latest > %s
            WHERE m.user_id = u.id AND NOT EXISTS (
                SELECT 1 FROM noticeboards_reading AS r
                WHERE r.user_id = u.id AND r.topic_id = t.id AND r.post >= t.last
            )
        ),
        EXISTS (
            SELECT 1 FROM accounts_notice
            WHERE recipient_id = u.id AND seen_at IS NULL AND kind IN ({kinds})
        ),
        EXISTS (SELECT 1 FROM account_emailaddress WHERE user_id = u.id AND NOT verified),
        EXISTS (
            SELECT 1 FROM accounts_delivery_settings
            WHERE user_id = u.id AND refused_address <> ''
        ),
        EXISTS (SELECT 1 FROM study_solvedlesson WHERE user_id = u.id)
    FROM accounts_user AS u WHERE u.id = %s
"""
"""Reads the fields of :class:`OwnAffairs` in their order."""


def of_member(user: User, *, topics_since: datetime) -> OwnAffairs:
    """Read what a member has, with topics that have a post since a time.

    0.15 ms of processor time. The queries that it saves a member of one club take 4 ms.
    """
    kinds = outcomes.kinds()
    sql = SQL.format(kinds=", ".join(["%s"] * len(kinds)))
    since = connection.ops.adapt_datetimefield_value(topics_since)
    return store.run(
        store.Statement(sql, [since, *kinds, user.pk], lambda rows: OwnAffairs(*map(bool, rows[0])))
    )
