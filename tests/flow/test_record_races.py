"""Races on PostgreSQL about records: imports, animations, comments, collections, reviews."""

import threading
from uuid import uuid4

import pytest
from django.db.models import QuerySet
from django.utils import timezone

from games.matches import services
from games.matches.errors import Refused
from games.records import animations, collections, imports, tasks
from games.records.errors import MayNotCollect, NoAnimation
from games.records.models import Animation, Bookmark, Collection, ImportedEntry, ImportedRecord
from games.statistics import counting
from games.statistics.models import GameCount, MatchCounts, PairCount, PlayerCount, Progress, Streak
from games.study import reviews
from games.study import tasks as review_tasks
from games.study.models import Review
from games.talk import services as talk
from games.talk.models import Line
from tests.flow.test_races import errors, people, race
from tests.match_driver import begin
from tests.reviews import FEWEST, quick, worked_out

__all__ = ["people", "quick", "race"]

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def ended(people, monkeypatch):
    """A match of DIE that has ended; no worker makes animations of it."""
    monkeypatch.setattr(tasks.make_animation, "apply_async", lambda **_: None)
    return finished(people)


def finished(people):
    driver = begin("die", people, size=3)
    driver.play_on(4)
    driver.act(services.resign, driver.turn)
    return driver


def test_the_same_file_twice_is_one_record(ended, race):
    data = ended.client(None).get(f"{ended.page}export.json").content
    now = timezone.now()

    def take_in():
        return imports.take_in(user=ended.people[2], data=data, now=now)

    first, second = race(take_in, take_in, hold=((imports, "_keep"),))
    assert first == second == ImportedRecord.objects.get()
    assert ImportedEntry.objects.count() == first.length


def test_an_animation_that_two_ask_for_is_one_row_and_one_task(ended, race, monkeypatch):
    started = []
    monkeypatch.setattr(tasks.animation_runs, "put", started.append)

    def ask():
        return animations.ask(ended.match, first=0, last=3, theme="light", now=timezone.now())

    results = race(ask, ask, hold=((QuerySet, "create"),))
    (made,) = Animation.objects.all()
    assert results == [made, made]
    assert started == [{made.pk: None}]


def test_who_asks_twice_at_once_waits_for_one_animation(ended, race):
    def ask(last):
        how = {"first": 0, "last": last, "theme": "light", "asker": "account:7"}
        return lambda: animations.ask(ended.match, **how, now=timezone.now())

    same = race(ask(3), ask(3), hold=((QuerySet, "create"),))
    assert same == [Animation.objects.get()] * 2
    Animation.objects.all().delete()
    assert errors(race(ask(2), ask(3), hold=((QuerySet, "create"),))) == [NoAnimation]
    assert Animation.objects.count() == 1


def test_two_workers_make_an_animation_once(ended, race, monkeypatch):
    made = animations.ask(ended.match, first=0, last=3, theme="light", now=timezone.now())
    drawn, real = [], animations._drawn

    def draw(wanted):
        drawn.append(threading.get_ident())
        return real(wanted)

    monkeypatch.setattr(animations, "_drawn", draw)
    make = [lambda: animations.make(made.pk, now=timezone.now())] * 2
    race(*make, hold=((QuerySet, "update"),))
    made.refresh_from_db()
    assert (made.status, made.attempts, len(drawn)) == (Animation.Status.READY, 1, 1)
    assert bytes(made.data).startswith(b"GIF")


def test_a_comment_that_is_sent_twice_is_written_once(ended, race):
    submission, clara = uuid4(), ended.people[2]

    def comment():
        said = {"text": "why?", "submission": submission, "now": timezone.now()}
        return talk.comment(match_id=ended.id, number=1, user=clara, **said)

    results = race(comment, comment, hold=((talk, "_write"),))
    assert sorted(result.repeated for result in results) == [False, True]
    assert {result.line for result in results} == {Line.objects.get()}


class TestCollections:
    @pytest.fixture
    def gems(self, ended):
        return collections.make(user=ended.people[2], name="Gems", now=timezone.now())

    def test_two_of_one_name(self, ended, race):
        def make():
            return collections.make(user=ended.people[2], name="Gems", now=timezone.now())

        assert errors(race(make, make, hold=((collections, "_saved"),))) == [MayNotCollect]
        assert Collection.objects.count() == 1

    def test_a_position_is_in_it_once(self, ended, gems, race):
        def add():
            at = collections.position(ended.match, 1)
            collections.add(gems, at, now=timezone.now())

        assert race(add, add, hold=((collections, "_lock"),)) == [None, None]
        assert Bookmark.objects.count() == 1

    def test_no_more_are_added_than_it_holds(self, ended, gems, race, monkeypatch):
        monkeypatch.setattr(collections, "MAX_BOOKMARKS", 1)

        def add(number):
            at = collections.position(ended.match, number)
            return lambda: collections.add(gems, at, now=timezone.now())

        results = race(add(1), add(2), hold=((collections, "_lock"),))
        assert errors(results) == [MayNotCollect]
        assert Bookmark.objects.count() == 1

    def test_two_that_move_at_once_keep_places_of_their_own(self, ended, gems, race):
        for number in range(4):
            at = collections.position(ended.match, number)
            collections.add(gems, at, now=timezone.now())
        places = set(gems.bookmarks.values_list("placed", flat=True))
        second, third = gems.bookmarks.all()[1:3]
        moves = [lambda pk=one.pk: collections.move(gems, pk, up=True) for one in (second, third)]
        race(*moves, hold=((collections, "_lock"),))
        assert set(gems.bookmarks.values_list("placed", flat=True)) == places
        # One after the other: 2 over 3, then 1 over 3; or 1 over 2, and 2 over 1 again.
        found = list(gems.bookmarks.values_list("number", flat=True))
        assert found in ([2, 1, 3, 0], [3, 2, 1, 0])


