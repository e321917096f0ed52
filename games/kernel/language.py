"""Messages in the reader's language.

Games are free of Django and call these functions. The site sets where they find the catalogue;
without a site all messages are English. The functions have the names of the standard library's, so
that every tool that collects messages finds them.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache, wraps
from gettext import NullTranslations
from typing import NamedTuple, ParamSpec, TypeVar

from babel import Locale
from babel.numbers import get_decimal_symbol

Params = ParamSpec("Params")
Text = TypeVar("Text")

ENGLISH = "en-gb"

MAX_FOUND = 10_000
"""How many translations a process keeps at hand, all languages together."""


class Language(NamedTuple):
    """The code of a language, such as ``de``, and its catalogue."""

    code: str
    catalogue: NullTranslations


_ENGLISH = Language(ENGLISH, NullTranslations())


class _Source:
    """Where languages come from. The site sets it once, when it starts."""

    language: Callable[[], Language] = staticmethod(lambda: _ENGLISH)
    locale_of: Callable[[str], Locale] = staticmethod(lambda _code: Locale("en", "GB"))


_looked_up: ContextVar[Language | None] = ContextVar("looked_up", default=None)


def read_from(language: Callable[[], Language], locale_of: Callable[[str], Locale]) -> None:
    """Set the functions that return the reader's language, and the locale of a code."""
    _Source.language = staticmethod(language)
    _Source.locale_of = staticmethod(locale_of)


@contextmanager
def looked_up() -> Iterator[None]:
    """Look up the reader's language once for all that is written meanwhile.

    Nothing may switch the language until then. A move asks for it 350 times, and the site takes
    microseconds to answer.
    """
    token = _looked_up.set(_Source.language())
    try:
        yield
    finally:
        _looked_up.reset(token)


def _language() -> Language:
    return _looked_up.get() or _Source.language()


def code() -> str:
    """Return the code of the reader's language, such as ``de``."""
    return _language().code


def locale() -> Locale:
    """Return how the reader's language writes dates, numbers and lists."""
    return _Source.locale_of(code())


def decimal(value: float, digits: int = 1) -> str:
    """Write a number with a fixed number of decimals."""
    return f"{value:.{digits}f}".replace(".", get_decimal_symbol(locale()))


def gettext(message: str) -> str:
    # Catalogues translate an empty message to their header.
    return _found("gettext", _language().catalogue, message) if message else ""


def ngettext(singular: str, plural: str, number: int) -> str:
    return _found("ngettext", _language().catalogue, singular, plural, number)


def pgettext(context: str, message: str) -> str:
    """Translate a message that has several meanings; ``context`` says which one."""
    return _found("pgettext", _language().catalogue, context, message)


def npgettext(context: str, singular: str, plural: str, number: int) -> str:
    return _found("npgettext", _language().catalogue, context, singular, plural, number)


@lru_cache(MAX_FOUND)
def _found(function: str, catalogue: NullTranslations, *asked: str | int) -> str:
    """Look a message up. Catalogues take microseconds, most of all for a message they lack."""
    return getattr(catalogue, function)(*asked)  # type: ignore[no-any-return]


def labelled(label: str, text: str) -> str:
    """Return a text after its label. Some languages write a space before the colon."""
    # Translators: a label and what it is about, as in "c4: vacant".
    return gettext("{label}: {text}").format(label=label, text=text)


def gettext_noop(message: str) -> str:
    """Mark a message of a constant for translators. ``gettext`` translates it where it is shown."""
    return message


def cached(size: int | None) -> Callable[[Callable[Params, Text]], Callable[Params, Text]]:
    """Cache the results of a function that returns text, separately for each language.

    :param size: maximum number of results, all languages together; ``None`` for no limit.
    """

    def decorate(function: Callable[Params, Text]) -> Callable[Params, Text]:
        @lru_cache(size)
        def in_language(_code: str, *args: Params.args, **kwargs: Params.kwargs) -> Text:
            return function(*args, **kwargs)

        @wraps(function)
        def called(*args: Params.args, **kwargs: Params.kwargs) -> Text:
            # A cache has no parameters in the stubs.
            return in_language(_language().code, *args, **kwargs)  # type: ignore[arg-type]

        called.cache_clear = in_language.cache_clear  # type: ignore[attr-defined]
        return called

    return decorate
