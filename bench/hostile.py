"""What others experience while one visitor or member does the most expensive permitted actions.

The whole site runs as in production, with its limits. Before each attack people read and play on a
quiet site, and then while the attack comes from a network address of its own. A quiet site's p95 of
one such time varies threefold, so each attack is compared with all quiet times of the run.
"""

import re
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from itertools import count, cycle

from django.utils import timezone

from accounts.models import User
from bench import attacks, bystanders, people, raids, site
from bench.bystanders import Felt, Scene
from bench.connections import VISITOR, get
from bench.options import chosen
from bench.pairs import Table
from bench.rows import Row, percentile, short
from games.bots import services as bots
from games.bots.levels import LEVELS
from games.records.models import Animation
from games.study.models import Review
from tests.deployment import programs

SECTION = "What others feel while one visitor or member does the dearest things: p95, times quiet"
HEADINGS = ("attack", "answered", "pages", "moves", "bots", "5xx", "refused", "")
SECONDS = chosen.seconds or 15.0
LEAD = 2.0
"""Seconds of an attack before it counts."""

ASKERS = 2
"""People who each play a bot."""

TABLES = 4
"""Number of the pair's matches."""

GOAL = 2.0
"""Maximum p95, as a multiple of the quiet one."""

CALM = 120.0
"""Seconds in which the site may calm down after an attack."""

numbers = count()
"""The numbers of scenes, each of which has people of its own."""

SERVER_ERROR = re.compile(r'" 5\d\d ')
SHOWN = 5
"""Number of 5xx answers shown per attack."""


def p95(waits: Sequence[float]) -> float:
    """Return the 95th percentile. The maximum if there are few."""
    return percentile(waits, 95) if len(waits) > 1 else max(waits, default=float("inf"))


def rows() -> Iterator[Row]:
    """Try each attack."""
    mail_port = programs.free_port()
    world = attacks.prepared(min(chosen.matches, attacks.MATCHES))
    with site.whole(mail_port) as web, site.hands(2) as hands:
        ports = [server.port for server in web]
        # The first pages of a process don't count.
        hands.submit(bystanders.watch, _scene(ports), SECONDS).result()
        calm, found = Felt(), []
        for number, name in enumerate(chosen.attacks or attacks.ATTACKS, 1):
            quiet = hands.submit(bystanders.watch, _scene(ports), SECONDS).result()
            calm += quiet
            before = len(_errors(ports))
            scene = _scene(ports)
            raid = attacks.ATTACKS[name](replace(world, watched=scene.tables[0].id))
            sent = (raid, f"127.0.1.{number}", ports, mail_port, LEAD + SECONDS)
            under_way = hands.submit(raids.run, *sent)
            time.sleep(LEAD)
            felt = hands.submit(bystanders.watch, scene, SECONDS).result()
            errors = _errors(ports)[before:]
            found.append(_line(name, under_way.result(), calm, felt, len(errors)))
            site.say("\n    ".join(("  ".join(found[-1]), *errors[:SHOWN])))
            _calm_down(ports, quiet, hands)
        yield from found


def _line(attack: str, answered: int, quiet: Felt, felt: Felt, errors: int) -> Row:
    """Return the row of an attack.

    :param quiet: what others experienced on the quiet site.
    :param errors: number of 5xx answers to anybody.
    """
    waits = [(p95(then), p95(now)) for then, now in zip(quiet, felt, strict=True)]
    missed = errors or felt.refused or any(now > GOAL * then for then, now in waits)
    return (
        attack,
        str(answered),
        *(f"{short(then)} → {short(now)} ms, {now / then:.1f} ×" for then, now in waits),
        str(errors),
        " ".join(map(str, felt.refused)) or "0",
        "MISSED" if missed else "reached",
    )


def _scene(ports: Sequence[int]) -> Scene:
    """Begin new matches of a pair and of people with bots."""
    users = people.make(2 + ASKERS, f"by{next(numbers)}")
    browsers = [people.sign_in(user, port) for user, port in zip(users, cycle(ports))]
    scripts = [people.script(seed=seed) for seed in range(TABLES)]
    pair = (browsers[0], browsers[1])
    tables = [Table(script.start(users[:2]).pk, pair, script.moves) for script in scripts]
    reading = ["/", "/lobby/", "/archive/", f"/matches/{tables[0].id}/", f"/games/{people.TITLE}/"]
    pages = [get(path, browser) for path in reading for browser in (VISITOR, pair[0])]
    asking = zip(users[2:], browsers[2:], strict=True)
    met = [Table(_begun(user), (browser, browser)) for user, browser in asking]
    return Scene(ports, pages, tables, met)


def _begun(user: User) -> int:
    """Begin a match with a bot."""
    return bots.play(
        user=user,
        title=people.TITLE,
        level=LEVELS[0],
        params={"size": 8},
        seats=2,
        now=timezone.now(),
    ).pk


def _errors(ports: Sequence[int]) -> list[str]:
    """Return the 5xx answers logged by the web processes, the first one first."""
    lines = (line for port in ports for line in site.log_of(str(port)).read_text().splitlines())
    return sorted(filter(SERVER_ERROR.search, lines), key=lambda line: line.partition("[")[2])


def _calm_down(ports: Sequence[int], quiet: Felt, hands: ProcessPoolExecutor) -> None:
    """Drop the work that an attack has left, and wait until the site answers as before."""
    Animation.objects.all().delete()
    Review.objects.all().delete()
    end = time.monotonic() + CALM
    while time.monotonic() < end:
        felt = hands.submit(bystanders.watch, _scene(ports), LEAD).result()
        if all(p95(now) < 2 * GOAL * p95(then) for now, then in zip(felt, quiet, strict=True)):
            return
