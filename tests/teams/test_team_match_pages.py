"""Team matches on pages and by program, and that no line-up is seen before both are set."""

import json
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from games.clubs import services as clubs_services
from games.events import services as events
from games.events.models import Tournament
from games.moderation import actions as moderation
from games.moderation import reports
from games.moderation.models import Case
from games.teams import selectors, services
from games.teams.models import TeamMatch
from tests.clubs.clubs import Admission, found, join
from tests.match_driver import fresh_cache
from tests.moderation import make_moderator
from tests.people import sign_in_staff
from tests.teams.teams import FIRST, SECOND, begun, clubs, crowd, no_tasks

__all__ = ["clubs", "crowd", "fresh_cache", "no_tasks"]

API = "/api/v1/team-matches/"
DAY = timedelta(days=1)
ALL = ("", *FIRST, *SECOND, "hedda")


def client_of(crowd, name):
    made = Client()
    if name:
        made.force_login(crowd[name])
    return made


def form(**changes):
    today = timezone.now().date()
    return {
        "opponent": "Cafe",
        "boards": 2,
        "pairing": "order",
        "rated": "on",
        "due": today + 8 * DAY,
        "ends": today + 60 * DAY,
        "clock": "standard",
        "param-size": 3,
        **changes,
    }


def asked(clubs, crowd, **changes):
    """A challenge that Ada has made on the page."""
    ada = client_of(crowd, "ada")
    answer = ada.post("/team-matches/new/die/", form(club=clubs[0].pk, **changes))
    assert answer.status_code == 302, answer.content
    return selectors.get(TeamMatch.objects.get().pk)


def signed_up(clubs, crowd):
    """A team match for which everybody signs up on the page."""
    made = asked(clubs, crowd)
    page = made.get_absolute_url()
    client_of(crowd, "emil").post(f"{page}accept/")
    for name in (*FIRST, *SECOND):
        client_of(crowd, name).post(f"{page}sign-up/")
    assert selectors.signed_up(made) == (3, 3)
    return made


def set_first(made, crowd, *names):
    fields = {f"board-{crowd[name].pk}": board for board, name in enumerate(names, start=1)}
    page = f"{made.get_absolute_url()}line-up/1/"
    return client_of(crowd, "ada").post(page, fields)


def test_a_team_match_on_pages(clubs, crowd):
    made = signed_up(clubs, crowd)
    page = made.get_absolute_url()
    assert set_first(made, crowd, "clara", "ada").status_code == 302
    gone = client_of(crowd, "emil").post(f"{page}line-up/2/", {f"board-{crowd['emil'].pk}": 1})
    assert gone.status_code == 422
    fields = {f"board-{crowd[name].pk}": n for n, name in ((1, "fanny"), (2, "emil"))}
    client_of(crowd, "emil").post(f"{page}line-up/2/", fields)
    made.refresh_from_db()
    events.advance(made.tournament_id, now=timezone.now())
    shown = client_of(crowd, "").get(page).content.decode()
    assert "0 : 0" in shown
    assert shown.count("Watch") == 4
    assert f'href="/events/{made.tournament_id}/noticeboard/"' in shown
    assert client_of(crowd, "").get(f"/events/{made.tournament_id}/")["Location"] == page
    answer = client_of(crowd, "ada").post(
        f"{page}replace/", {"player": "clara", "substitute": "bruno"}, follow=True
    )
    assert "bruno plays for clara now" in answer.content.decode()
    club = client_of(crowd, "").get(clubs[0].get_absolute_url()).content.decode()
    assert page in club
    assert "running" in club
    listed = client_of(crowd, "").get(f"/team-matches/?club={clubs[1].pk}").content.decode()
    assert page in listed
    assert client_of(crowd, "").get("/team-matches/?club=x").status_code == 404
    assert page not in client_of(crowd, "").get("/events/").content.decode()
    assert client_of(crowd, "").get(f"{page}card.png")["Content-Type"] == "image/png"
    whole = client_of(crowd, "").get(f"{API}{made.pk}/").json()
    assert (whole["status"], whole["points"], len(whole["tables"])) == ("running", [0, 0], 4)
    assert whole["reserves"] == ["gustav"]


