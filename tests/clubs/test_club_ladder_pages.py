"""The pages of clubs' ladders, and these ladders by program."""

import pytest

from games.events.models import Tournament
from games.kernel import registry
from games.ladders import services
from games.lobby.finding import is_for_two
from tests.clubs.clubs import club, found
from tests.fixtures import NOW

__all__ = ["club"]

pytestmark = pytest.mark.django_db


def address(club):
    return f"/clubs/{club.pk}/ladders/die/"


def page(client, address):
    return client.get(address).content.decode()


def test_a_leader_opens_it_on_the_page_of_the_club(client, club, people):
    ada, bruno, clara = people[:3]
    assert "Ladders" not in page(client, f"/clubs/{club.pk}/")
    client.force_login(ada)
    assert f'action="{address(club)}found/"' in page(client, f"/clubs/{club.pk}/")
    opened = client.post(f"{address(club)}found/", follow=True).content.decode()
    assert "Nobody is on this ladder yet." in opened
    client.post(f"{address(club)}join/")
    client.force_login(bruno)
    assert "You are in place 2 of 2." in (
        client.post(f"{address(club)}join/", follow=True).content.decode()
    )
    assert "Close the ladder" not in page(client, address(club))
    made = client.post(f"{address(club)}challenge/", {"player": "ada"})
    assert f'href="{address(club)}">ladder</a> of' in page(client, made.url)
    assert "you: 2 of 2" in page(client, f"/clubs/{club.pk}/")
    client.force_login(clara)
    assert "Join the ladder" not in page(client, address(club))
    client.force_login(ada)
    client.post(f"{address(club)}close/")
    assert client.get(address(club)).status_code == 404


def test_that_of_a_private_club_is_shown_to_members_alone(client, people):
    ada, clara = people[0], people[2]
    club = found(ada, is_private=True, admission="request")
    services.found(club_id=club.pk, leader=ada, title="die", now=NOW)
    services.join(user=ada, title="die", club_id=club.pk, now=NOW)
    api = f"/api/v1{address(club)}"
    for user in (None, clara):
        if user:
            client.force_login(user)
        assert client.get(address(club)).status_code == 404
        assert client.get(api).status_code == 404
        assert client.get(f"/api/v1/clubs/{club.pk}/ladders/").status_code == 404
        assert "ladder" not in page(client, f"/clubs/{club.pk}/").partition("<main")[2]
    client.force_login(ada)
    assert client.get(address(club)).status_code == 200
    assert [one["name"] for one in client.get(api).json()["items"]] == ["ada"]


def test_programs_found_join_and_close_it(client, club, people):
    ada, bruno = people[:2]
    api = f"/api/v1/clubs/{club.pk}/ladders/"

    def post(address, **sent):
        return client.post(address, sent, content_type="application/json")

    client.force_login(bruno)
    assert post(api, title="die").status_code == 409
    client.force_login(ada)
    assert post(api, title="chess").status_code == 404
    assert post(api, title="die").status_code == 204
    for user in (ada, bruno):
        client.force_login(user)
        assert post(f"{api}die/join/").status_code == 204
    assert client.get(api).json() == [{"title": "die", "players": 2}]
    assert post(f"{api}die/challenges/", name="ada").status_code == 201
    assert post(f"{api}die/leave/").status_code == 204
    assert post(f"{api}die/close/").status_code == 409
    client.force_login(ada)
    assert post(f"{api}die/close/").status_code == 204
    assert client.get(api).json() == []


def test_queries_do_not_grow_with_ladders_and_tournaments(
    client, club, people, django_assert_max_num_queries
):
    ada, bruno = people[:2]
    client.force_login(ada)
    page = f"/clubs/{club.pk}/"

    def add(title):
        services.found(club_id=club.pk, leader=ada, title=title, now=NOW)
        services.join(user=ada, title=title, club_id=club.pk, now=NOW)
        return Tournament.objects.create(
            name="Club Cup",
            title=title,
            params={},
            clock=services.CLOCK.dump(),
            format=Tournament.Format.SWISS,
            least=4,
            most=8,
            starts=NOW,
            round_days=7,
            organiser=ada,
            club=club,
            seed="",
            created=NOW,
        )

    event = add("die")
    client.get(page)
    with django_assert_max_num_queries(40) as few:
        html = client.get(page).content.decode()
    assert f'href="{event.get_absolute_url()}"' in html
    for title in list(registry.titles())[:3]:
        if title != "die" and is_for_two(registry.get(title).meta):
            add(title)
    services.join(user=bruno, title="die", club_id=club.pk, now=NOW)
    with django_assert_max_num_queries(len(few.captured_queries)):
        client.get(page)
