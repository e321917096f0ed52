"""Saved boards by program: made, read, played on and deleted, by their owner alone."""

import pytest
from django.test import Client

from games.study import services
from games.study.models import Study
from games.study.tree import MAX_NAME_LENGTH

pytestmark = pytest.mark.django_db

BOARDS = "/api/v1/boards/"
NODES = [{"id": 1, "parent": 0, "seat": 0, "text": "c3"}]
TREE = {
    "game": "die",
    "rules": 1,
    "seats": 2,
    "params": {"size": 4},
    "start": {"setup": []},
    "nodes": NODES,
}


@pytest.fixture
def clients(people):
    found = []
    for person in people[:2]:
        found.append(Client())
        found[-1].force_login(person)
    return found


def post(client, path="", **data):
    return client.post(f"{BOARDS}{path}", data, content_type="application/json")


def texts(answer):
    return [node["text"] for node in answer.json()["tree"]["nodes"]]


def test_a_program_saves_a_board_and_plays_on_it(clients):
    client, _ = clients
    made = post(client, name="Lines", tree=TREE)
    assert made.status_code == 201
    key = made.json()["key"]
    assert made.json()["visibility"] == "private"
    played = post(client, f"{key}/", after=1, moves=["e5", "a1"])
    assert texts(played) == texts(client.get(f"{BOARDS}{key}/")) == ["c3", "e5", "a1"]
    (listed,) = client.get(BOARDS).json()["items"]
    assert (listed["key"], listed["title"], listed["name"]) == (key, "die", "Lines")
    assert "tree" not in listed
    assert post(client, f"{key}/delete/").status_code == 204
    assert client.get(BOARDS).json()["items"] == []


@pytest.mark.parametrize(
    "data",
    [
        {"name": "", "tree": TREE},
        {"name": "x" * (MAX_NAME_LENGTH + 1), "tree": TREE},
        {"name": "x", "tree": {**TREE, "nodes": [{**NODES[0], "text": "z99"}]}},
        {"name": "x", "tree": {**TREE, "nodes": [{**NODES[0], "text": "\ud800"}]}},
        {"name": "x", "tree": {**TREE, "game": "chess"}},
        {"name": "x", "tree": []},
        {"name": "x", "tree": "lines"},
    ],
)
def test_what_is_no_board_is_refused(clients, data):
    assert 400 <= post(clients[0], **data).status_code < 500
    assert not Study.objects.exists()


def test_a_program_saves_the_text_of_a_board(clients):
    client, _ = clients
    key = post(client, name="Lines", tree=TREE).json()["key"]
    text = client.get(f"/boards/{key}/export.txt").content.decode()
    made = post(client, name="Again", text=text)
    assert (made.status_code, texts(made)) == (201, ["c3"])
    wrong = post(client, name="Wrong", text=text.replace("c3", "z99"))
    assert "Line 12, '1. Red: z99'" in wrong.json()["detail"]
    assert post(client, name="Both", text=text, tree=TREE).status_code == 400
    assert post(client, name="Neither").status_code == 400


def test_a_refused_move_leaves_the_board_as_it_was(clients):
    client, _ = clients
    key = post(client, name="Lines", tree=TREE).json()["key"]
    assert post(client, f"{key}/", after=1, moves=["e5", "c3"]).json()["code"] == "illegal"
    assert texts(client.get(f"{BOARDS}{key}/")) == ["c3"]


def test_others_read_what_is_shared_and_change_nothing(clients, people):
    owner, other = clients
    key = post(owner, name="Lines", tree=TREE).json()["key"]
    for path in (f"{key}/", f"{key}/delete/"):
        assert post(other, path, moves=["e5"]).status_code == 404
    assert other.get(f"{BOARDS}{key}/").status_code == 404
    Study.objects.update(visibility=Study.Visibility.LINK)
    assert texts(other.get(f"{BOARDS}{key}/")) == ["c3"]
    for path in (f"{key}/", f"{key}/delete/"):
        assert post(other, path, moves=["e5"]).status_code == 409
    assert Client().get(f"{BOARDS}{key}/").status_code == 401
    assert other.get(BOARDS).json()["items"] == []


def test_a_match_on_one_device_is_no_board(clients, people):
    client, _ = clients
    key = post(client, name="Lines", tree=TREE).json()["key"]
    Study.objects.update(names=["Ada", "Bea"])
    assert services.own(people[0]).exists()
    assert client.get(BOARDS).json()["items"] == []
    assert client.get(f"{BOARDS}{key}/").status_code == 404
