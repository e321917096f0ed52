"""The ratings of a player as charts, each with the changes it is drawn from."""

from collections.abc import Sequence

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.html import format_html

from accounts.models import User
from games.kernel import registry
from games.ratings import selectors
from games.ratings.calculation import Strength
from games.ratings.models import RatingChange
from games.ratings.selectors import Standing
from games.web.statistics import charts
from games.web.statistics.page import Figure

CHARTED = 200
"""The most matches that a chart shows, the latest ones."""

LISTED = 50
"""The most matches that the table below it lists."""

LEAST_CHARTED = 2


def figures(person: User, standings: Sequence[Standing]) -> list[Figure]:
    """Return the history of each rating of a player."""
    return [_figure(person, standing) for standing in standings]


def most_played(person: User, standings: Sequence[Standing]) -> Figure | None:
    """Return the history of the rating in the game played most; ``None`` without a chart."""
    most = max(standings, key=lambda standing: standing.matches, default=None)
    if most is None or most.matches < LEAST_CHARTED:
        return None
    return _figure(person, most)


def _figure(person: User, standing: Standing) -> Figure:
    latest = selectors.history(person, standing.title).order_by("-ended", "-match")
    changes = list(latest[:CHARTED])[::-1]
    titles = registry.titles()
    name = titles[standing.title].meta.name if standing.title in titles else standing.title
    points = [(change.matches, round(change.mu)) for change in changes]
    return Figure(
        key=f"history-{standing.title}",
        heading=name,
        note=in_words(standing),
        head=("Match", "Ended", "Before", "After", "Change"),
        rows=[_row(change) for change in changes[::-1][:LISTED]],
        picture=charts.line(points, f"Rating in {name} after each match")
        if len(points) >= LEAST_CHARTED
        else None,
    )


def in_words(standing: Standing) -> str:
    """Return a rating in a sentence or two."""
    rating = standing.rating
    level = f"{rating.level}, provisional" if rating.is_provisional else rating.level
    matches = f"{standing.matches} rated match{'es' * (standing.matches != 1)}"
    words = f"{rating.number} ± {rating.deviation}, {level}, after {matches}."
    if standing.percentile is None:
        return words
    return f"{words} Higher than {standing.percentile} % of the other established players."


def _row(change: RatingChange) -> tuple[object, ...]:
    before = selectors.shown(Strength(change.mu_before, change.sigma_before))
    shown = selectors.Change("", before, selectors.shown(change.strength))
    address = reverse("match", args=[change.match_id])
    return (
        format_html('<a href="{}">{}</a>', address, change.match_id),
        date_format(change.ended, "j M Y"),
        shown.before.number,
        shown.after.number,
        shown.signed,
    )
