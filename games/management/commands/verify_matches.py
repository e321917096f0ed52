"""Replay stored matches and report what their logs do not bear out."""

import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from typing import Any

import django
from django.core.management.base import BaseCommand, CommandError

from games.matches.log.verify import Difference, verify
from games.matches.models import Match

CHUNK = 20
WIDTH = 40


class Command(BaseCommand):
    help = (
        "Replay stored matches from their logs and compare with what is stored."
        " Exits with 1 when there is a difference; what is observed otherwise today is none."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("matches", nargs="*", type=int, help="ids; none means all")
        parser.add_argument("--game", help="only matches of this game, by its slug")
        parser.add_argument("--jobs", type=int, default=2, help="processes to use (default 2)")
        parser.add_argument(
            "--observe", action="store_true", help="observe again what was observed; takes long"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["jobs"] < 1:
            raise CommandError("--jobs takes a number of at least 1.")
        ids = self._ids(options["matches"], options["game"])
        all_differences: list[Difference] = []
        for done, differences in enumerate(
            _verify_all(ids, options["jobs"], observe=options["observe"]), start=1
        ):
            all_differences += differences
            self._show_progress(done, len(ids))
        self._report(all_differences, len(ids))

    def _ids(self, matches: list[int], game: str | None) -> list[int]:
        chosen = Match.objects.order_by("pk")
        if game:
            chosen = chosen.filter(title=game)
        if matches:
            chosen = chosen.filter(pk__in=matches)
        ids = list(chosen.values_list("pk", flat=True))
        if missing := sorted(set(matches) - set(ids)):
            raise CommandError(f"No such match: {', '.join(map(str, missing))}.")
        return ids

    def _show_progress(self, done: int, total: int) -> None:
        if self.stderr.isatty():
            bar = "#" * (WIDTH * done // total)
            self.stderr.write(f"\r[{bar:<{WIDTH}}] {done} of {total}", ending="")
            self.stderr.flush()

    def _report(self, differences: list[Difference], total: int) -> None:
        if self.stderr.isatty():
            self.stderr.write("")
        for difference in differences:
            self.stdout.write(
                f"match {difference.match_id}: {difference.kind}: {difference.detail}"
            )
        kinds = Counter(difference.kind for difference in differences)
        for kind, count in sorted(kinds.items()):
            self.stdout.write(f"{kind}: {count}")
        faults = sum(difference.is_fault for difference in differences)
        self.stdout.write(f"{total} matches replayed, {faults} differences.")
        if faults:
            sys.exit(1)


def _verify_all(ids: list[int], jobs: int, *, observe: bool) -> Iterable[list[Difference]]:
    """Verify in parallel. One job works in this process, so that tests can patch it."""
    check = partial(verify, observe=observe)
    if jobs == 1:
        yield from map(check, ids)
        return
    # Forked processes would share the open connections of this one.
    with ProcessPoolExecutor(jobs, get_context("spawn"), initializer=django.setup) as pool:
        yield from pool.map(check, ids, chunksize=CHUNK)
