"""The registry finds the games, so that nothing lists them.

Every package below ``games/titles`` is a game. So is every installed package that declares an entry
point in the group ``turnstone.games``, as ``examples/`` shows.
"""

import importlib
import pkgutil
import random
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any

from games.kernel.contract import AnyGame, Game
from games.kernel.decisions import AnyDecisions
from games.kernel.errors import UnknownRules, UnknownTitle, quoted
from games.kernel.heuristics import AnyHeuristics, Heuristics
from games.kernel.language import gettext

TITLES = "games.titles"
"""The package whose folders are games."""

GROUP = "turnstone.games"
"""The entry points of games in packages of their own. The value is the name of the package."""


@cache
def titles() -> Mapping[str, AnyGame]:
    """Return all games by slug, sorted by name.

    :raises TypeError: a package isn't a game, or two have the same slug.
    """
    by_slug = find(importlib.import_module(TITLES))
    for name in installed():
        title = _title_in(name)
        if title.meta.slug in by_slug:
            raise TypeError(f"{name} has the slug of another game: {title.meta.slug!r}.")
        by_slug[title.meta.slug] = title
    by_name = sorted(by_slug.values(), key=lambda title: title.meta.name.casefold())
    return MappingProxyType({title.meta.slug: title for title in by_name})


def get(slug: str, rules_version: int | None = None) -> AnyGame:
    """Return the game with this slug, by its newest rules or by those of a version.

    :raises UnknownTitle: it does not exist.
    :raises UnknownRules: it doesn't have the rules of that version.
    """
    try:
        title = titles()[slug]
    except KeyError:
        known = ", ".join(titles())
        message = gettext("There is no game {slug}. There are: {known}.")
        raise UnknownTitle(message.format(slug=quoted(slug), known=known)) from None
    for version in (title, *title.older):
        if rules_version in (None, version.meta.rules_version):
            return version
    message = gettext("{game} has no rules of version {version}.")
    raise UnknownRules(message.format(game=title.meta.name, version=rules_version))


def is_known(slug: str, rules_version: int) -> bool:
    """Whether the game with this slug has rules of this version."""
    game = titles().get(slug)
    versions = (game, *game.older) if game else ()
    return any(one.meta.rules_version == rules_version for one in versions)


def name_of(slug: str) -> str:
    """Return the name of a game, or its slug if the game is gone."""
    title = titles().get(slug)
    return title.meta.name if title else slug


def package(slug: str) -> str:
    """:raises UnknownTitle: there is no such game."""
    return type(get(slug)).__module__


def folder(slug: str) -> Path:
    """Return the folder of a game, with its rules for players, playthroughs and the like.

    :raises UnknownTitle: there is no such game.
    """
    return Path(str(importlib.import_module(package(slug)).__file__)).parent


def heuristics(title: AnyGame) -> AnyHeuristics:
    """Return a game's heuristics: those of its module ``bot``, or the defaults."""
    module = _part(title, "bot")
    return module.Knowledge(title) if module else Heuristics(title)


def decisions(title: AnyGame) -> AnyDecisions | None:
    """Return a game's questions: those of its module ``decisions``. ``None`` without any."""
    module = _part(title, "decisions")
    return module.Questions(title) if module else None


def endings(title: AnyGame) -> Callable[[random.Random], Iterator[Any]] | None:
    """Return what composes late positions of a game: ``positions`` of its module ``endings``."""
    module = _part(title, "endings")
    return module.positions if module else None


def _part(title: AnyGame, part: str) -> Any:
    """Return a module of a game. ``None`` if it has none of this name."""
    name = f"{type(title).__module__}.{part}"
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as missing:
        if missing.name not in (name, name.rpartition(".")[0]):
            raise
        return None


def find(package: ModuleType) -> dict[str, AnyGame]:
    """Return the games below a package, by slug.

    :raises TypeError: a folder has no ``TITLE``, or one whose slug isn't the folder's name.
    """
    games = {}
    for name in _below(package):
        title = _title_in(name)
        if name.rpartition(".")[2] != title.meta.slug.replace("-", "_"):
            raise TypeError(f"{name} has the slug of another folder: {title.meta.slug!r}.")
        games[title.meta.slug] = title
    return games


def installed() -> list[str]:
    return sorted(point.value for point in entry_points(group=GROUP))


def static_folders() -> Iterator[Path]:
    """Yield the folders of all games for files that browsers load. No game is imported."""
    return _folders("static")


def locale_folders() -> Iterator[Path]:
    """Yield the folders of all games with translations. No game is imported."""
    return _folders("locale")


def _folders(part: str) -> Iterator[Path]:
    for name in [*_below(importlib.import_module(TITLES)), *installed()]:
        spec = find_spec(name)
        if spec and spec.origin and (folder := Path(spec.origin).with_name(part)).is_dir():
            yield folder


def _below(package: ModuleType) -> list[str]:
    modules = pkgutil.iter_modules(package.__path__, f"{package.__name__}.")
    return [module.name for module in modules if module.ispkg]


def _title_in(name: str) -> AnyGame:
    title = getattr(importlib.import_module(name), "TITLE", None)
    if not isinstance(title, Game):
        raise TypeError(f"{name} is no game: its __init__.py makes no TITLE.")
    return title
