"""What a process keeps of matches: changes begin from it, and nothing is refused for its age."""

from uuid import uuid4

import pytest
from django.db import transaction
from django.utils import timezone

from games.kernel.errors import GameError
from games.matches import kept_log, kept_matches, services
from games.matches.models import LogEntry, Match, Player
from games.matches.signals import plans_may_run
from games.matches.update import MatchUpdate
from tests.match_driver import match_driver

__all__ = ["match_driver"]

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def reads(monkeypatch):
    """The snapshots that were read for a change."""
    found, load = [], MatchUpdate.load
    monkeypatch.setattr(MatchUpdate, "load", lambda *how: found.append(how) or load(*how))
    return found


def behind(match_driver, *texts):
    """Let moves be played in another process: what this one keeps is older."""
    kept = kept_matches.latest(match_driver.id)
    kept_matches.clear()
    match_driver.play(*texts)
    kept_matches.clear()
    kept_matches.keep(kept)


def played(match_driver):
    return list(LogEntry.objects.filter(match=match_driver.id).values_list("text", flat=True))


def test_a_move_after_one_of_the_same_process_reads_no_match(match_driver, reads):
    match_driver.play("c3")
    assert len(reads) == 1
    match_driver.play("b2", "a1")
    assert len(reads) == 1
    assert played(match_driver) == ["c3", "b2", "a1"]


def test_entries_that_were_written_are_kept_as_they_are_stored(
    match_driver, django_assert_num_queries
):
    match_driver.play("c3")
    assert [entry.text for entry in kept_log.latest(match_driver.match, 40)] == ["c3"]
    match_driver.play("b2", "a1")
    match = match_driver.match
    with django_assert_num_queries(0):
        kept = kept_log.latest(match, 40)
    stored = list(LogEntry.objects.filter(match=match.pk).order_by("number"))
    for one, other in zip(kept, stored, strict=True):
        for field in LogEntry._meta.concrete_fields:
            if field.attname in other.__dict__ and not field.primary_key:
                assert getattr(one, field.attname) == getattr(other, field.attname), field.name


def test_an_entry_of_another_process_is_read(match_driver):
    match_driver.play("c3")
    kept_log.latest(match_driver.match, 40)
    known = kept_log._logs.copy()
    match_driver.play("b2")
    kept_log.clear()
    kept_log._logs.update(known)
    match_driver.play("a1")
    texts = [entry.text for entry in kept_log.latest(match_driver.match, 40)]
    assert texts == ["c3", "b2", "a1"]


def test_what_is_kept_is_what_is_stored(match_driver):
    match_driver.play("c3", "b2")
    kept, stored = kept_matches.latest(match_driver.id), match_driver.table
    for one, other in zip(
        (kept.match, *kept.players), (stored.match, *stored.players), strict=True
    ):
        for field in other._meta.concrete_fields:
            if field.attname in other.__dict__:
                assert getattr(one, field.attname) == getattr(other, field.attname), field.name
    assert kept.state == stored.state


def test_a_kept_match_that_has_changed_since_is_read_anew(match_driver, reads):
    match_driver.play("c3")
    behind(match_driver, "b2")
    reads.clear()
    match_driver.play("a1")
    assert len(reads) == 1
    assert played(match_driver) == ["c3", "b2", "a1"]


def test_so_is_one_whose_clocks_were_shifted(match_driver, reads):
    match_driver.play("c3")
    Match.objects.filter(pk=match_driver.id).update(clock_epoch=1)
    reads.clear()
    match_driver.play("b2")
    assert len(reads) == 1
    assert played(match_driver) == ["c3", "b2"]


def test_what_is_refused_is_refused_for_what_is_stored(match_driver, reads):
    match_driver.play("c3")
    behind(match_driver, "b2")
    with pytest.raises(GameError, match=r"at 2\."):
        match_driver.act(services.play_move, 1, texts=["a1"], version=1)
    assert reads
    assert played(match_driver) == ["c3", "b2"]


def test_a_change_that_is_worked_out_changes_nothing_that_is_kept(match_driver):
    match_driver.play("c3")
    update = MatchUpdate.begin(match_driver.id, timezone.now(), uuid4())
    update.play(1, "b2")
    update.finalize()
    kept = kept_matches.latest(match_driver.id)
    assert (kept.match.version, kept.players[1].to_move) == (1, True)


def test_plans_that_were_made_meanwhile_go_on(match_driver):
    match_driver.play("c3")
    Player.objects.filter(match=match_driver.id, seat=0).update(plans=True)
    heard = []

    def listen(exist, **_):
        heard.append(exist)

    plans_may_run.connect(listen)
    match_driver.play("b2")
    plans_may_run.disconnect(listen)
    assert heard == [True]
    assert kept_matches.latest(match_driver.id).players[0].plans


def test_what_may_be_undone_is_not_kept(match_driver):
    with transaction.atomic():
        match_driver.play("c3")
        transaction.set_rollback(True)
    assert kept_matches.latest(match_driver.id) is None
    match_driver.play("b2")
    assert played(match_driver) == ["b2"]


def test_an_older_snapshot_takes_no_newer_ones_place(match_driver):
    match_driver.play("c3")
    older = kept_matches.latest(match_driver.id)
    match_driver.play("b2")
    kept_matches.keep(older)
    assert kept_matches.latest(match_driver.id).match.version == 2
    assert kept_matches.latest(match_driver.id, 3) is None


def test_only_the_last_ones_are_kept(match_driver, monkeypatch):
    monkeypatch.setattr(kept_matches, "MATCHES", 1)
    match_driver.play("c3")
    other = kept_matches.latest(match_driver.id)
    other.match.pk += 1
    kept_matches.keep(other)
    assert kept_matches.latest(match_driver.id) is None
