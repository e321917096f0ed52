"""Fixtures of Turnstone's own tests."""

from tests.conftest import *  # noqa: F403
