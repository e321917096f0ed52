"""The positions of a board: its start, and what its moves lead to."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import repeat
from secrets import token_bytes
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from msgspec import structs

from games.kernel import replay
from games.kernel.contract import Seat
from games.kernel.dice import CommittedDice
from games.kernel.errors import ChanceError, GameError
from games.kernel.replay import ACTIONS, Moment, PlainEntry
from games.kernel.tree import ROOT
from games.matches import selectors
from games.matches.errors import NOT_READABLE, NoSuchMatch, Unreadable
from games.matches.log import positions
from games.matches.log.log_entries import PLAY, undone
from games.matches.models import LogEntry
from games.matches.selectors import MatchSnapshot
from games.records import imports
from games.records.models import ImportedRecord
from games.records.rebuilding import table_of
from games.study.errors import BrokenBoard, BrokenMove
from games.study.tree import Node, Start, Tree

EVERY = 25
"""Saved boards store a position after each of this many moves."""

KEY_BYTES = 32
"""The length of a random key, the same as for a match."""

STILL_PLAYED = gettext_noop(
    "A board can start from the record of a match only after the match has ended."
)
BROKEN = gettext_noop("The moves of this board do not follow the rules.")


class BoardDice(CommittedDice):
    """Dice of a board: first the outcomes that a person has chosen, then random ones."""

    def __init__(self, chosen: Sequence[int] = ()) -> None:
        super().__init__(token_bytes(KEY_BYTES))
        self._chosen = chosen
        self._used = 0

    def roll(self, sides: int) -> int:
        """Return the next chosen number, or a random one.

        :raises ChanceError: the chosen number isn't a face of this die.
        """
        if self._used == len(self._chosen):
            return super().roll(sides)
        face = self._chosen[self._used]
        self._used += 1
        if not 1 <= face <= sides:
            text = _("A die with {sides} sides can’t show {face}: choose 1 to {sides}.")
            raise ChanceError(text.format(sides=sides, face=face))
        self.drawn.append(face)
        self.sides.append(sides)
        return face

    def finish(self) -> None:
        """Check that all chosen numbers were used.

        :raises ChanceError: some are left over.
        """
        if self._used < len(self._chosen):
            rolled = sum(sides is not None for sides in self.sides)
            text = _("You chose {count} dice, but only {used} can be used here.")
            raise ChanceError(text.format(count=len(self._chosen), used=rolled))


@contextmanager
def replaying() -> Iterator[None]:
    """Turn errors of the rules about moves from outside into :exc:`BrokenBoard`."""
    try:
        yield
    except BrokenBoard:
        raise
    except GameError as error:
        raise BrokenBoard(f"{_(BROKEN)} {error}") from None
    except (*NOT_READABLE, RecursionError, ArithmeticError):
        raise BrokenBoard(_(BROKEN)) from None


def set_up(tree: Tree, chosen: Sequence[int] = ()) -> Tree:
    """Return a tree that starts with a setup, whose outcomes are drawn now.

    :raises GameError: ``chosen`` outcomes don't fit its dice.
    """
    dice = BoardDice(chosen)
    tree.title.setup(tree.seats, tree.params, dice)
    dice.finish()
    return structs.replace(tree, start=Start(setup=tuple(dice.drawn)), nodes=())


def start_of(tree: Tree) -> Any:
    """Return the state in which a tree starts.

    :raises BrokenBoard: it does not exist, or it may not be read yet.
    """
    title, start = tree.title, tree.start
    if start.match is not None:
        return _of_match(*start.match, tree)
    if start.imported is not None:
        return _of_import(*start.imported, tree)
    if start.setup is None:
        return _of_position(start.position, tree)
    with replaying():
        return replay.setup(title, tree.seats, tree.params, start.setup).state


def _of_position(position: Any, tree: Tree) -> Any:
    try:
        return tree.title.read_position(position, tree.seats, tree.params)
    except GameError as error:
        raise BrokenBoard(str(error)) from None
    except (*NOT_READABLE, RecursionError, ArithmeticError):
        raise BrokenBoard(_("This is no position of this game.")) from None


def from_match(match_id: int, number: int) -> Tree:
    """Return a tree that starts after an entry of a match that has ended.

    :raises NoSuchMatch: there is no such match, or its log is shorter.
    :raises BrokenBoard: the match is running.
    """
    return _from_snapshot(_ended(match_id, number), number)


def _ended(match_id: int, number: int) -> MatchSnapshot:
    """Read an ended match, which has an entry of this number. Its record is open to all."""
    snapshot = selectors.snapshot(match_id)
    if snapshot.match.is_running:
        raise BrokenBoard(_(STILL_PLAYED))
    if number > snapshot.match.version:
        text = _("Match {match} has no entry {number}.")
        raise NoSuchMatch(text.format(match=match_id, number=number))
    return snapshot


def _from_snapshot(snapshot: MatchSnapshot, number: int) -> Tree:
    match = snapshot.match
    start = Start(match=(match.pk, number))
    seats = len(snapshot.players)
    return Tree(match.title, match.rules_version, seats, snapshot.params, start)


def from_import(record: ImportedRecord, number: int) -> Tree:
    """Return a tree that starts after an entry of an imported record."""
    head = record.head
    start = Start(imported=(record.pk, number))
    seats = len(head["players"])
    params = table_of(head).params
    return Tree(record.title, head["rules_version"], seats, params, start)


def with_earlier(
    begin: Callable[[int], Tree], entries: Sequence[LogEntry], most: int
) -> tuple[Tree, int]:
    """Return a tree with the last moves that led to a position of a record, and its node.

    :param begin: returns a tree without moves that starts after an entry.
    :param entries: all up to the position. Only moves after a player dropped out are kept.
    :param most: the maximum number of moves.
    """
    gone = undone(entries)
    first, moves = 0, list[LogEntry]()
    for entry in entries:
        if entry.kind == PLAY and entry.number not in gone:
            moves.append(entry)
        elif entry.kind in ACTIONS and entry.kind != PLAY:
            first, moves = entry.number, []
    left_out, kept = moves[:-most], moves[-most:]
    tree, at = begin(left_out[-1].number if left_out else first), ROOT
    for entry in kept:
        tree, at = tree.added(at, entry.seat or 0, entry.text, entry.chance)
    return tree, at


def _of_match(match_id: int, number: int, tree: Tree) -> Any:
    try:
        snapshot = _ended(match_id, number)
        _check_same(_from_snapshot(snapshot, number), tree)
        return positions.state_after(snapshot.table, number)
    except (NoSuchMatch, Unreadable):
        raise BrokenBoard(_("The record that this board starts from cannot be read.")) from None


def _of_import(record_id: int, number: int, tree: Tree) -> Any:
    record = ImportedRecord.objects.filter(pk=record_id).first()
    if record is None or number > record.length:
        raise BrokenBoard(_("The record that this board starts from is gone."))
    _check_same(from_import(record, number), tree)
    with replaying():
        return imports.state_after(record, table_of(record.head), number)


def _check_same(of_record: Tree, tree: Tree) -> None:
    """Check that a tree is of the same game as the record in which it starts."""
    terms = [(one.game, one.rules, one.seats, one.params) for one in (of_record, tree)]
    if terms[0] != terms[1]:
        raise BrokenBoard(_("The record that this board starts from is of another game."))


def moment_of(tree: Tree, number: int) -> Moment:
    """Return the position after a node, replayed from the last one stored before it.

    :raises BrokenBoard: the moves don't replay.
    """
    line = tree.line(number)
    with replaying():
        state, first = _last_stored(tree, line)
        steps = replay.follow(tree.title, state, map(_step, line[first:]))
        *_, moment = Moment(state), *steps
        if tree.title.meta.observes:
            # What was observed may come from outside, and rules take it as it is.
            tree.title.read_position(tree.title.dump(moment.state), tree.seats, tree.params)
    return moment


def moments_of(tree: Tree, number: int) -> Sequence[Moment]:
    """Replay the start of a node's line and each move that leads to the node.

    :raises BrokenBoard: the moves don't replay.
    """
    line = tree.line(number)
    begun = max((at for at, node in enumerate(line, 1) if node.start), default=0)
    start = line[begun - 1].start if begun else None
    first = Moment(_of_position(start.position, tree) if start else start_of(tree))
    with replaying():
        return [first, *replay.follow(tree.title, first.state, map(_step, line[begun:]))]


def _last_stored(tree: Tree, line: Sequence[Node]) -> tuple[Any, int]:
    """Return the last stored position of a line, and how many moves led to it.

    The last move is always replayed, to know its effects.
    """
    for at in range(len(line) - 1, -1, -1):
        node = line[at]
        if node.start is not None:
            return _of_position(node.start.position, tree), at + 1
        if node.position is not None and at < len(line) - 1:
            return tree.title.load(node.position, tree.seats, tree.params), at + 1
    return start_of(tree), 0


def _step(node: Node) -> PlainEntry:
    return PlainEntry("play", Seat(node.seat), node.text, node.chance)


def played(
    tree: Tree, number: int, seat: Seat, texts: Sequence[str], chosen: Sequence[int] = ()
) -> tuple[Tree, int]:
    """Return a tree with moves of a seat after a node, and the id of the last.

    ``chosen`` are the outcomes of the last move's dice. Missing ones are random.

    :raises GameError: a move is refused, or an outcome doesn't fit its dice.
    """
    state = moment_of(tree, number).state
    picks = [*repeat((), len(texts) - 1), chosen]
    for text, wanted in zip(texts, picks, strict=True):
        move = str(tree.title.parse(text))
        dice = BoardDice(wanted)
        moment = replay.take(tree.title, state, PlainEntry("play", seat, text), dice)
        dice.finish()
        tree, number = tree.added(number, seat, move, moment.drawn)
        state = moment.state
    return tree, number


def with_positions(tree: Tree) -> Tree:
    """Store positions in a tree so that no line takes long to replay.

    All lines are replayed once, so it costs as much as all moves.

    :raises BrokenMove: a move doesn't replay.
    :raises BrokenBoard: it doesn't start at a position.
    """
    states = {ROOT: (0, start_of(tree))}
    kept = {}
    for node in tree.nodes:
        depth, state = states[node.parent]
        try:
            depth, after = _replayed(tree, node, depth, state)
        except BrokenBoard as error:
            raise BrokenMove(str(error), node.id) from None
        states[node.id] = depth, after
        if depth and depth % EVERY == 0:
            kept[node.id] = tree.title.dump(after)
    for number, position in kept.items():
        tree = tree.replaced(number, position=position)
    return tree


def _replayed(tree: Tree, node: Node, depth: int, state: Any) -> tuple[int, Any]:
    """Return the number of moves since the last start, and the state after a node."""
    if node.start is not None:
        return 0, _of_position(node.start.position, tree)
    with replaying():
        return depth + 1, next(replay.follow(tree.title, state, [_step(node)])).state


def with_position(tree: Tree, number: int) -> Tree:
    """Store the position after a node, if the last stored one is far enough away."""
    line = tree.line(number)[::-1]
    fresh = (at for at, node in enumerate(line) if node.position is not None or node.start)
    away = next(fresh, len(line))
    if away < EVERY:
        return tree
    return tree.replaced(number, position=tree.title.dump(moment_of(tree, number).state))
