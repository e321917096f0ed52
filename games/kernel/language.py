"""Messages in the reader's language.

Games are free of Django and call these functions. The site sets where they find the catalogue;
without a site all messages are English. The functions have the names of the standard library's, so
that every tool that collects messages finds them.
"""

from collections.abc import Callable
from gettext import NullTranslations

_ENGLISH = NullTranslations()


class _Source:
    """Where catalogues come from. The site sets ``current`` once, when it starts."""

    current: Callable[[], NullTranslations] = staticmethod(lambda: _ENGLISH)


def read_from(current: Callable[[], NullTranslations]) -> None:
    """Read messages from the catalogue that ``current`` returns for the reader of the moment."""
    _Source.current = staticmethod(current)


def gettext(message: str) -> str:
    return _Source.current().gettext(message)


def ngettext(singular: str, plural: str, number: int) -> str:
    return _Source.current().ngettext(singular, plural, number)


def pgettext(context: str, message: str) -> str:
    """Translate a message that has several meanings; ``context`` says which one."""
    return _Source.current().pgettext(context, message)
