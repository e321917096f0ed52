"""What a drawing of the board shows: who and what lies where, and what it says in words.

While a movement is being entered a view holds two things more: ``left``, the steps left of each
die, and ``move``, the data of a movement's event as far as it goes.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from games.kernel.contract import Event, Seat
from games.kernel.views import Json, View
from games.titles.dice_is_health import phrases
from games.titles.dice_is_health.events import (
    DUELLED,
    FOUGHT,
    MOVED,
    monster_mark,
    name_of,
    player_mark,
)
from games.titles.dice_is_health.layout import Place, places
from games.titles.dice_is_health.position import MOVE, OVER
from games.titles.dice_is_health.spaces import SECTORS, SPACES, WALL_SPACES, Space
from games.titles.dice_is_health.ways import FAN, ways

DIE = "die"
"""The name of a die that lies on a space, among the tokens there."""


@dataclass(frozen=True)
class Scene:
    """A view, with the events of the last move."""

    view: View
    recent: Sequence[Event]

    @property
    def players(self) -> Sequence[Json]:
        """The players, by seat."""
        found: Sequence[Json] = self.view["players"]
        return found

    @property
    def is_over(self) -> bool:
        """Whether the match has ended."""
        return bool(self.view["phase"] == OVER)

    @property
    def actor(self) -> int | None:
        """The seat that is asked; none after the end."""
        if self.is_over:
            return None
        pending: Mapping[str, Json] = self.view["pending"] or {}
        asked: int = pending.get("chooser", pending.get("winner", self.view["turn"]))
        return asked

    @property
    def left(self) -> Sequence[int]:
        """The steps left of the dice of the monsters, the fan and the player."""
        found: Sequence[int] = self.view.get("left") or self.view["roll"] or ()
        return found

    @property
    def is_movement(self) -> bool:
        """Whether a movement is to be made, or being entered."""
        return self.view["phase"] == MOVE and bool(self.left)

    @cached_property
    def told(self) -> Sequence[Event]:
        """What happened last, or what is being entered."""
        move = self.view.get("move")
        return (Event(MOVED, Seat(self.view["turn"]), move),) if move else self.recent

    @cached_property
    def ways(self) -> Mapping[str, Sequence[str]]:
        """By part that moved the places that it had; on a way being entered the others wait."""
        found, entered = ways(self.told), self.view.get("move")
        if not entered:
            return found
        waiting = {name: str(space) for name, (space, _) in self.standing.items()}
        waiting[FAN] = str(self.view["fan"])
        stops = len(entered["steps"]) + 1
        return {**{part: [at] * stops for part, at in waiting.items()}, **found}

    @cached_property
    def fight(self) -> Event | None:
        """The last fight that was fought with dice, if the last move had one."""
        fought = (event for event in self.recent if event.type in (FOUGHT, DUELLED))
        return next((e for e in reversed([*fought]) if e.data["rounds"]), None)

    # --- Who stands where -------------------------------------------------------------------------

    @cached_property
    def tokens(self) -> Mapping[Space, Sequence[str]]:
        """By space what is on it: a die, monsters, players, by the names of their marks."""
        found: dict[Space, list[str]] = defaultdict(list)
        for name in self.view["pickups"]:
            found[Space.read(name)].append(DIE)
        for number, name in enumerate(self.view["monsters"], 1):
            found[Space.read(name)].append(monster_mark(number))
        for seat, player in enumerate(self.players):
            if player["in"]:
                found[Space.read(player["at"])].append(player_mark(seat))
        return found

    @cached_property
    def standing(self) -> Mapping[str, tuple[Space, Place]]:
        """By piece its space, and where on it the piece stands."""
        return {
            name: (space, place)
            for space, names in self.tokens.items()
            for name, place in zip(names, places(space, len(names)), strict=True)
            if name != DIE
        }

    @cached_property
    def dice(self) -> Mapping[Space, Place]:
        """Where on its space each die lies that can be picked up."""
        spots = map(Space.read, self.view["pickups"])
        return {space: places(space, len(self.tokens[space]))[0] for space in spots}

    @cached_property
    def homes(self) -> Mapping[Space, int]:
        """Whose home a space is."""
        return {Space.read(player["home"]): seat for seat, player in enumerate(self.players)}

    @cached_property
    def walls(self) -> Mapping[Space, int]:
        """The owners of the walls."""
        return {Space.read(name): owner for name, owner in self.view["walls"].items()}

    def walls_of(self, seat: int) -> list[str]:
        """Return the spaces on which a player has walls."""
        return [str(space) for space, owner in self.walls.items() if owner == seat]

    # --- In words ---------------------------------------------------------------------------------

    def label_of(self, space: Space) -> str:
        """Return what a space shows, in words."""
        return f"{space}: {', '.join(self._on(space)) or 'empty'}"

    def _on(self, space: Space) -> Iterator[str]:
        if space in self.homes:
            yield f"{name_of(self.homes[space])}’s home"
        if space in self.walls:
            yield f"{name_of(self.walls[space])}’s wall"
        elif space in WALL_SPACES:
            yield "marked for a wall"
        if space.sector % SECTORS == self.view["fan"]:
            yield f"bridge to {SPACES[(space + len(SPACES) // 2) % len(SPACES)]}"
        yield from map(self._called, self.tokens.get(space, ()))

    def _called(self, token: str) -> str:
        """Return what a token is called among those on its space."""
        kind, _, number = token.partition("-")
        if kind == "player":
            return name_of(int(number))
        return f"monster {number}" if number else "a die to pick up"

    def player_label(self, seat: int) -> str:
        """Return what a player's piece is and has, in words."""
        player = self.players[seat]
        has = f"{phrases.dice(player['dice'])} and {phrases.trinkets(player['trinkets'])}"
        return f"{name_of(seat)} on {player['at']}, with {has}"

    @property
    def label(self) -> str:
        """What the whole drawing shows, in words."""
        told = [self.player_label(s) for s, player in enumerate(self.players) if player["in"]]
        said = ("Two rings with three bridges", phrases.round_of(self.view), *told, self.next)
        return ". ".join(said) + "."

    @property
    def next(self) -> str:
        """What is asked, and of whom; or how the match came out."""
        if self.is_over:
            return phrases.outcome(self.view["result"])
        return phrases.asked(self.view, self.actor or 0)
