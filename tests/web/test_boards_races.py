"""Boards that one person saves at the same moment, on PostgreSQL with real threads."""

import contextlib
import threading
from functools import partial

import pytest

from games.kernel import registry
from games.matches.errors import Refused
from games.study import expert, services
from games.study.errors import MayNotSave
from games.study.models import ExpertQuestion, Study
from games.study.replaying import set_up
from games.study.tree import Start, Tree, checked
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


def test_two_tabs_do_not_ask_two_questions_at_once():
    ada = confirmed("ada")
    trees = [set_up(checked(Tree("die", 1, 2, {"size": n}, Start(setup=())))) for n in (3, 4)]
    admitted = []

    def ask(tree):
        try:
            expert.ask(user=ada, tree=tree, number=0, now=NOW, admit=lambda: admitted.append(tree))
        except Refused:
            return "refused"
        return "asked"

    asks = [partial(ask, tree) for tree in trees]
    assert sorted(run_concurrently(*asks)) == ["asked", "refused"]
    assert len(admitted) == ExpertQuestion.objects.count() == 1
