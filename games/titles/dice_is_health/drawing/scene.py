"""The content of a drawing: places and ways of pieces, and labels.

The fan and the pieces are moving parts, whose paths are synchronised.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from games.kernel.contract import Event
from games.kernel.formatting import listed, with_full_stop
from games.kernel.language import gettext, gettext_noop, ngettext
from games.titles.dice_is_health import events
from games.titles.dice_is_health.board import (
    INNER,
    RING,
    SECTOR,
    SECTORS,
    WALL_SPACES,
    Space,
    opposite,
    spoken,
)
from games.titles.dice_is_health.drawing.symbols import Placement, places
from games.titles.dice_is_health.events import (
    dice,
    home_of,
    monster_mark,
    monster_of,
    player_mark,
    trinkets,
    wall_of,
)
from games.titles.dice_is_health.meta import name_of
from games.titles.dice_is_health.state import MovementView, PhaseName, State

FAN = "fan"
"""The name of the fan as a moving part."""

ON_BOARD = "die"
"""The name of a die on a space, among the tokens there."""

Paths = Mapping[str, Sequence[str]]
"""The successive places of each part, all of the same length. A place of the fan is a number."""


OUTCOMES: Mapping[type[Event], str] = {
    events.LostDie: gettext_noop("a die lost"),
    events.WentHome: gettext_noop("goes home"),
    events.GainedTrinket: gettext_noop("a trinket won"),
    events.NoTrinket: gettext_noop("no trinket left"),
    events.LostTrinket: gettext_noop("a trinket lost"),
}
"""The outcome of a fight, in few words to fit below its dice."""


class Side(NamedTuple):
    """A side of a fight. ``seat`` is ``None`` for a monster."""

    seat: int | None
    number: int

    @property
    def verdict(self) -> str:
        """The text below the dice if this side wins."""
        if self.seat is None:
            return gettext("Monster {number} wins").format(number=self.number)
        return gettext("{player} wins").format(player=name_of(self.seat))


@dataclass(frozen=True)
class Fight:
    """A fight with dice, its outcome in words, and the number of steps that followed it."""

    event: events.Fought | events.Duelled
    outcome: str
    steps_after: int

    @property
    def sides(self) -> tuple[Side, Side]:
        """The opponent of the event's seat, and that seat."""
        seat = self.event.seat
        own = Side(seat, seat)
        if isinstance(self.event, events.Duelled):
            other = self.event.other
            return Side(other, other), own
        return Side(None, self.event.monster), own

    @property
    def throws(self) -> Sequence[tuple[Sequence[int], Sequence[int]]]:
        """The dice of both sides, throw by throw. All except the last are ties."""
        if isinstance(self.event, events.Duelled):
            return [(thrown.other, thrown.mover) for thrown in self.event.rounds]
        return [(thrown.monster, thrown.player) for thrown in self.event.rounds]


