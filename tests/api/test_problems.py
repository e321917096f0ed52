"""Every error of the API is a problem, wherever in the site it arises."""

import json

import pytest
from django.db import OperationalError
from django.test import Client
from psycopg_pool import PoolTimeout

from config.middleware import LARGEST_BODY
from config.server.application import ServedApplication
from games.api import errors, lists, openapi
from games.api.serializers import Body
from games.lobby.models import Challenge

pytestmark = pytest.mark.django_db

API = "/api/v1/"


def problem_of(answer):
    assert answer.headers["Content-Type"] == "application/problem+json"
    found = answer.json()
    assert found["status"] == answer.status_code
    assert found["type"] == f"{API}#{found['code']}"
    return found["status"], found["code"]


def busy(*_args, **_more):
    raise OperationalError("couldn't get a connection") from PoolTimeout("after 1.00 sec")


def broken(*_args, **_more):
    raise ValueError("it")


@pytest.mark.parametrize(
    ("failure", "expected", "wait"),
    [(busy, (503, "unavailable"), "3"), (broken, (500, "failed"), None)],
)
@pytest.mark.parametrize("where", ["in a view", "before it"])
def test_a_busy_or_broken_site(where, failure, expected, wait, monkeypatch):
    if where == "in a view":
        monkeypatch.setattr(lists.Matches, "get", failure)
    else:
        monkeypatch.setattr("config.middleware.HostPortMiddleware.__call__", failure)
    answer = Client(raise_request_exception=False).get(f"{API}matches/")
    assert problem_of(answer) == expected
    assert answer.headers.get("Retry-After") == wait
    assert "busy" not in answer.json()["title"]


def test_requests_that_reach_no_view():
    client = Client(raise_request_exception=False)
    foreign = client.get(f"{API}games/", headers={"host": "elsewhere.example"})
    assert problem_of(foreign) == (400, "bad_request")
    large = client.post(f"{API}me/", bytes(LARGEST_BODY + 1), content_type="application/json")
    assert problem_of(large) == (413, "too_large")
    assert problem_of(client.get(f"{API}nowhere/")) == (404, "not_found")
    assert problem_of(client.post(f"{API}openapi.json")) == (405, "method_not_allowed")
    assert "html" in client.get(f"{API}guides/nothing/").headers["Content-Type"]


def test_the_reference_lists_every_code():
    page = Client().get(API).content.decode()
    for code in ("unavailable", "failed", "bad_request", "too_large", "throttled"):
        assert f'id="{code}"' in page


@pytest.mark.parametrize(
    ("most", "status", "code", "wait"),
    [(0, 429, "throttled", b"3"), (1, 500, "failed", None)],
)
async def test_what_the_server_refuses_by_itself(most, status, code, wait):
    async def fail(scope, receive, send):
        raise ValueError("it")

    async def send(message):
        sent.append(message)

    sent = []
    served = ServedApplication(fail, proxies=0, most=most, access_log=None)
    scope = {"type": "http", "method": "GET", "headers": [], "client": ("192.0.2.1", 1)}
    await served({**scope, "path": f"{API}games/"}, None, send)
    headers = dict(sent[0]["headers"])
    body = json.loads(sent[1]["body"])
    assert (sent[0]["status"], body["status"], body["code"]) == (status, status, code)
    assert headers[b"content-type"] == b"application/problem+json"
    assert headers.get(b"retry-after") == wait


# --- Fields ---------------------------------------------------------------------------------------


@pytest.fixture
def ada(people):
    client = Client()
    client.force_login(people[0])

    def post(path, **body):
        return client.post(f"{API}{path}", body, content_type="application/json")

    return post


def wrong(answer):
    assert problem_of(answer) == (400, "invalid")
    return answer.json()["errors"]


CHALLENGE = {"title": "die", "submission": "5ad1e9f2-0a2b-4d0e-9d2e-2f0b2f0c1d1e"}


def test_errors_name_nested_fields_by_their_path(ada):
    missing = ["This field is required."]
    found = wrong(ada("challenges/", **CHALLENGE, clock={"cap": 86_400}, players=["a" * 21]))
    assert found["clock.start"] == found["clock.increment"] == missing
    assert "20 characters" in found["players.0"][0]
    assert set(found) == {"clock.start", "clock.increment", "players.0"}


def test_a_field_that_there_is_not_is_refused(ada):
    assert wrong(ada("challenges/", **CHALLENGE, clok=None)) == {
        "clok": ["There is no such field. Did you mean “clock”?"]
    }
    clock = {"start": 86_400, "increment": 0, "cap": 86_400, "weekend": "Europe/Rome"}
    assert wrong(ada("challenges/", **CHALLENGE, clock=clock)) == {
        "clock.weekend": ["There is no such field. Did you mean “weekends”?"]
    }
    assert wrong(ada("challenges/", title="die", xyz=1)) == {
        "submission": ["This field is required."],
        "xyz": ["There is no such field."],
    }
    assert not Challenge.objects.exists()


def test_few_unknown_fields_are_named_and_briefly(ada):
    found = wrong(ada("challenges/", **CHALLENGE, **{f"{n}{'x' * 500}": 1 for n in range(500)}))
    assert len(found) == 10
    assert max(map(len, found)) <= 80


def test_any_change_may_carry_submission_and_version(ada):
    made = ada("challenges/", **CHALLENGE, version=3).json()
    body = {"submission": CHALLENGE["submission"], "version": 1}
    assert ada(f"challenges/{made['id']}/decline/", **body).json()["code"] != "invalid"


def test_the_bodies_of_all_changes_refuse_unknown_fields():
    """A serializer of a request that isn't strict would ignore a typo."""
    paths = openapi.document()["paths"]
    requests = {
        body["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
        for operations in paths.values()
        for operation in operations.values()
        if (body := operation.get("requestBody"))
    }
    strict = {f"{kind.__name__.removesuffix('Serializer')}Request" for kind in kinds_of(Body)}
    assert requests <= strict


def kinds_of(parent):
    for kind in parent.__subclasses__():
        yield kind
        yield from kinds_of(kind)


def test_every_problem_has_one_sentence_as_its_title():
    titles = {kind.code: kind.title for kind in errors.kinds()}
    assert not [code for code, title in titles.items() if not title or ". " in title]
