"""The expert beside a board: the button that asks, and the answer."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils import timezone

from accounts import limits
from accounts.requests import signed_in
from games.matches.errors import Refused
from games.matches.view.parts import Swatch
from games.study import expert
from games.study.models import ExpertQuestion
from games.study.tree import Tree
from games.web.study.page import BoardPage

ACTION = "expert"
"""The action of the form that asks."""

PERCENT = 100


@dataclass(frozen=True)
class ShownAdvice:
    """A good move, in words, and as the board takes it. ``chance`` is in percent."""

    text: str
    phrase: str
    chance: int | None


@dataclass(frozen=True)
class Expert:
    """What the expert says about the position of a board to its reader."""

    page: BoardPage
    user: Any

    @cached_property
    def question(self) -> ExpertQuestion | None:
        return expert.of(self.user, self.page.tree, self.page.moment.state)

    @cached_property
    def is_waiting(self) -> bool:
        return self.question is not None and expert.is_waiting(self.question, timezone.now())

    @property
    def is_lost(self) -> bool:
        """Whether the question was not answered in time."""
        return self.question is not None and self.question.moves is None and not self.is_waiting

    @cached_property
    def moves(self) -> Sequence[ShownAdvice]:
        """The best moves, the best first. Empty without an answer."""
        advice = self.question and expert.advice(self.question)
        return [
            ShownAdvice(
                one.move,
                self.page.phrase(one.move),
                None if one.chance is None else round(PERCENT * one.chance),
            )
            for one in (advice.moves if advice else ())
        ]

    @property
    def is_exact(self) -> bool:
        """Whether the position has been solved."""
        advice = self.question and expert.advice(self.question)
        return bool(advice and advice.exact)

    @property
    def may_ask(self) -> bool:
        """Whether somebody is to move. Guests and visitors read why they can't ask."""
        return bool(self.page.mover)

    @property
    def swatch(self) -> Swatch:
        return self.page.swatches[expert.mover(self.page.tree, self.page.moment.state)]

    @property
    def daily(self) -> int:
        """How many questions an account has a day."""
        rates = settings.FORM_LIMITS["expert"]["account"]
        return next(int(rate.partition("/")[0]) for rate in rates if rate.endswith("/d"))


def ask(request: HttpRequest, tree: Tree, number: int) -> None:
    """Ask the expert about the position after a node.

    :raises GameError: the user may not.
    :raises TooMany: the user has asked too often.
    """
    limits.spend(request, "board")
    if not request.user.is_authenticated:
        raise Refused(expert.GUEST)
    expert.ask(
        user=signed_in(request),
        tree=tree,
        number=number,
        now=timezone.now(),
        admit=partial(spend, request),
    )


def spend(request: HttpRequest) -> None:
    """Count a question against the limits."""
    limits.spend(request, "expert")
    limits.spend_for_all(request, "expert")
