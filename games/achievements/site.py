"""The achievements of the site: functions of a player's matches, whatever the game."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import NamedTuple

from games.kernel.contract import Achievement
from games.kernel.language import gettext_noop

SITE = ""
"""Stands for the site where achievements name a game."""

OPPONENTS = 100
GAMES = 5
GAMES_A_DAY = 3
DAYS = 100
LOST = 3
WINS = 10
POINTS = 300
TABLE = 5
ENTRIES = 500
MEETINGS = 50
MONTHS = 12
KEPT = 100
MATCHES = 1000

WON, LOST_RESULT = "won", "lost"


class Opponent(NamedTuple):
    """Another player of a match. ``rating`` is ``None`` if it was provisional."""

    user: int
    rating: int | None = None


class Played(NamedTuple):
    """A match of a player: when it began and ended, and how it went for the player.

    ``entries`` is the length of its log. ``kept`` says that the player stayed to its end.
    """

    match: int
    title: str
    created: datetime
    ended: datetime
    entries: int
    result: str
    kept: bool
    rating: int | None
    opponents: tuple[Opponent, ...]


@dataclass
class Career:
    """What a player has done up to a match."""

    matches: int = 0
    opponents: set[int] = field(default_factory=set)
    games_won: set[str] = field(default_factory=set)
    won_by_day: defaultdict[date, set[str]] = field(default_factory=lambda: defaultdict(set))
    games_a_day: int = 0
    longest: timedelta = timedelta()
    entries: int = 0
    lost_to: Counter[int] = field(default_factory=Counter)
    came_back: bool = False
    wins: int = 0
    most_wins: int = 0
    upset: int = 0
    table: int = 0
    meetings: Counter[int] = field(default_factory=Counter)
    most_meetings: int = 0
    month: int = 0
    months: int = 0
    kept: int = 0
    most_kept: int = 0

    def add(self, one: Played) -> None:
        self.matches += 1
        self.opponents.update(other.user for other in one.opponents)
        self.longest = max(self.longest, one.ended - one.created)
        self.entries = max(self.entries, one.entries)
        self.kept = self.kept + 1 if one.kept else 0
        self.most_kept = max(self.most_kept, self.kept)
        for other in one.opponents:
            self.meetings[other.user] += 1
            self.most_meetings = max(self.most_meetings, self.meetings[other.user])
        self._add_month(one.ended)
        if one.result == WON:
            self._add_win(one)
        else:
            self.wins = 0
        if len(one.opponents) == 1:
            self._add_duel(one, one.opponents[0])

    def _add_month(self, ended: datetime) -> None:
        month = 12 * ended.year + ended.month
        if month != self.month:
            self.months = self.months + 1 if month == self.month + 1 else 1
            self.month = month

    def _add_win(self, one: Played) -> None:
        self.wins += 1
        self.most_wins = max(self.most_wins, self.wins)
        self.games_won.add(one.title)
        today = self.won_by_day[one.ended.date()]
        today.add(one.title)
        self.games_a_day = max(self.games_a_day, len(today))
        self.table = max(self.table, 1 + len(one.opponents))

    def _add_duel(self, one: Played, other: Opponent) -> None:
        if one.result == LOST_RESULT:
            self.lost_to[other.user] += 1
            return
        if one.result == WON:
            self.came_back |= self.lost_to[other.user] >= LOST
            if one.rating is not None and other.rating is not None:
                self.upset = max(self.upset, other.rating - one.rating)
        self.lost_to[other.user] = 0


ACHIEVEMENTS = (
    Achievement(
        "hundred-opponents",
        gettext_noop("Known by everybody"),
        gettext_noop("Played against {count} different people."),
        lambda career: len(career.opponents) >= OPPONENTS,
        {"count": OPPONENTS},
    ),
    Achievement(
        "five-games",
        gettext_noop("All-rounder"),
        gettext_noop("Won in {count} different games."),
        lambda career: len(career.games_won) >= GAMES,
        {"count": GAMES},
    ),
    Achievement(
        "three-games-a-day",
        gettext_noop("A good day"),
        gettext_noop("Won matches of {count} different games that ended on one day, by UTC."),
        lambda career: career.games_a_day >= GAMES_A_DAY,
        {"count": GAMES_A_DAY},
    ),
    Achievement(
        "hundred-days",
        gettext_noop("A season of patience"),
        gettext_noop("Finished a match that took {count} days or more."),
        lambda career: career.longest >= timedelta(days=DAYS),
        {"count": DAYS},
    ),
    Achievement(
        "comeback",
        gettext_noop("Fourth time lucky"),
        gettext_noop("Won against a player after losing three matches in a row to them."),
        lambda career: career.came_back,
    ),
    Achievement(
        "ten-wins",
        gettext_noop("Ten in a row"),
        gettext_noop("Won {count} matches in a row."),
        lambda career: career.most_wins >= WINS,
        {"count": WINS},
    ),
    Achievement(
        "upset",
        gettext_noop("Against the odds"),
        gettext_noop("Won against a player rated {count} points or more above you."),
        lambda career: career.upset >= POINTS,
        {"count": POINTS},
    ),
    Achievement(
        "large-table",
        gettext_noop("Alone at the top"),
        gettext_noop("Won a match of {count} or more players."),
        lambda career: career.table >= TABLE,
        {"count": TABLE},
    ),
    Achievement(
        "long-match",
        gettext_noop("War and peace"),
        gettext_noop("Finished a match with {count} or more moves."),
        lambda career: career.entries >= ENTRIES,
        {"count": ENTRIES},
    ),
    Achievement(
        "old-rivals",
        gettext_noop("Old rivals"),
        gettext_noop("Played {count} matches against the same player."),
        lambda career: career.most_meetings >= MEETINGS,
        {"count": MEETINGS},
    ),
    Achievement(
        "twelve-months",
        gettext_noop("All year round"),
        gettext_noop("Finished matches in {count} months in a row."),
        lambda career: career.months >= MONTHS,
        {"count": MONTHS},
    ),
    Achievement(
        "never-left",
        gettext_noop("To the very end"),
        gettext_noop("Played {count} matches in a row without resigning or running out of time."),
        lambda career: career.most_kept >= KEPT,
        {"count": KEPT},
    ),
    Achievement(
        "thousand-matches",
        gettext_noop("A thousand and one nights"),
        gettext_noop("Finished {count} matches."),
        lambda career: career.matches >= MATCHES,
        {"count": MATCHES},
    ),
)


def earned(matches: Iterable[Played]) -> Mapping[str, Played]:
    """Return the achievements of a player by key, each with the match that completed it.

    The matches are in the order in which they ended.
    """
    career = Career()
    found: dict[str, Played] = {}
    for one in matches:
        career.add(one)
        for achievement in ACHIEVEMENTS:
            if achievement.key not in found and achievement.earned(career):
                found[achievement.key] = one
    return found
