"""The site of the bench with the rate limits of production."""

from bench.settings import *  # noqa: F403
from config.settings.limits import FORM_LIMITS  # noqa: F401 - replaces that of the bench
