"""Which positions ended matches add to the explorer, and that its counts follow from them."""

from datetime import timedelta

import pytest
from django.core.management import call_command

from games.explorer import counting, selectors, tasks
from games.explorer.models import ExploredMatch, MoveCount, ReachedPosition
from games.explorer.periods import ALL_TIME, month_of, periods_of, since, start_of
from games.explorer.selectors import Filter
from games.kernel.canonical import canonical
from games.matches import services
from games.matches.models import Match, Player
from games.ratings import updating
from tests.concurrency import run_concurrently
from tests.example_games import heap
from tests.fixtures import NOW

DAY = timedelta(days=1)
PARAMS = {"heap": 4, "free": False}
ANY = Filter()


@pytest.fixture
def played(start):
    """Return a function that plays a rated match of the toy game to its end."""

    def _played(*moves, now=NOW, ratings=(1500, 1500), **chosen):
        play = start(now=now, **{"heap": 4, **chosen})
        Match.objects.filter(pk=play.id).update(rated=True)
        for seat, rating in enumerate(ratings):
            Player.objects.filter(match=play.id, seat=seat).update(rating=rating)
        for number, text in enumerate(moves or ("1", "3")):
            play.move(number % 2, text, now=now)
        return play

    return _played


@pytest.fixture
def few(monkeypatch):
    """Count positions from the second match on."""
    monkeypatch.setattr(counting, "COUNTED_FROM", 2)


def examine(*plays):
    for play in plays:
        counting.examine(play.id)


def found(*moves, wanted=ANY, seats=2, **params):
    """Return the explored position after some moves from the start."""
    params = {**PARAMS, **params}
    state = heap.TITLE.setup(seats, params, None)
    for number, text in enumerate(moves):
        state, _ = heap.TITLE.play(state, number % 2, heap.TITLE.parse(text), None)
    return selectors.explored(canonical(heap.TITLE, seats, params, state), seats, wanted)


def numbers(explored):
    """Return what was played next: the move, the matches, the wins by seat."""
    return [(one.move, one.results.matches, list(one.results.wins)) for one in explored.moves]


def everything():
    rows = ReachedPosition.objects.order_by("match", "number")
    counts = MoveCount.objects.order_by("key", "period", "rating", "firsts", "move")
    columns = ("key", "period", "rating", "firsts", "move", "matches")
    return list(rows.values_list("match", "number", "key", "move")), [*counts.values_list(*columns)]


@pytest.mark.parametrize("limit", [1, 2, 100])
def test_a_position_shows_what_was_played_next_and_who_won(played, monkeypatch, limit):
    monkeypatch.setattr(counting, "COUNTED_FROM", limit)
    examine(played("1", "3"), played("2", "2"), played("1", "1", "2"))
    assert numbers(found()) == [("1", 2, [1, 1]), ("2", 1, [0, 1])]
    assert numbers(found("1")) == [("1", 1, [1, 0]), ("3", 1, [0, 1])]
    assert found().results == (3, [1, 2], 0)
    assert numbers(found("1", "1", "2")) == [("", 1, [1, 0])]


def test_the_latest_matches_are_linked_at_the_position(played):
    plays = [played("1", "3", now=NOW + n * DAY) for n in range(7)]
    examine(*plays)
    latest = [(one.match.pk, one.number) for one in found("1").latest]
    assert latest == [(play.id, 1) for play in plays[:1:-1]]


def test_other_settings_are_another_position(played):
    examine(played("1", "3"), played("1", "3", "1", heap=5))
    assert found().results.matches == 1
    assert found(heap=5).results.matches == 1


@pytest.mark.parametrize("limit", [1, 100])
def test_the_filter_by_rating_and_date(played, monkeypatch, limit):
    monkeypatch.setattr(counting, "COUNTED_FROM", limit)
    examine(
        played("1", "3", ratings=(1400, 1700)),
        played("2", "2", ratings=(1900, 1860)),
        played("3", "1", ratings=(None, None), now=NOW + 40 * DAY),
    )
    month = month_of(NOW)
    for wanted, moves in (
        (ANY, ["1", "2", "3"]),
        (Filter(rating=1400), ["1", "2"]),
        (Filter(rating=1600), ["2"]),
        (Filter(month=month + 1), ["3"]),
        (Filter(rating=1400, month=month + 1), []),
    ):
        explored = found(wanted=wanted)
        assert [one.move for one in explored.moves] == moves
        assert len(explored.latest) == len(moves)


def test_a_running_match_is_not_in_it(start):
    play = start(heap=4)
    Match.objects.filter(pk=play.id).update(rated=True)
    play.move(0, "1")
    examine(play)
    counting.sweep(since=None)
    assert everything() == ([], [])
    assert found().results is None


def test_friendly_matches_are_not_in_it(start):
    play = start(heap=1)
    play.move(0, "1")
    examine(play)
    assert everything() == ([], [])


