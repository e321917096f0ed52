"""The movement of a turn: steps of the player's piece, the monsters and the fan, in any order."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import accumulate, pairwise
from typing import TypeVar

from msgspec import structs

from games.kernel.completion import folded
from games.kernel.contract import Seat
from games.kernel.dice import no_dice
from games.kernel.entry import Word, Words, follow
from games.kernel.language import gettext, gettext_noop, ngettext
from games.kernel.options import Options
from games.kernel.phase import Phase, Step
from games.titles.dice_is_health import events
from games.titles.dice_is_health.board import SPACE_PATTERN, Space, spoken
from games.titles.dice_is_health.entry import describe_space, forecast
from games.titles.dice_is_health.meta import name_of
from games.titles.dice_is_health.movement import TURNS, Stage, movements, shortest_paths
from games.titles.dice_is_health.moves import STEPS, UP, Movement, Turn, Walk
from games.titles.dice_is_health.moves import Step as MovementPart
from games.titles.dice_is_health.state import MovementView, PhaseName, State
from games.titles.dice_is_health.transition import Transition

T = TypeVar("T")


class MovementStep(Step[State, Transition]):
    kind = Movement

    def moves(self, state: State) -> Iterator[Movement]:
        """Return every movement lazily, in the order of their texts."""
        return movements(Stage.of(state))

    def refusal(self, state: State, move: Movement) -> str:
        stage = Stage.of(state)
        for step in move.steps:
            if refusal := stage.refusal(step):
                # Translators: {reason} has a full stop, as in "P>o3 is not possible: …".
                message = gettext("{step} is not possible: {reason}")
                return message.format(step=step, reason=refusal)
            stage = stage.after(step)
        return "" if stage.is_whole else gettext("all steps must be used.")

    def play(self, transition: Transition, move: Movement) -> None:
        """Move, take the die at the end of the path, and check for a win."""
        state = transition.state
        steps = move.steps
        stages = list(accumulate(steps, Stage.after, initial=Stage.of(state)))
        transition.emit(_moved(state.turn, steps, stages))
        transition.state = _reached(state, stages[-1])
        transition.change(phase=PhaseName.SPEND, roll=None)
        transition.pick_up(state.turn)
        transition.check_win()


class Moving(Phase[State, Transition]):
    """The mover moves the piece, the monsters and the fan."""

    name = PhaseName.MOVE
    steps = (MovementStep(),)
    asks = gettext_noop("a turn begins with the movement of your piece, the monsters and the fan.")

    def options(self, state: State, typed: str) -> Options:
        """Offer ways of pieces, other pieces, and turns of the fan."""
        entry = MovementEntry(state, typed)
        view = entry.view if typed.strip() else None
        if entry.stage.is_whole:
            return Options(complete=not entry.rest, next=(), view=view, forecast=entry.forecast)
        typed = entry.rest + entry.blank
        return replace(follow(entry.words(), typed, entry.prompt, is_complete=False), view=view)


def explain(state: State, typed: str, mark: str) -> str:
    """Return why a mark leads nowhere in a movement. Empty if the question says enough."""
    entry = MovementEntry(state, typed)
    monsters, turns, player = entry.stage.left
    if mark.startswith("fan"):
        if turns:
            return gettext("The fan turns in one direction only.")
        return gettext("The fan has turned enough.")
    if mark.startswith("monster-") and not monsters:
        return gettext("The monsters have no steps left.")
    if mark == events.player_mark(state.turn) and not player:
        return gettext("Your piece has no steps left.")
    if mark.startswith("player-") and mark != events.player_mark(state.turn):
        return gettext("You don’t move other players’ pieces.")
    return _out_of_reach(state, entry, mark) if re.fullmatch(SPACE_PATTERN, mark) else ""


def _out_of_reach(state: State, entry: "MovementEntry", mark: str) -> str:
    """Explain that the selected piece can't reach a space."""
    if entry.selected is None:
        if entry.stage.movable:
            return gettext("First choose a monster.")
        return gettext("No piece can move on: turn the fan.")
    piece: int = entry.selected
    where = spoken(Space(mark))
    owner = state.walls.get(Space(mark))
    if owner is not None and (piece or owner != state.turn):
        if owner == state.turn:
            message = gettext("Your wall is on {space}: only you can enter it.")
            return message.format(space=where)
        message = gettext("{player}’s wall is on {space}: only {player} can enter it.")
        return message.format(space=where, player=name_of(owner))
    left = entry.stage.steps_left(piece)
    if piece:
        message = ngettext(
            "Monster {number} can’t reach {space} with {count} step.",
            "Monster {number} can’t reach {space} with {count} steps.",
            left,
        )
    else:
        message = ngettext(
            "Your piece can’t reach {space} with {count} step.",
            "Your piece can’t reach {space} with {count} steps.",
            left,
        )
    return message.format(number=piece, space=where, count=left)


