"""Find puzzles of a game and add them to its file."""

from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
from django.core.management.base import BaseCommand, CommandError

from games.bots.levels import LEVELS
from games.kernel import registry
from games.kernel.contract import AnyGame
from games.kernel.errors import GameError
from games.kernel.params import for_match
from games.study.puzzle_finding import decisions, endings, find, self_play, stored
from games.study.puzzles import FILE, Puzzle, key_of


class Command(BaseCommand):
    help = (
        "Find positions in which one move forces a win, in matches of bots or in stored matches, or"
        " decisions by chances, and add them to the puzzles of a game."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--game", required=True, help="slug of a game")
        parser.add_argument("--seats", type=int, help="players; by default as few as possible")
        parser.add_argument("--matches", type=int, default=0, help="matches that bots play")
        parser.add_argument("--stored", action="store_true", help="search all ended matches, too")
        parser.add_argument("--level", type=int, default=0, help="level of the bots, from 0")
        parser.add_argument("--params", default="{}", help="parameters of the match, as JSON")
        parser.add_argument("--seed", default="", help="another seed gives other positions")
        parser.add_argument("--positions", type=int, default=0, help="composed positions")
        parser.add_argument(
            "--most", type=int, default=1000, help="stop after this many new puzzles"
        )
        parser.add_argument("--file", type=Path, help="the file; by default that of the game")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            title = registry.get(options["game"])
            seats = options["seats"] or title.meta.seats[0]
            params = for_match(title, seats, msgspec.json.decode(options["params"]))
        except (GameError, ValueError) as error:
            raise CommandError(str(error)) from error
        is_decided = registry.decisions(title) is not None
        if title.meta.has_secrets and not is_decided:
            raise CommandError("Forced wins need a game without secrets.")
        if options["positions"] and not (is_decided or registry.endings(title)):
            raise CommandError("This game has neither a module decisions nor one of endings.")
        if not 0 <= options["level"] < len(LEVELS):
            raise CommandError(f"--level takes a number from 0 to {len(LEVELS) - 1}.")
        file = options["file"] or registry.folder(title.meta.slug) / FILE
        puzzles = _read(file)
        before = len(puzzles)
        for puzzle in _search(title, seats, params, options):
            if key_of(puzzle) in puzzles:
                continue
            puzzles[key_of(puzzle)] = puzzle
            _write(file, puzzles.values())
            if len(puzzles) - before >= options["most"]:
                break
        self.stdout.write(f"{len(puzzles) - before} new puzzles, {len(puzzles)} in all.")


def _search(title: AnyGame, seats: int, params: Any, options: dict[str, Any]) -> Iterator[Puzzle]:
    if options["positions"]:
        search = decisions if registry.decisions(title) else endings
        found = search(title, seats, options["seed"])
        yield from filter(None, islice(found, options["positions"]))
    for number in range(options["matches"]):
        seed = f"{options['seed']} {number}"
        states = self_play(title, seats, params, options["level"], seed)
        if puzzle := find(title, states, params):
            yield puzzle
    if options["stored"]:
        for states, own_params in stored(title):
            if puzzle := find(title, states, own_params):
                yield puzzle


def _read(file: Path) -> dict[str, Puzzle]:
    if not file.exists():
        return {}
    puzzles = msgspec.json.decode(file.read_bytes(), type=list[Puzzle])
    return {key_of(puzzle): puzzle for puzzle in puzzles}


def _write(file: Path, puzzles: Iterable[Puzzle]) -> None:
    rows = ",\n".join(msgspec.json.encode(puzzle).decode() for puzzle in puzzles)
    file.write_text(f"[\n{rows}\n]\n")
