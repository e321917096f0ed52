"""Boards that one person saves at the same moment, on PostgreSQL with real threads."""

import contextlib
import threading

import pytest

from games.kernel import registry
from games.study import services
from games.study.errors import MayNotSave
from games.study.models import Study
from games.study.replaying import set_up
from games.web.study.forms import standard
from tests.concurrency import run_concurrently
from tests.fixtures import NOW
from tests.people import confirmed

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def test_two_tabs_do_not_save_more_boards_than_one_may(monkeypatch):
    monkeypatch.setattr(services, "MAX_STUDIES", 1)
    ada = confirmed("ada")
    tree = set_up(standard(registry.get("die")))
    line = threading.Barrier(2)

    def counted(tree, content_of=services.content_of):
        """Wait for the other tab, if it counts the boards at the same time."""
        with contextlib.suppress(threading.BrokenBarrierError):
            line.wait(1)
        return content_of(tree)

    monkeypatch.setattr(services, "content_of", counted)

    def save():
        try:
            services.save(user=ada, tree=tree, name="Board", now=NOW)
        except MayNotSave:
            return "refused"
        return "saved"

    assert sorted(run_concurrently(save, save)) == ["refused", "saved"]
    assert Study.objects.count() == 1