def test_nothing_shows_a_line_up_before_both_are_set(clubs, crowd):
    """What anybody can read is the same whatever line-up the other club has set."""
    made = signed_up(clubs, crowd)
    page = made.get_absolute_url()
    paths = (
        page,
        f"{page}card.png",
        f"{API}{made.pk}/",
        API,
        "/team-matches/",
        "/events/",
        "/events/feed.atom",
        "/activity/",
        clubs[0].get_absolute_url(),
        f"/api/v1/clubs/{clubs[0].pk}/",
        "/api/v1/notices/",
        "/api/v1/events/?which=mine",
        "/api/v1/events/?which=running",
    )
    readers = {name: client_of(crowd, name) for name in ALL if name != "ada"}

    def read():
        return {
            (name, path): stable(client.get(path).content)
            for name, client in readers.items()
            for path in paths
        }

    set_first(made, crowd, "clara", "ada")
    one = read()
    set_first(made, crowd, "ada", "bruno")
    other = read()
    assert [key for key in one if one[key] != other[key]] == []
    line_up = f"{page}line-up/1/"
    assert {client.get(line_up).status_code for client in readers.values()} == {302, 403}
    own = client_of(crowd, "ada").get(f"{API}{made.pk}/").json()["sides"]
    assert [row["board"] for row in own[0]["players"]] == [1, 2, None]
    assert own[1]["players"] is None


def stable(content):
    """Return a page without what differs on every request."""
    text = content.decode(errors="replace")
    for mark in ('name="csrfmiddlewaretoken" value="', 'nonce="', "nonce-"):
        parts = text.split(mark)
        text = parts[0] + mark.join(part.partition('"')[2] for part in parts[1:])
    return text


def test_wrong_line_ups_are_explained(clubs, crowd):
    made = signed_up(clubs, crowd)
    pk = crowd["ada"].pk
    page = f"{made.get_absolute_url()}line-up/1/"
    ada = client_of(crowd, "ada")
    twice = ada.post(page, {f"board-{pk}": 1, f"board-{crowd['bruno'].pk}": 1})
    assert "Two players have board 1." in twice.content.decode()
    assert ada.post(page, {f"board-{pk}": 3}).status_code == 422
    assert "needs 2 players" in ada.post(page, {f"board-{pk}": 1}).content.decode()


@pytest.mark.parametrize(
    "changes",
    [
        {"opponent": "Nowhere"},
        {"boards": 1},
        {"boards": 10**9},
        {"due": "2000-01-01"},
        {"ends": "9999-12-31"},
        {"clock": "per-move", "days": ""},
        {"pairing": "x"},
        {"opponent": "Harbour Club"},
    ],
)
def test_a_wrong_challenge_is_refused(clubs, crowd, changes):
    ada = client_of(crowd, "ada")
    answer = ada.post("/team-matches/new/die/", form(club=clubs[0].pk, **changes))
    assert answer.status_code == 422
    assert not TeamMatch.objects.exists()


def test_only_leaders_see_the_form(clubs, crowd):
    bruno = client_of(crowd, "bruno")
    assert "a club that you lead" in bruno.get("/team-matches/new/die/").content.decode()
    answer = bruno.post("/team-matches/new/die/", form(club=clubs[0].pk))
    assert answer.status_code == 422


def test_a_program_leads_a_club(clubs, crowd):
    now = timezone.now()
    ada, emil = client_of(crowd, "ada"), client_of(crowd, "emil")

    def send(client, path, **fields):
        return client.post(f"{API}{path}", json.dumps(fields), content_type="application/json")

    terms = {
        "club": clubs[0].pk,
        "opponent": clubs[1].pk,
        "title": "die",
        "params": {"size": 3},
        "clock": {"start": 259200, "increment": 86400, "cap": 604800},
        "boards": 2,
        "due": (now + 5 * DAY).isoformat(),
        "ends": (now + 50 * DAY).isoformat(),
        "pairing": "order",
    }
    assert send(emil, "", **terms).status_code == 409
    assert send(ada, "", **{**terms, "opponent": 99}).status_code == 404
    assert send(ada, "", **{**terms, "boards": 99}).status_code == 400
    made = send(ada, "", **terms).json()
    assert (made["status"], made["points"]) == ("asked", None)
    path = f"{made['id']}/"
    assert send(emil, f"{path}accept/").json()["status"] == "accepted"
    for name in (*FIRST, *SECOND):
        assert send(client_of(crowd, name), f"{path}sign-up/").status_code == 200
    assert send(emil, f"{path}line-up/", players=["ada", "emil"]).status_code == 409
    assert send(emil, f"{path}line-up/", players=["nobody", "emil"]).status_code == 404
    assert send(emil, f"{path}line-up/", players=["emil"] * 51).status_code == 400
    assert send(emil, f"{path}line-up/", players=["fanny", "emil"]).status_code == 200
    begun = send(ada, f"{path}line-up/", players=["ada", "bruno"]).json()
    assert begun["status"] == "running"
    replaced = send(ada, f"{path}replace/", player="ada", substitute="clara")
    assert replaced.status_code == 200
    assert send(ada, f"{path}cancel/").status_code == 409


