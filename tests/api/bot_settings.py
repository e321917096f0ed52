"""The site of `make run`, on which programs may move as fast as they can."""

from config.settings.local import *  # noqa: F403
from config.settings.local import REST_FRAMEWORK as REST

REST_FRAMEWORK = {
    **REST,
    "DEFAULT_THROTTLE_RATES": dict.fromkeys(REST["DEFAULT_THROTTLE_RATES"], "10000/s"),
}
