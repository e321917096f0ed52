"""Template tags for lists of matches."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import template
from django.utils.safestring import SafeString

from games.matches.view.match_view import MatchView
from games.web.lists import rows

register = template.Library()


@register.simple_tag
def match_rows(
    shown: Sequence[MatchView], reader: Any, unread: Mapping[int, int] | None = None
) -> SafeString:
    """Show matches in a list.

    :param unread: the number of new lines in the chat by match, where it is known.
    """
    return rows.written(shown, reader, unread or rows.NO_LINES)
