"""Very many sockets: what each costs, whether they slow players, and how soon all reconnect.

``--sockets`` sets their number. Half are at each of two web processes, and all watch one match.
"""

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from bench import looking_on, people, table
from bench.lines import USUAL
from bench.options import chosen
from bench.rows import Row, percentile
from bench.site import web_processes

SOCKETS = chosen.sockets
SECTION = f"{SOCKETS:,} sockets of spectators of one match, two web processes"
MOST_MEMORY, SLOWED = 50.0, 3.0


def rows() -> Iterator[Row]:
    """Measure in a process of its own, which has the other ends of all sockets."""
    people.make(2, "pair")
    with web_processes() as web:
        ((match, *_),) = table.matches(USUAL, [(web[0], web[1])])
        with ProcessPoolExecutor(1, get_context("spawn")) as hands:
            found = hands.submit(looking_on.measure, match, web, SOCKETS).result()
    most = f"≤ {MOST_MEMORY:.0f} kB"
    yield Row("memory of a socket", found.memory, "kB", 0, "", most, found.memory <= MOST_MEMORY)
    for percent in (50, 95):
        here, there = (percentile(times, percent) for times in (found.watched, found.alone))
        reached = here <= SLOWED * there
        what = f"a move seen by the opponent, p{percent}"
        yield Row(what, here, "ms", there, "ms, without spectators", f"≤ {SLOWED:g} ×", reached)
    yield Row("spectators who did not hear of it", found.lost, "", 0, "", "none", not found.lost)
    yield Row("all call again at once: until each is live", found.storm, "s", 0, "")
    yield Row("a release: until a process has hung up and ended", found.stopped, "s", 0, "")
    yield Row("  until all of its sockets are live at the other", found.moved, "s", 0, "")
    yield Row("connections that had to be tried again", found.refused, "", 0, "")
