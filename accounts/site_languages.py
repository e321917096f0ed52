"""The languages of the site, and which one a reader gets.

English is always offered. Others are offered if their catalogue is compiled, which
``tools/messages.py`` does from 95 % on. A mail is in the language of its reader, not of the user
whose act it reports.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils import timezone, translation

from accounts.models import User

PARAMETER = "lang"
"""Names a language in an address, so that a page can be shared in it."""


def is_offered(code: str) -> bool:
    return code in dict(settings.LANGUAGES)


def has_choice() -> bool:
    """Whether there is more than one language to choose from."""
    return len(settings.LANGUAGES) > 1


def of_user(user: User) -> str:
    """Return the code of a user's language: English if theirs isn't offered any more."""
    return user.language if is_offered(user.language) else settings.LANGUAGE_CODE


def of_socket(user: Any) -> str:
    """Return the language code of a socket whose page sent none."""
    return of_user(user) if user.is_authenticated else settings.LANGUAGE_CODE


def of_request(request: HttpRequest) -> str:
    """Return the code of the language of a page.

    The address counts first, then the preference of a user, the cookie of a visitor and what the
    browser asks for. The page of a visitor without any of them, such as a crawler, is English.
    """
    named = request.GET.get(PARAMETER, "")
    if is_offered(named):
        return named
    if settings.SESSION_COOKIE_NAME in request.COOKIES:
        user = request.user
        if user.is_authenticated and user.language:
            return of_user(user)
    return translation.get_language_from_request(request)


@contextmanager
def reading(user: User) -> Iterator[None]:
    """Write what follows in a user's language and time zone."""
    with translation.override(of_user(user)), timezone.override(user.zone):
        yield
