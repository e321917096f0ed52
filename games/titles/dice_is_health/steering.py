"""Entry of a movement, step by step: a piece and the space it steps to, or a turn of the fan."""

from collections.abc import Iterator

from games.kernel.completion import folded
from games.kernel.options import Choice
from games.kernel.views import DictView, View
from games.titles.dice_is_health import actions, forecast, movement, phrases
from games.titles.dice_is_health.events import FAN_DOWN, FAN_UP, monster_mark, player_mark
from games.titles.dice_is_health.movement import Ground, Next, Stage
from games.titles.dice_is_health.moves import Movement, Step, Turn, Walk
from games.titles.dice_is_health.position import State, dump

WAYS = {1: ("up", FAN_UP), -1: ("down", FAN_DOWN)}
"""How the fan turns, by its sectors, and the part of the drawing that turns it."""


class Entry:
    """What is typed of a movement: whole ``steps``, and the ``rest`` behind them.

    A space whose name could be longer ends with a blank, unless nothing may follow it.
    """

    def __init__(self, state: State, typed: str) -> None:
        self.state = state
        self.steps: list[Step] = []
        self.rest, self.blank = folded(typed), " " * typed[-1:].isspace()
        self._ground, self._stage = Ground.of(state), Stage.of(state)
        self._before = self._following
        while taken := next(filter(self._is_taken, self._following), None):
            self._before = self._following
            self.steps.append(taken[0])
            self.rest, self._stage = self.rest[len(str(taken[0])) :], taken[1]

    @property
    def is_whole(self) -> bool:
        """Whether all steps are used."""
        return self._stage.is_whole

    @property
    def shown(self) -> State:
        """The position as the steps so far leave it."""
        if self.is_whole:
            return forecast.after(self.state, Movement(tuple(self.steps)))
        return forecast.on_the_way(self.state, self._stage)

    @property
    def view(self) -> View:
        """That position as seen, with the steps so far and what they leave of each die."""
        steps = tuple(self.steps)
        ways = actions.paths(movement.stages(self.state, steps))
        told = {"steps": list(map(str, steps)), **ways}
        shown, rolled = dump(self.shown), dump(self.state)["roll"]
        return DictView({**shown, "roll": rolled, "left": list(self._stage.left), "move": told})

    @property
    def prompt(self) -> str:
        """What is left of the dice or, of a whole movement, what comes of it."""
        if self.is_whole:
            return forecast.told(self.state, self.shown)
        monsters, fan, player = self._stage.left
        left = [
            f"your piece {phrases.counted(player, 'step')}" if player else "",
            f"the monsters {phrases.counted(monsters, 'step')}" if monsters else "",
            f"the fan {phrases.counted(fan, 'turn')}" if fan else "",
        ]
        still = f"Still to go, in any order: {phrases.listed(list(filter(None, left)))}."
        return f"{self._which_way}{still}"

    @property
    def _which_way(self) -> str:
        """The question for a space, once it has been said what steps; else empty."""
        mover, arrow, _ = self.rest.partition(">")
        if not arrow:
            return ""
        who = f"monster {mover[1:]}" if mover[1:] else "your piece"
        return f"Where does {who} step? "

    def choices(self) -> Iterator[Choice]:
        """Yield what may follow the whole steps: pieces and turns, or spaces to step to."""
        steps = self._following
        walkers = {step.monster for step, _ in steps if isinstance(step, Walk)}
        is_alone = len(walkers) == 1 and not any(isinstance(step, Turn) for step, _ in steps)
        if is_alone or ">" in self.rest:
            yield from self._walks(steps)
        else:
            yield from self._turns(steps)
            yield from map(self._walker, sorted(walkers))

    def longer(self) -> Iterator[Choice]:
        """Yield what may follow where the last space may yet become another, as o1 does o17."""
        if not self.rest and not self.blank:
            last = str(self.steps[-1])
            texts = [str(step) for step, _ in self._before]
            rest = [text[len(last) :] for text in texts if text.startswith(last)]
            yield from (Choice(more, last + more) for more in rest if more)

    @property
    def _following(self) -> Next:
        return movement.following(self._ground, self._stage)

    def _is_taken(self, one: tuple[Step, Stage]) -> bool:
        step, after = one
        key = str(step).lower()
        if not self.rest.startswith(key):
            return False
        behind = self.rest[len(key) :]
        if behind or isinstance(step, Turn):
            return isinstance(step, Turn) or not behind[0].isdigit()
        return bool(self.blank) or after.is_whole

    def _turns(self, steps: Next) -> Iterator[Choice]:
        for step, after in steps:
            if isinstance(step, Turn):
                way, mark = WAYS[step.by]
                label = f"Turn the fan {way}, to place {after.fan}"
                yield Choice(_ended(step, after), label, (mark,))

    def _walker(self, number: int) -> Choice:
        at = self._stage.pieces[number].at
        if number:
            return Choice(f"M{number}>", f"Monster {number}, on {at}", (monster_mark(number),))
        return Choice("P>", f"Your piece, on {at}", (player_mark(self.state.turn),))

    def _walks(self, steps: Next) -> Iterator[Choice]:
        found = forecast.on_the_way(self.state, self._stage)
        for step, after in steps:
            if isinstance(step, Walk):
                label = forecast.found_on(found, step.to)
                yield Choice(_ended(step, after), label, (str(step.to),))


def _ended(step: Step, after: Stage) -> str:
    """Return the text of a step, with a blank behind it where another one follows."""
    return f"{step}" if after.is_whole else f"{step} "
