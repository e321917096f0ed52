"""Posts that are sent twice at the same moment, on PostgreSQL."""

from uuid import UUID

import pytest

from games.noticeboards.models import Post, Topic
from tests.concurrency import run_concurrently
from tests.noticeboards.test_noticeboards import DIE, begin, count, reply

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def test_a_topic_sent_twice_is_begun_once(people):
    sent = UUID(int=1)
    made = run_concurrently(*[lambda: begin(DIE, people[0], submission=sent)] * 3)
    assert len({post.pk for post in made}) == 1
    assert (Topic.objects.count(), Post.objects.count()) == (1, 1)


def test_replies_at_once_are_all_counted(people):
    post = begin(DIE, people[0])
    run_concurrently(*(lambda user=user: reply(post, user) for user in people[1:]))
    post.topic.refresh_from_db()
    assert post.topic.posts_shown == 4
    assert post.topic.last == Post.objects.latest("pk").pk
    assert count(people[0], "board-reply") == 3


def test_a_reply_sent_twice_is_written_once(people):
    post = begin(DIE, people[0])
    sent = UUID(int=2)
    run_concurrently(*[lambda: reply(post, people[1], submission=sent)] * 3)
    assert Post.objects.count() == 2
    assert count(people[0], "board-reply") == 1
