"""Clubs by program: listed and read."""

from django.test import Client

from tests.clubs.clubs import Admission, club, found
from tests.clubs.test_club_pages import rate
from tests.match_driver import fresh_cache

__all__ = ["club", "fresh_cache"]

ROOT = "/api/v1/clubs/"


def test_a_program_reads_a_club(people, club, client):
    rate(people[1], 1650)
    [listed] = client.get(ROOT, {"name": "harb"}).json()["items"]
    assert listed == {"id": club.pk, "name": "Harbour Club", "members": 2, "private": False}
    whole = client.get(f"{ROOT}{club.pk}/").json()
    assert (whole["admission"], whole["leaders"], whole["closed"]) == ("open", ["ada"], None)
    rows = client.get(f"{ROOT}{club.pk}/members/", {"title": "die"}).json()["items"]
    assert [(row["name"], row["leads"]) for row in rows] == [("bruno", False), ("ada", True)]
    assert [row["rating"] and row["rating"]["number"] for row in rows] == [1650, None]


def test_a_private_club_has_a_name_and_a_size(people, client):
    made = found(
        people[0], about="Secret.", country="NO", admission=Admission.REQUEST, is_private=True
    )
    whole = client.get(f"{ROOT}{made.pk}/").json()
    known = {"id": made.pk, "name": "Harbour Club", "members": 1, "private": True}
    assert {key: value for key, value in whole.items() if value is not None} == known
    assert client.get(f"{ROOT}{made.pk}/members/").status_code == 404
    own = Client()
    own.force_login(people[0])
    assert own.get(f"{ROOT}{made.pk}/").json()["about"] == "Secret."


def test_odd_questions_are_refused(club, client):
    for path in (f"{ROOT}?page=0", f"{ROOT}{club.pk}/members/?page=x"):
        assert client.get(path).status_code == 400
    for path in (f"{ROOT}{club.pk}/members/?title=nothing", f"{ROOT}99/", f"{ROOT}99/members/"):
        assert client.get(path).status_code == 404
