"""The cache of the tests."""

import json

from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.locmem import LocMemCache


class JsonOnlyCache(LocMemCache):
    """Refuses a value that JSON would change, as production stores the cache as JSON."""

    def add(self, key, value, timeout=DEFAULT_TIMEOUT, version=None):
        _refuse_unless_json(key, value)
        return super().add(key, value, timeout, version)

    def set(self, key, value, timeout=DEFAULT_TIMEOUT, version=None):
        _refuse_unless_json(key, value)
        super().set(key, value, timeout, version)


def _refuse_unless_json(key, value):
    if json.loads(json.dumps(value)) != value:
        raise TypeError(f"JSON changes the cached value of {key}: {value!r}")
