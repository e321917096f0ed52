"""Reviews: asked for once, worked out in parts, gone on with after a worker was killed, kept."""

from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.conf import settings as django_settings
from django.utils import timezone

from games.bots.questions import Appraised, Ply
from games.bots.thinker import ThinkerFailed
from games.kernel.contract import Seat
from games.matches import selectors, services
from games.matches.errors import Refused
from games.matches.log import positions
from games.matches.models import LogEntry, Match
from games.records import imports
from games.study import reviewing, reviews, tasks
from games.study.models import Review
from games.study.reviewing import Work
from tests.match_driver import begin
from tests.reviews import quick, worked_out

__all__ = ["quick"]

NOW = timezone.now()
Status = Review.Status


@pytest.fixture
def ended(people):
    """A match of DIE of eight moves that Red, the first player, resigned."""
    return resigned(people)


def resigned(people, moves=8):
    driver = begin("die", people, size=3)
    driver.play_on(moves)
    driver.act(services.resign, 0)
    return driver


@pytest.fixture
def parts(quick, monkeypatch):
    """Each part of the work is one position."""
    monkeypatch.setattr(reviews, "SLICE", 0)
    return quick


def asked(driver, now=NOW):
    return reviews.ask(driver.match, now=now)


def test_a_review_ends_with_the_result_and_names_moves(ended, quick):
    review = worked_out(asked(ended), NOW)
    assert review.status == Status.READY
    assert len(review.values) == ended.match.version + 1
    assert review.values[-1] == [0, 1000]
    last = ended.match.version
    assert all(point.is_move == (point.number < last) for point in reviews.points_of(review))


def test_a_running_match_has_none(people, quick):
    driver = begin("die", people, size=3)
    driver.play_on(2)
    with pytest.raises(Refused, match="once it has ended"):
        asked(driver)
    assert not Review.objects.exists()


@pytest.mark.parametrize(
    ("version", "sentence"), [(0, "Nobody has moved"), (1, ""), (1000, ""), (1001, "up to 1000")]
)
def test_a_match_has_moves_and_is_not_too_long(version, sentence):
    refusal = reviews.refusal(Match(status=Match.Status.CANCELLED, version=version))
    assert sentence in refusal
    assert bool(sentence) == bool(refusal)


def test_asked_for_twice_it_is_worked_out_once(ended, quick, monkeypatch):
    started = []
    monkeypatch.setattr(tasks.transaction, "on_commit", lambda run, **_: run())
    monkeypatch.setattr(tasks.review_runs, "put", started.append)
    first, again = asked(ended), asked(ended)
    assert first == again
    assert started == [{first.pk: 0}]
    count = len(quick.asked)
    worked_out(first, NOW)
    assert asked(ended).status == Status.READY
    assert len(quick.asked) > count
    assert len(started) == 1


def test_two_matches_alike_get_the_same_review(people, quick):
    first, second = (worked_out(asked(resigned(people)), NOW) for _ in range(2))
    assert (first.values, first.points) == (second.values, second.points)


def test_only_moves_are_appraised(people, quick):
    driver = begin("die", people, size=3)
    driver.play_on(3)
    driver.act(services.offer_close, 0)
    driver.act(services.decline_offer, 1)
    driver.act(services.take_back, 0)
    driver.act(services.resign, 0)
    review = worked_out(asked(driver), NOW)
    assert review.values[4] == review.values[5] == review.values[3]
    assert [entry.kind for entry in LogEntry.objects.order_by("number")][-2:] == [
        "take-back",
        "resign",
    ]
    assert review.values[6] == review.values[2]


# --- Who is charged with a change ----------------------------------------------------------------


def work_with(driver, chances, closer=None):
    """Return a finished work whose bots give Red these percentages after each move."""

    def ask(asked):
        is_closer = asked.simulations >= reviewing.FEWEST_CLOSER
        by_ply = {**chances, **(closer or {})} if is_closer else chances
        red = by_ply[asked.position["ply"]] / 100
        best = Ply(Seat(asked.position["mover"]), best_move(driver, asked.position["ply"]))
        return Appraised((red, 1 - red), (best,))

    table = driver.snapshot.table
    work = Work(table, selectors.log(table.match), [], ask)
    for _ in work.parts():
        pass
    return work


