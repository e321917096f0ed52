"""Template tags for games and challenges."""

from collections.abc import Mapping
from datetime import UTC, timedelta
from typing import Any

from django import template
from django.template.context import Context
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format

from accounts import presence
from accounts.models import User
from games.kernel import registry
from games.kernel.contract import AnyGame, Meta
from games.kernel.formatting import between
from games.kernel.views import Json
from games.lobby import commitments, selectors
from games.lobby.commitments import PendingSecret
from games.lobby.models import Challenge
from games.matches import formatting
from games.matches.clocks import pace
from games.moderation import abandoned
from games.moderation.models import AbandonedSeat
from games.study import lessons, puzzles
from games.web.lobby.rows import listed

register = template.Library()
register.simple_tag(listed, name="with_habits")


@register.filter
def challenge_title(challenge: Challenge) -> AnyGame:
    """Return the game of a challenge."""
    return registry.get(challenge.title)


@register.filter
def challenge_game(challenge: Challenge) -> str:
    """Return the name of a challenge's game."""
    return registry.get(challenge.title).meta.name


@register.filter
def game_name(slug: str) -> str:
    """Return the name of a game; its slug where there is no such game any more."""
    title = registry.titles().get(slug)
    return title.meta.name if title else slug


@register.filter
def has_lessons(meta: Meta) -> bool:
    """Whether a game has lessons."""
    return bool(lessons.lessons(meta.slug))


@register.filter
def has_puzzles(meta: Meta) -> bool:
    """Whether a game has puzzles."""
    return bool(puzzles.puzzles(meta.slug))


@register.simple_tag(takes_context=True)
def new_commitment(context: Context, meta: Meta | None = None) -> PendingSecret | None:
    """Return a new commitment for a form of the reader; ``None`` in a game without chance.

    Without ``meta`` the game is chosen in the form.
    """
    return commitments.make(context["user"]) if meta is None or meta.has_chance else None


@register.filter
def has_dice(challenge: Challenge) -> bool:
    """Whether a challenge's game has chance."""
    return registry.get(challenge.title).meta.has_chance


@register.filter
def params_short(challenge: Challenge) -> str:
    """Return a challenge's parameters in one line."""
    return formatting.parameters_short(registry.get(challenge.title).meta, challenge.params)


@register.filter
def params_long(challenge: Challenge) -> list[tuple[str, str]]:
    """Return name and value of a challenge's parameters."""
    return formatting.parameters(registry.get(challenge.title).meta, challenge.params)


@register.filter
def seats_taken(challenge: Challenge) -> int:
    """Return how many seats of a challenge are taken."""
    return len(selectors.taken(challenge))


@register.filter
def seat_range(seats: tuple[int, int]) -> str:
    """Return how many play: ``2``, ``2 to 6``."""
    return between(*seats)


@register.filter
def parameter_facts(meta: Meta) -> list[tuple[str, str]]:
    """Return the title of each parameter and what can be chosen, the default named."""
    properties = meta.params.get("properties", {})
    return [(schema.get("title", name), _choices(schema)) for name, schema in properties.items()]


def _choices(schema: Mapping[str, Json]) -> str:
    default = formatting.parameter(schema["default"])
    if "enum" in schema:
        values = " or ".join(formatting.parameter(value) for value in schema["enum"])
    elif "minimum" in schema and "maximum" in schema:
        values = f"{schema['minimum']} to {schema['maximum']}"
    else:
        values = "yes or no" if schema.get("type") == "boolean" else ""
    return f"{values}, default {default}" if values else f"default {default}"


@register.simple_tag(takes_context=True)
def share_link(context: Context, challenge: Challenge) -> str:
    """Return the whole address of a challenge by link."""
    path = reverse("challenge-link", args=[challenge.pk, challenge.token])
    return str(context["request"].build_absolute_uri(path))


@register.simple_tag
def choices_to_make(user: User) -> list[AbandonedSeat]:
    """Return the abandoned seats about which a player can choose."""
    return list(abandoned.asked_of(user))


@register.inclusion_tag("player/habits.html", takes_context=True)
def habits(context: Context, person: User) -> dict[str, Any]:
    """Say when a person was here last and how fast they usually answer, as the reader may know."""
    reader = context["user"]
    usual = pace.usual(person)
    day = presence.day_shown(person, reader) if reader.is_authenticated else None
    today = timezone.now().astimezone(UTC).date()
    days = {today: "today", today - timedelta(days=1): "yesterday"}
    return {
        "here": days.get(day, date_format(day, "j F Y")) if day else "",
        "answers_within": formatting.roughly(usual) if usual is not None else "",
    }


@register.inclusion_tag("player/challenge_menu.html")
def challenge_menu(person: User) -> dict[str, Any]:
    """Show the way to challenge a person to any of the games."""
    return {"person": person, "titles": registry.titles().values()}
