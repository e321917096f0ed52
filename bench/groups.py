"""Clubs with very many members, a team match and a long topic, and the pages that show them."""

from collections.abc import Iterator
from datetime import timedelta
from uuid import uuid4

from django.db.models import Count
from django.utils import timezone

from accounts.models import User
from bench.people import TITLE
from games.clubs import services
from games.clubs.models import Club, Membership
from games.ladders import services as ladders
from games.noticeboards.boards import Board
from games.noticeboards.models import Post
from games.noticeboards.services import begin
from games.teams import services as teams
from tests.clubs.clubs import join
from tests.teams.teams import advanced, challenge

CLUBS, MEMBERS, BOARDS, POSTS = 200, 5_000, 10, 500

DAY = timedelta(days=1)


def pages(reader: User) -> Iterator[tuple[str, str]]:
    """Store the groups, which share the people of the lists, and yield the pages with names."""
    now = timezone.now()
    users = list(User.objects.filter(username__startswith="crowd-").order_by("pk")[:MEMBERS])
    others = [user for user in users if user != reader]
    founders = [reader, *others[: CLUBS - 1]]
    clubs = [
        services.establish(founder=user, terms=services.Terms(f"Bench Club {number}"), now=now)
        for number, user in enumerate(founders)
    ]
    large, second = clubs[:2]
    Membership.objects.bulk_create(
        Membership(club=large, user=user, joined=now) for user in others if user != founders[1]
    )
    join(second, *others[CLUBS : CLUBS + BOARDS], now=now)
    for club in Club.objects.annotate(members=Count("memberships")):
        Club.objects.filter(pk=club.pk).update(size=club.members)
    ladders.found(club_id=large.pk, leader=reader, title=TITLE, now=now)
    for user in (reader, *others[CLUBS : CLUBS + 100]):
        ladders.join(user=user, title=TITLE, club_id=large.pk, now=now)
    first = begin(
        board=Board(club=large), user=reader, subject="Bench", text="A", submission=uuid4(), now=now
    )
    Post.objects.bulk_create(
        Post(
            topic=first.topic, author=others[n], text="*A reply.*", created=now, submission=uuid4()
        )
        for n in range(CLUBS, CLUBS + POSTS)
    )
    yield "clubs", "/clubs/"
    yield "club", f"/clubs/{large.pk}/?game={TITLE}"
    yield "members of a club", f"/clubs/{large.pk}/members/?game={TITLE}"
    yield "ladder of a club", f"/clubs/{large.pk}/ladders/{TITLE}/"
    yield "team match", _team_match(large, second, reader, founders[1])
    yield "topic", f"/topics/{first.topic_id}/"
    yield "news of a topic", f"/topics/{first.topic_id}/news/{first.pk}/"
    yield "activity", "/activity/"
    yield "front page of a member", "/"


def _team_match(first: Club, second: Club, leader: User, other: User) -> str:
    """Begin a team match, and return the address of its page."""
    now = timezone.now()
    terms = {"due": now + DAY, "ends": now + 30 * DAY, "now": now}
    made = challenge((first, second), leader, title=TITLE, boards=BOARDS, **terms)
    teams.answer(team_match_id=made.pk, leader=other, accepts=True, now=now)
    # Only these are in the second club, and all of them are in the first as well.
    in_second = User.objects.filter(club_memberships__club=second).order_by("pk")
    in_first = User.objects.filter(club_memberships__club=first).order_by("pk")
    rest = in_first.exclude(pk__in=in_second.values("pk"))
    for team, (users, leads) in enumerate(((rest, leader), (in_second, other)), start=1):
        line_up = list(users[:BOARDS])
        for user in line_up:
            teams.sign_up(team_match_id=made.pk, user=user, team=team, now=now)
        made = teams.set_line_up(
            team_match_id=made.pk,
            leader=leads,
            players=[user.pk for user in line_up],
            team=team,
            now=now,
        )
    address: str = advanced(made, now).get_absolute_url()
    return address
