"""What others experience while one visitor or member does the most expensive permitted actions.

The whole site runs as in production, with its limits. Before each attack people read and play on a
quiet site, and then while the attack comes from a network address of its own. A quiet site's p95 of
one such time varies threefold, so each attack is compared with all quiet times of the run.
"""

import itertools
import re
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from typing import ClassVar

from django.utils import timezone

from bench import attacks, bystanders, people, raids, scripts, site
from bench.bystanders import Felt, Scene
from bench.lines import USUAL
from bench.options import chosen
from bench.pairs import Side, Table
from bench.people import Person
from bench.raids import Raider
from bench.rows import percentile, short
from bench.site import Server
from games.bots import services as bots
from games.bots.levels import LEVELS
from games.records.models import Animation
from games.study.models import Review
from tests.deployment import programs

SECTION = "What others feel while one visitor or member does the dearest things: p95, times quiet"
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

numbers = itertools.count()
"""The numbers of scenes, each of which has people of its own."""

SERVER_ERROR = re.compile(r'" 5\d\d ')
SHOWN = 5
"""Number of 5xx answers shown per attack."""


@dataclass(frozen=True)
class Line:
    """An attack, what others experienced on the quiet site and during it, and 5xx answers."""

    headings: ClassVar[Sequence[str]] = (
        *("attack", "answered", "pages", "moves", "bots", "5xx", "refused", ""),
    )

    attack: str
    answered: int
    quiet: Felt
    felt: Felt
    errors: int
    """Number of 5xx answers to anybody."""

    def cells(self) -> Sequence[str]:
        """Return the row as texts, one a column."""
        waits = [(p95(quiet), p95(felt)) for quiet, felt in zip(self.quiet, self.felt, strict=True)]
        missed = self.errors or self.felt.refused or any(f > GOAL * q for q, f in waits)
        return (
            self.attack,
            str(self.answered),
            *(f"{short(quiet)} → {short(felt)} ms, {felt / quiet:.1f} ×" for quiet, felt in waits),
            str(self.errors),
            " ".join(map(str, self.felt.refused)) or "0",
            "MISSED" if missed else "reached",
        )


def p95(waits: Sequence[float]) -> float:
    """Return the 95th percentile. The maximum if there are few."""
    return percentile(waits, 95) if len(waits) > 1 else max(waits, default=float("inf"))


def rows() -> Iterator[Line]:
    """Try each attack."""
    mail_port = programs.free_port()
    world = attacks.prepared(min(chosen.matches, attacks.MATCHES))
    with (
        site.whole(mail_port) as web,
        site.hands(2) as hands,
    ):
        ports = [server.port for server in web]
        # The first pages of a process don't count.
        hands.submit(bystanders.watch, _scene(web), SECONDS).result()
        calm, lines = Felt(), []
        for number, name in enumerate(chosen.attacks or attacks.ATTACKS, 1):
            quiet = hands.submit(bystanders.watch, _scene(web), SECONDS).result()
            calm += quiet
            before = len(_errors(ports))
            scene = _scene(web)
            raid = attacks.ATTACKS[name](replace(world, watched=scene.tables[0].id))
            raider = Raider(raid, f"127.0.1.{number}", ports, mail_port)
            under_way = hands.submit(raider.run, LEAD + SECONDS)
            time.sleep(LEAD)
            felt = hands.submit(bystanders.watch, scene, SECONDS).result()
            errors = _errors(ports)[before:]
            line = Line(name, under_way.result(), calm, felt, len(errors))
            site.say("\n    ".join(("  ".join(line.cells()), *errors[:SHOWN])))
            lines.append(line)
            _calm_down(web, quiet, hands)
        yield from lines


def _scene(web: Sequence[Server]) -> Scene:
    """Begin new matches of a pair and of people with bots."""
    one, other, *askers = map(people.sign_in, people.make(2 + ASKERS, f"by{next(numbers)}"))
    sides = (
        Side(web[0].port, one.cookies, one.token),
        Side(web[1].port, other.cookies, other.token),
    )
    pair = (one.user, other.user)
    written = [scripts.write(USUAL, seed) for seed in range(TABLES)]
    tables = [Table(scripts.start(script, pair).pk, sides, script.moves) for script in written]
    reading = ["/", "/lobby/", "/archive/", f"/matches/{tables[0].id}/", f"/games/{USUAL}/"]
    pages = [raids.get(path, cookies) for path in reading for cookies in ("", one.cookies)]
    met = [_begun(person, server.port) for person, server in zip(askers, web, strict=True)]
    return Scene([server.port for server in web], pages, tables, met)


def _begun(person: Person, port: int) -> Table:
    """Begin a match of somebody with a bot."""
    match = bots.play(
        user=person.user,
        title=USUAL,
        level=LEVELS[0],
        params={"size": 8},
        seats=2,
        now=timezone.now(),
    )
    return Table(match.pk, (Side(port, person.cookies), Side(port)), ())


def _errors(ports: Sequence[int]) -> list[str]:
    """Return the 5xx answers logged by the web processes, the first one first."""
    lines = (line for port in ports for line in site.log_of(str(port)).read_text().splitlines())
    return sorted(filter(SERVER_ERROR.search, lines), key=lambda line: line.partition("[")[2])


def _calm_down(web: Sequence[Server], quiet: Felt, hands: ProcessPoolExecutor) -> None:
    """Drop the work that an attack has left, and wait until the site answers as before."""
    Animation.objects.all().delete()
    Review.objects.all().delete()
    end = time.monotonic() + CALM
    while time.monotonic() < end:
        felt = hands.submit(bystanders.watch, _scene(web), LEAD).result()
        if all(p95(now) < 2 * GOAL * p95(then) for now, then in zip(felt, quiet, strict=True)):
            return
