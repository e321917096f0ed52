"""Limits of forms hold across processes: counted in Redis, and once for each form."""

import os
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from types import SimpleNamespace
from uuid import uuid4

import pytest
from django.core.cache import caches
from django.core.cache.backends.redis import RedisCache
from django.test import RequestFactory

from accounts import limits

pytestmark = pytest.mark.postgres

MANY = 40


@pytest.fixture
def redis(settings):
    """Have forms counted in Redis, below a prefix of this test's own, ten a day."""
    settings.CACHES = {
        "default": {
            "BACKEND": "django.core.cache.backends.redis.RedisCache",
            "LOCATION": os.environ["REDIS_URL"],
            "KEY_PREFIX": f"turnstone-test-{uuid4()}",
        },
    }
    settings.FORM_LIMITS = {
        "move": {"account": ["10/d"]},
        "offer": {"pair": ["5/d"], "account": []},
    }


def asked(user_id):
    request = RequestFactory().post("/")
    request.user = SimpleNamespace(pk=user_id, is_authenticated=True)
    return request


def passed(action, others=()):
    """Send a form many times at once; return how many passed."""
    barrier = Barrier(MANY)

    def send(_number):
        barrier.wait(20)
        try:
            limits.spend(asked(7), action, others=others)
        except limits.TooMany:
            return 0
        finally:
            caches.close_all()
        return 1

    with ThreadPoolExecutor(MANY) as pool:
        return sum(pool.map(send, range(MANY)))


def test_many_at_once_pass_no_more_than_one_after_the_other(redis):
    assert isinstance(caches["default"], RedisCache)
    assert passed("move") == 10
    assert passed("move") == 0
    assert passed("offer", others=[8]) == 5
    assert passed("offer", others=[9]) == 5
