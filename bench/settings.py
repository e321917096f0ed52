"""The site as in production, with the bare views of the bench beside its pages."""

from typing import Any

from config.settings.production import *  # noqa: F403
from config.settings.production import (
    CACHES,
    CELERY_BROKER_TRANSPORT_OPTIONS,
    CELERY_BROKER_URL,
    CHANNEL_LAYERS,
    DATABASES,
    FORM_LIMITS,
)
from config.settings.production import INSTALLED_APPS as PARTS
from config.settings.production import MIDDLEWARE as LAYERS

INSTALLED_APPS = [*PARTS, "bench"]
ROOT_URLCONF = "bench.urls"
# In the place of a proxy: pages are compressed for browsers, not for the programs of the bench.
MIDDLEWARE = ["django.middleware.gzip.GZipMiddleware", *LAYERS]

# Forms are counted as in production, but a crowd of a few stands for a crowd of many.
FORM_LIMITS = {
    action: {per: ["1000000/d"] for per in rates} for action, rates in FORM_LIMITS.items()
}

WORK_LIMITS = {"account": [], "guests": []}

# Whatever else uses the same Redis is left in peace, and what is left there can be found.
PREFIX = DATABASES["default"]["NAME"]
CACHES = {"default": {**CACHES["default"], "KEY_PREFIX": f"{PREFIX}:cache"}}
CELERY_BROKER_TRANSPORT_OPTIONS = {
    **CELERY_BROKER_TRANSPORT_OPTIONS,
    "global_keyprefix": f"{PREFIX}:celery:",
}
_layer: dict[str, Any] = CHANNEL_LAYERS["default"]
_layer["CONFIG"]["prefix"] = f"{PREFIX}:channels"
# The floor's own layer: messages go through Redis, and nothing is kept there.
CHANNEL_LAYERS["floor"] = {
    "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
    "CONFIG": {"hosts": [CELERY_BROKER_URL], "prefix": f"{PREFIX}:floor"},
}
