"""What a game gives to the contract tests: modules in the folder ``tests`` of its package.

``reference`` is a second implementation of the rules: plain, slow, written from the rule sheet. It
holds a class ``Reference`` (see :mod:`tests.contract.reference`) and ``SAMPLES``, the random
matches to play.

``policy`` says how to reach rare positions. It's optional, and so are all its parts::

    choose(position, seat, texts, chance, *, seats, params) -> text
                                                      pick one of some legal moves, with a purpose
    aim(chance) -> text                               a sensible move where moves are too many to
                                                      list; only benchmarks use it
    observe(position, seat, chance) -> outcome        make up an observation instead of simulating
    begin(position, chance) -> position               a position to begin with, from a first one
    SAMPLES                                           the matches that are played so
    REACHES                                           how often at least its events happen in them
    NOTATION                                          a pattern of names that no player reads
    SHORT                                             parameters of a match that soon ends
    STRENGTH                                          parameters of matches that compare bots
    BEATS_RANDOM                                      the share of points that the best bot must
                                                      win against random play; 0.85 by default

``twins`` is for games with secrets. ``indistinguishable(position, viewer, chance)`` returns another
possible position of the same match: everything hidden from ``viewer`` (``None``: a spectator) is
dealt again by ``chance``, and nothing else changes. Views are tested against it, so it must not use
them. ``REVEALS`` are the types of events that tell everybody what no view shows for long, such as
dice thrown on the table. Where those differ, two worlds may part.
"""

import importlib
from collections.abc import Mapping
from types import ModuleType
from typing import Any

from games.kernel import registry


def reference_of(slug: str) -> Any:
    """Return the second implementation of a game.

    :raises LookupError: nobody has written it.
    """
    return _required("reference", slug)


def policy_of(slug: str) -> ModuleType | None:
    """Return how to reach rare positions of a game; ``None`` if it has no such module."""
    return _find("policy", slug)


def short(slug: str) -> Mapping[str, Any]:
    """Return the parameters of a match that soon ends."""
    parameters: Mapping[str, Any] = getattr(policy_of(slug), "SHORT", {})
    return parameters


def twins_of(slug: str) -> Any:
    """Return how to deal the secrets of a game again.

    :raises LookupError: nobody has written it.
    """
    return _required("twins", slug)


def _required(name: str, slug: str) -> ModuleType:
    module = _find(name, slug)
    if module is None:
        file = registry.folder(slug) / "tests" / f"{name}.py"
        raise LookupError(f"{slug} needs {file}, as docs/adding-a-game.md says.")
    return module


def _find(name: str, slug: str) -> ModuleType | None:
    if not (registry.folder(slug) / "tests" / f"{name}.py").exists():
        return None
    return importlib.import_module(f"{registry.package(slug)}.tests.{name}")
