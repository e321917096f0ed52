"""A board as a match that nobody plays, so that all that shows and enters moves of matches fits."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from msgspec import structs

from accounts.models import User
from games.kernel.contract import AnyGame, Ended, Seat
from games.kernel.options import Options
from games.kernel.svg import Drawing
from games.kernel.views import View
from games.matches.models import Match, Player
from games.matches.selectors import MatchSnapshot
from games.study.replaying import Moment
from games.study.tree import Tree


class OpenTable:
    """A game with all hands open, since a board belongs to the person who tries lines on it."""

    def __init__(self, title: AnyGame) -> None:
        self._title = title

    def __getattr__(self, name: str) -> Any:
        return getattr(self._title, name)

    def view(self, state: Any, _viewer: Seat | None) -> View:
        """Return the view with everything shown."""
        return cast(View, self._title.open_view(state))

    def options(self, state: Any, seat: Seat, typed: str) -> Options:
        """Return how a text may continue; a view of what is entered so far shows everything too."""
        offered = self._title.options(state, seat, typed)
        if offered.view is None:
            return offered
        seen, whole = self._title.view(state, seat), self._title.open_view(state)
        fields = {name: getattr(whole, name) for name in whole.__struct_fields__}
        hidden = {n: value for n, value in fields.items() if getattr(seen, n) != value}
        return replace(offered, view=structs.replace(offered.view, **hidden))


def opened(title: AnyGame) -> AnyGame:
    """Return a game with all hands open."""
    return cast(AnyGame, OpenTable(title)) if title.meta.has_secrets else title


def drawing_of(tree: Tree, moment: Moment) -> Drawing:
    """Return the board at a position with all hands open."""
    title = opened(tree.title)
    return title.draw(title.view(moment.state, None), ())


@dataclass(frozen=True)
class BoardSnapshot(MatchSnapshot):
    """A position of a board; its match and players are rows that are never saved."""

    board_title: AnyGame
    board_state: Any

    @property
    def title(self) -> AnyGame:
        """The game, with all hands open unless it is played on one device."""
        return self.board_title

    @property
    def state(self) -> Any:
        """The position."""
        return self.board_state

    @property
    def actors(self) -> tuple[Seat, ...]:
        """The seats that are to move."""
        return self.board_title.actors(self.board_state)


def snapshot_of(tree: Tree, moment: Moment, depth: int, names: Sequence[str] = ()) -> BoardSnapshot:
    """Return the position after a node of a tree; ``depth`` is how many moves led to it.

    With ``names``, one a seat, it is of a match on one device: each seat sees its own hand only.
    """
    title = tree.title
    ranks = title.result(moment.state)
    endings = [event.ending for event in moment.events if isinstance(event, Ended)]
    match = Match(
        title=tree.game,
        params=tree.params,
        rules_version=tree.rules,
        status=Match.Status.OVER if ranks else Match.Status.RUNNING,
        ending=endings[-1] if endings else "",
        version=depth,
    )
    actors = title.actors(moment.state)
    seat_names = names or [colour.name for colour in title.meta.colours]
    players = [_player(seat_names[seat], Seat(seat), actors, ranks) for seat in range(tree.seats)]
    for player in players:
        player._state.fields_cache["match"] = match
    return BoardSnapshot(match, players, title if names else opened(title), moment.state)


def _player(name: str, seat: Seat, actors: Sequence[Seat], ranks: Sequence[int] | None) -> Player:
    return Player(
        seat=seat,
        # An account that is not active has no page to be linked to.
        user=User(username=name, is_active=False),
        to_move=seat in actors,
        rank=ranks[seat] if ranks else None,
    )
