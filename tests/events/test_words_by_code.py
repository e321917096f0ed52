"""What is stored of tournaments holds codes, and the migration converts older rows both ways."""

from importlib import import_module

import pytest
from django.apps import apps
from django.utils.translation import override

from accounts.models import Notification
from accounts.notifications import render, summary
from games.events import notifications, services
from games.events.acts import changes, sentence, stored
from games.events.models import OrganiserAct, Tournament
from tests.events.test_tournaments import _no_tasks, announce, players
from tests.fixtures import NOW

__all__ = ["_no_tasks", "players"]

migration = import_module("games.events.migrations.0010_words_by_code")


@pytest.fixture
def opened(players):
    made = announce(players[0], series="open-heap")
    Tournament.objects.filter(pk=made.pk).update(own_name="Heap Open 12")
    return Tournament.objects.get()


def test_a_title_of_the_site_is_stored_by_its_parts(opened):
    migration.to_codes(apps, None)
    opened.refresh_from_db()
    assert (opened.own_name, opened.number, opened.name) == ("", 12, "Heap Open 12")
    migration.to_words(apps, None)
    opened.refresh_from_db()
    assert opened.own_name == "Heap Open 12"


def test_reasons_and_names_in_notifications_are_stored_by_codes(opened, players):
    why = "Too few players had entered when entry closed."
    text = {"name": "Heap Open 12", "why": why}
    notifications._notify("tournament-cancelled", opened, players[:1], text, NOW)
    migration.to_codes(apps, None)
    told = Notification.objects.get(kind="tournament-cancelled")
    assert told.payload["text"] == {"titled": ["heap", "open-heap", 12], "why": "too-few"}
    assert summary(told).subject == "Heap Open 12 is cancelled"
    assert why in render(told).text
    migration.to_words(apps, None)
    told.refresh_from_db()
    assert told.payload["text"] == text


def test_changes_in_words_become_values(opened, players):
    OrganiserAct.objects.create(
        tournament=opened,
        at=NOW,
        actor=players[0],
        kind="edit",
        details={
            "changes": [["Most players", "4", "6"], ["Rated", "yes", "no"], ["Clock", "a", "b"]],
            "before": {"most": 4, "rated": True, "clock": opened.clock},
        },
    )
    migration.to_codes(apps, None)
    act = stored(OrganiserAct.objects.get())
    assert [(one.label, one.after) for one in changes(act)] == [
        ("Most players", "6"),
        ("Rated", "no"),
        ("Clock", "b"),
    ]
    assert sentence(act) == "ada changed the terms (Most players, Rated and Clock)"


def test_an_act_is_worded_in_the_language_of_its_reader(opened, players):
    act = OrganiserAct.objects.create(
        tournament=opened, at=NOW, actor=players[0], kind="edit", details={"changed": []}
    )
    with override("de"):
        notifications.news(act, players[1:2], NOW)
    payload = Notification.objects.get(recipient=players[1]).payload
    assert "changed the terms" not in str(payload)
    assert services.closed(opened) == "This tournament is open for entry."