def test_a_move_taken_back_was_not_played(start):
    play = start(heap=4)
    Match.objects.filter(pk=play.id).update(rated=True)
    play.move(0, "3")
    play.act(services.take_back, 0)
    for seat, text in ((0, "2"), (1, "2")):
        play.move(seat, text)
    examine(play)
    assert numbers(found()) == [("2", 1, [0, 1])]
    assert found("3").results is None


def test_a_match_that_a_player_left_ended_where_nobody_moved(start):
    play = start(heap=4)
    Match.objects.filter(pk=play.id).update(rated=True)
    play.move(0, "1")
    play.act(services.resign, 1)
    examine(play)
    assert numbers(found("1")) == [("", 1, [1, 0])]


def test_annulled_and_left_out_matches_are_taken_out(played, few, people):
    kept, annulled, left_out = played(), played(), played("2", "2")
    examine(kept)
    expected = everything()[0]
    examine(annulled, left_out)
    services.annul(match_id=annulled.id, moderator=people[3], reason="Arranged.", now=NOW)
    updating.leave_out(left_out.match, NOW)
    counting.sweep(since=None)
    rows, counts = everything()
    assert rows == expected
    periods = {period: matches for key, period, *_, matches in counts if key == found().key}
    assert periods == dict.fromkeys(periods_of(NOW), 1)
    assert numbers(found()) == [("1", 1, [0, 1])]


@pytest.mark.django_db
@pytest.mark.parametrize("month", range(24_000, 24_013))
def test_a_time_is_made_of_few_periods_that_hold_each_later_month_once(month):
    for later in range(month - 13, month + 40):
        periods = periods_of(start_of(later))
        MoveCount.objects.bulk_create(
            MoveCount(title="heap", key=later, period=period, rating=0, firsts=1)
            for period in periods
        )
    chosen = MoveCount.objects.filter(since(month))
    assert sorted(chosen.values_list("key", flat=True)) == [*range(month, month + 40)]
    shorter_than_a_year = chosen.filter(period__gt=3_000).values("period").distinct()
    assert len(shorter_than_a_year) <= 5


def test_without_a_date_only_the_counts_of_all_time_are_read(played, few):
    examine(played(), played(now=NOW + 40 * DAY), played(now=NOW + 80 * DAY))
    MoveCount.objects.exclude(period=ALL_TIME).delete()
    assert numbers(found()) == [("1", 3, [0, 3])]
    assert found(wanted=Filter(rating=1400)).results.matches == 3


def test_examining_twice_counts_once(played, few):
    play = played()
    examine(play, played())
    before = everything()
    examine(play)
    assert everything() == before


def test_the_command_counts_the_same_again(played, few):
    examine(*(played(*moves) for moves in (("1", "3"), ("2", "2"), ("1", "1", "2"), ("1", "3"))))
    before = everything()
    assert before[1]
    MoveCount.objects.update(matches=7)
    ReachedPosition.objects.filter(number=1).delete()
    call_command("recount_explorer", verbosity=0)
    assert everything() == before


def test_the_end_of_a_rated_match_starts_the_task(
    start, monkeypatch, django_capture_on_commit_callbacks
):
    asked = []
    monkeypatch.setattr(tasks.explorer_runs, "put", asked.append)
    friendly, rated = start(heap=1), start(heap=1)
    Match.objects.filter(pk=rated.id).update(rated=True)
    with django_capture_on_commit_callbacks(execute=True):
        friendly.move(0, "1")
        rated.move(0, "1")
    assert asked == [{rated.id: None}]


def test_the_sweep_finds_what_lost_tasks_left_and_stops_at_nothing(played, monkeypatch):
    broken, play = played(), played()
    real = counting.examine

    def examine_one(match_id):
        if match_id == broken.id:
            raise ValueError("It does not replay.")
        real(match_id)

    monkeypatch.setattr(counting, "examine", examine_one)
    counting.sweep(since=NOW - DAY)
    assert list(ExploredMatch.objects.values_list("match", flat=True)) == [play.id]


def test_long_matches_add_their_first_positions_only(played, monkeypatch):
    monkeypatch.setattr(counting, "MAX_POSITIONS", 2)
    examine(played("1", "1", "2"))
    assert ReachedPosition.objects.count() == 2


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_matches_that_end_at_once_are_all_counted(played, monkeypatch):
    monkeypatch.setattr(counting, "COUNTED_FROM", 3)
    plays = [played() for _ in range(6)]
    run_concurrently(*(lambda play=play: counting.examine(play.id) for play in plays))
    assert numbers(found()) == [("1", 6, [0, 6])]
    counts = MoveCount.objects.filter(key=found().key)
    assert [*counts.values_list("matches", flat=True)] == [6, 6, 6, 6]


@pytest.mark.django_db
def test_the_task_of_a_deleted_match_has_nothing_to_do():
    tasks.explore_match(10**9)
    assert not ExploredMatch.objects.exists()
