"""Template tags for ratings."""

from collections.abc import Mapping
from typing import Any

from django import template

from games.ratings.selectors import Shown

register = template.Library()


@register.inclusion_tag("ratings/beside_name.html")
def show_rating(rating: Shown | None) -> dict[str, Any]:
    """Show a rating beside a name; nothing without one."""
    return {"rating": rating}


@register.inclusion_tag("ratings/beside_name.html")
def rating_tag(ratings: Mapping[int, Shown], user_id: int) -> dict[str, Any]:
    """Show the rating of a user, of several, beside the name; nothing without one."""
    return {"rating": ratings.get(user_id)}
