"""The calendar of deadlines, for programs that know its private address."""

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from accounts.delivery import feeds
from games.matches.clocks import calendar


@feeds.private
def deadlines(request: HttpRequest, token: str) -> HttpResponse:
    """Return when the time of a player runs out, as a calendar."""
    now = timezone.now()
    content = calendar.deadlines(feeds.reader(token, now=now), now=now)
    return HttpResponse(content, content_type="text/calendar; charset=utf-8")
