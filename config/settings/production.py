"""Production settings: PostgreSQL and Redis, everything from the environment."""

import logging
import os
import sys
from email.utils import parseaddr
from typing import Any

from redis.asyncio.retry import Retry as AsyncRetry
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.retry import Retry

from config import process
from config.environment import Environment
from config.settings.base import *  # noqa: F403
from config.settings.base import BASE_DIR, CONTENT_SECURITY_POLICY, LOGGING
from config.settings.limits import REPLICA_LAG

env = Environment(os.environ)

DEBUG = False
SECRET_KEY = env.secret("SECRET_KEY")
SECRET_KEY_FALLBACKS = env.old_secrets("SECRET_KEY_FALLBACKS")

# --- The address, and what follows from it -----------------------------------------------------

_site = env.site("SITE_URL")
_https = _site.scheme == "https"
SITE_URL = _site.geturl()
ALLOWED_HOSTS = env.hosts("ALLOWED_HOSTS", _site)
if not env.flag("ANY_HOST_PORT", default=False):
    HOST_PORT = _site.port or (443 if _https else 80)
CSRF_TRUSTED_ORIGINS = [SITE_URL]
CONTENT_SECURITY_POLICY["DIRECTIVES"]["connect-src"] += [
    f"{'wss' if _https else 'ws'}://{_site.netloc}"
]
SECURE_SSL_REDIRECT = _https
SECURE_HSTS_SECONDS = env.number("HSTS_SECONDS", default=31_536_000) if _https else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = env.flag("HSTS_SUBDOMAINS", default=True)
SESSION_COOKIE_SECURE = _https
CSRF_COOKIE_SECURE = _https
if _https:
    SESSION_COOKIE_NAME = "__Host-session"
    CSRF_COOKIE_NAME = "__Host-csrf"
    DEVICE_COOKIE_NAME = "__Host-device"
    MESSAGE_STORAGE = "config.messages.HostStorage"

PROXIES = env.number("PROXIES", default=0)
if PROXIES:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
CLIENT_CONNECTIONS = env.number("CLIENT_CONNECTIONS", default=100, lowest=1)
SIGNUP_WORK = env.number("SIGNUP_WORK", default=256)

# --- Database, cache, channel layer, broker ----------------------------------------------------

_redis = env.redis("REDIS_URL")
_channel_servers = env.several_redis("CHANNELS_REDIS_URLS", default=_redis)

_bounds = process.bounds(sys.argv)
_is_pooled = env.flag("DATABASE_POOLER", default=False)
_connections = _bounds.connections or env.number("DATABASE_POOL", default=15, lowest=2)
# Threads get the others. Only web processes use the database from an event loop.
LOOP_CONNECTIONS = 0 if _bounds.connections else max(1, _connections // 3)


def _with_bounds(database: dict[str, Any], patience: float) -> dict[str, Any]:
    if _is_pooled:
        # Each kind of process has limits of its own, and the pooler knows them by this name.
        database["NAME"] += f"_{_bounds.kind}"
        database["DISABLE_SERVER_SIDE_CURSORS"] = True
    database.setdefault("OPTIONS", {}).update(
        process.connection_options(_bounds, is_pooled=_is_pooled),
        pool={
            "min_size": 1,
            "max_size": _connections - LOOP_CONNECTIONS,
            "timeout": patience,
            # A failed attempt is retried soon; psycopg would wait longer and longer.
            "reconnect_timeout": patience / 2,
        },
    )
    return database


DATABASES = {"default": _with_bounds(env.database("DATABASE_URL"), _bounds.patience)}
if env.text("DATABASE_REPLICA_URL", default=""):
    DATABASES["replica"] = _with_bounds(env.database("DATABASE_REPLICA_URL"), REPLICA_LAG)
    DATABASE_ROUTERS = ["config.postgresql.replica.Router"]
CACHES = {
    "default": {
        "BACKEND": "config.cache.FallbackCache",
        "LOCATION": _redis,
        "KEY_PREFIX": "turnstone:cache",
        # Version 1 held pickles, which this release doesn't read.
        "VERSION": 2,
        "OPTIONS": {
            "pool_class": "config.redis_pool.BoundedPool",
            "socket_connect_timeout": 0.3,
            "socket_timeout": 0.5,
            # The pool replaces a closed connection. A repeated ``add`` whose first answer was lost
            # would find its own value, and a lock would lock its owner out.
            "retry": Retry(NoBackoff(), 0),
        },
    },
}
CHANNEL_LAYERS = {
    "default": {
        # Pub/sub drops messages without a listener, as lists in Redis would, at a fifth of the
        # work.
        "BACKEND": "games.live.redis_layer.RedisChannelLayer",
        "CONFIG": {
            "hosts": [
                {
                    "address": address,
                    "socket_connect_timeout": 0.5,
                    "socket_timeout": 15,
                    "socket_keepalive": True,
                    "health_check_interval": 15,
                    # A connection that died in the pool is replaced; a silent one times out once.
                    "retry": AsyncRetry(NoBackoff(), 1, (RedisConnectionError,)),
                }
                for address in _channel_servers
            ],
            "prefix": "turnstone:channels",
            "serializer_format": "msgpack",
        },
    },
}
CELERY_BROKER_URL = _redis
CELERY_BROKER_TRANSPORT = "config.broker:Transport"
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "global_keyprefix": "turnstone:celery:",
    "visibility_timeout": 600,
    "socket_connect_timeout": 2,
    "socket_timeout": 5,
}

# --- Mail --------------------------------------------------------------------------------------

vars().update(env.mail("EMAIL_URL"))
EMAIL_TIMEOUT = 8
DEFAULT_FROM_EMAIL = env.mailbox("DEFAULT_FROM_EMAIL")
SERVER_EMAIL = DEFAULT_FROM_EMAIL
vars().update(env.replies())
ADMINS = env.people("ADMINS")
CONTACT_EMAIL = env.mailbox("CONTACT_EMAIL", default=parseaddr(DEFAULT_FROM_EMAIL)[1])
OPERATOR = env.text("OPERATOR", default="")
SOURCE_URL = env.text("SOURCE_URL", default="")
SITE_TOURNAMENTS = env.flag("SITE_TOURNAMENTS", default=True)

# --- Files -------------------------------------------------------------------------------------

STATIC_ROOT = env.text("STATIC_ROOT", default=str(BASE_DIR / "staticfiles"))
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "config.bundles.BundledStorage"},
}

# --- What is written down ----------------------------------------------------------------------

LOGGING["handlers"]["console"]["formatter"] = "json"
logging.captureWarnings(capture=True)
