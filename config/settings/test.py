"""Tests: SQLite in a temporary file, or the database that DATABASE_URL names.

No other variable of the environment has a say.
"""

import os
from pathlib import Path
from tempfile import TemporaryDirectory

from config.environment import Environment
from config.settings.base import *  # noqa: F403
from config.settings.base import BASE_DIR, LOGGING

env = Environment(os.environ)

DEBUG = False
SECRET_KEY = "only-for-tests-" + "0123456789" * 4
SITE_URL = "http://testserver"
ALLOWED_HOSTS = ["testserver", "127.0.0.1", "localhost"]

if os.environ.get("DATABASE_URL"):
    DATABASES = {"default": env.database("DATABASE_URL")}
else:
    # A database in memory refuses at once what another thread's transaction is in the way of; one
    # in a file waits, as that of `make run` does.
    _FOLDER = TemporaryDirectory(prefix="turnstone-test-")
    DATABASES = {
        "default": {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": ":memory:",
            "OPTIONS": {
                "transaction_mode": "IMMEDIATE",
                "timeout": 20,
                "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF;",
            },
            "TEST": {"NAME": Path(_FOLDER.name) / "test.sqlite3"},
        },
    }
# Refuses values that the cache of production could not store.
CACHES = {"default": {"BACKEND": "tests.json_cache.JsonOnlyCache"}}
CHANNEL_LAYERS = {"default": {"BACKEND": "games.live.layers.OneLoopChannelLayer"}}

CELERY_BROKER_URL = "memory://"
CELERY_TASK_ALWAYS_EAGER = True
CELERY_TASK_EAGER_PROPAGATES = True

EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
DEMO_PASSWORD = ""
LOCAL_MAILS = BASE_DIR / "var" / "mails"
DEFAULT_FROM_EMAIL = "Turnstone <turnstone@testserver>"
# Tests of the proof of work switch it on.
SIGNUP_WORK = 0
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]

WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = True

# A thread that outlives its test would write into the database of the next one.
LOGGING["handlers"]["mail_admins"] = {"class": "logging.NullHandler"}
