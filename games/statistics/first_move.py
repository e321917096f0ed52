"""Where on the board a first move leads, found by entering it as a player would."""

import re

from games.kernel.completion import folded
from games.kernel.contract import AnyGame, Params, Seat
from games.kernel.dice import Outcome, RecordedDice
from games.kernel.errors import GameError
from games.kernel.options import Choice, Span

_NUMBER = re.compile(r"\s*[+-]?\d+(?:\.\d+)?")

MAX_STEPS = 50
"""Maximum number of steps to enter a move."""


def touched_marks(
    title: AnyGame,
    seats: int,
    params: Params,
    setup_chance: tuple[Outcome, ...],
    *,
    seat: Seat,
    text: str,
) -> tuple[str, ...]:
    """Return the marks of the board for the last step of a match's first move.

    That is the cell on which a stone is placed, or the end of a piece's way. Empty if the move
    can't be entered in the first position.
    """
    dice = RecordedDice(setup_chance)
    try:
        state = title.setup(seats, params, dice)
        return _walk(title, state, seat, text)
    except GameError:
        return ()


def _walk(title: AnyGame, state: object, seat: Seat, text: str) -> tuple[str, ...]:
    """Return the marks of the last choice that has any, among those that lead to a move.

    If no choice leads on, the next letter is typed: a move may be written in another order than it
    is clicked.

    :raises MalformedMove: no move begins with the typed text.
    """
    typed = ""
    last_marks: tuple[str, ...] = ()
    for _ in range(MAX_STEPS):
        if folded(typed) == folded(text):
            return last_marks
        choices = title.options(state, seat, typed).next
        letter = folded(text)[len(folded(typed)) :][:1]
        word, marks = _step(choices, typed, text) or (letter, ())
        typed += word
        last_marks = marks or last_marks
    return ()


def _step(
    offered: tuple[Choice | Span, ...], typed: str, text: str
) -> tuple[str, tuple[str, ...]] | None:
    """Return the longest word that leads on to a text, with its marks. ``None`` without any."""
    wanted = folded(text)
    steps = []
    for option in offered:
        part = option.text if isinstance(option, Choice) else _number_after(typed, text)
        if part and wanted.startswith(folded(typed + part)):
            steps.append((part, option.marks))
    return max(steps, key=lambda step: len(folded(step[0])), default=None)


def _number_after(typed: str, text: str) -> str:
    """Return the number that follows the typed part of a text, with a blank before it if any."""
    letters = [at for at, letter in enumerate(text) if not letter.isspace()]
    count = len("".join(typed.split()))
    start = letters[count - 1] + 1 if 0 < count <= len(letters) else 0
    number = _NUMBER.match(text, start)
    return number[0] if number else ""
