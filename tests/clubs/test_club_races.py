"""Two who change a club at the same moment, on PostgreSQL."""

import threading

import pytest
from django.db import transaction

from games.clubs import candidates, changes, messages, services
from games.clubs.errors import MayNotJoin
from games.clubs.models import Candidate, Club, Membership
from games.clubs.services import Terms
from games.kernel.errors import GameError
from games.matches.errors import Refused
from tests.clubs.clubs import Admission, club, found, join, lead, leaders, names
from tests.clubs.test_clubs import play
from tests.concurrency import PATIENCE, run_concurrently, wait_until_blocked
from tests.fixtures import NOW

__all__ = ["club"]

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def tried(call):
    """Return a call that returns its refusal instead of raising it."""

    def run():
        try:
            return call()
        except GameError as refusal:
            return refusal

    return run


def raced(lock, first, second):
    """Call ``second`` while ``first`` holds a lock, and return what both returned or refused."""
    is_locked = threading.Event()

    def one():
        with transaction.atomic():
            lock()
            is_locked.set()
            wait_until_blocked()
            return tried(first)()

    def two():
        assert is_locked.wait(PATIENCE)
        return tried(second)()

    return run_concurrently(one, two)


def raced_in(club, first, second):
    """The same, while ``first`` holds the row of a club."""
    return raced(lambda: changes.locked(club.pk), first, second)


def test_two_leaders_leave_at_once(people, club):
    ada, bruno = people[:2]
    lead(club, ada, bruno)
    results = raced_in(
        club,
        lambda: services.leave(club_id=club.pk, user=ada),
        lambda: services.leave(club_id=club.pk, user=bruno),
    )
    assert isinstance(results[1], Refused)
    assert (names(club), leaders(club)) == (["bruno"], ["bruno"])


def test_a_leader_leaves_while_another_one_dismisses_themselves(people, club):
    ada, bruno = people[:2]
    lead(club, ada, bruno)
    results = raced_in(
        club,
        lambda: services.leave(club_id=club.pk, user=ada),
        lambda: services.dismiss(club_id=club.pk, leader=bruno, user=bruno, now=NOW),
    )
    assert isinstance(results[1], Refused)
    assert leaders(club) == ["bruno"]


def test_an_account_goes_while_the_other_leader_leaves(people, club):
    ada, bruno = people[:2]
    join(club, people[2])
    lead(club, ada, bruno)
    raced_in(
        club,
        lambda: services.leave(club_id=club.pk, user=ada),
        lambda: services.leave_all(bruno, now=NOW),
    )
    assert (names(club), leaders(club)) == (["clara"], ["clara"])


def test_a_member_joins_in_two_tabs(people, club):
    results = raced_in(
        club,
        *[lambda: candidates.join(club_id=club.pk, user=people[2], now=NOW)] * 2,
    )
    assert results[0] == results[1]
    assert names(club) == ["ada", "bruno", "clara"]


def test_a_member_is_removed_and_joins_at_once(people, club):
    ada, bruno = people[:2]
    how = {"leader": ada, "user": bruno, "reason": "Loud.", "now": NOW}
    results = raced_in(
        club,
        lambda: services.remove(club_id=club.pk, **how),
        lambda: candidates.join(club_id=club.pk, user=bruno, now=NOW),
    )
    assert isinstance(results[1], MayNotJoin)
    assert names(club) == ["ada"]


def test_a_request_is_accepted_and_withdrawn_at_once(people):
    ada, bruno = people[:2]
    asked = found(ada, admission=Admission.REQUEST)
    join(asked, bruno)
    how = {"leader": ada, "user": bruno, "accepts": True, "now": NOW}
    results = raced_in(
        asked,
        lambda: candidates.decline(club_id=asked.pk, user=bruno, now=NOW),
        lambda: candidates.answer(club_id=asked.pk, **how),
    )
    assert isinstance(results[1], Refused)
    assert names(asked) == ["ada"]
    assert not Candidate.objects.exists()


def test_a_club_is_closed_while_somebody_joins(people, club):
    results = raced_in(
        club,
        lambda: services.close(club_id=club.pk, leader=people[0], now=NOW),
        lambda: candidates.join(club_id=club.pk, user=people[2], now=NOW),
    )
    assert isinstance(results[1], Refused)
    assert names(club) == ["ada", "bruno"]


def test_a_fourth_club_is_founded_in_two_tabs(people):
    ada = people[0]
    play(ada, people[1], services.MIN_MATCHES)
    for name in ("Oslo", "Bergen"):
        found(ada, name)
    results = raced(
        ada.lock,
        lambda: services.found(founder=ada, terms=Terms("Voss"), now=NOW),
        lambda: services.found(founder=ada, terms=Terms("Molde"), now=NOW),
    )
    assert isinstance(results[1], Refused)
    assert sorted(Club.objects.values_list("name", flat=True)) == ["Bergen", "Oslo", "Voss"]


def test_two_found_a_club_of_the_same_name(people):
    results = run_concurrently(
        *(tried(lambda user=user: found(user, "Harbour Club")) for user in people)
    )
    assert sum(isinstance(result, Refused) for result in results) == 3
    assert Club.objects.count() == Membership.objects.count() == 1


def test_the_last_free_membership_is_used_in_two_clubs(people, club, monkeypatch):
    monkeypatch.setattr(changes, "MAX_MEMBERSHIPS", 1)
    other = found(people[3], "Hill Club")
    results = run_concurrently(
        *(
            tried(lambda one=one: candidates.join(club_id=one.pk, user=people[2], now=NOW))
            for one in (club, other)
        )
    )
    assert sum(isinstance(result, MayNotJoin) for result in results) == 1
    assert Membership.objects.filter(user=people[2]).count() == 1


def test_two_leaders_write_to_all_at_once(people, club):
    ada, bruno = people[:2]
    lead(club, ada, bruno)
    results = raced_in(
        club,
        lambda: messages.write(club_id=club.pk, leader=ada, text="One.", now=NOW),
        lambda: messages.write(club_id=club.pk, leader=bruno, text="Two.", now=NOW),
    )
    assert isinstance(results[1], Refused)


def test_two_workers_spread_a_message(people, club, monkeypatch):
    monkeypatch.setattr(messages, "BATCH", 1)
    join(club, *people[2:])
    messages.write(club_id=club.pk, leader=people[0], text="Hello.", now=NOW)
    run_concurrently(*[lambda: messages.spread(now=NOW)] * 3)
    for user in people[1:]:
        assert user.notifications.filter(kind="club-message").count() == 1