def test_a_private_club_shows_no_list(clubs, crowd):
    secret = found(crowd["ivo"], "Inner", admission=Admission.REQUEST, is_private=True)
    assert client_of(crowd, "").get(f"/team-matches/?club={secret.pk}").status_code == 404
    assert client_of(crowd, "ivo").get(f"/team-matches/?club={secret.pk}").status_code == 200


def test_an_erased_name_leaves_the_tournament_too(clubs, crowd):
    made = signed_up(clubs, crowd)
    for team, leader, names in ((1, "ada", FIRST), (2, "emil", SECOND)):
        services.set_line_up(
            team_match_id=made.pk,
            leader=crowd[leader],
            players=[crowd[name].pk for name in names[:2]],
            team=team,
            now=timezone.now(),
        )
    case = reports.file_report(
        reporter=crowd["emil"],
        suspect=crowd["ada"],
        name="club",
        subject_id=clubs[0].pk,
        kind=Case.Kind.NAME,
        text="Rude.",
        now=timezone.now(),
    ).case
    how = {"moderator": make_moderator(crowd["ivo"]), "reason": "Rude.", "now": timezone.now()}
    moderation.clear_club(case, club_id=clubs[0].pk, **how)
    assert Tournament.objects.get().name == f"Club {clubs[0].pk} – Café"


def test_a_team_match_is_reported_by_itself(clubs, crowd):
    made = asked(clubs, crowd)
    report = f"/report/team-match/{made.pk}/"
    assert report not in client_of(crowd, "").get(made.get_absolute_url()).content.decode()
    hedda = client_of(crowd, "hedda")
    assert report in hedda.get(made.get_absolute_url()).content.decode()
    # The leaders of both clubs are responsible, the members aren't.
    shown = hedda.get(report).content.decode()
    assert [name for name in ALL[1:] if f"<span>{name}</span>" in shown] == ["ada", "emil"]
    sent = {"suspect": crowd["ada"].pk, "kind": "arranging", "text": "Too short."}
    assert "Please say what happened" in hedda.post(report, sent).content.decode()
    sent["text"] = "All results are agreed on before they play."
    assert hedda.post(report, sent)["Location"] == made.get_absolute_url()
    case = Case.objects.get()
    assert case.suspect == crowd["ada"]
    moderator = Client()
    sign_in_staff(moderator, make_moderator(crowd["ivo"]))
    page = moderator.get(case.get_absolute_url()).content.decode()
    assert f'<a href="{made.get_absolute_url()}">team match {made.pk}</a>' in page
    assert hedda.get("/report/team-match/99/").status_code == 404


def test_who_is_in_both_clubs_chooses(clubs, crowd):
    made = asked(clubs, crowd)
    page = made.get_absolute_url()
    client_of(crowd, "emil").post(f"{page}accept/")
    join(clubs[0], crowd["hedda"])
    join(clubs[1], crowd["hedda"])
    hedda = client_of(crowd, "hedda")
    shown = hedda.get(page).content.decode()
    assert "Sign up for Harbour Club" in shown
    assert "Sign up for Café" in shown
    hedda.post(f"{page}sign-up/", {"team": "2"})
    assert selectors.signed_up(made) == (0, 1)
    assert "You have signed up for Café" in hedda.get(page).content.decode()
    clubs_services.leave(club_id=clubs[1].pk, user=crowd["hedda"])
    services.sweep(now=timezone.now())
    assert selectors.signed_up(made) == (0, 0)


@pytest.mark.parametrize("reader", ["", "ada", "clara"])
def test_queries_do_not_grow_with_boards(clubs, crowd, reader, django_assert_max_num_queries):
    small, large = (begun(clubs, crowd, title="die", boards=boards) for boards in (2, 3))
    client = client_of(crowd, reader)
    client.get(small.get_absolute_url())
    with django_assert_max_num_queries(40) as few:
        client.get(small.get_absolute_url())
    with django_assert_max_num_queries(len(few.captured_queries)):
        html = client.get(large.get_absolute_url()).content.decode()
    assert html.count(">Play<span") == (2 if reader else 0)
    assert html.count(">Watch<span") == (4 if reader else 6)
