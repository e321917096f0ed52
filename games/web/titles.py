"""Games by the slug in an address, and as choices of a form."""

from datetime import UTC

from django.http import Http404
from django.utils import timezone

from games.kernel import registry
from games.kernel.contract import AnyGame
from games.kernel.errors import UnknownTitle


def title_or_404(slug: str) -> AnyGame:
    """:raises Http404: no game has this slug."""
    try:
        return registry.get(slug)
    except UnknownTitle as unknown:
        raise Http404(str(unknown)) from unknown


def featured() -> AnyGame:
    """Return the game of the day: each game in turn."""
    titles = list(registry.titles().values())
    today = timezone.now().astimezone(UTC).date()
    return titles[today.toordinal() % len(titles)]