@dataclass(frozen=True)
class Scene:
    view: State
    recent: Sequence[Event]

    @property
    def is_over(self) -> bool:
        return self.view.phase == PhaseName.OVER

    @property
    def entered(self) -> MovementView | None:
        """The view, if it has an unfinished movement."""
        return self.view if isinstance(self.view, MovementView) else None

    @property
    def left(self) -> Sequence[int]:
        """The steps left of the dice of the monsters, the fan and the player. May be empty."""
        return (self.entered.left if self.entered else self.view.roll) or ()

    def can_turn(self, by: int) -> bool:
        """Whether the fan can turn clockwise, ``by`` 1, or anticlockwise, -1, once more."""
        turned = self.entered.move.fan if self.entered else ()
        is_back = len(turned) > 1 and (turned[1] - turned[0] - by) % SECTORS != 0
        return self.left[1] > 0 and not is_back

    @cached_property
    def last_events(self) -> Sequence[Event]:
        """The events of the last or the unfinished move."""
        if not self.entered:
            return self.recent
        return (self.entered.move,)

    @cached_property
    def paths(self) -> Paths:
        """The paths of the parts that moved. During an unfinished movement the others wait."""
        last_paths = paths(self.last_events)
        if not self.entered:
            return last_paths
        waiting: dict[str, str] = {name: space for name, (space, _) in self.standing.items()}
        waiting[FAN] = str(self.view.fan)
        stops = len(self.entered.move.steps) + 1
        return {**{part: [at] * stops for part, at in waiting.items()}, **last_paths}

    @cached_property
    def fights(self) -> Sequence[Fight]:
        """The fights of the last move that were fought with dice, in order."""
        fights: list[tuple[events.Fought | events.Duelled, list[str], int]] = []
        for at, event in enumerate(self.recent):
            if isinstance(event, events.Fought | events.Duelled):
                after = sum(len(tuple(_changes(later))) for later in self.recent[at:])
                fights.append((event, [], after))
            elif fights and type(event) in OUTCOMES:
                fights[-1][1].append(gettext(OUTCOMES[type(event)]))
        return [
            Fight(event, ", ".join(told), after) for event, told, after in fights if event.rounds
        ]

    # --- Who stands where -------------------------------------------------------------------------

    @cached_property
    def tokens(self) -> Mapping[Space, Sequence[str]]:
        """The tokens on each space: a die, monsters, players, by the names of their marks."""
        parts: dict[Space, list[str]] = defaultdict(list)
        for space in self.view.pickups:
            parts[space].append(ON_BOARD)
        for number, space in enumerate(self.view.monsters, 1):
            parts[space].append(monster_mark(number))
        for seat in self.view.still_in:
            parts[self.view.at(seat)].append(player_mark(seat))
        return parts

    @cached_property
    def standing(self) -> Mapping[str, tuple[Space, Placement]]:
        """The space of each piece, and its place there."""
        return {
            name: (space, place)
            for space, names in self.tokens.items()
            for name, place in zip(names, places(space, len(names)), strict=True)
            if name != ON_BOARD
        }

    @cached_property
    def dice(self) -> Sequence[Placement]:
        """The places of dice that can be picked up."""
        return [places(space, len(self.tokens[space]))[0] for space in self.view.pickups]

    @cached_property
    def homes(self) -> Mapping[Space, int]:
        return {player.home: seat for seat, player in enumerate(self.view.players)}

    # --- In words ---------------------------------------------------------------------------------

    def label_of(self, space: Space) -> str:
        contents = ", ".join(self._on(space))
        if not contents:
            return gettext("{space}: empty").format(space=spoken(space))
        return gettext("{space}: {contents}").format(space=spoken(space), contents=contents)

    def _on(self, space: Space) -> Iterator[str]:
        if space in self.homes:
            yield home_of(name_of(self.homes[space]))
        if space in self.view.walls:
            yield wall_of(name_of(self.view.walls[space]))
        elif space in WALL_SPACES:
            yield gettext("marked for a wall")
        if SECTOR[space] % SECTORS == self.view.fan:
            yield gettext("bridge to {space}").format(space=spoken(opposite(space)))
        for token in self.tokens.get(space, ()):
            kind, _, number = token.partition("-")
            monster = monster_of(number) if number else gettext("a die to pick up")
            yield name_of(int(number)) if kind == "player" else monster

    def player_label(self, seat: int) -> str:
        """Describe a player's piece and possessions."""
        player = self.view.players[seat]
        # Translators: {dice} as in "2 dice" or "no dice", {trinkets} as in "1 trinket".
        return gettext("{player} on {space}, with {dice} and {trinkets}").format(
            player=name_of(seat),
            space=spoken(self.view.at(seat)),
            dice=dice(player.dice),
            trinkets=trinkets(player.trinkets),
        )

    @property
    def round(self) -> str:
        """The number of the round, as in ``Round 3 of 100``."""
        if not self.view.rounds:
            return gettext("Round {round}").format(round=self.view.round)
        message = gettext("Round {round} of {rounds}")
        return message.format(round=self.view.round, rounds=self.view.rounds)

    @property
    def label(self) -> str:
        """The whole drawing in words."""
        players = map(self.player_label, self.view.still_in)
        parts = (gettext("Two rings with three bridges"), self.round, *players, self.next)
        return " ".join(map(with_full_stop, parts))

    @property
    def next(self) -> str:
        """The question and the player who is asked, or the outcome of the match."""
        if self.view.ranks:
            winners = [name_of(seat) for seat, rank in enumerate(self.view.ranks) if rank == 1]
            if len(winners) == 1:
                return gettext("{player} wins").format(player=winners[0])
            # Translators: in the middle of the board, where the first word stands above the rest.
            return gettext("{players} draw").format(players=listed(winners))
        asks, parts = self._question
        return asks.format(player=name_of(self.view.mover), **parts)

    @property
    def _question(self) -> tuple[str, Mapping[str, object]]:
        """The question as a message, and its parts except the player."""
        pending = self.view.pending
        phase = self.view.phase
        if phase == PhaseName.SPEND:
            if not self.view.player.dice:
                # Translators: in the middle of the board, its first word in large letters.
                return gettext("{player} has no dice left"), {}
            return gettext("{player} may spend dice"), {}
        if phase == PhaseName.WALLS:
            count = pending.count
            message = ngettext(
                "{player} may put up {count} wall", "{player} may put up {count} walls", count
            )
            return message if count else gettext("{player} has chosen all walls"), {"count": count}
        if phase == PhaseName.GO:
            if pending.piece == self.view.mover:
                return gettext("{player} steps away"), {}
            return gettext("{player} sends {other} away"), {"other": name_of(pending.piece)}
        if phase == PhaseName.RAMPAGE:
            message = gettext("{player} may attack with monster {number}")
            return message, {"number": pending.monster}
        if phase == PhaseName.STRIP:
            message = ngettext(
                "{player} takes down {count} wall of {other}",
                "{player} takes down {count} walls of {other}",
                pending.count,
            )
            return message, {"count": pending.count, "other": name_of(pending.loser)}
        message = {
            PhaseName.MOVE: gettext("{player} moves"),
            PhaseName.FIGHT: gettext("{player} may fight monsters"),
            PhaseName.CHALLENGE: gettext("{player} may fight players"),
        }[phase]
        return message, {}


