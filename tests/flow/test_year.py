"""Two months of play by thirty simulated players: nothing overdue, twice, missing or lost."""

from datetime import timedelta

import pytest
from django.db.models import QuerySet

from accounts.delivery.pace import MAX_PER_HOUR
from accounts.models import Notification
from bench import year
from bench.year.world import DAY
from games.matches.models import LogEntry, Vacation
from games.matches.notify.notifications import (
    MATCH_ENDED,
    MOVE_ANSWERED,
    OFFER_ANSWERED,
    PAUSE_ENDS,
    TIME_SHORT,
)

pytestmark = [pytest.mark.django_db, pytest.mark.thorough]

PLAYERS, DAYS = 30, 60


def _count(kind, **payload):
    wanted = {f"payload__{name}": value for name, value in payload.items()}
    return Notification.objects.filter(kind=kind, **wanted).count()


def troubles(found):
    return {what for what, said in found.troubles.items() if said}


def test_two_months_of_play_are_accounted_for():
    played = year.play(PLAYERS, DAYS, "two months")
    found, done = year.account(played), played.world.done
    assert {what: said for what, said in found.troubles.items() if said} == {}
    assert found.timeouts > 10
    assert done["play_move"] > 300
    assert len(played.world.posted) > 300
    assert found.most_an_hour >= MAX_PER_HOUR
    assert min(found.held, found.several) > 0
    habits = ("take_back", "offer_pause", "plan", "absences", "answers by mail", "evenings")
    assert min(done[name] for name in habits) > 0
    assert _count(MOVE_ANSWERED, refusal="") > 0
    assert min(_count(OFFER_ANSWERED), _count(PAUSE_ENDS)) > 0


def test_the_accounts_notice_what_is_wrong():
    played = year.play(8, 30, "noticed")

    def found():
        return troubles(year.account(played))

    assert found() == set()
    lost = played.world.posted.pop()
    assert found() == {"mails not accounted for"}
    played.world.posted += [lost, lost]
    assert found() == {"mails not accounted for"}
    played.world.posted.pop()
    Notification.objects.filter(kind=MATCH_ENDED).earliest("pk").delete()
    assert "events told twice or not at all" in found()
    early, late = Notification.objects.filter(kind=TIME_SHORT).order_by("pk")[:2]
    early.delete()
    assert "reminders missing" in found()
    assert "reminders at odd times" not in found()
    Notification.objects.filter(pk=late.pk).update(created=late.created + timedelta(minutes=5))
    assert "reminders at odd times" in found()
    dropped = LogEntry.objects.filter(kind=LogEntry.Kind.TIMEOUT).latest("pk")
    QuerySet(LogEntry).filter(pk=dropped.pk).update(at=played.world.now)
    assert "overdue by more than a minute" in found()
    user = played.people[0].user
    begin = user.date_joined
    Vacation.objects.create(user=user, begin=begin, end=begin + 20 * DAY, end_told=True)
    assert "vacations overdrawn" in found()
