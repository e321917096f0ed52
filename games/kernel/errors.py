"""Errors about moves, positions and parameters.

Malformed, illegal, out of turn and stale are four different things. Every interface
answers each in its own way, so each has a class, a stable ``code`` and a sentence that quotes the
input. The first line of a docstring is the title of the error in the API.
"""

import json

from games.kernel.language import gettext

MAX_ECHO_LENGTH = 80
"""Maximum number of quoted characters of an input."""


def quoted(value: object) -> str:
    """Quote a value of JSON in an error, cut if it is long.

    A text is in quotes, the rest as JSON writes it: ``null``, not ``None``.
    """
    if not isinstance(value, str):
        text = json.dumps(value, default=repr)
        return text if len(text) <= MAX_ECHO_LENGTH else f"{text[: MAX_ECHO_LENGTH - 1]}…"
    text = value if len(value) <= MAX_ECHO_LENGTH else f"{value[: MAX_ECHO_LENGTH - 1]}…"
    # Translators: the quotation marks of the language around what somebody typed.
    return gettext("'{text}'").format(text=repr(text)[1:-1])


class GameError(Exception):
    """A refused request to the rules. It changed nothing."""

    code = "error"


class RulesError(GameError):
    """The rules don't accept the move."""

    code = "rules"


class MalformedMove(RulesError):
    """The text isn't a move of this game in any position."""

    code = "malformed"


class IllegalMove(RulesError):
    """The rules forbid the move here.

    ``reason`` says which rule. The sentence begins with ``move`` if the reason doesn't name it.
    """

    code = "illegal"

    def __init__(self, reason: str, move: str = "") -> None:
        text = reason
        if move:
            # Translators: a refused move and why, as in "Not c4: the cell is taken."
            text = gettext("Not {move}: {reason}").format(move=move, reason=reason)
        super().__init__(text)
        self.reason = reason


class NotYourTurn(RulesError):
    """The seat isn't to move."""

    code = "not-your-turn"


class MatchOver(RulesError):
    """The match has ended."""

    code = "over"


class BrokenPosition(GameError):
    """No match can have reached the position."""

    code = "broken-position"


class BrokenEvent(GameError):
    """The JSON isn't an event of the game."""

    code = "broken-event"


class BadParams(GameError):
    """The game doesn't offer these parameters or this number of seats."""

    code = "bad-params"


class UnknownTitle(GameError):
    """No game has this slug."""

    code = "unknown-title"


class UnknownRules(GameError):
    """The game doesn't have rules of this version."""

    code = "unknown-rules"


class ChanceError(GameError):
    """An outcome of chance is missing, left over, or impossible."""

    code = "chance"