def _reached(state: State, stage: Stage) -> State:
    """Return the position with the pieces and the fan of a stage."""
    players = list(state.players)
    at, *monsters = (at for at, _ in stage.pieces)
    players[state.turn] = structs.replace(state.player, at=at)
    return structs.replace(state, fan=stage.fan, players=tuple(players), monsters=tuple(monsters))


def _moved(seat: Seat, steps: Sequence[MovementPart], stages: Sequence[Stage]) -> events.Moved:
    """Return the event of a whole or unfinished movement."""
    paths = [
        _changes([stage.pieces[n][0] for stage in stages]) for n in range(len(stages[0].pieces))
    ]
    monsters = {str(n): path for n, path in enumerate(paths) if n and len(path) > 1}
    fan = _changes([stage.fan for stage in stages])
    return events.Moved(seat, tuple(map(str, steps)), paths[0], monsters, fan)


def _changes(values: Sequence[T]) -> tuple[T, ...]:
    return (values[0], *(after for before, after in pairwise(values) if after != before))


# --- Entry --------------------------------------------------------------------------------------

STEP = re.compile(f"[pm][1-8]?>{SPACE_PATTERN}(?![0-9])|f[+-]")
PIECE = re.compile("p|m[1-8]")

FAN_MARKS = {
    (1, False): events.FAN_UP,
    (1, True): events.FAN_ALL_UP,
    (-1, False): events.FAN_DOWN,
    (-1, True): events.FAN_ALL_DOWN,
}
"""The mark of a turn, by its direction and whether it is one by several sectors."""


