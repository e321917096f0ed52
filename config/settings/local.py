"""One process on one machine: SQLite, everything else in memory, mails as files."""

import os
from pathlib import Path

from config.environment import Environment
from config.local.secret import kept_secret
from config.settings.base import *  # noqa: F403
from config.settings.base import BASE_DIR, CONTENT_SECURITY_POLICY, LOGGING

env = Environment(os.environ)

VAR = Path(env.text("VAR", default=str(BASE_DIR / "var"))).resolve()
PORT = env.number("PORT", default=8000, lowest=1)
DEBUG = env.flag("DEBUG", default=False)
SITE_TOURNAMENTS = env.flag("SITE_TOURNAMENTS", default=True)
SECRET_KEY = kept_secret(VAR / "secret-key")
# Browsers create passkeys for host names only, not for 127.0.0.1.
SITE_URL = f"http://localhost:{PORT}"
ALLOWED_HOSTS = ["127.0.0.1", "localhost", "[::1]"]
ROOT_URLCONF = "config.local.urls"
# All visitors come from this machine, so none waits for the turn of another.
CLIENT_CONNECTIONS = 10_000
# Only this machine can reach it, and its users can read mails and database anyway.
STAFF_SECOND_FACTOR = False
# Passkeys without HTTPS.
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = True

DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": VAR / "turnstone.sqlite3",
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
        },
    },
}
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        # A dropped counter only lifts a limit.
        "OPTIONS": {"MAX_ENTRIES": 20_000},
    },
}
CHANNEL_LAYERS = {"default": {"BACKEND": "games.live.layers.OneLoopChannelLayer"}}

CELERY_BROKER_URL = "memory://localhost"
CELERY_BROKER_TRANSPORT_OPTIONS = {"polling_interval": 0.1}

EMAIL_BACKEND = "config.local.mail.EmailBackend"
LOCAL_MAILS = VAR / "mails"
DEMO_PASSWORD = "turnstone-sample"  # noqa: S105 - no secret: serve prints it
DEFAULT_FROM_EMAIL = "Turnstone <turnstone@localhost>"
vars().update(env.replies())
REPLY_PORT = env.number("REPLY_PORT", default=8025, lowest=1)

WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = DEBUG
CONTENT_SECURITY_POLICY["DIRECTIVES"]["connect-src"] += [
    f"ws://{host}:{PORT}" for host in ("127.0.0.1", "localhost")
]

# Every run ends by telling the worker to stop.
LOGGING["loggers"]["celery.worker.control"] = {"level": "ERROR"}