# --- Paths --------------------------------------------------------------------------------------

Change = tuple[str, str, str]
"""A moving part, its old place, and its new one."""


def paths(recent: Sequence[Event]) -> Paths:
    """Return the paths of the parts that moved during the last move."""
    changes = [change for event in recent for change in _changes(event)]
    all_paths: dict[str, list[str]] = {}
    for part, start, _ in changes:
        all_paths.setdefault(part, [start])
    for part, _, place in changes:
        for other, path in all_paths.items():
            path.append(place if other == part else path[-1])
    return all_paths


def _changes(event: Event) -> Iterator[Change]:
    match event:
        case events.Moved():
            yield from _steps(event)
        case events.SteppedAway(seat=seat):
            yield player_mark(seat), event.start, event.to
        case events.WentHome(seat=seat):
            way = _way_home(event.start, event.to)
            yield from ((player_mark(seat), here, there) for here, there in pairwise(way))


def _way_home(start: Space, end: Space) -> Sequence[Space]:
    """Return a way along the inner ring, avoiding the text in the centre."""
    sectors = (SECTOR[end] - SECTOR[start] + RING // 2) % RING - RING // 2
    by = 1 if sectors > 0 else -1
    ring = [INNER[(SECTOR[start] + by * count) % RING] for count in range(abs(sectors) + 1)]
    return ring if start in INNER else [start, *ring]


def _steps(event: events.Moved) -> Iterator[Change]:
    """Yield the changes of each step of a movement, in the order of the steps."""
    places: dict[str, Iterable[str]] = {"F": map(str, event.fan), "P": event.path}
    places |= {f"M{number}": path for number, path in event.monsters.items()}
    legs = {letter: pairwise(path) for letter, path in places.items()}
    own = player_mark(event.seat)
    for step in event.steps:
        mover = step.partition(">")[0].rstrip("+-")
        part = FAN if mover == "F" else monster_mark(mover[1:]) if mover[1:] else own
        yield (part, *next(legs[mover]))
