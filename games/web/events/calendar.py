"""The dates of a tournament as a calendar (RFC 5545) that calendar programs subscribe to."""

from datetime import datetime
from urllib.parse import urlsplit

from django.conf import settings
from django.utils.translation import gettext as _
from icalendar import Calendar, Event, vText

from accounts.mail import absolute
from games.events.models import Tournament


def dates(tournament: Tournament) -> bytes:
    """Return the start of a tournament and the ends of its rounds as an iCalendar file."""
    calendar = Calendar()
    for name, value in {
        "prodid": "-//Turnstone//Tournaments//EN",
        "version": "2.0",
        "method": "PUBLISH",
        # of no type that the library knows, which would leave it as it is
        "x-wr-calname": vText(tournament.name),
    }.items():
        calendar.add(name, value)
    if tournament.is_open:
        calendar.add_component(_event(tournament, "start", tournament.starts, _("Entry closes")))
    for made in tournament.played_rounds.all():
        words = _("Round {number} ends").format(number=made.number)
        if made.ended is None and tournament.is_running:
            calendar.add_component(_event(tournament, f"{made.number}", made.deadline, words))
    content: bytes = calendar.to_ical()
    return content


def _event(tournament: Tournament, key: str, moment: datetime, words: str) -> Event:
    event = Event()
    url = absolute(tournament.get_absolute_url())
    host = urlsplit(settings.SITE_URL).hostname
    for name, value in {
        "uid": f"tournament-{tournament.pk}-{key}@{host}",
        "dtstamp": tournament.began or tournament.created,
        "dtstart": moment,
        # Translators: an entry in a calendar; {event} is what happens.
        "summary": _("{tournament}: {event}").format(tournament=tournament.name, event=words),
        "url": url,
        "transp": "TRANSPARENT",
    }.items():
        event.add(name, value)
    return event
