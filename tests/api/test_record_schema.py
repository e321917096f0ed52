"""The record of a match is as its published JSON Schema says, in every game and at every moment."""

import pytest
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from games.kernel import registry
from games.matches import services
from games.matches.models import LogEntry
from tests.match_driver import begin, fresh_cache

__all__ = ["fresh_cache"]


@pytest.fixture
def valid(client, db):
    """Check the record of a match against the schema that the site publishes."""
    published = client.get("/api/v1/record.schema.json")
    assert published.headers["Content-Type"] == "application/schema+json"
    Draft202012Validator.check_schema(published.json())
    validator = Draft202012Validator(published.json())

    def check(driver):
        record = client.get(f"/api/v1{driver.page}record/").json()
        validator.validate(record)
        return record, validator

    return check


@pytest.mark.parametrize("slug", registry.titles())
def test_the_record_of_a_running_and_of_an_ended_match(slug, people, valid):
    driver = begin(slug, people)
    driver.play_on(6)
    assert valid(driver)[0]["status"] == "running"
    driver.act(services.resign, 1)
    record, _ = valid(driver)
    assert (record["status"], record["result"]) == ("over", [1, 2])


def test_take_backs_offers_and_matches_without_result(people, valid):
    driver = begin("die", people, size=3)
    driver.play("c3")
    driver.act(services.take_back, 0)
    driver.act(services.offer_close, 0)
    valid(driver)
    driver.act(services.cancel, 1)
    assert valid(driver)[0]["status"] == "cancelled"


@pytest.mark.parametrize(
    "damage",
    [{"format_version": 2}, {"log": None}, {"players": []}, {"dice": {"seal": "x"}}],
)
def test_what_is_no_record_is_told_from_one(damage, people, valid):
    record, validator = valid(begin("grim-reaper", people))
    with pytest.raises(ValidationError):
        validator.validate({**record, **damage})


def test_fields_that_later_versions_add_are_allowed_everywhere(people, valid):
    driver = begin("dice-is-health", people)
    driver.play_on(3)
    record, validator = valid(driver)
    objects = [record, record["clock"], record["players"][0], record["dice"], record["log"][0]]
    for one in objects:
        one["more"] = 1
    record["former_players"] = [{"seat": 0, "name": "ada", "until": 2, "more": 1}]
    validator.validate(record)


def test_the_schema_has_its_address_as_its_id(client, db, settings):
    settings.SITE_URL = "https://games.example"
    published = client.get("/api/v1/record.schema.json").json()
    assert published["$id"] == "https://games.example/api/v1/record.schema.json"
    assert published["$schema"] == "https://json-schema.org/draft/2020-12/schema"


def test_the_schema_knows_every_kind_of_entry(client, db):
    published = client.get("/api/v1/record.schema.json").json()
    entry = published["properties"]["log"]["items"]["properties"]
    assert set(entry["kind"]["enum"]) == set(LogEntry.Kind)
