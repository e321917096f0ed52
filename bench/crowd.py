"""Very many stored matches, copied by COPY from some that were played."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from functools import cache
from typing import NamedTuple

from django.db import connection
from django.utils import timezone

from accounts.models import User
from bench import people, scripts, site
from bench.copying import Pattern, copy_in
from bench.options import chosen
from games.kernel import registry
from games.lobby.models import Challenge
from games.matches.models import LogEntry, Match, Player
from games.matches.update import MatchUpdate

MATCHES = chosen.matches
"""How many matches the lists are measured with, and a tenth as many people."""

STAGES = (2, 6, 14, 24, 40)
"""The numbers of moves after which matches of each game are copied."""

RUNNING, TIED, VOID, BUSY = 10, 20, 100, 199
"""One in this many matches runs, is a tie, has no result, is one of the busiest player's."""

USUAL = MATCHES // 90 | 1
"""One in this many matches is the usual player's: about 20 running and 200 ended in total.

It's odd, or the usual player's first seats would all be in running matches.
"""

DUE = 10_000
"""The minutes in which the next move of every running match is due."""

OPEN = 1_000
"""One in this many challenges can still be accepted."""

MINUTE = timedelta(minutes=1)
PRIME = 7_919
"""The second player's distance from the first, as a multiple of the match's number."""

OF_MATCH = ("id", "status", "ending", "changed", "ended")
OF_RESULT = ("rank", "result", "ended")
OF_CLOCK = ("to_move", "clock_since", "deadline", "remind_at")
OF_PLAYER = ("match_id", "user_id", *OF_RESULT, *OF_CLOCK)
OF_ENTRY = ("match_id",)
OF_USER = ("username", "email")
OF_CHALLENGE = ("seal", "token", "status", "created", "creator_id")


class Stage(NamedTuple):
    """A match after some moves, as a pattern for others."""

    match: Pattern
    players: Sequence[Pattern]
    to_move: Sequence[bool]
    entry: Pattern


@cache
def fill_lists(count: int = MATCHES) -> list[User]:
    """Store matches of all games by a tenth as many people. Return the busiest and a usual one.

    Sections of one run share them.
    """
    now = timezone.now()
    original = people.make(1, "original")[0]
    pattern = Pattern(original, OF_USER)
    names = (f"crowd-{n}" for n in range(count // 10))
    copy_in(User, OF_USER, (pattern.line(name, f"{name}@example.org") for name in names))
    crowd = list(User.objects.filter(username__startswith="crowd-").order_by("pk"))
    stages = [stage for title in registry.titles() for stage in _stages(title, crowd[:2])]
    first = 1 + Match.objects.latest("pk").pk
    _copy_matches(stages, range(first, first + count), crowd, now)
    _copy_challenges(crowd, count // 10, now)
    _analyze()
    return crowd[:2]


def _stages(title: str, users: Sequence[User]) -> Iterator[Stage]:
    """Play a match of a game, and yield it at several stages."""
    script = scripts.write(title, 0, STAGES[-1])
    match = scripts.start(script, users)
    for played, more in zip((0, *STAGES), STAGES, strict=False):
        if script.moves[played:more]:
            update = MatchUpdate.load(match.pk, timezone.now())
            for seat, text in script.moves[played:more]:
                update.play(seat, text)
            update.commit()
            yield _stage(match.pk)


def _stage(match_id: int) -> Stage:
    players = list(Player.objects.filter(match=match_id).order_by("seat"))
    return Stage(
        Pattern(Match(pk=match_id), OF_MATCH),
        [Pattern(player, OF_PLAYER) for player in players],
        [player.to_move for player in players],
        Pattern(LogEntry.objects.filter(match=match_id).latest("number"), OF_ENTRY),
    )


def _copy_matches(
    stages: Sequence[Stage], ids: range, crowd: Sequence[User], now: datetime
) -> None:
    """Store copies of the stages in turn, each a minute after the last."""
    people_ids = [user.pk for user in crowd]
    dated = [(pk, stages[pk % len(stages)], now - (ids[-1] - pk) * MINUTE) for pk in ids]
    copy_in(Match, OF_MATCH, (_match_line(*each) for each in dated))
    _restart_ids(Match)
    site.say(f"{len(ids):,} matches")
    lines = (line for each in dated for line in _player_lines(*each, people_ids, now))
    copy_in(Player, OF_PLAYER, lines)
    site.say("their players")
    copy_in(LogEntry, OF_ENTRY, (stage.entry.line(pk) for pk, stage, _ in dated))
    site.say("their last entries")


def _status(pk: int) -> tuple[str, str]:
    """Return status and ending of a match."""
    if pk % RUNNING == 0:
        return "running", ""
    if pk % VOID == 1:
        return "cancelled", "cancelled"
    return "over", "closed" if pk % TIED == TIED // 2 + 1 else "resigned"


def _match_line(pk: int, stage: Stage, changed: datetime) -> str:
    status, ending = _status(pk)
    return stage.match.line(pk, status, ending, changed, changed if ending else None)


def _player_lines(
    pk: int, stage: Stage, changed: datetime, people_ids: Sequence[int], now: datetime
) -> Iterator[str]:
    status, ending = _status(pk)
    for seat, (pattern, to_move) in enumerate(zip(stage.players, stage.to_move, strict=True)):
        ended = changed if ending else None
        result = (*_result(pk, seat, status, ending), ended)
        waits = to_move and not ending
        due = now + (1 + pk % DUE) * MINUTE
        clock = (changed, due, None) if waits else (None, None, None)
        yield pattern.line(pk, _player_of(pk, seat, people_ids), *result, waits, *clock)


def _result(pk: int, seat: int, status: str, ending: str) -> tuple[int | None, str]:
    """Return rank and result of a seat."""
    if status != "over":
        return None, ""
    if ending == "closed":
        return 1, "tied"
    rank = 1 + (pk // 2 + seat) % 2
    return rank, "won" if rank == 1 else "lost"


def _player_of(pk: int, seat: int, people_ids: Sequence[int]) -> int:
    """Return the player of a seat: the busiest, the usual one, or another one."""
    if pk % BUSY == seat:
        return people_ids[0]
    if pk % USUAL == seat:
        return people_ids[1]
    return people_ids[2 + (pk * (PRIME * seat + 1) + seat) % (len(people_ids) - 2)]


def _restart_ids(model: type[Match]) -> None:
    table = model._meta.db_table
    _execute(f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), max(id)) FROM {table}")


def _copy_challenges(crowd: Sequence[User], count: int, now: datetime) -> None:
    """Store challenges by all people, one in ``OPEN`` open to anybody."""
    made = Challenge.objects.create(
        creator=crowd[0],
        title=people.TITLE,
        params={"size": 5},
        seats=2,
        created=now,
        expires=now + timedelta(days=7),
        status="withdrawn",
        audience="open",
        secret=b"s" * 32,
    )
    pattern = Pattern(made, OF_CHALLENGE)
    creators = (crowd[n // OPEN % len(crowd)].pk for n in range(1, count + 1))
    lines = (
        pattern.line(f"c{n}", f"c{n}", _state(n), now - n * MINUTE, creator)
        for n, creator in enumerate(creators, start=1)
    )
    copy_in(Challenge, OF_CHALLENGE, lines)


def _state(number: int) -> Challenge.Status:
    return Challenge.Status.WITHDRAWN if number % OPEN else Challenge.Status.OPEN


def _execute(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


def _analyze() -> None:
    """Update the database's statistics, as its own housekeeping does in time."""
    _execute("VACUUM ANALYZE")
