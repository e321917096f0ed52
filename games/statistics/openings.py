"""Where a player begins, in the latest matches in which the player had the first move."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from accounts.models import User
from games.matches.models import LogEntry, Player
from games.statistics.facts import Facts
from games.statistics.models import Company, Kind, MatchCounts, Variant

LATEST = 200
"""Number of matches considered, so that the cost doesn't grow with a player's history."""

LEAST = 3
"""Minimum number of matches with the same parameters for a game to have openings."""


class Opened(NamedTuple):
    """A mark of the board that first moves touched, and the results of those matches."""

    mark: str
    won: int
    tied: int
    lost: int

    @property
    def matches(self) -> int:
        return self.won + self.tied + self.lost


class Openings(NamedTuple):
    """How a player began ``matches`` matches with the same parameters, the most frequent first."""

    variant: Variant
    matches: int
    opened: Sequence[Opened]


def of_player(user: User, company: Company) -> list[Openings]:
    """Return a player's openings in each game, for the parameters used most."""
    results = _begun(user)
    counted = MatchCounts.objects.filter(match__in=results, company=company)
    by_variant: defaultdict[str, list[tuple[Sequence[str], str]]] = defaultdict(list)
    for match_id, counts in counted.values_list("match", "counts"):
        facts = Facts.load(counts)
        digest = next((key for kind, key in facts.game if kind == Kind.VARIANT), "")
        if facts.marks:
            by_variant[digest].append((facts.marks, results[match_id]))
    variants = Variant.objects.filter(digest__in=by_variant)
    openings: dict[str, Openings] = {}
    for variant in sorted(variants, key=lambda one: len(by_variant[one.digest])):
        matches = by_variant[variant.digest]
        if len(matches) >= LEAST:
            openings[variant.title] = Openings(variant, len(matches), _opened(matches))
    return [openings[title] for title in sorted(openings)]


def _begun(user: User) -> Mapping[int, str]:
    """Return the results of the latest matches in which a user had the first move, by match."""
    ended = Player.objects.filter(user=user, ended__isnull=False).exclude(result="")
    rows = ended.order_by("-ended").values_list("match", "seat", "result")[:LATEST]
    seats = {match_id: (seat, result) for match_id, seat, result in rows}
    first = LogEntry.objects.filter(match__in=seats, number=1, kind=LogEntry.Kind.PLAY)
    return {
        match_id: seats[match_id][1]
        for match_id, seat in first.values_list("match", "seat")
        if seat == seats[match_id][0]
    }


def _opened(matches: Sequence[tuple[Sequence[str], str]]) -> list[Opened]:
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for marks, result in matches:
        for mark in marks:
            counts[mark][result] += 1
    opened = [Opened(mark, by["won"], by["tied"], by["lost"]) for mark, by in counts.items()]
    return sorted(opened, key=lambda one: (-one.matches, one.mark))
