"""The description of the API: whole, valid, and kept to whatever is sent."""

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from django.utils import timezone
from drf_spectacular.validation import validate_schema
from hypothesis import HealthCheck, settings
from jsonschema import Draft202012Validator
from schemathesis import checks
from schemathesis.config import SchemathesisConfig
from schemathesis.specs.openapi import checks as openapi_checks

from accounts import tokens
from accounts.models import ApiToken
from games.api import openapi
from tests.match_driver import fresh_cache, match_driver

__all__ = ["fresh_cache", "match_driver"]

SEEDED = SchemathesisConfig.from_dict(
    {
        "seed": 1,
        "phases": {"coverage": {"enabled": False}},
        "generation": {"max-examples": 15},
    }
)

api = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", get_wsgi_application(), config=SEEDED)

KEPT_TO = [
    checks.not_a_server_error,
    openapi_checks.status_code_conformance,
    openapi_checks.content_type_conformance,
    openapi_checks.response_headers_conformance,
    openapi_checks.response_schema_conformance,
]


@pytest.mark.slow
def test_the_description_is_valid_openapi_3_1():
    found = openapi.document()
    validate_schema(found)
    assert found["openapi"].startswith("3.1.")
    for schema in found["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)


@pytest.fixture
def kept_connection():
    """Keep the connection of the test, which holds its transaction, from request to request."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.mark.slow
# Streams do not end, and records are sent by code that needs an event loop.
@api.exclude(path_regex="stream|/records/").parametrize()
@settings(
    max_examples=15,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
def test_no_answer_is_outside_the_description(case, match_driver, kept_connection, monkeypatch):
    monkeypatch.setattr("games.api.throttles.CountingThrottle.allow_request", lambda *_: True)
    monkeypatch.setattr("accounts.limits.spend", lambda *_, **__: None)
    scopes = list(ApiToken.Scope)
    ApiToken.objects.all().delete()
    token = tokens.make(user=match_driver.people[0], name="all", scopes=scopes, now=timezone.now())
    asked = str(case.path_parameters.get("match_id", ""))
    if asked.isdigit() and int(asked) % 2 == 0:
        case.path_parameters["match_id"] = match_driver.id
    case.call_and_validate(headers={"Authorization": f"Bearer {token}"}, checks=KEPT_TO)
