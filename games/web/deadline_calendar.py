"""A player's deadlines as a calendar (RFC 5545) that calendar programs subscribe to.

Each event says whose turn it is, since when and until when. Stopped clocks have no event. A program
replaces all events each time it fetches the calendar.
"""

from datetime import datetime, timedelta
from urllib.parse import urlsplit

from django.conf import settings
from django.utils.translation import gettext as _
from icalendar import Calendar, Event, vDuration

from accounts.mail import absolute
from accounts.models import User
from games.kernel import registry
from games.matches import formatting, listing, pauses
from games.matches.models import Match, Player
from games.matches.pauses import Reason
from games.matches.store import read_players

MAX_EVENTS = 200
"""Maximum number of events; the most urgent ones are kept."""

OFTEN = timedelta(hours=1)
"""The refresh interval that the calendar suggests."""


def deadlines(user: User, *, now: datetime) -> bytes:
    """Return a user's deadlines as an iCalendar file. Equal deadlines give equal bytes."""
    calendar = Calendar()
    for name, value in {
        "prodid": "-//Turnstone//Deadlines//EN",
        "version": "2.0",
        "method": "PUBLISH",
        "x-wr-calname": "Turnstone",
        # for programs that don't support RFC 7986
        "x-published-ttl": vDuration(OFTEN),
    }.items():
        calendar.add(name, value)
    calendar.add("refresh-interval", vDuration(OFTEN), {"value": "DURATION"})
    matches = list(listing.waiting(user)[:MAX_EVENTS])
    read_players(matches)
    for match in matches:
        mine = next(player for player in match.players.all() if player.user_id == user.pk)
        if (deadline := _deadline(mine, now)) is not None:
            calendar.add_component(_event(match, mine, deadline, now))
    content: bytes = calendar.to_ical()
    return content


def _deadline(player: Player, now: datetime) -> datetime | None:
    """Return a player's deadline. ``None`` if the clock is paused for more than a weekend."""
    if {*pauses.reasons(player, now)} - {Reason.WEEKEND}:
        return None
    return pauses.shown_deadline(player, now)


def _event(match: Match, mine: Player, deadline: datetime, now: datetime) -> Event:
    """Return a deadline as an event, whose id stays the same when the deadline moves."""
    event = Event()
    ends = (moment for pause in pauses.of_player(mine) for moment in (pause.begin, pause.end))
    moments = [match.changed, mine.clock_since, *ends]
    changed = max(moment for moment in moments if moment is not None and moment <= now)
    url = absolute(match.get_absolute_url())
    for name, value in {
        "uid": f"deadline-{match.pk}-{mine.seat}@{urlsplit(settings.SITE_URL).hostname}",
        "dtstamp": changed,
        "last-modified": changed,
        # one of the two rises whenever a deadline moves
        "sequence": match.version + match.clock_epoch,
        "dtstart": deadline,
        "summary": _("Your time runs out: {match}").format(match=_named(match, mine)),
        "description": "{}\n{}".format(_("It is your turn."), url),
        "url": url,
        "transp": "TRANSPARENT",
    }.items():
        event.add(name, value)
    return event


def _named(match: Match, mine: Player) -> str:
    others = [player.user.shown_name for player in match.players.all() if player != mine]
    title = registry.titles().get(match.title)
    game = title.meta.name if title else match.title
    text = _("{game} against {players}")
    return text.format(game=game, players=formatting.names(others))