class TestStatistics:
    """Two workers of the clockwork that have both read what is to be counted."""

    def counts(self):
        numbers = ("company", "kind", "key", "number")
        return [
            sorted(GameCount.objects.filter(number__gt=0).values_list("title", *numbers)),
            sorted(PlayerCount.objects.filter(number__gt=0).values_list("user", "title", *numbers)),
            sorted(PairCount.objects.values_list("user", "opponent", "won", "tied", "lost")),
            sorted(Streak.objects.values_list("user", "result", "length", "longest")),
        ]

    def count(self):
        return counting.count_batch(now=timezone.now())

    def test_a_match_counts_once(self, people, race):
        finished(people)
        finished(people)
        race(self.count, self.count, hold=((counting, "_progress"),))
        found = self.counts()
        assert MatchCounts.objects.count() == 2
        counting.rebuild()
        self.count()
        assert found == self.counts()
        assert sum(GameCount.objects.filter(kind="length").values_list("number", flat=True)) == 2

    def test_the_first_two_ever_make_one_row_of_progress(self, people, race):
        race(self.count, self.count, hold=((QuerySet, "create"),))
        assert Progress.objects.count() == 1

    def test_one_that_is_annulled_meanwhile_is_taken_out_once(self, people, race):
        play, kept = finished(people), finished(people)
        self.count()
        play.match.__class__.objects.filter(pk=play.id).update(
            status="annulled", ending="annulled", changed=timezone.now()
        )
        take_out = [lambda: counting.take_out(now=timezone.now())] * 2
        race(*take_out, hold=((counting, "_progress"),))
        while counting.recount_stale():
            pass
        found = self.counts()
        assert MatchCounts.objects.get().match_id == kept.id
        counting.rebuild()
        self.count()
        assert found == self.counts()


class TestReviews:
    @pytest.fixture(autouse=True)
    def without_workers(self, quick, monkeypatch):
        monkeypatch.setattr(review_tasks.work_on_review, "apply_async", lambda **_: None)

    def test_a_review_that_two_ask_for_is_one_row_and_one_task(self, ended, race, monkeypatch):
        started = []
        monkeypatch.setattr(review_tasks.review_runs, "put", started.append)
        ask = [lambda: reviews.ask(ended.match, now=timezone.now())] * 2
        results = race(*ask, hold=((QuerySet, "create"),))
        (made,) = Review.objects.all()
        assert results == [made, made]
        assert started == [{made.pk: 0}]

    def test_who_asks_twice_at_once_waits_for_one(self, people, race):
        first, second = finished(people), finished(people)

        def ask(driver):
            return lambda: reviews.ask(driver.match, now=timezone.now(), asker="account:7")

        same = race(ask(first), ask(first), hold=((QuerySet, "create"),))
        assert same == [Review.objects.get()] * 2
        Review.objects.all().delete()
        assert errors(race(ask(first), ask(second), hold=((QuerySet, "create"),))) == [Refused]
        assert Review.objects.count() == 1

    def test_an_outdated_one_starts_again_once(self, ended, race, monkeypatch):
        made = worked_out(reviews.ask(ended.match, now=timezone.now()), timezone.now())
        Review.objects.update(edition=0)
        started = []
        monkeypatch.setattr(review_tasks.review_runs, "put", started.append)
        ask = [lambda: reviews.ask(ended.match, now=timezone.now())] * 2
        race(*ask, hold=((reviews, "_start_again"),))
        assert started == [{made.pk: made.turn + 1}]

    def test_two_workers_do_a_part_once(self, ended, race, quick):
        made = reviews.ask(ended.match, now=timezone.now())
        work = [lambda: reviews.work(made.pk, 0, now=timezone.now())] * 2
        results = race(*work, hold=((QuerySet, "update"),))
        made.refresh_from_db()
        assert results == [None, None]
        assert (made.status, made.turn) == (Review.Status.READY, 1)
        positions = [asked.position for asked in quick.asked if asked.simulations == FEWEST]
        assert len(positions) == ended.match.version
