"""A corpus of matches, to check that a refactoring changes no behaviour.

``python -m bench corpus --write FILE`` plays 300 matches of each game (30 if outcomes are observed)
and stores them with hashes of everything visible in each position. ``--compare FILE`` replays the
stored moves with the current code, and reports every position with a difference; ``--renames FILE``
allows for intended renames. ``--explain FILE GAME MATCH PLY KIND`` prints the hashed texts, to
compare two checkouts with ``diff``. Cheap texts are hashed at every position, expensive ones
(``COSTLY``) at some, drawn by the number of the match. The file of renames is JSON: ``{"drawing":
[["new", "old"], …], "*": […]}``, regular expressions and replacements, applied in order to the
texts of a kind (``*``: of every kind). ``bench/corpus/renames.json`` holds the names that have
changed since the first corpus was stored.
"""

import argparse
import base64
import gzip
import hashlib
import json
import os
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.corpus.game import Game
from bench.corpus.hashes import Hashes, Renames, hashes
from bench.corpus.matches import MATCHES, OBSERVED, play
from bench.corpus.places import places, to_json


def write(file: Path, slugs: Sequence[str], first: int) -> None:
    """Play the matches, and store them."""
    games = {}
    for game in map(Game, slugs):
        matches = []
        for number in range(min(first, OBSERVED if game.observes else MATCHES)):
            match = json.loads(json.dumps(play(game, number)))
            match["hashes"] = hashes(game, number, match, {}).stored()
            matches.append(match)
        games[game.slug] = {"facts": digest(game.facts()), "matches": matches}
        print(f"{game.slug}: {len(matches)} matches, {plies(matches)} positions")
    data = json.dumps({"format": 1, "games": games}, separators=(",", ":")).encode()
    file.write_bytes(gzip.compress(data, 9, mtime=0))


def digest(data: Any) -> str:
    return hashlib.sha256(to_json(data).encode()).hexdigest()[:16]


def plies(matches: Sequence[Mapping[str, Any]]) -> int:
    """Return the number of positions in matches."""
    return sum(len(match["steps"]) + 1 for match in matches)


def read(file: Path) -> dict[str, Any]:
    games: dict[str, Any] = json.loads(gzip.decompress(file.read_bytes()))["games"]
    return games


def compare(file: Path, slugs: Sequence[str], first: int, renames: Renames) -> bool:
    """Replay the stored matches, report differences, and return whether all are equal."""
    agrees = True
    for slug, stored in read(file).items():
        if slug not in slugs:
            continue
        game, differing = Game(slug), Counter[str]()
        if digest(game.facts()) != stored["facts"]:
            differing["facts"] += 1
        for number, match in enumerate(stored["matches"][:first]):
            found = hashes(game, number, match, renames)
            differing.update(differences(slug, number, match["hashes"], found))
        told = ", ".join(f"{count} of {kind}" for kind, count in differing.items())
        print(f"{slug}: {told or 'no'} differences in {plies(stored['matches'][:first])} positions")
        agrees = agrees and not differing
    return agrees


def differences(slug: str, number: int, stored: Mapping[str, Any], found: Hashes) -> Iterator[str]:
    """Yield the kind of every difference in a match, and print the first place of each."""
    today = found.stored()
    for kind, (whole, each) in stored.items():
        if today.get(kind, [None])[0] == whole:
            continue
        before, now = base64.b64decode(each), bytes(found.each.get(kind, b""))
        pairs = enumerate(found.plies.get(kind, ()))
        other = [ply for n, ply in pairs if before[n * 2 : n * 2 + 2] != now[n * 2 : n * 2 + 2]]
        print(f"{slug} {number}: {kind} differs, first at ply {other[0] if other else '?'}")
        yield from [kind] * max(1, len(other))


def explain(file: Path, slug: str, number: int, ply: int, kind: str) -> None:
    """Print the hashed texts of a position."""
    game = Game(slug)
    for place, _ in places(game, number, read(file)[slug]["matches"][number]):
        if place.ply == ply:
            print(f"{slug} {number}, ply {ply}: {place.step}")
            for text in place.texts(kind):
                print(text.replace("><", ">\n<"))


def main(arguments: Sequence[str]) -> int:
    """Run the command. Return 1 if there are differences."""
    if os.environ.get("PYTHONHASHSEED") != "0":
        command = [sys.executable, "-m", "bench", "corpus", *arguments]
        os.execve(sys.executable, command, {**os.environ, "PYTHONHASHSEED": "0"})
    parser = argparse.ArgumentParser("python -m bench corpus")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--write", type=Path, metavar="FILE")
    what.add_argument("--compare", type=Path, metavar="FILE")
    what.add_argument("--explain", nargs=5, metavar=("FILE", "GAME", "MATCH", "PLY", "KIND"))
    parser.add_argument("--renames", type=Path, metavar="FILE", help="names of today and before")
    parser.add_argument("--game", action="append", help="only this one")
    parser.add_argument("--first", type=int, default=MATCHES, help="only this many matches of each")
    given = parser.parse_args(arguments)
    slugs = given.game or Game.slugs()
    renames = json.loads(given.renames.read_text(encoding="utf-8")) if given.renames else {}
    if given.write:
        write(given.write, slugs, given.first)
    elif given.explain:
        file, slug, number, ply, kind = given.explain
        explain(Path(file), slug, int(number), int(ply), kind)
    elif not compare(given.compare, slugs, given.first, renames):
        return 1
    return 0
