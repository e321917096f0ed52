"""Time in which players could not play is given back: whole, once, and however often killed."""

from datetime import timedelta

import pytest

from games.matches import selectors, services, store
from games.matches.clock import DAY, running, union
from games.matches.clocks import outages, sweeps
from games.matches.errors import OutOfTime
from games.matches.models import Match, Outage, Player, Sweep
from tests.fixtures import NOW

HOUR = timedelta(hours=1)
MINUTE = timedelta(minutes=1)
SECOND = timedelta(seconds=1)


def beats(name, moment):
    """Let a heartbeat have been there at a moment, as if all had been well till then."""
    Sweep.objects.update_or_create(name=name, defaults={"ran": moment})


def jobs_run(until, since):
    """Let scheduled jobs run, whatever web processes do; return how many matches they ended."""
    ended, moment = 0, since
    while moment <= until:
        ended += sweeps.sweep_deadlines(now=moment)
        moment += 4 * MINUTE
    return ended


def both_well(moment):
    for name in selectors.GAPS:
        beats(name, moment)


@pytest.mark.slow
def test_time_in_which_no_web_process_answered_is_given_back(play):
    both_well(NOW + 2 * DAY)
    last_hour = NOW + 3 * DAY - HOUR
    beats(selectors.DEADLINES, last_hour)
    back = NOW + 3 * DAY + 2 * HOUR
    assert jobs_run(back, since=last_hour) == 0, "nobody could reach the site"
    outages.beat(selectors.WEB, now=back)
    assert sweeps.sweep_deadlines(now=back) == 0
    outage = Outage.objects.get()
    assert (outage.cause, outage.began, outage.ended) == ("web", NOW + 2 * DAY, back)
    assert play.player(0).deadline == NOW + 3 * DAY + DAY + 2 * HOUR
    both_well(back + HOUR)
    play.move(0, "1", now=back + HOUR)
    assert play.player(0).time_left == 3 * DAY - 2 * DAY - HOUR + DAY


@pytest.mark.slow
def test_nobody_is_timed_out_while_no_web_process_answers(play):
    both_well(NOW + 3 * DAY - HOUR)
    assert services.time_out(match_id=play.id, now=NOW + 4 * DAY) is None
    assert jobs_run(NOW + 3 * DAY + 2 * HOUR, since=NOW + 3 * DAY - HOUR) == 0
    assert play.match.is_running


def test_nobody_is_timed_out_at_the_beginning_of_an_outage(play):
    """A deadline that passes within the gap that is allowed waits for the next answer."""
    last = NOW + 3 * DAY - 20 * SECOND
    both_well(last)
    assert sweeps.sweep_deadlines(now=last + 50 * SECOND) == 0, "it may become an outage"
    outages.beat(selectors.WEB, now=last + 55 * SECOND)
    assert sweeps.sweep_deadlines(now=last + 56 * SECOND) == 1, "it was none"
    assert not Outage.objects.exists()


def test_one_web_process_that_answers_is_enough(play):
    both_well(NOW)
    for minute in range(60):
        outages.beat(selectors.WEB, now=NOW + minute * MINUTE)
        outages.beat(selectors.DEADLINES, now=NOW + minute * MINUTE)
    assert not Outage.objects.exists()


def test_a_site_whose_web_processes_never_wrote_is_judged_by_its_jobs(play):
    beats(selectors.DEADLINES, NOW + 3 * DAY - MINUTE)
    assert sweeps.sweep_deadlines(now=NOW + 3 * DAY) == 1


def test_outages_that_overlap_are_given_back_once(play):
    both_well(NOW + DAY)
    outages.beat(selectors.WEB, now=NOW + DAY + 6 * HOUR)
    sweeps.sweep_deadlines(now=NOW + DAY + 10 * HOUR)
    assert Outage.objects.count() == 2
    assert play.player(0).deadline == NOW + 3 * DAY + 10 * HOUR
    both_well(NOW + 2 * DAY)
    play.move(0, "1", now=NOW + 2 * DAY)
    assert play.player(0).time_left == 2 * DAY + 10 * HOUR, "38 hours used, a day earned"


def test_an_outage_of_jobs_within_one_of_the_web_that_goes_on(play):
    both_well(NOW + DAY)
    sweeps.sweep_deadlines(now=NOW + DAY + 10 * HOUR)
    found = selectors.outages_until(NOW + DAY + 12 * HOUR)
    assert found == [(NOW + DAY, NOW + DAY + 12 * HOUR)]
    both_well(NOW + 9 * DAY)
    with pytest.raises(OutOfTime):
        play.move(0, "1", now=NOW + 9 * DAY)


