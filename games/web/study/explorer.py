"""The explorer beside a board: what was played in its position in rated matches."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from django import forms
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy, pgettext

from games.explorer import selectors
from games.explorer.models import RATING_STEP
from games.explorer.periods import month_of
from games.explorer.selectors import Explored, Filter
from games.kernel.canonical import canonical
from games.web.study.page import BoardPage

PREFERENCE = "explorer"
"""The key of the filter in the reader's session."""

LOWEST, HIGHEST = 1000, 2000
"""The lowest and the highest rating to filter by."""

MONTHS = {
    0: gettext_lazy("Any time"),
    3: gettext_lazy("The last 3 months"),
    12: gettext_lazy("The last 12 months"),
    36: gettext_lazy("The last 3 years"),
}


def _ratings() -> list[tuple[int, str]]:
    more = gettext("{rating} or more")
    numbers = range(LOWEST, HIGHEST + 1, RATING_STEP)
    return [
        (0, pgettext("rating", "Any")),
        *((number, more.format(rating=number)) for number in numbers),
    ]


class ExplorerForm(forms.Form):
    """The filter: a minimum rating, and how long ago matches may have ended."""

    rating = forms.TypedChoiceField(
        label=gettext_lazy("Mean rating"),
        coerce=int,
        choices=_ratings,
    )
    months = forms.TypedChoiceField(
        label=gettext_lazy("Ended"), coerce=int, choices=[*MONTHS.items()]
    )

    def wanted(self, now: datetime) -> Filter:
        """Return the filter. An invalid one lets everything through."""
        if not self.is_valid():
            return Filter()
        months = self.cleaned_data["months"]
        return Filter(self.cleaned_data["rating"], month_of(now) + 1 - months if months else 0)


@dataclass(frozen=True)
class ShownMove:
    """A move that was played next, in words, and as the board takes it."""

    text: str
    phrase: str
    results: selectors.Results


@dataclass(frozen=True)
class Explorer:
    """What the explorer shows beside a board. ``form`` is its filter."""

    page: BoardPage
    form: ExplorerForm
    found: Explored

    @cached_property
    def moves(self) -> Sequence[ShownMove]:
        """The moves that were played next. The match ended where nobody moved."""
        return [
            ShownMove(one.move, self.page.phrase(one.move), one.results) for one in self.found.moves
        ]

    @property
    def is_filtered(self) -> bool:
        return any(int(self.form[name].value()) for name in self.form.fields)


def explorer(request: HttpRequest, page: BoardPage) -> Explorer:
    """Return what ended rated matches show about the position of a board.

    A filter that is sent is kept for the reader's next pages.
    """
    names = ("rating", "months")
    if all(name in request.GET for name in names):
        sent = ExplorerForm({name: request.GET[name] for name in names})
        if sent.is_valid():
            request.session[PREFERENCE] = sent.cleaned_data
    form = ExplorerForm(request.session.get(PREFERENCE, {"rating": 0, "months": 0}))
    tree = page.tree
    position = canonical(tree.title, tree.seats, tree.params, page.moment.state)
    found = selectors.explored(position, tree.seats, form.wanted(timezone.now()))
    return Explorer(page, form, found)
