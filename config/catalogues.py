"""Languages: their catalogues, their names, and how they write dates, numbers and lists."""

from functools import cache
from pathlib import Path

from babel import Locale, UnknownLocaleError
from django.conf.locale import LANG_INFO

FOLDER = Path(__file__).resolve().parents[1] / "locale"
"""``locale/de/LC_MESSAGES/django.po`` has the German messages of the site. Games have their own."""

ENGLISH = "en_GB"
"""The folder of English messages, which ``tools/messages.py`` compiles as they stand."""

COMPILED = "LC_MESSAGES/django.mo"


def compiled_languages(folder: Path) -> list[tuple[str, str]]:
    """Return code and own name of the languages with a compiled catalogue, by name."""
    names = {file.parents[1].name for file in folder.glob(f"*/{COMPILED}")} - {ENGLISH}
    codes = [name.replace("_", "-").lower() for name in names]
    return sorted(((code, own_name(code)) for code in codes), key=lambda one: one[1].casefold())


def own_name(code: str) -> str:
    """Return what a language calls itself, such as ``Deutsch``; its code if Django has no name."""
    name: str = LANG_INFO.get(code, {}).get("name_local", code)
    return name[:1].upper() + name[1:]


@cache
def locale_of(code: str) -> Locale:
    """Return the locale of a language: British English if Babel has none."""
    try:
        return Locale.parse(code, sep="-")
    except UnknownLocaleError:
        return Locale("en", "GB")
