"""The bracket of a knock-out, drawn as SVG for the page and as a separate picture.

Rounds are columns. A table stands beside those from which its players came, with lines between
them. In a double elimination the players with one loss have a part of their own below. With several
seats all advancing players are highlighted. Pairings are only known once a round begins, so the
boxes of later rounds are empty.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import reduce
from itertools import groupby
from operator import attrgetter
from xml.etree import ElementTree as ET

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from games.events.models import Table, TableSeat, Tournament
from games.events.pairing import knock_out
from games.events.results import going_on
from games.kernel import registry
from games.kernel.two_players import PAIR
from games.matches import formatting
from games.web.events.page import result_words
from games.web.events.picture import INK, LINE, PAPER, SOFT, STRONG, classed, picture, text
from games.web.events.picture import rectangle as filled

WIDTH = 180
"""The width of a box, in pixels."""

APART = 44
"""The width of the lines between two columns."""

ROW = 26
"""The height of a name."""

GAP = 18
"""The space below a box."""

HEAD = 32
"""The height of headings."""

EDGE = 8
"""The margin."""

LIT = "#e0ebd9"
LONGEST = 16
"""Maximum number of characters of a name in a box."""


@dataclass
class Box:
    """A table in the drawing. ``row`` counts boxes from the top of its part.

    The first ``going_on`` advance to the next round. ``words`` gives a player's result there. A
    table that isn't drawn yet is ``None``, and has ``size`` empty seats.
    """

    table: Table | None
    part: int
    seats: Sequence[TableSeat]
    going_on: int
    words: Callable[[Table, TableSeat], str]
    row: float = 0
    feeders: list["Box"] = field(default_factory=list)
    size: int = 0
    between: list["Box"] = field(default_factory=list)

    @property
    def height(self) -> int:
        return ROW * (len(self.seats) or self.size)

    @property
    def entrants(self) -> set[int]:
        return {seat.entry_id for seat in self.seats}

    def goes_on(self, seat: TableSeat) -> bool:
        """Whether a player has won, or advances from a table of several seats."""
        return seat.rank is not None and seat.rank <= self.going_on


def has_bracket(tournament: Tournament, tables: Sequence[Table]) -> bool:
    return bool(_drawn(tournament, tables))


def _drawn(tournament: Tournament, tables: Sequence[Table]) -> list[Table]:
    if tournament.has_groups:
        return [table for table in tables if table.round.number > 1]
    return list(tables) if tournament.lives else []


def svg(tournament: Tournament, tables: Sequence[Table]) -> str:
    rounds = _boxes(tournament, _drawn(tournament, tables))
    rounds += _ahead(tournament, rounds[-1])
    parts = [_placed(rounds, part) for part in range(2)]
    slot = max(box.height for boxes in rounds for box in boxes) + GAP
    slot = max(slot, 2 * ROW + GAP)
    heights = [HEAD + rows * slot if rows else 0 for rows in parts]
    tops = (EDGE, EDGE + heights[0])
    made = picture(2 * EDGE + len(rounds) * (WIDTH + APART) - APART, 2 * EDGE + sum(heights))
    made.set("role", "group")
    made.set("aria-label", _("Bracket of {tournament}").format(tournament=tournament.name))
    made.set("width", made.get("viewBox", "").split()[2])
    made.set("height", made.get("viewBox", "").split()[3])
    _headings(made, rounds, tops)
    for column, boxes in enumerate(rounds):
        for box in boxes:
            _lines(made, box, column, slot, tops)
    for column, boxes in enumerate(rounds):
        for box in boxes:
            _box(made, box, _left(column), _middle(box, slot, tops))
    return ET.tostring(made, encoding="unicode")


# --- Where the boxes are ------------------------------------------------------------------------


def _boxes(tournament: Tournament, tables: Sequence[Table]) -> list[list[Box]]:
    """Return the boxes of each round with those that lead to them."""
    rounds: list[list[Box]] = []
    best = going_on(tournament, tables)
    words = result_words(tournament)
    losses: Counter[int] = Counter()
    is_final = False
    for _round, of_round in groupby(tables, key=attrgetter("round_id")):
        boxes = [
            Box(table, 0, list(table.table_seats.all()), best[table.round.number], words)
            for table in of_round
        ]
        for box in boxes:
            lost = {losses[entrant] for entrant in box.entrants}
            is_final = is_final or len(lost) > 1
            box.part = int(tournament.lives > 1 and min(lost) > 0 and not is_final)
            # Lines of players who go down to the part below would cross all others.
            before = rounds[-1] if rounds else []
            box.feeders = [
                one for one in before if one.entrants & box.entrants and one.part >= box.part
            ]
        for box in boxes:
            over = box.table is not None and box.table.ended is not None
            losses.update(seat.entry_id for seat in box.seats if over and seat.rank != 1)
        rounds.append(boxes)
    return rounds


def _ahead(tournament: Tournament, last: Sequence[Box]) -> list[list[Box]]:
    """Return the empty boxes of the rounds after the last one, if nobody leaves."""
    if not tournament.is_running:
        return []
    made: list[list[Box]] = []
    before = list(last)
    for stage in _stages_ahead(tournament, last):
        words = result_words(tournament)
        boxes = [Box(None, 0, [], 1, words, size=size) for size in stage.upper]
        if tournament.seats == PAIR and tournament.lives <= 1:
            for at, box in enumerate(boxes):
                # Between two boxes of the round before, though the draw decides who plays there.
                box.between = before[2 * at : 2 * at + 2]
        boxes += [Box(None, 1, [], 1, words, size=size) for size in stage.lower]
        made.append(boxes)
        before = boxes
    return made


def _stages_ahead(tournament: Tournament, last: Sequence[Box]) -> list[knock_out.Stage]:
    if len(last) == 1 and len(last[0].seats) > 1:
        # The final. Another one depends on its result.
        return []
    if tournament.seats == PAIR:
        beaten = [box for box in last if box.part]
        fallen = sum(len(box.seats) == PAIR and not box.part for box in last)
        more = fallen if tournament.lives > 1 else 0
        return knock_out.stages_ahead(
            len(last) - len(beaten), len(beaten) + more, lives=tournament.lives
        )
    left = sum(min(box.going_on, len(box.seats) - 1) or 1 for box in last)
    low, _ = registry.get(tournament.title).meta.seats
    return knock_out.stages_of_tables(left, (low, tournament.seats))


def _placed(rounds: Sequence[list[Box]], part: int) -> float:
    """Set the rows of the boxes of a part, and return how many rows it takes."""
    columns = [[box for box in boxes if box.part == part] for boxes in rounds]
    for at in range(len(columns) - 1, 0, -1):
        wanted = [feeder for box in columns[at] for feeder in _in_order(box) if feeder.part == part]
        rest = [box for box in columns[at - 1] if all(box is not one for one in wanted)]
        columns[at - 1] = list({id(box): box for box in [*wanted, *rest]}.values())
    lowest = 0.0
    for boxes in columns:
        after = 0.0
        for box in boxes:
            before = box.feeders or box.between
            rows = [feeder.row for feeder in before if feeder.part == part]
            box.row = max(after, sum(rows) / len(rows) if rows else 0)
            after = box.row + 1
        lowest = max(lowest, after)
    return lowest


def _in_order(box: Box) -> list[Box]:
    """Return the boxes that lead to one, in the order of its seats."""
    seats = [seat.entry_id for seat in box.seats]
    return sorted(box.feeders, key=lambda one: min(map(seats.index, one.entrants & set(seats))))


def _left(column: int) -> float:
    return EDGE + column * (WIDTH + APART)


def _middle(box: Box, slot: float, tops: tuple[float, float]) -> float:
    return tops[box.part] + HEAD + (box.row + 0.5) * slot - GAP / 2


# --- What is drawn ------------------------------------------------------------------------------


def _headings(parent: ET.Element, rounds: Sequence[list[Box]], tops: tuple[float, float]) -> None:
    for column, boxes in enumerate(rounds):
        for part in {box.part for box in boxes}:
            words = pgettext("tournament", "Round {number}")
            if part:
                # Translators: the players of the second half of a bracket have one loss already.
                words = _("Round {number}, one loss")
            text(
                parent,
                _left(column),
                tops[part] + 18,
                words.format(number=column + 1),
                anchor="start",
                fill=SOFT,
                kind="soft",
            )


def _lines(
    parent: ET.Element, box: Box, column: int, slot: float, tops: tuple[float, float]
) -> None:
    """Draw the lines that lead to a box."""
    right = _left(column) - APART
    end = _middle(box, slot, tops)
    turn = right + APART / 2
    for feeder in box.feeders:
        start = _middle(feeder, slot, tops)
        # Curves, as right-angled lines of two boxes would run into each other.
        path = f"M{right:g} {start:g}C{turn:g} {start:g} {turn:g} {end:g} {_left(column):g} {end:g}"
        look = {"d": path, "fill": "none", "stroke": STRONG, "stroke-width": "2"}
        ET.SubElement(parent, "path", {**look, **classed("line")})


def _box(parent: ET.Element, box: Box, left: float, middle: float) -> None:
    match = box.table.match_id if box.table is not None else None
    if match is not None:
        link = {"href": reverse("match", args=[match]), "aria-label": _spoken(box)}
        parent = ET.SubElement(parent, "a", link)
    height = box.height
    top = middle - height / 2
    filled(parent, left, top, (WIDTH, height), PAPER, kind="paper")
    for at, seat in enumerate(box.seats):
        _name(parent, box, seat, left, top + at * ROW)
    for at in range(1, box.size):
        filled(parent, left, top + at * ROW, (WIDTH, 1), LINE, kind="rule")
    frame = {"x": f"{left:g}", "y": f"{top:g}", "width": f"{WIDTH}", "height": f"{height}"}
    look = {"fill": "none", "stroke": STRONG, **classed("frame")}
    ET.SubElement(parent, "rect", {**frame, **look})


def _name(parent: ET.Element, box: Box, seat: TableSeat, left: float, top: float) -> None:
    table = box.table
    if table is None:
        return
    has_won = box.goes_on(seat) and table.match_id is not None
    if has_won:
        filled(parent, left, top, (WIDTH, ROW), LIT, kind="lit")
    if seat is not box.seats[0]:
        filled(parent, left, top, (WIDTH, 1), LINE, kind="rule")
    name = seat.entry.user.shown_name
    short = name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"
    weight = "bold" if has_won else "normal"
    lost = table.ended is not None and not box.goes_on(seat)
    look = {"fill": SOFT, "kind": "soft"} if lost else {"fill": INK, "kind": "ink"}
    # A picture in the picture cuts off what is too wide.
    clip = {"x": f"{left:g}", "y": f"{top:g}", "width": f"{WIDTH - 40}", "height": f"{ROW}"}
    text(ET.SubElement(parent, "svg", clip), 8, 18, short, anchor="start", weight=weight, **look)
    bye = table.match_id is None
    result = pgettext("instead of an opponent", "bye") if bye else box.words(table, seat)
    text(parent, left + WIDTH - 8, top + 18, result, anchor="end", weight=weight, **look)


def _spoken(box: Box) -> str:
    """Describe a box for a screen reader."""
    names = [seat.entry.user.shown_name for seat in box.seats]
    # Translators: stands between two players, as in "ada against bruno: ada won".
    players = _("{name} against {other}")
    against = reduce(lambda left, right: players.format(name=left, other=right), names)
    if box.table is None or box.table.ended is None:
        return _("{players}, running").format(players=against)
    won = [seat.entry.user.shown_name for seat in box.seats if box.goes_on(seat)]
    if not won:
        one, many = _("{players}: nobody won"), _("{players}: nobody goes on")
        return (one if box.going_on == 1 else many).format(players=against)
    if box.going_on == 1:
        sentence = _("{players}: {names} won")
    else:
        sentence = ngettext("{players}: {names} goes on", "{players}: {names} go on", len(won))
    return sentence.format(players=against, names=formatting.names(won))
