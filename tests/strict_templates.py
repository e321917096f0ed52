"""Templates that refuse to write a name that is missing from their context."""

import pytest
from django.template import engines


class Missing(str):
    """What Django writes for a missing name: an error."""

    __slots__ = ()

    def __mod__(self, name):
        raise AssertionError(f"A template writes {name}, which its context doesn't have.")


@pytest.fixture
def strict_templates(monkeypatch):
    """Fail a test if a template writes a missing name; an ``{% if %}`` may still ask for one."""
    monkeypatch.setattr(engines["django"].engine, "string_if_invalid", Missing("%s"))
