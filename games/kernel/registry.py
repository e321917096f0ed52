"""The registry: every folder below ``games/titles`` is a game, found and never listed."""

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType, ModuleType

from games.kernel.contract import AnyGame, Game
from games.kernel.errors import UnknownRules, UnknownTitle, quoted
from games.kernel.heuristics import AnyHeuristics, Heuristics

TITLES = "games.titles"
"""The package whose folders are the games."""


@cache
def titles() -> Mapping[str, AnyGame]:
    """Return all games by slug, sorted by name.

    :raises TypeError: a folder there is no game.
    """
    by_slug = find(importlib.import_module(TITLES))
    by_name = sorted(by_slug.values(), key=lambda title: title.meta.name.casefold())
    return MappingProxyType({title.meta.slug: title for title in by_name})


def get(slug: str, rules_version: int | None = None) -> AnyGame:
    """Return the game with this slug, by its newest rules or by those of a version.

    :raises UnknownTitle: there is none.
    :raises UnknownRules: it has no rules of that version any more, or not yet.
    """
    try:
        title = titles()[slug]
    except KeyError:
        known = ", ".join(titles())
        raise UnknownTitle(f"There is no game {quoted(slug)}. There are: {known}.") from None
    for version in (title, *title.older):
        if rules_version in (None, version.meta.rules_version):
            return version
    raise UnknownRules(f"{title.meta.name} has no rules of version {rules_version}.")


def is_known(slug: str, rules_version: int) -> bool:
    """Whether the game with this slug has rules of this version."""
    game = titles().get(slug)
    versions = (game, *game.older) if game else ()
    return any(one.meta.rules_version == rules_version for one in versions)


def folder(slug: str) -> Path:
    """Return where the rules for players, the playthroughs and the like of a game lie.

    :raises UnknownTitle: there is no such game.
    """
    package = importlib.import_module(type(get(slug)).__module__)
    return Path(str(package.__file__)).parent


def heuristics(title: AnyGame) -> AnyHeuristics:
    """Return what bots know of a game: that of its module ``bot``, or what holds for all games."""
    name = f"{type(title).__module__}.bot"
    try:
        module = importlib.import_module(name)
    except ModuleNotFoundError as missing:
        if missing.name not in (name, name.rpartition(".")[0]):
            raise
        return Heuristics(title)
    known: AnyHeuristics = module.Knowledge(title)
    return known


def find(package: ModuleType) -> dict[str, AnyGame]:
    """Return the games below a package, by slug.

    :raises TypeError: a folder has no ``TITLE``, or one whose slug is not the folder's name.
    """
    names = (module.name for module in pkgutil.iter_modules(package.__path__) if module.ispkg)
    games = (_title_in(f"{package.__name__}.{name}") for name in names)
    return {title.meta.slug: title for title in games}


def _title_in(name: str) -> AnyGame:
    title = getattr(importlib.import_module(name), "TITLE", None)
    if not isinstance(title, Game):
        raise TypeError(f"{name} is no game: its __init__.py makes no TITLE.")
    if name.rpartition(".")[2] != title.meta.slug.replace("-", "_"):
        raise TypeError(f"{name} has the slug of another folder: {title.meta.slug!r}.")
    return title
