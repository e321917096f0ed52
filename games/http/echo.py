"""Shortens values from requests that error messages quote."""

import re

from django.utils.translation import gettext

MAX_ECHO_LENGTH = 80
"""Maximum length of a quoted value, in characters."""

_SENT = re.compile(
    rf"""(?<!\w)'(?P<single>(?:[^'\\]|\\.){{{MAX_ECHO_LENGTH + 1},}})'
    |(?<!\w)"(?P<double>(?:[^"\\]|\\.){{{MAX_ECHO_LENGTH + 1},}})"
    |“(?P<curly>[^”]{{{MAX_ECHO_LENGTH + 1},}})”
    |„(?P<low>[^“]{{{MAX_ECHO_LENGTH + 1},}})“
    |«(?P<angle>[^»]{{{MAX_ECHO_LENGTH + 1},}})»""",
    re.VERBOSE | re.DOTALL,
)
"""Quoted values: by ``repr``, or in the typographic quotes of a language."""

INVALID_CHOICE = "Select a valid choice. %(value)s is not one of the available choices."
"""The error of a Django form, whose own catalogues translate it. The value has no quotes."""


def shorten_echo(message: str) -> str:
    """Cut each quoted value in a message to ``MAX_ECHO_LENGTH`` characters."""
    before, _, after = gettext(INVALID_CHOICE).partition("%(value)s")
    value = message.removeprefix(before).removesuffix(after)
    if len(value) > MAX_ECHO_LENGTH and message == f"{before}{value}{after}":
        return f"{before}{value[:MAX_ECHO_LENGTH]}…{after}"
    return _SENT.sub(_cut, message)


def _cut(echo: re.Match[str]) -> str:
    value = echo[str(echo.lastgroup)]
    return echo[0].replace(value, f"{value[:MAX_ECHO_LENGTH]}…")
