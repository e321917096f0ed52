"""Languages that people can say they speak."""

from collections.abc import Iterable
from functools import cache

from django.conf.locale import LANG_INFO
from django.utils.translation import get_language, get_language_info, gettext

CHINESE = ("zh", "中文")


def offered() -> dict[str, str]:
    """Return code and name of each language, such as ``Deutsch (German)``, by English name.

    The name in brackets is that of the reader's language.
    """
    return _offered(get_language())


@cache
def _offered(_reading: str | None) -> dict[str, str]:
    plain = {code: info for code, info in LANG_INFO.items() if "-" not in code and "name" in info}
    rows = [(info["name"], code, _label(info)) for code, info in plain.items()]
    code, own = CHINESE
    chinese = gettext("Chinese")
    rows.append(("Chinese", code, f"{own} ({chinese})"))
    return {code: label for _, code, label in sorted(rows)}


def choices(first: Iterable[str]) -> list[tuple[str, str]]:
    """Return code and name of all languages, those in ``first`` on top."""
    known = offered()
    top = [code for code in known if code in set(first)]
    return [(code, known[code]) for code in dict.fromkeys([*top, *known])]


def names(codes: list[str]) -> list[str]:
    """Unknown codes are skipped."""
    return [offered()[code] for code in codes if code in offered()]


def _label(info: dict[str, str]) -> str:
    own = info["name_local"][:1].upper() + info["name_local"][1:]
    # Django's own catalogues have the names.
    name = get_language_info(info["code"])["name_translated"]
    return own if own == name else f"{own} ({name})"
