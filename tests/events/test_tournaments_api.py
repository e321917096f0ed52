"""Tournaments by program: listed, read, entered and left."""

from datetime import timedelta

from django.test import Client
from django.utils import timezone

from games.events import services
from games.events.models import Tournament
from games.matches.clocks.clock import PRESETS
from tests.match_driver import fresh_cache

__all__ = ["fresh_cache"]

ROOT = "/api/v1/events/"


def announced(organiser, most=4):
    now = timezone.now()
    return services.create(
        organiser=organiser,
        name="Spring Cup",
        title="heap",
        params={},
        clock=PRESETS["standard"],
        format=Tournament.Format.ROUND_ROBIN,
        most=most,
        starts=now + timedelta(days=7),
        round_days=21,
        now=now,
    )


def signed_in(user):
    client = Client()
    client.force_login(user)
    return client


def test_a_program_finds_enters_and_leaves(toy, people, client):
    made = announced(people[0])
    [found] = client.get(ROOT).json()["items"]
    assert (found["id"], found["organiser"], found["players"]) == (made.pk, "ada", 0)
    bruno = signed_in(people[1])
    for _ in range(2):
        entered = bruno.post(f"{ROOT}{made.pk}/join/", content_type="application/json").json()
        assert [line["name"] for line in entered["standings"]] == ["bruno"]
    assert [one["id"] for one in bruno.get(ROOT, {"which": "mine"}).json()["items"]] == [made.pk]
    left = bruno.post(f"{ROOT}{made.pk}/leave/", content_type="application/json").json()
    assert left["players"] == 0
    again = bruno.post(f"{ROOT}{made.pk}/leave/", content_type="application/json")
    assert again.status_code == 409


def test_a_running_tournament_names_its_matches(toy, people, client):
    made = announced(people[0], most=3)
    for user in people[:3]:
        services.join(tournament_id=made.pk, user=user, now=timezone.now())
    services.advance(made.pk, now=timezone.now())
    whole = client.get(f"{ROOT}{made.pk}/").json()
    assert len(whole["tables"]) == 3
    assert all(table["match"] and len(table["seats"]) == 2 for table in whole["tables"])
    assert client.get(ROOT, {"which": "running"}).json()["items"][0]["status"] == "running"
    late = signed_in(people[3]).post(f"{ROOT}{made.pk}/join/", content_type="application/json")
    assert late.json()["code"] == "entry-closed"


def test_visitors_read_and_do_not_enter(toy, people, client):
    made = announced(people[0])
    assert client.get(f"{ROOT}{made.pk}/").status_code == 200
    assert client.post(f"{ROOT}{made.pk}/join/").status_code == 401
    assert client.get(ROOT, {"which": "mine"}).status_code == 401
    assert client.get(f"{ROOT}99/").status_code == 404
