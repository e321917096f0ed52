"""The contribution of one ended match, computed once from its stored data."""

import hashlib
import json
from bisect import bisect
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import NamedTuple

from django.db.models import Q

from games.kernel import registry
from games.kernel.contract import Seat
from games.kernel.errors import UnknownRules, UnknownTitle
from games.kernel.views import Json
from games.matches.models import LogEntry, Match, Player
from games.statistics import first_move
from games.statistics.models import Company, Kind

PACE = (
    timedelta(minutes=1),
    timedelta(minutes=10),
    timedelta(hours=1),
    timedelta(hours=4),
    timedelta(hours=12),
    timedelta(days=1),
    timedelta(days=2),
    timedelta(days=4),
)
"""The ends of the time spans by which moves are counted. The end belongs to the next span.

The key of a move is the number of its span, from 0.
"""

CACHE_SIZE = 4096
"""Maximum number of first moves whose marks a process caches: many matches begin alike."""

Counts = Counter[tuple[str, str]]
"""How often each key occurred, by kind and key."""


class TimedMove(NamedTuple):
    """A move that wasn't taken back. ``thinking`` is ``None`` without a clock.

    Its ``part`` is above 0 if it was sent together with those before it.
    """

    number: int
    seat: int
    part: int
    thinking: timedelta | None
    text: str


@dataclass(frozen=True)
class Facts:
    """The contribution of a match: its game, each of its seats, and each seat against each other.

    ``against`` has the result of the first of two seats. ``marks`` are the marks of the board that
    its first move touches.
    """

    game: Counts = field(default_factory=Counter)
    seats: Mapping[int, Counts] = field(default_factory=dict)
    against: Sequence[tuple[int, int, str]] = ()
    marks: Sequence[str] = ()

    def dump(self) -> Json:
        return {
            "game": _dump(self.game),
            "seats": {str(seat): _dump(counts) for seat, counts in self.seats.items()},
            "against": [list(pair) for pair in self.against],
            "marks": list(self.marks),
        }

    @classmethod
    def load(cls, data: Json) -> "Facts":
        """Read the output of :meth:`dump`."""
        seats = {int(seat): _load(counts) for seat, counts in data["seats"].items()}
        against = [(one, other, result) for one, other, result in data["against"]]
        return cls(_load(data["game"]), seats, against, data["marks"])


def _dump(counts: Counts) -> Json:
    return [[kind, key, number] for (kind, key), number in counts.items()]


def _load(data: Json) -> Counts:
    return Counter({(kind, key): number for kind, key, number in data})


def company_of(match: Match) -> Company:
    """Return the kind of opponents of a match: a bot outweighs a guest, and a guest members."""
    users = [player.user for player in match.players.all()]
    if any(user.is_shown_as_bot for user in users):
        return Company.BOTS
    return Company.GUESTS if any(user.is_guest for user in users) else Company.PEOPLE


def moves_of(matches: Sequence[Match]) -> Mapping[int, Sequence[TimedMove]]:
    """Return the moves of each match in order, without those taken back."""
    wanted = LogEntry.objects.filter(match__in=matches).order_by("match", "number")
    played = wanted.filter(Q(kind=LogEntry.Kind.PLAY) | Q(undoes__isnull=False))
    moves_by_match: defaultdict[int, dict[int, TimedMove]] = defaultdict(dict)
    for match_id, undoes, *fields in played.values_list("match", "undoes", *TimedMove._fields):
        if undoes is None:
            moves_by_match[match_id][fields[0]] = TimedMove(*fields)
        else:
            moves_by_match[match_id].pop(undoes, None)
    return {match_id: list(moves.values()) for match_id, moves in moves_by_match.items()}


def facts_of(match: Match, players: Sequence[Player], moves: Sequence[TimedMove]) -> Facts:
    """Return the contribution of a match, which must have ended with a result."""
    game: Counts = Counter()
    game[Kind.WEEK, week_of(match.ended)] += 1
    game[Kind.LENGTH, str(len(moves))] += 1
    game[Kind.ENDING, match.ending] += 1
    game[Kind.VARIANT, digest_of(match.title, len(players), match.params)] += 1
    seats: dict[int, Counts] = {player.seat: Counter() for player in players}
    for player in players:
        game[Kind.SEAT, f"{len(players)}:{player.seat}:{player.result}"] += 1
        seats[player.seat][Kind.RESULT, player.result] += 1
    for move in moves:
        if move.thinking is not None and not move.part:
            key = (Kind.PACE.value, str(bisect(PACE, move.thinking)))
            game[key] += 1
            seats[move.seat][key] += 1
    return Facts(game, seats, _against(players), _marks(match, len(players), moves))


def week_of(moment: datetime | None) -> str:
    """Return the Monday of the week, in UTC, in which a match ended. Empty for a running one."""
    day = moment.date() if moment else None
    return str(day - timedelta(days=day.weekday())) if day else ""


def monday(key: str) -> date:
    """Parse the key of a week."""
    return date.fromisoformat(key)


def digest_of(title: str, seats: int, params: Json) -> str:
    """Return a key for a game's parameters and number of seats."""
    text = json.dumps([title, seats, params], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _against(players: Sequence[Player]) -> list[tuple[int, int, str]]:
    ranks = {player.seat: player.rank or 0 for player in players}
    return [
        (one, other, "won" if mine < theirs else "lost" if mine > theirs else "tied")
        for one, mine in ranks.items()
        for other, theirs in ranks.items()
        if one != other
    ]


def _marks(match: Match, seats: int, moves: Sequence[TimedMove]) -> tuple[str, ...]:
    """Return the marks that the first move touches. Empty if it isn't one of the first position."""
    if not moves:
        return ()
    start = json.dumps([seats, match.params, match.setup_chance], sort_keys=True)
    return _touched(match.title, match.rules_version, start, moves[0].seat, moves[0].text)


@lru_cache(maxsize=CACHE_SIZE)
def _touched(slug: str, rules_version: int, start: str, seat: int, text: str) -> tuple[str, ...]:
    try:
        title = registry.get(slug, rules_version)
    except (UnknownTitle, UnknownRules):
        return ()
    seats, params, chance = json.loads(start)
    return first_move.touched_marks(title, seats, params, tuple(chance), seat=Seat(seat), text=text)
