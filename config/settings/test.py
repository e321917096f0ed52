"""Test settings: SQLite in memory, or the database in DATABASE_URL; no other variable counts."""

import os

from config.environment import Environment
from config.settings.base import *  # noqa: F403
from config.settings.base import BASE_DIR, LANGUAGE_CODE, LOGGING

env = Environment(os.environ)

DEBUG = False
SECRET_KEY = "only-for-tests-" + "0123456789" * 4
SITE_URL = "http://testserver"
ALLOWED_HOSTS = ["testserver", "127.0.0.1", "localhost"]

if os.environ.get("DATABASE_URL"):
    DATABASES = {"default": env.database("DATABASE_URL")}
    # A crash may lose the data of a test: its commits need not wait for the disk.
    DATABASES["default"]["OPTIONS"] = {"options": "-c synchronous_commit=off"}
    LOOP_CONNECTIONS = 4
else:
    DATABASES = {
        "default": {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": ":memory:",
            # In memory, who reads a table that another thread writes is refused at once, and would
            # not wait as with a file: readers take no locks here.
            "OPTIONS": {
                "transaction_mode": "IMMEDIATE",
                "timeout": 20,
                "init_command": "PRAGMA read_uncommitted = ON",
            },
        },
    }
# Refuses values that the production cache couldn't store.
CACHES = {"default": {"BACKEND": "tests.json_cache.JsonOnlyCache"}}
CHANNEL_LAYERS = {"default": {"BACKEND": "games.live.layers.OneLoopChannelLayer"}}

CELERY_BROKER_URL = "memory://"
CELERY_TASK_ALWAYS_EAGER = True
CELERY_TASK_EAGER_PROPAGATES = True

EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
DEMO_PASSWORD = ""
LOCAL_MAILS = BASE_DIR / "var" / "mails"
DEFAULT_FROM_EMAIL = "Turnstone <turnstone@testserver>"
# Whatever is compiled on this machine. Tests of languages offer their own.
LANGUAGES = [(LANGUAGE_CODE, "English")]
# How long things take depends on the machine. Tests of these limits set their own.
WORK_LIMITS = {"account": [], "guests": []}
# Tests of the proof of work turn it on.
SIGNUP_WORK = 0
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]

WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = True

# A thread that outlives its test would write to the next one's database.
LOGGING["handlers"]["mail_admins"] = {"class": "logging.NullHandler"}
