"""What can be wrong with a move, a position or a parameter.

Malformed is not illegal, illegal is not out of turn, and none of them is stale: every interface
answers each in its own way, so each has a class, a stable ``code`` and a sentence that holds
the input.
"""

import json

MAX_ECHO_LENGTH = 80
"""So many characters of what was sent are repeated."""


def quoted(value: object) -> str:
    """Return what was sent, a value of JSON, as errors repeat it; what is long is cut.

    A text is in quotes, the rest as JSON writes it: ``null``, not ``None``.
    """
    if not isinstance(value, str):
        text = json.dumps(value, default=repr)
        return text if len(text) <= MAX_ECHO_LENGTH else f"{text[: MAX_ECHO_LENGTH - 1]}…"
    return repr(value if len(value) <= MAX_ECHO_LENGTH else f"{value[: MAX_ECHO_LENGTH - 1]}…")


class GameError(Exception):
    """A request to the rules that was refused, and changed nothing."""

    code = "error"


class RulesError(GameError):
    """A move that the rules do not accept."""

    code = "rules"


class MalformedMove(RulesError):
    """A text that is no move of this game in any position."""

    code = "malformed"


class IllegalMove(RulesError):
    """A well-formed move that the rules forbid here.

    ``reason`` says which rule. The sentence begins with ``move`` if the reason doesn't name it.
    """

    code = "illegal"

    def __init__(self, reason: str, move: str = "") -> None:
        super().__init__(f"Not {move}: {reason}" if move else reason)
        self.reason = reason


class NotYourTurn(RulesError):
    """A move of a seat that is not to move."""

    code = "not-your-turn"


class MatchOver(RulesError):
    """A move, drop or close after the end."""

    code = "over"


class BrokenPosition(GameError):
    """A position that no match can have reached, or that is no position at all."""

    code = "broken-position"


class BrokenEvent(GameError):
    """JSON that is no event of a game."""

    code = "broken-event"


class BadParams(GameError):
    """Parameters or a number of seats that the game does not offer."""

    code = "bad-params"


class UnknownTitle(GameError):
    """A slug that no game has."""

    code = "unknown-title"


class UnknownRules(GameError):
    """A version of a game's rules that its title does not carry."""

    code = "unknown-rules"


class ChanceError(GameError):
    """An outcome of chance that is missing, left over, or not a possible one."""

    code = "chance"
