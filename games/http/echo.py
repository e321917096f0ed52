"""Shortens values from requests that error messages quote."""

import re

MAX_ECHO_LENGTH = 80
"""Maximum length of a quoted value, in characters."""

_SENT = re.compile(
    rf"""(?<!\w)'(?P<single>(?:[^'\\]|\\.){{{MAX_ECHO_LENGTH + 1},}})'
    |(?<!\w)"(?P<double>(?:[^"\\]|\\.){{{MAX_ECHO_LENGTH + 1},}})"
    |“(?P<curly>[^”]{{{MAX_ECHO_LENGTH + 1},}})”
    |(?<=\bchoice\.\ )(?P<choice>.{{{MAX_ECHO_LENGTH + 1},}})(?=\ is\ not\ one\ of)""",
    re.VERBOSE | re.DOTALL,
)
"""Quoted values: by ``repr``, in typographic quotes, or as an invalid choice of a Django form."""


def shorten_echo(message: str) -> str:
    """Cut each quoted value in a message to ``MAX_ECHO_LENGTH`` characters."""
    return _SENT.sub(_cut, message)


def _cut(echo: re.Match[str]) -> str:
    value = echo[str(echo.lastgroup)]
    return echo[0].replace(value, f"{value[:MAX_ECHO_LENGTH]}…")
