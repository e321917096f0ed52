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
from games.bots.questions import Advice
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
    def advice(self) -> Advice | None:
        """The answer. ``None`` until it is there."""
        return None if self.question is None else expert.advice(self.question)

    @cached_property
    def moves(self) -> Sequence[ShownAdvice]:
        """The best moves, the best first. Empty without an answer."""
        return [
            ShownAdvice(
                one.move,
                self.page.phrase(one.move),
                None if one.chance is None else round(PERCENT * one.chance),
            )
            for one in (self.advice.moves if self.advice else ())
        ]

    @property
    def is_exact(self) -> bool:
        """Whether the position has been solved."""
        return self.advice is not None and self.advice.exact

    @property
    def may_ask(self) -> bool:
        """Whether somebody is to move. Guests and visitors read why they can't ask."""
        return bool(self.page.mover)

    @property
    def swatch(self) -> Swatch:
        return self.page.swatches[expert.mover(self.page.tree, self.page.moment.state)]

    @property
    def daily(self) -> int | None:
        """How many questions an account has a day. ``None`` if the settings name no number."""
        rates = settings.FORM_LIMITS[ACTION]["account"]
        daily = (int(rate.partition("/")[0]) for rate in rates if rate.endswith("/d"))
        return next(daily, None)


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
        admit=partial(limits.spend_with_all, request, ACTION),
    )
