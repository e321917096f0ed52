"""The reference of the API: everything a program needs to know is on its page and in OpenAPI."""

import json
import re
import threading
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor, wait
from html import unescape

import pytest
from django.conf import settings
from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from games.api import docs, errors, events, openapi
from games.api.news import MatchNews, OwnNews
from games.http.errors import status_of_kind
from games.kernel import registry
from games.kernel.errors import GameError
from games.lobby import services as lobby
from games.lobby.models import Challenge
from games.matches import services
from games.matches.clock import PRESETS
from tests.api.test_streams import token_of
from tests.match_driver import begin, fresh_cache, match_driver

__all__ = ["fresh_cache", "match_driver"]


@pytest.fixture
def document():
    return openapi.document()


@pytest.fixture
def page(client, db):
    return unescape(client.get("/api/v1/").content.decode())


def validator(name):
    """Checks values against a schema of the OpenAPI document."""
    resource = Resource.from_contents(openapi.document(), default_specification=DRAFT202012)
    schema = {"$ref": f"urn:api#/components/schemas/{name}"}
    return Draft202012Validator(schema, registry=Registry().with_resource("urn:api", resource))


# --- OpenAPI ------------------------------------------------------------------------------------


def test_servers_contact_licence_and_tags_are_declared():
    # A test that changes SITE_URL may have filled the cache.
    openapi.generated.cache_clear()
    document = openapi.document()
    assert document["servers"] == [{"url": settings.SITE_URL}]
    assert document["info"]["contact"] == {"url": f"{settings.SITE_URL}/contact/"}
    assert document["info"]["license"]["identifier"] == "MIT"
    declared = {tag["name"] for tag in document["tags"]}
    used = {
        tag
        for path in document["paths"].values()
        for operation in path.values()
        for tag in operation["tags"]
    }
    assert used == declared
    assert all(tag["description"] for tag in document["tags"])


@pytest.mark.parametrize(
    ("method", "path", "is_public"),
    [
        ("get", "games/", True),
        ("get", "matches/{match_id}/stream/", True),
        ("get", "players/{name}/records/", True),
        ("get", "challenges/", True),
        ("post", "challenges/", False),
        ("get", "me/", False),
        ("get", "stream/", False),
        ("get", "matches/{match_id}/chat/", False),
        ("post", "matches/{match_id}/moves/", False),
    ],
)
def test_operations_without_signing_in_say_so(document, method, path, is_public):
    security = document["paths"][f"/api/v1/{path}"][method]["security"]
    assert ({} in security) is is_public
    assert {"token": []} in security


def test_visitors_may_read_what_the_document_says_and_nothing_else(document, client, match_driver):
    values = {
        "match_id": match_driver.id,
        "challenge_id": 1,
        "event_id": 1,
        "club_id": 1,
        "topic_id": 1,
        "run_id": 1,
        "team_match_id": 1,
        "number": 1,
        "slug": "die",
    }
    values |= {"name": "ada", "other": "bruno", "key": "none"}
    for path, methods in document["paths"].items():
        # Streams that visitors may open do not end.
        if "get" in methods and not path.endswith("/stream/"):
            status = client.get(path.format(**values)).status_code
            assert (status != 401) is ({} in methods["get"]["security"]), path


def test_every_parameter_is_explained(document):
    silent = [
        (path, one["name"])
        for path, methods in document["paths"].items()
        for operation in methods.values()
        for one in operation.get("parameters", ())
        if not one.get("description")
    ]
    assert not silent


def test_no_field_is_explained_by_the_docstring_of_a_method(document):
    assert not re.findall(r'"description": "Return[^"]*"', json.dumps(document))


def test_records_have_the_published_schema(document, match_driver):
    match_driver.play("c3")
    path = "/api/v1/matches/{match_id}/record/"
    answer = document["paths"][path]["get"]["responses"]["200"]["content"]["application/json"]
    assert answer["schema"] == {"$ref": "#/components/schemas/Record"}
    record = match_driver.client(None).get(path.format(match_id=match_driver.id)).json()
    check = validator("Record")
    check.validate(record)
    assert not check.is_valid({**record, "log": None})


def test_every_default_fits_its_schema():
    """Clients are generated from them."""
    document = openapi.document()
    shapes = [
        (f"{path} {parameter['name']}", parameter["schema"])
        for path, operations in document["paths"].items()
        for operation in operations.values()
        for parameter in operation.get("parameters", [])
    ]
    shapes += [
        (f"{name}.{field}", schema)
        for name, shape in document["components"]["schemas"].items()
        if name != "Record"
        for field, schema in shape.get("properties", {}).items()
    ]
    wrong = [
        name
        for name, schema in shapes
        if "default" in schema
        and "$ref" not in json.dumps(schema)
        and not Draft202012Validator(schema).is_valid(schema["default"])
    ]
    assert not wrong


def test_guides_have_a_list(client, db):
    assert client.get("/api/v1/guides/").headers["Location"] == "/api/v1/#guides"
    assert 'id="guides"' in client.get("/api/v1/").content.decode()


def test_every_code_has_one_status():
    """The reference lists each code once."""
    statuses = defaultdict(set)
    for error in errors.family(GameError):
        statuses[error.code].add(status_of_kind(error))
    assert {code: found for code, found in statuses.items() if len(found) > 1} == {}


