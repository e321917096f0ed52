"""The site of `make run`, where the same few people may challenge each other in every test."""

from config.settings.local import *  # noqa: F403
from config.settings.local import ACCOUNT_RATE_LIMITS as ACCOUNT_LIMITS
from config.settings.local import FORM_LIMITS as LIMITS
from config.settings.local import LANGUAGES as OFFERED
from config.settings.local import LOCALE_PATHS as PATHS
from config.settings.local import PASSWORD_HASHERS as HASHERS
from config.settings.local import VAR
from tests import pseudo

FORM_LIMITS = {
    **LIMITS,
    "invite": {"account": ["1000/h"], "pair": ["1000/h"]},
    "answer": {"account": ["1000/m"], "pair": ["1000/h"]},
}

# How long things take depends on the machine.
WORK_LIMITS = {"account": [], "guests": []}

# All of them come from one address, the sooner the faster the machine is.
ACCOUNT_RATE_LIMITS = {**ACCOUNT_LIMITS, "login": "1000/m/ip", "signup": "1000/m/ip"}

# Nobody who does no work joins while a test looks at what the page says.
SIGNUP_WAIT = 600

ROOT_URLCONF = "tests.browser.doors"

# Nobody guesses these passwords, and a slow hash would cost each sign-in half a second. Sample
# passwords are hashed again when they first sign in.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher", *HASHERS]

# Files as in production, one script and one sheet a page: eighty requests for modules would be
# most of what a page costs here. ``test_plain_files.py`` has them one by one.
STATIC_ROOT = VAR / "static"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "config.bundles.BundledStorage"},
}
WHITENOISE_USE_FINDERS = False

# Languages of tests, beside those of the site.
LOCALE_PATHS = [*PATHS, VAR / "locale"]
LANGUAGES = [*OFFERED, *pseudo.LANGUAGES]
