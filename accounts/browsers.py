"""Readable names of browsers."""

from django.utils.translation import gettext as _

UNKNOWN = "an unknown browser"

NAMES = (("Edg/", "Edge"), ("OPR/", "Opera"), ("Firefox/", "Firefox"), ("Chrome/", "Chrome"))
"""A token of each browser, more specific ones first, since they contain the others' tokens."""

SYSTEMS = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)


def name(user_agent: str) -> str:
    """Return browser and system of a ``User-Agent``, such as ``Firefox on Linux``, in English."""
    browser = _first(NAMES, user_agent) or ("Safari" if "Safari/" in user_agent else "")
    system = _first(SYSTEMS, user_agent)
    if browser and system:
        return f"{browser} on {system}"
    return browser or system or UNKNOWN


def shown(name: str) -> str:
    """Return a name as :func:`name` made it, in the reader's language."""
    if name == UNKNOWN:
        return _("an unknown browser")
    browser, on, system = name.partition(" on ")
    return _("{browser} on {system}").format(browser=browser, system=system) if on else name


def _first(signs: tuple[tuple[str, str], ...], user_agent: str) -> str:
    return next((called for sign, called in signs if sign in user_agent), "")
