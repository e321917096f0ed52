"""The positions of a board: its start, and what its moves lead to."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import repeat
from secrets import token_bytes
from typing import Any

from msgspec import structs

from games.kernel.contract import Event, Seat
from games.kernel.dice import CommittedDice, Outcome, RecordedDice
from games.kernel.errors import ChanceError, GameError
from games.matches import listing
from games.matches.errors import NoSuchMatch, Unreadable
from games.matches.log import positions
from games.matches.selectors import NOT_READABLE, MatchSnapshot
from games.records import imports
from games.records.models import ImportedRecord
from games.records.rebuilding import snapshot_of
from games.study.errors import BrokenBoard
from games.study.tree import ROOT, Node, Start, Tree

EVERY = 25
"""So many moves apart positions are stored, in boards that are saved."""

KEY_BYTES = 32
"""The length of a random key, as that of a match."""

STILL_PLAYED = "A board can start from the record of a match only after the match has ended."
BROKEN = "The moves of this board do not follow the rules."


@dataclass(frozen=True)
class Moment:
    """A position, with what the move that led to it did and what chance drew for it."""

    state: Any
    events: tuple[Event, ...] = ()
    drawn: tuple[Outcome, ...] = ()


class BoardDice(CommittedDice):
    """Dice of a board: first the outcomes that a person has chosen, then random ones."""

    def __init__(self, chosen: Sequence[int] = ()) -> None:
        super().__init__(token_bytes(KEY_BYTES))
        self._chosen = chosen
        self._used = 0

    def roll(self, sides: int) -> int:
        """Return the next chosen number, or a random one.

        :raises ChanceError: the chosen number is no face of this die.
        """
        if self._used == len(self._chosen):
            return super().roll(sides)
        face = self._chosen[self._used]
        self._used += 1
        if not 1 <= face <= sides:
            raise ChanceError(f"A die with {sides} sides can’t show {face}: choose 1 to {sides}.")
        self.drawn.append(face)
        self.sides.append(sides)
        return face

    def finish(self) -> None:
        """Check that all chosen numbers were used.

        :raises ChanceError: some are left over.
        """
        if self._used < len(self._chosen):
            rolled = sum(sides is not None for sides in self.sides)
            raise ChanceError(
                f"You chose {len(self._chosen)} dice, but only {rolled} can be used here."
            )


@contextmanager
def replaying() -> Iterator[None]:
    """Turn whatever rules raise on moves from outside into :exc:`BrokenBoard`."""
    try:
        yield
    except BrokenBoard:
        raise
    except GameError as error:
        raise BrokenBoard(f"{BROKEN} {error}") from None
    except (*NOT_READABLE, RecursionError, ArithmeticError):
        raise BrokenBoard(BROKEN) from None


def set_up(tree: Tree, chosen: Sequence[int] = ()) -> Tree:
    """Return a tree that starts with a setup, whose outcomes are drawn now.

    :raises GameError: ``chosen`` outcomes are none of its dice.
    """
    dice = BoardDice(chosen)
    tree.title.setup(tree.seats, tree.params, dice)
    dice.finish()
    return structs.replace(tree, start=Start(setup=tuple(dice.drawn)), nodes=())


def start_of(tree: Tree) -> Any:
    """Return the state in which a tree starts.

    :raises BrokenBoard: there is none, or it may not be read yet.
    """
    title, start = tree.title, tree.start
    if start.match is not None:
        return _of_match(*start.match, tree)
    if start.imported is not None:
        return _of_import(*start.imported, tree)
    if start.setup is None:
        return _of_position(start.position, tree)
    with replaying():
        dice = RecordedDice(start.setup)
        state = title.setup(tree.seats, tree.params, dice)
        dice.finish()
        return state


def _of_position(position: Any, tree: Tree) -> Any:
    try:
        return tree.title.read_position(position, tree.seats, tree.params)
    except GameError as error:
        raise BrokenBoard(str(error)) from None
    except (*NOT_READABLE, RecursionError, ArithmeticError):
        raise BrokenBoard("This is no position of this game.") from None


def from_match(match_id: int, number: int) -> Tree:
    """Return a tree that starts after an entry of a match that has ended.

    :raises NoSuchMatch: there is no such match, or its log is shorter.
    :raises BrokenBoard: the match is running.
    """
    return _from_snapshot(_ended(match_id, number), number)


def _ended(match_id: int, number: int) -> MatchSnapshot:
    """Read a match that has ended, with an entry of this number: its record is open to all."""
    snapshot = listing.read_snapshot(match_id)
    if snapshot.match.is_running:
        raise BrokenBoard(STILL_PLAYED)
    if number > snapshot.match.version:
        raise NoSuchMatch(f"Match {match_id} has no entry {number}.")
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
    params = snapshot_of(head).params
    return Tree(record.title, head["rules_version"], seats, params, start)


def _of_match(match_id: int, number: int, tree: Tree) -> Any:
    try:
        snapshot = _ended(match_id, number)
        _check_same(_from_snapshot(snapshot, number), tree)
        return positions.state_after(snapshot, number)
    except (NoSuchMatch, Unreadable):
        raise BrokenBoard("The record that this board starts from cannot be read.") from None


def _of_import(record_id: int, number: int, tree: Tree) -> Any:
    record = ImportedRecord.objects.filter(pk=record_id).first()
    if record is None or number > record.length:
        raise BrokenBoard("The record that this board starts from is gone.")
    _check_same(from_import(record, number), tree)
    with replaying():
        return imports.state_after(record, snapshot_of(record.head), number)


def _check_same(of_record: Tree, tree: Tree) -> None:
    """Check that a tree is of the same game as the record in which it starts."""
    terms = [(one.game, one.rules, one.seats, one.params) for one in (of_record, tree)]
    if terms[0] != terms[1]:
        raise BrokenBoard("The record that this board starts from is of another game.")


def moment_of(tree: Tree, number: int) -> Moment:
    """Return the position after a node, replayed from the last one stored before it.

    :raises BrokenBoard: the moves do not replay.
    """
    line = tree.line(number)
    with replaying():
        state, first = _last_stored(tree, line)
        moment = Moment(state)
        for node in line[first:]:
            dice = RecordedDice(node.chance)
            moment = take(tree, moment.state, Seat(node.seat), node.text, dice)
        if tree.title.meta.observes:
            # What was observed may come from outside, and rules take it as it is.
            tree.title.read_position(tree.title.dump(moment.state), tree.seats, tree.params)
    return moment


def moments_of(tree: Tree, number: int) -> Sequence[Moment]:
    """Return the position at the start and after each move that led to a node, all replayed.

    :raises BrokenBoard: the moves do not replay.
    """
    moments = [Moment(start_of(tree))]
    with replaying():
        for node in tree.line(number):
            dice = RecordedDice(node.chance)
            moments.append(take(tree, moments[-1].state, Seat(node.seat), node.text, dice))
    return moments


def _last_stored(tree: Tree, line: Sequence[Node]) -> tuple[Any, int]:
    """Return the last position of a line that needs no replay, and how many moves led to it.

    The position after the last move is replayed, for what the move did.
    """
    for at in range(len(line) - 1, -1, -1):
        node = line[at]
        if node.start is not None:
            return _of_position(node.start.position, tree), at + 1
        if node.position is not None and at < len(line) - 1:
            return tree.title.load(node.position, tree.seats, tree.params), at + 1
    return start_of(tree), 0


def take(tree: Tree, state: Any, seat: Seat, text: str, dice: RecordedDice | BoardDice) -> Moment:
    """Return what a move leads to.

    :raises RulesError: the rules refuse it.
    """
    title = tree.title
    after, events = title.play(state, seat, title.parse(text), dice)
    dice.finish()
    return Moment(after, events, tuple(dice.drawn))


def played(
    tree: Tree, number: int, seat: Seat, texts: Sequence[str], chosen: Sequence[int] = ()
) -> tuple[Tree, int]:
    """Return a tree with moves of a seat after a node, and the id of the last.

    ``chosen`` are the outcomes of the dice of the last move, as far as they are not to be random.

    :raises GameError: a move is refused, or an outcome is none of its dice.
    """
    state = moment_of(tree, number).state
    picks = [*repeat((), len(texts) - 1), chosen]
    for text, wanted in zip(texts, picks, strict=True):
        move = str(tree.title.parse(text))
        moment = take(tree, state, seat, text, BoardDice(wanted))
        tree, number = tree.added(number, seat, move, moment.drawn)
        state = moment.state
    return tree, number


def with_positions(tree: Tree) -> Tree:
    """Return a tree with positions stored so that no line is replayed for long.

    All lines are replayed once, so it costs as much as all moves.

    :raises BrokenBoard: a move does not replay.
    """
    states = {ROOT: (0, start_of(tree))}
    kept = {}
    with replaying():
        for node in tree.nodes:
            depth, state = states[node.parent]
            if node.start is not None:
                states[node.id] = 0, _of_position(node.start.position, tree)
                continue
            after = take(tree, state, Seat(node.seat), node.text, RecordedDice(node.chance)).state
            states[node.id] = depth + 1, after
            if (depth + 1) % EVERY == 0:
                kept[node.id] = tree.title.dump(after)
    for number, position in kept.items():
        tree = tree.replaced(number, position=position)
    return tree


def with_position(tree: Tree, number: int) -> Tree:
    """Return a tree with the position after a node stored, if the last one is far enough away."""
    line = tree.line(number)[::-1]
    fresh = (at for at, node in enumerate(line) if node.position is not None or node.start)
    away = next(fresh, len(line))
    if away < EVERY:
        return tree
    return tree.replaced(number, position=tree.title.dump(moment_of(tree, number).state))
