"""Tournaments by program: listed, read, entered and left."""

from datetime import timedelta

from django.test import Client
from django.utils import timezone

from games.events import services
from games.events.models import Tournament
from games.matches.clock import PRESETS
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


# --- What organisers do -------------------------------------------------------------------------


def act(client, made, **body):
    return client.post(f"{ROOT}{made.pk}/acts/", body, content_type="application/json")


def test_an_organiser_acts_by_program_and_everybody_reads_the_log(toy, people, client):
    made = announced(people[0])
    ada = signed_in(people[0])
    assert act(ada, made, kind="edit", terms={"most": 6}).json()["most"] == 6
    assert act(ada, made, kind="invite", name="bruno").status_code == 200
    [invited, edited] = client.get(f"{ROOT}{made.pk}/acts/").json()
    assert invited["did"] == "invited bruno"
    assert edited["changes"] == [["Most players", "4", "6"]]
    declined = signed_in(people[1]).post(f"{ROOT}{made.pk}/decline/")
    assert declined.status_code == 200


def test_an_act_needs_its_values_and_no_others(toy, people):
    made = announced(people[0])
    ada = signed_in(people[0])
    for body in (
        {},
        {"kind": "undo"},
        {"kind": "extend"},
        {"kind": "extend", "days": 10**30},
        {"kind": "start", "days": 1},
        {"kind": "edit", "terms": {"nonsense": 1}},
        {"kind": "edit", "terms": {"tie_breaks": ["coin"]}},
        {"kind": "invite", "name": ["bruno"]},
    ):
        assert act(ada, made, **body).status_code == 400, body
    unknown = act(ada, made, kind="edit", terms={"params": {"nonsense": 1}})
    assert unknown.status_code == 422
    assert act(ada, made, kind="extend", days=3).status_code == 409
    assert act(signed_in(people[1]), made, kind="start").status_code == 403
    assert not made.acts.exists()


def test_a_program_settles_grants_and_accepts(toy, people, client):
    made = services.create(
        organiser=people[0],
        name="Swiss",
        title="heap",
        params={},
        clock=PRESETS["standard"],
        format=Tournament.Format.SWISS,
        rounds=2,
        most=4,
        starts=timezone.now() + timedelta(days=7),
        round_days=21,
        now=timezone.now(),
    )
    for user in people[:4]:
        services.join(tournament_id=made.pk, user=user, now=timezone.now())
    services.advance(made.pk, now=timezone.now())
    ada, bruno = signed_in(people[0]), signed_in(people[1])
    asked = bruno.post(f"{ROOT}{made.pk}/bye/").json()["bye_requests"]
    assert [one["name"] for one in asked] == ["bruno"]
    granted = act(ada, made, kind="bye", request=asked[0]["id"]).json()
    assert granted["bye_requests"] == []
    tables = client.get(f"{ROOT}{made.pk}/").json()["tables"]
    other = next(one for one in tables if "ada" not in [seat["name"] for seat in one["seats"]])
    body = {"kind": "settle", "table": other["id"], "outcome": "draw", "reason": "No show."}
    tables = act(ada, made, **body).json()["tables"]
    settled = next(one for one in tables if one["id"] == other["id"])
    assert settled["reason"] == "No show."
    act(ada, made, kind="share", name="bruno")
    assert bruno.post(f"{ROOT}{made.pk}/accept/").json()["co_organisers"] == ["bruno"]


def test_a_link_lets_a_program_in(toy, people):
    made = announced(people[0])
    ada, bruno = signed_in(people[0]), signed_in(people[1])
    act(ada, made, kind="edit", terms={"by_invitation": True})
    act(ada, made, kind="link")
    assert bruno.post(f"{ROOT}{made.pk}/join/").status_code == 409
    link = Tournament.objects.get().link
    assert bruno.post(f"{ROOT}{made.pk}/join/?link={link}").status_code == 200
    assert link not in bruno.get(f"{ROOT}{made.pk}/").content.decode()


def test_a_program_announces_a_tournament_as_the_page_does(toy, people):
    ada = signed_in(people[0])
    starts = (timezone.now() + timedelta(days=7)).isoformat()
    terms = {
        "title": "heap",
        "name": "Autumn Cup",
        "format": "swiss",
        "most": 8,
        "starts": starts,
        "clock": PRESETS["standard"].dump(),
        "round_days": 21,
        "late_until": 3,
    }

    def post(**sent):
        return ada.post(ROOT, sent, content_type="application/json")

    made = post(**terms)
    assert made.status_code == 200, made.content
    assert (made.json()["organiser"], made.json()["late_until"]) == ("ada", 3)
    missing = post(**{key: terms[key] for key in terms if key != "starts"})
    assert missing.status_code == 400
    assert post(**terms | {"title": "chess"}).status_code == 404
    assert post(**terms | {"format": "teams"}).status_code == 409
    assert post(**terms | {"round_days": 1}).status_code == 409
    assert post(**terms | {"club_id": 99}).status_code == 409
    assert Tournament.objects.count() == 1
