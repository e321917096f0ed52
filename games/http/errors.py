"""The HTTP status of each kind of error."""

from http import HTTPStatus

from django.utils.translation import ngettext

from games.kernel.errors import GameError, MatchOver, NotYourTurn
from games.lobby.errors import NotInvited
from games.matches.errors import NotAPlayer, Refused, Unknown


class TooFast(GameError):
    """A rate limit is exceeded. ``wait`` is the time to wait, in seconds."""

    code = "throttled"

    def __init__(self, wait: int) -> None:
        words = ngettext(
            "That was too fast. Please try again in {count} second.",
            "That was too fast. Please try again in {count} seconds.",
            wait,
        )
        super().__init__(words.format(count=wait))
        self.wait = wait


STATUSES: tuple[tuple[type[GameError], HTTPStatus], ...] = (
    (TooFast, HTTPStatus.TOO_MANY_REQUESTS),
    (Unknown, HTTPStatus.NOT_FOUND),
    (NotAPlayer, HTTPStatus.FORBIDDEN),
    (NotInvited, HTTPStatus.FORBIDDEN),
    (NotYourTurn, HTTPStatus.FORBIDDEN),
    (MatchOver, HTTPStatus.CONFLICT),
    (Refused, HTTPStatus.CONFLICT),
)
"""From specific to general. All others are malformed or illegal moves."""


def status_of(error: GameError) -> HTTPStatus:
    return status_of_kind(type(error))


def status_of_kind(kind: type[GameError]) -> HTTPStatus:
    statuses = (status for parent, status in STATUSES if issubclass(kind, parent))
    return next(statuses, HTTPStatus.UNPROCESSABLE_ENTITY)