class MovementEntry:
    """The typed part of a movement: whole ``steps``, and the ``rest`` after them.

    A space whose name could be longer ends with a blank, unless nothing may follow it.
    """

    def __init__(self, state: State, typed: str) -> None:
        self.state = state
        self.rest = folded(typed)
        self.blank = " " * typed[-1:].isspace()
        self._steps: list[MovementPart] = []
        self._stages = [Stage.of(state)]
        while match := STEP.match(self.rest):
            step = STEPS.get(match[0].capitalize())
            if step is None or self.stage.refusal(step):
                break
            after = self.stage.after(step)
            is_last = match.end() == len(self.rest)
            if is_last and isinstance(step, Walk) and not (self.blank or after.is_whole):
                break
            self._steps.append(step)
            self._stages.append(after)
            self.rest = self.rest[match.end() :]

    @property
    def stage(self) -> Stage:
        """The stage after the whole steps."""
        return self._stages[-1]

    @cached_property
    def _shown(self) -> State:
        """The position after the steps so far, with the question unchanged."""
        if not self.stage.is_whole:
            return _reached(self.state, self.stage)
        transition = Transition(self.state, no_dice())
        MovementStep().play(transition, Movement(" ".join(map(str, self._steps))))
        if transition.is_over:
            return transition.state
        return structs.replace(transition.state, phase=PhaseName.MOVE)

    @property
    def view(self) -> MovementView:
        """That position, with the steps so far and the rest of each die."""
        position = structs.asdict(self._shown) | {"roll": self.state.roll}
        move = _moved(self.state.turn, self._steps, self._stages)
        return MovementView(**position, left=self.stage.left, move=move)

    @property
    def forecast(self) -> str:
        """The consequences of a whole movement."""
        return forecast(self._shown)

    @property
    def prompt(self) -> str:
        """The question for the next step, with the rest of its die."""
        monsters, turns, player = self.stage.left
        if self.selected == 0:
            message = ngettext(
                "Move your piece: {count} step to go.",
                "Move your piece: {count} steps to go.",
                player,
            )
            return message.format(count=player)
        if self.selected:
            message = ngettext(
                "Move monster {number}: {count} step to go.",
                "Move monster {number}: {count} steps to go.",
                monsters,
            )
            return message.format(number=self.selected, count=monsters)
        if self.stage.movable:
            message = ngettext(
                "Choose a monster: {count} step to go.",
                "Choose a monster: {count} steps to go.",
                monsters,
            )
            return message.format(count=monsters)
        message = ngettext(
            "Turn the fan with the arrows: {count} sector to go.",
            "Turn the fan with the arrows: {count} sectors to go.",
            turns,
        )
        return message.format(count=turns)

    @cached_property
    def selected(self) -> int | None:
        """The typed piece, the last one moved, or the player's own, if it has steps left."""
        movable = self.stage.movable
        if typed := PIECE.match(self.rest):
            return int(typed[0][1:] or 0)
        moved = [step.monster for step in self._steps if isinstance(step, Walk)]
        wanted = [*moved[-1:], 0, *movable[: len(movable) == 1]]
        return next((piece for piece in wanted if piece in movable), None)

    def words(self) -> Words:
        """Yield what may follow the whole steps: turns, ways of a piece, and other pieces.

        Another piece needn't be chosen first for spaces that only it can reach.
        """
        selected = self.selected
        if self.stage.turns_left:
            for turn in TURNS[self.stage.direction]:
                yield from self._turns(turn)
        others = [piece for piece in sorted(self.stage.movable) if piece != selected]
        if selected is not None and selected in self._ways_of:
            yield from self._ways(selected, self._ways_of[selected])
        if not self.rest:
            for piece in others:
                yield from self._ways(piece, self._own_ways(piece))
        yield from map(self._piece, others)

    @cached_property
    def _ways_of(self) -> Mapping[int, Mapping[Space, tuple[Space, ...]]]:
        """The best way of each piece with steps left to each space in reach."""
        return {piece: shortest_paths(self.stage, piece) for piece in self.stage.movable}

    def _own_ways(self, piece: int) -> Mapping[Space, tuple[Space, ...]]:
        """Return the ways of a piece to the spaces that no other piece can reach."""
        others = [ways for other, ways in self._ways_of.items() if other != piece]
        return {
            to: way
            for to, way in self._ways_of[piece].items()
            if not any(to in ways for ways in others)
        }

    @cached_property
    def _standing(self) -> Mapping[Space, tuple[str, ...]]:
        """The marks of pieces on each space that can't be chosen, since they cover it."""
        own = events.player_mark(self.state.turn)
        marks: dict[Space, tuple[str, ...]] = {}
        for number, (at, _) in enumerate(self.stage.pieces):
            if number == self.selected or number not in self.stage.movable:
                mark = events.monster_mark(number) if number else own
                marks[at] = (*marks.get(at, ()), mark)
        for seat in self.state.still_in:
            if seat != self.state.turn:
                at = self.state.at(seat)
                marks[at] = (*marks.get(at, ()), events.player_mark(seat))
        return marks

    def _turns(self, turn: Turn) -> Words:
        """Yield a turn of the fan by one sector, and by all remaining ones."""
        for count in sorted({1, self.stage.turns_left}):
            if turn == UP:
                label = ngettext(
                    "Turn the fan {count} sector clockwise",
                    "Turn the fan {count} sectors clockwise",
                    count,
                )
            else:
                label = ngettext(
                    "Turn the fan {count} sector anticlockwise",
                    "Turn the fan {count} sectors anticlockwise",
                    count,
                )
            mark = FAN_MARKS[turn.by, count > 1]
            yield Word(self._text([turn] * count), label.format(count=count), (mark,))

    def _ways(self, piece: int, ways: Mapping[Space, tuple[Space, ...]]) -> Words:
        """Yield ways of a piece, with the contents of each destination.

        Only the spaces of the selected piece show their distance: one number each.
        """
        reached = _reached(self.state, self.stage)
        is_selected = piece == self.selected
        for to, way in ways.items():
            message = _way_message(len(way), is_selected=is_selected, is_own=not piece)
            space = describe_space(reached, to)
            label = message.format(space=space, count=len(way), number=piece)
            marks = (to, *self._standing.get(to, ()))
            text = self._text([Walk(piece, space) for space in way])
            yield Word(text, label, marks, sign=str(len(way)) if is_selected else "")

    def _piece(self, number: int) -> Word:
        at, _ = self.stage.pieces[number]
        if number:
            label = gettext("Monster {number}, on {space}").format(number=number, space=spoken(at))
            mark = events.monster_mark(number)
            return Word(f"M{number}>", label, (mark,))
        label = gettext("Your piece, on {space}").format(space=spoken(at))
        return Word("P>", label, (events.player_mark(self.state.turn),))

    def _text(self, steps: Sequence[MovementPart]) -> str:
        """Return the text of steps, with a blank at the end if another one follows."""
        text = " ".join(map(str, steps))
        return text if len(steps) == sum(self.stage.left) else f"{text} "


def _way_message(steps: int, *, is_selected: bool, is_own: bool) -> str:
    """Return the message for a way, which names its piece unless that is selected."""
    if is_selected:
        return ngettext("{space}: {count} step", "{space}: {count} steps", steps)
    if is_own:
        return ngettext(
            "{space}: {count} step of your piece", "{space}: {count} steps of your piece", steps
        )
    return ngettext(
        "{space}: {count} step of monster {number}",
        "{space}: {count} steps of monster {number}",
        steps,
    )
