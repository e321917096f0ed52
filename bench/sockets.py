"""The memory of idle sockets of match pages, compared with the floor's bare consumer."""

from collections.abc import Iterator, Sequence

from django.utils import timezone

from bench import idle, people, scripts, site
from bench.idle import WARM_UP, Address
from bench.lines import USUAL
from bench.models import Counter
from bench.options import chosen
from bench.rows import Row
from bench.site import Server, servers, web_processes

SOCKETS = chosen.sockets
SECTION = f"Memory of an idle socket: {SOCKETS:,} of each kind at one process"
GOAL = 50.0
PEOPLE = 20


def rows() -> Iterator[Row]:
    """Measure each kind in processes of its own."""
    bare = ("daphne", "-v", "0", "bench.floor:application", "-p")
    with servers(*bare, count=1, kill=True) as [server]:
        floor = _memory(server, _bare(), beats=False)
    for kind, addresses in (("spectator", _spectators()), ("player", _players())):
        with web_processes(1) as [server]:
            memory = _memory(server, addresses, beats=True)
        what, goal = f"a {kind}'s socket", f"≤ {GOAL:g} kB"
        yield Row(what, memory, "kB", floor, "kB, bare consumer", goal, memory <= GOAL)


def _memory(server: Server, addresses: Sequence[Address], *, beats: bool) -> float:
    """Return the kilobytes of a socket. A process of its own has the other ends."""
    with site.hands() as hands:
        return hands.submit(idle.measure, server, addresses, beats=beats).result()


def _bare() -> list[Address]:
    """Return the sockets of the floor, two to a number."""
    made = Counter.objects.bulk_create(Counter(changed=timezone.now()) for _ in range(_matches()))
    return [Address(f"/?{counter.pk}") for counter in made for _ in range(2)]


def _spectators() -> list[Address]:
    """Return sockets that watch one match."""
    (match,) = _started(1)
    return [Address(f"/ws/?match={match}&parts=3")] * (2 * _matches())


def _players() -> list[Address]:
    """Return sockets of both players of many matches."""
    users = people.make(PEOPLE, "idle")
    cookies = [people.sign_in(user).cookies for user in users]
    return [
        Address(f"/ws/?match={match}&parts=3", cookies[(2 * number + seat) % PEOPLE])
        for number, match in enumerate(_started(_matches()))
        for seat in range(2)
    ]


def _started(count: int) -> list[int]:
    """Start matches of one pair after the other."""
    users = people.make(PEOPLE, "idle")
    script = scripts.write(USUAL, 1)
    found = []
    for number in range(count):
        first = 2 * number % PEOPLE
        found.append(scripts.start(script, users[first : first + 2]).pk)
    return found


def _matches() -> int:
    """Return the number of matches for all sockets, including those of the warm-up."""
    return int(SOCKETS + WARM_UP) // 2
