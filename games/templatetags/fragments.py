"""Template tag for the parts of a match's page that are rendered without Django's templates."""

from typing import Any

from django import template
from django.template.context import Context
from django.utils.safestring import SafeString

from games.web.match import fragments

register = template.Library()


@register.simple_tag(takes_context=True)
def fragment(context: Context, name: str, **more: Any) -> SafeString:
    """Return a fragment, given what the template around it has."""
    shown: dict[str, Any] = context.flatten() | more  # type: ignore[assignment]  # names are str
    return fragments.render(name, **shown)