def best_move(driver, ply):
    """Return a legal move other than the one that was played after so many."""
    table = driver.snapshot.table
    state = positions.state_after(table, ply)
    played = LogEntry.objects.get(match=driver.id, number=ply + 1).text
    moves = map(str, table.title.moves(state, table.title.actors(state)[0]))
    return next(move for move in moves if move != played)


def listed(work):
    return [(point.number, point.seat, point.before, point.after) for point in work.points]


def test_a_mistake_that_the_bots_see_only_with_its_answer_is_charged_to_who_made_it(ended):
    """Red moves third; the answer of Blue can't be what lowers Red's chance."""
    work = work_with(ended, {0: 50, 1: 50, 2: 55, 3: 56, 4: 25, 5: 25, 6: 25, 7: 25, 8: 25})
    assert (3, 0, 550, 250) in listed(work)
    assert not [point for point in work.points if point.number == 4]
    assert work.values[3] == [250, 750]
    point = next(point for point in work.points if point.number == 3)
    assert point.line[0].move == best_move(ended, 2)


def test_a_change_that_a_closer_look_does_not_confirm_is_none(ended):
    first = {0: 50, 1: 50, 2: 50, 3: 20, 4: 50, 5: 50, 6: 50, 7: 50, 8: 50}
    work = work_with(ended, first, closer={3: 49})
    assert [point for point in work.points if point.number in (3, 4)] == []
    assert work.values[3][0] in (490, 500)


def test_every_change_of_ten_points_is_a_turning_point(people):
    driver = resigned(people, moves=12)
    chances = dict(
        zip(range(13), [90, 70, 80, 60, 70, 50, 60, 40, 50, 30, 40, 20, 20], strict=True)
    )
    work = work_with(driver, chances)
    moves = [point.number for point in work.points if point.seat == 0 and point.is_move]
    assert moves == [1, 3, 5, 7, 9, 11]
    assert all(point.mover == 0 for point in work.points if point.seat == 0)


def test_who_resigns_with_a_chance_is_charged_with_it(ended):
    work = work_with(ended, dict.fromkeys(range(9), 53))
    (point,) = work.points
    assert (point.number, point.seat, point.before, point.after) == (9, 0, 530, 0)
    assert (point.mover, point.is_move) == (0, False)


# --- The task -------------------------------------------------------------------------------------


def test_each_part_is_stored_and_names_the_next(ended, parts):
    review = asked(ended)
    part = (review.pk, 0)
    for done in range(1, 4):
        part = reviews.work(*part, now=NOW)
        assert part == (review.pk, done)
        review.refresh_from_db()
        assert len(review.values) == done


def test_a_part_that_is_run_twice_is_worked_out_once(ended, parts):
    review = asked(ended)
    assert reviews.work(review.pk, 0, now=NOW)
    assert reviews.work(review.pk, 0, now=NOW) is None
    assert len(parts.asked) == 1


def test_a_killed_worker_loses_one_part(ended, parts, monkeypatch):
    whole = worked_out(asked(ended), NOW)
    expected = whole.values, whole.points
    whole.delete()
    review = asked(ended)
    part = reviews.work(review.pk, 0, now=NOW)
    part = reviews.work(*part, now=NOW)

    def killed(_, *, beat):
        raise SystemExit

    real = parts.appraise
    monkeypatch.setattr(parts, "appraise", killed)
    with pytest.raises(SystemExit):
        reviews.work(*part, now=NOW)
    monkeypatch.setattr(parts, "appraise", real)
    assert reviews.work(*part, now=NOW) is None, "Celery hands the lost task out again"
    assert reviews.left_over(NOW) == []
    later = NOW + reviews.LEASE
    (part,) = reviews.left_over(later)
    while part:
        part = reviews.work(*part, now=later)
    review.refresh_from_db()
    assert (review.values, review.points) == expected


