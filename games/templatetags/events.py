"""Template tags for tournaments."""

from typing import Any

from django import template

from games.events import selectors

register = template.Library()


@register.inclusion_tag("events/of_match.html")
def tournament_of(match_id: int) -> dict[str, Any]:
    """Name the tournament that a match belongs to, if there is one."""
    return {"table": selectors.of_match(match_id)}
