"""The site of `make run`, where the same few people may challenge each other in every test."""

from config.settings.local import *  # noqa: F403
from config.settings.local import FORM_LIMITS as LIMITS

FORM_LIMITS = {
    **LIMITS,
    "invite": {"account": ["1000/h"], "pair": ["1000/h"]},
    "answer": {"account": ["1000/m"], "pair": ["1000/h"]},
}

# Nobody guesses at these passwords; a slow hash would only cost every sign-in half a second.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
