"""Messages for people and programs, without long copies of what they sent."""

import re

MAX_ECHO_LENGTH = 80
"""The most characters of a sent value in a message."""

_SENT = re.compile(
    rf"""(?<!\w)'(?P<single>(?:[^'\\]|\\.){{{MAX_ECHO_LENGTH + 1},}})'
    |(?<!\w)"(?P<double>(?:[^"\\]|\\.){{{MAX_ECHO_LENGTH + 1},}})"
    |“(?P<curly>[^”]{{{MAX_ECHO_LENGTH + 1},}})”
    |(?<=\bchoice\.\ )(?P<choice>.{{{MAX_ECHO_LENGTH + 1},}})(?=\ is\ not\ one\ of)""",
    re.VERBOSE | re.DOTALL,
)
"""A long value as messages quote it: by ``repr``, in typographic quotes, or as a form of Django
names a choice that it does not have."""


def shorten_echo(message: str) -> str:
    """Return a message with each value that it quotes cut to ``MAX_ECHO_LENGTH`` characters."""
    return _SENT.sub(_cut, message)


def _cut(found: re.Match[str]) -> str:
    value = found[str(found.lastgroup)]
    return found[0].replace(value, f"{value[:MAX_ECHO_LENGTH]}…")