@pytest.mark.parametrize("name", selectors.GAPS)
@pytest.mark.parametrize("is_written", [True, False])
def test_no_outage_is_stored_while_those_read_are_all(play, name, is_written):
    """A heartbeat that was never written comes first after the outages were read."""
    both_well(NOW + HOUR)
    beats(name, NOW)
    if not is_written:
        Sweep.objects.get(name=name).delete()
    found = selectors.Outages(*store.run(store.outages(tuple(selectors.GAPS))), NOW)
    outages.beat(name, now=NOW)
    last = NOW + selectors.GAPS[name]
    assert found.are_all(last)
    outages.beat(name, now=last)
    assert not Outage.objects.exists()
    assert not found.are_all(last + SECOND)


def test_outages_read_long_ago_are_not_all(play):
    both_well(NOW)
    found = selectors.Outages(*store.run(store.outages(tuple(selectors.GAPS))), NOW)
    assert found.upto(NOW) == []
    assert found.upto(NOW + HOUR) == [(NOW, NOW + HOUR)], "both are missing"
    assert not found.are_all(NOW + HOUR)


def test_pauses_that_overlap_cover_the_same_time_once():
    pauses = [
        (NOW + 8 * HOUR, NOW + 9 * HOUR),
        (NOW + 2 * HOUR, NOW + 5 * HOUR),
        (NOW + 3 * HOUR, NOW + 4 * HOUR),
        (NOW + 5 * HOUR, NOW + 6 * HOUR),
    ]
    assert union(pauses) == [(NOW + 2 * HOUR, NOW + 6 * HOUR), (NOW + 8 * HOUR, NOW + 9 * HOUR)]
    assert running(NOW, NOW + 10 * HOUR, union(pauses)) == 5 * HOUR
    assert union([]) == []


@pytest.fixture
def many(start, monkeypatch):
    """Seven matches that ran into an outage of a day, in batches of two."""
    monkeypatch.setattr(outages, "BATCH_SIZE", 2)
    found = [start() for _ in range(7)]
    outage = Outage.objects.create(began=NOW + DAY, ended=NOW + 2 * DAY)
    return found, outage


def killed_in_batch(monkeypatch, number):
    """Let the run be killed in the middle of a batch, after its deadlines were written."""
    shift, calls = outages._shift, []

    def dying(ids):
        shift(ids)
        calls.append(ids)
        if len(calls) == number:
            raise SystemExit

    monkeypatch.setattr(outages, "_shift", dying)
    with pytest.raises(SystemExit):
        outages.finalize()
    monkeypatch.setattr(outages, "_shift", shift)


def epochs():
    return list(Match.objects.order_by("pk").values_list("clock_epoch", flat=True))


def test_a_run_that_is_killed_is_gone_on_with(many, monkeypatch):
    plays, outage = many
    killed_in_batch(monkeypatch, 3)
    outage.refresh_from_db()
    assert epochs() == [1, 1, 1, 1, 0, 0, 0], "two batches were kept, the third was not"
    assert (outage.settled, outage.reached) == (False, plays[3].id)
    assert plays[4].player(0).deadline == NOW + 3 * DAY
    outages.finalize()
    outage.refresh_from_db()
    assert outage.settled
    assert epochs() == [1] * 7, "nothing is done twice"
    assert {play.player(0).deadline for play in plays} == {NOW + 4 * DAY}
    assert Player.objects.filter(deadline=None).count() == 7


def test_nobody_is_timed_out_between_two_runs(many, monkeypatch):
    plays, _ = many
    killed_in_batch(monkeypatch, 1)
    beats(selectors.DEADLINES, NOW + 3 * DAY)
    assert sweeps.sweep_deadlines(now=NOW + 3 * DAY + MINUTE) == 0
    assert all(play.match.is_running for play in plays)


def test_what_is_settled_stays_as_it_is(many):
    outages.finalize()
    before = list(Player.objects.values())
    outages.finalize()
    assert list(Player.objects.values()) == before
    assert epochs() == [1] * 7


def test_many_clocks_take_few_queries(many, monkeypatch, django_assert_max_num_queries):
    monkeypatch.setattr(outages, "BATCH_SIZE", 500)
    with django_assert_max_num_queries(12):
        outages.finalize()