# --- Events -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "examples"),
    [("OwnEvent", events.OWN_EXAMPLES), ("MatchStreamEvent", events.MATCH_EXAMPLES)],
)
def test_the_examples_of_events_fit_their_schema(name, examples):
    for example in examples:
        validator(name).validate(example)


def taken(streams):
    """The new events of streams, as they are sent."""
    found = [event for stream in streams for event in stream.take()]
    return json.loads(json.dumps(found, default=str))


@pytest.mark.parametrize("slug", registry.titles())
def test_events_fit_the_published_schema(slug, people):
    ada, bruno, *_ = people
    driver = begin(slug, people)
    streams = [OwnNews(token_of(user), user) for user in (ada, bruno)]
    watched = MatchNews(token_of(bruno), driver.id, 0)
    sent, seen = taken(streams), taken([watched])
    driver.play_on(3)
    sent += taken(streams)
    challenge = lobby.challenge(
        creator=ada,
        title=slug,
        params={},
        clock=PRESETS["standard"],
        seats=2,
        audience=Challenge.Audience.NAMED,
        invited=[bruno],
        now=driver.match.changed,
    )
    sent += taken(streams)
    lobby.accept(challenge_id=challenge.pk, user=bruno, now=driver.match.changed)
    sent += taken(streams)
    driver.act(services.resign, 0)
    sent += taken(streams)
    seen += taken([watched])
    for event in sent:
        validator("OwnEvent").validate(event)
    for event in seen:
        validator("MatchStreamEvent").validate(event)
    assert {"challenge", "started", "ended"} <= {event["type"] for event in sent}
    assert any(event["type"] == "turn" and event["moves"] for event in sent)
    assert seen[-1]["log"]


def test_a_schema_of_events_tells_types_apart():
    check = validator("OwnEvent")
    assert check.is_valid({"type": "beat"})
    assert not check.is_valid({"type": "challenge"})
    assert not check.is_valid({"type": "invented"})


# --- The page -----------------------------------------------------------------------------------


def test_the_page_shows_every_type_of_event_with_examples(page):
    for kind in (*events.OWN_KINDS, *events.MATCH_KINDS):
        assert f"<code>{kind.type}</code>" in page
        assert kind.meaning in page
    for example in (*events.OWN_EXAMPLES, *events.MATCH_EXAMPLES):
        assert json.dumps(example, indent=2, ensure_ascii=False) in page


def test_the_page_shows_the_values_of_enumerations_instead_of_their_names(page):
    assert '<code>"open"</code>, <code>"named"</code>, <code>"link"</code>' in page
    assert '<code>"random"</code>, <code>"first"</code>, <code>"last"</code>' in page
    assert "Enum" not in page


def test_the_page_shows_defaults(page):
    (matches,) = re.findall(r"<b>GET</b> /api/v1/matches/</code>.*?</section>", page, re.DOTALL)
    assert 'default <code>"running"</code>' in matches
    assert "default <code>false</code>" in matches
    assert "Without <code>status</code>, only running ones." in matches


def test_the_page_explains_formats_of_numbers_and_fields_inside_of_records(page):
    assert "<code>{:+.1f}</code> makes <code>+1.5</code>" in page
    assert "<code>log[].thinking</code>" in page
    assert "<code>dice.secret</code>" in page


def test_every_link_on_the_page_leads_somewhere(page):
    anchors = set(re.findall(r'id="([^"]+)"', page))
    assert set(re.findall(r'href="#([^"]+)"', page)) <= anchors


# --- Guides -------------------------------------------------------------------------------------


def test_reference_help_and_token_pages_link_to_the_guides(page, client, people):
    client.force_login(people[0])
    for name in docs.guides():
        assert f'href="/api/v1/guides/{name}/"' in page
        assert f'href="/api/v1/guides/{name}/"' in client.get("/help/").content.decode()
    assert 'href="/api/v1/guides/play/"' in client.get("/account/tokens/").content.decode()


@pytest.mark.parametrize("name", ["play", "watch", "strict-dice"])
def test_a_guide_has_programs_in_both_languages(name, client, db):
    guide = client.get(f"/api/v1/guides/{name}/")
    assert guide.status_code == 200
    assert 'class="language-python"' in guide.content.decode()
    assert 'class="language-javascript"' in guide.content.decode()


def test_a_guide_that_there_is_not(client, db):
    assert client.get("/api/v1/guides/nothing/").status_code == 404


def test_guides_link_to_pages_that_exist(client, people):
    client.force_login(people[0])
    for guide in docs.guides().values():
        for address in re.findall(r'href="(/[^"]*)"', guide.body):
            assert client.get(address, follow=True).status_code == 200, address


def test_the_description_is_generated_once_however_many_ask(monkeypatch):
    begun, going_on = [], threading.Event()

    class Generator:
        def get_schema(self, **_):
            begun.append(self)
            assert going_on.wait(30)
            return {"info": {}, "paths": {}, "components": {"schemas": {}}}

    monkeypatch.setattr(openapi, "SchemaGenerator", Generator)
    openapi.generated.cache_clear()
    try:
        with ThreadPoolExecutor(3) as threads:
            asked = [threads.submit(openapi.document) for _ in range(3)]
            wait(asked, timeout=0.2)
            going_on.set()
            assert len({id(one.result()) for one in asked}) == 1
        assert len(begun) == 1
    finally:
        openapi.generated.cache_clear()
