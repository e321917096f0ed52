"""Figures: positions drawn in the rules for players.

In ``rules.md`` a figure is a fenced block with the info string ``board`` that holds JSON::

    {"position": {…}, "params": {…}, "seats": 2, "recent": [{"type": "place", …}],
     "targets": ["c4"], "opened": ["c4"], "part": ["a1", "h8"], "caption": "…"}

``params``, ``seats`` (the fewest), ``recent`` (events, as dumped), ``targets`` (marks that get
a dot), ``opened`` (marks whose layers are shown), ``part`` (marks around which the drawing is
cropped) and ``viewer`` (a seat; otherwise a spectator) may be left out.
"""

import json
from collections.abc import Iterable
from typing import NamedTuple

from games.kernel.contract import AnyGame, Seat
from games.kernel.errors import BrokenPosition
from games.kernel.params import for_match
from games.kernel.svg import Drawing, group, middles_of, with_targets


class Figure(NamedTuple):
    drawing: Drawing
    caption: str
    opened: tuple[str, ...]


def draw_figure(title: AnyGame, block: str) -> Figure:
    """Draw a block of a game's rules for players.

    :raises BrokenPosition: it is not JSON, lacks a position, or names no part of the board.
    :raises GameError: its position or parameters are not of this game.
    """
    try:
        data = json.loads(block)
        position = data["position"]
        caption = str(data.get("caption", ""))
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise BrokenPosition(f"This is no figure: {block!r}.") from error
    seats = data.get("seats", title.meta.seats[0])
    params = for_match(title, seats, data.get("params", {}))
    state = title.read_position(position, seats, params)
    viewer = None if data.get("viewer") is None else Seat(data["viewer"])
    recent = tuple(title.read_event(event).seen_by(viewer) for event in data.get("recent", ()))
    drawing = title.draw(title.view(state, viewer), recent)
    try:
        drawn = with_targets(drawing, dict.fromkeys(data.get("targets", ()), ""))
        drawn = cropped(drawn, data["part"]) if "part" in data else drawn
        return Figure(drawn, caption, tuple(data.get("opened", ())))
    except ValueError as error:
        raise BrokenPosition(str(error)) from error


def cropped(drawing: Drawing, names: Iterable[str]) -> Drawing:
    """Crop a drawing to the middles of marks, with a margin of a sixth of its side.

    :raises ValueError: a name isn't that of a mark with a middle.
    """
    middles = middles_of(drawing.board)
    wanted = tuple(names)
    if missing := [name for name in wanted if name not in middles]:
        raise ValueError(f"The drawing cannot be cropped to {', '.join(missing)}.")
    columns, rows = zip(*(middles[name] for name in wanted), strict=True)
    edge = max(max(columns) - min(columns), max(rows) - min(rows)) / 6
    left = min(columns) - edge
    top = min(rows) - edge
    moved = group(*drawing.children, transform=f"translate({-left:g} {-top:g})")
    width = max(columns) + edge - left
    height = max(rows) + edge - top
    return Drawing(width, height, (moved,), drawing.label)
