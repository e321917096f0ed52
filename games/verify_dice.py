"""Verify exported matches: whether their dice match the commitments (docs/dice.md).

``manage.py verify_dice FILE…`` runs this, and so does ``python -m games.verify_dice FILE…``, which
needs neither a site nor a database.
"""

import argparse
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TextIO

from games.records.dice_check import PROOFS, Check, NoRecord, read

ABOUT = (
    "Check the dice of exported matches: the secret against its commitment, every roll against"
    " secret and nonces, and the dice against the rules. Exits with 1 when something is wrong."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", type=Path, help="exported matches (JSON)")
    parser.add_argument("--rolls", action="store_true", help="show how each roll comes out")


def verify(files: Iterable[Path], out: TextIO, *, rolls: bool = False) -> bool:
    """Report on each file, and return whether all are valid."""
    well = True
    for file in files:
        try:
            check = Check(read(file.read_bytes()))
        except (NoRecord, OSError) as error:
            out.write(f"{file}: {error}\n")
            well = False
            continue
        out.writelines(f"{line}\n" for line in _lines(file, check, rolls=rolls))
        well = well and not check.trouble
    return well


def _lines(file: Path, check: Check, *, rolls: bool) -> Iterator[str]:
    name = f"{file}: match {check.record['match']}"
    count = len(check.rolls)
    if not check.dice and not check.trouble:
        yield f"{name} has no dice."
        return
    if check.trouble:
        yield f"{name}: something is wrong with its dice."
    else:
        yield f"{name}: {count} roll{'' if count == 1 else 's'}, as committed."
        yield from (f"  {PROOFS[kind]}" for kind in (check.dice.get("kind"),) if kind)
        yield from _workings(check) if rolls else ()
    yield from (f"  {sentence}" for sentence in (*check.trouble, check.remark) if sentence)


def _workings(check: Check) -> Iterator[str]:
    yield f"  commitment {check.dice['seal']}"
    yield f"  key  {check.key.hex()}"
    for roll in check.rolls:
        working = check.working(roll)
        yield (
            f"  {roll.number:>4}:{working.attempt}  {working.digest.hex()}"
            f"  {working.x} mod {roll.sides} + 1 = {working.face}"
        )


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m games.verify_dice", description=ABOUT)
    add_arguments(parser)
    asked = parser.parse_args()
    return 0 if verify(asked.files, sys.stdout, rolls=asked.rolls) else 1


if __name__ == "__main__":
    sys.exit(main())