def test_a_part_that_takes_long_keeps_its_lease(ended, parts, monkeypatch):
    review, free = asked(ended), []
    clock = SimpleNamespace(monotonic=lambda: 0.0)
    monkeypatch.setattr(reviews, "time", clock)
    long, second = 10 * reviews.LEASE, timedelta(seconds=1)

    def slow(_, *, beat):
        clock.monotonic = long.total_seconds
        beat(1.0)
        free.extend(
            reviews.left_over(NOW + long + reviews.LEASE + more) for more in (-second, second)
        )
        raise ThinkerFailed("gone")

    monkeypatch.setattr(parts, "appraise", slow)
    reviews.work(review.pk, 0, now=NOW)
    assert free == [[], [(review.pk, 1)]]


def test_one_that_can_never_be_worked_out_is_given_up_and_may_be_asked_for_again(
    ended, quick, monkeypatch
):
    review = asked(ended)

    def fail(_, *, beat):
        raise ThinkerFailed("gone")

    monkeypatch.setattr(quick, "appraise", fail)
    for _ in range(reviews.ATTEMPTS + 1):
        for part in reviews.left_over(NOW):
            assert reviews.work(*part, now=NOW) is None
    review.refresh_from_db()
    assert review.status == Status.FAILED
    assert asked(ended).status == Status.FAILED
    monkeypatch.undo()
    assert asked(ended, NOW + reviews.AGAIN).status == Status.WAITING


def test_a_log_that_does_not_replay_fails_at_once(ended, quick):
    review = asked(ended)
    LogEntry.objects.filter(number=3)._raw_delete("default")
    assert worked_out(review, NOW).status == Status.FAILED


def test_reviews_are_worked_out_one_after_the_other(people, parts):
    first, second = asked(resigned(people)), asked(resigned(people), NOW + timedelta(seconds=1))
    assert reviews.work(second.pk, 0, now=NOW) is None
    assert reviews.left_over(NOW) == [(first.pk, 0)]
    part = (first.pk, 0)
    while part and part[0] == first.pk:
        part = reviews.work(*part, now=NOW)
    assert part == (second.pk, 0)


def test_the_sweep_goes_on_with_what_was_lost(ended, quick):
    review = asked(ended)
    tasks.sweep_reviews()
    review.refresh_from_db()
    assert review.turn == 1


def test_its_tasks_have_a_queue_and_a_rhythm():
    routes = django_settings.CELERY_TASK_ROUTES
    assert routes[tasks.work_on_review.name] == {"queue": "extras"}
    assert tasks.sweep_reviews.name in routes
    due = [job["task"] for job in django_settings.CELERY_BEAT_SCHEDULE.values()]
    assert tasks.sweep_reviews.name in due


# --- Kept -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("change", ["edition", "rules_version", "length"])
def test_an_outdated_review_is_kept_until_somebody_asks(change, ended, quick):
    review = worked_out(asked(ended), NOW)
    assert not reviews.may_ask(ended.match, review, NOW)
    Review.objects.update(**{change: 99})
    review = reviews.of(ended.match)
    assert review.status == Status.READY
    assert reviews.may_ask(ended.match, review, NOW)
    again = asked(ended)
    assert (again.status, again.values) == (Status.WAITING, [])
    assert worked_out(again, NOW).status == Status.READY


def test_a_review_goes_with_its_match(ended, quick):
    asked(ended)
    LogEntry.objects.filter(match=ended.id)._raw_delete("default")
    Match.objects.filter(pk=ended.id).delete()
    assert not Review.objects.exists()


def test_an_imported_record_gets_the_review_of_its_match(ended, quick):
    data = ended.client(None).get(f"{ended.page}export.json").content
    record = imports.take_in(user=ended.people[2], data=data, now=NOW)
    first = worked_out(asked(ended), NOW)
    second = worked_out(reviews.ask(record, now=NOW), NOW)
    assert second.imported == record
    assert (first.values, first.points) == (second.values, second.points)
