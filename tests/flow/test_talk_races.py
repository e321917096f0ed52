"""One line of chat that is sent twice at the same moment, on PostgreSQL."""

from uuid import UUID

import pytest

from accounts.models import Notification
from games.talk import services
from games.talk.models import Line
from tests.fixtures import NOW
from tests.flow.test_races import people, race

__all__ = ["people", "race"]

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def test_it_is_written_once_and_told_once(play, race):
    ada, bruno = play.people[:2]
    sent = {"match_id": play.id, "user": ada, "text": "hello", "submission": UUID(int=1)}
    before = Notification.objects.filter(recipient=bruno).count()
    said = race(
        *(lambda: services.say(**sent, now=NOW) for _ in range(3)), hold=((services, "_write"),)
    )
    assert Line.objects.count() == 1
    assert {one.line.pk for one in said} == {Line.objects.get().pk}
    assert sorted(one.repeated for one in said) == [False, True, True]
    assert Notification.objects.filter(recipient=bruno).count() == before + 1
