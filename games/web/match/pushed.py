"""The parts of a match's page that its changes are pushed in, as one seat or spectators see them.

They depend on the seat and the version alone, so that they are rendered once for all pages of a
seat. Each page adds its own token and submission ids, and fetches itself anew where it holds more
than this: a move that is being entered.
"""

from dataclasses import dataclass
from zoneinfo import ZoneInfo

from django.contrib.auth.models import AnonymousUser
from django.template.loader import get_template
from django.utils import timezone

from games.matches import log_entries
from games.matches.errors import Unreadable
from games.matches.listing import read_snapshot
from games.matches.selectors import MatchSnapshot
from games.web.match.entry import NOTHING_TYPED
from games.web.match.page import MatchPage

PLACEHOLDER = "of-the-page"
"""Stands where each page puts its own token: none of a session is in any fragment."""


@dataclass(frozen=True)
class Pushed:
    """A match at a version and clock epoch; ``html`` is empty where pages have to fetch it."""

    version: int
    epoch: int
    html: str = ""


def read(match_id: int, user_id: int | None, zone: str) -> Pushed:
    """Render a match as it stands for one of its players, or for spectators.

    :param user_id: whose page it is; of somebody without a seat it makes no difference.
    :param zone: the time zone of spectators; players have their own.
    :raises NoSuchMatch: there is no such match.
    """
    snapshot = read_snapshot(match_id)
    match = snapshot.match
    try:
        html = _render(snapshot, user_id, zone) if match.is_running else ""
    except Unreadable:
        html = ""
    return Pushed(match.version, match.clock_epoch, html)


def _render(snapshot: MatchSnapshot, user_id: int | None, zone: str) -> str:
    """Return the parts as HTML; empty for a player with plans, which change without a version."""
    own = next((player for player in snapshot.players if player.user_id == user_id), None)
    if own is not None and own.plans:
        return ""
    user = own.user if own else AnonymousUser()
    log = log_entries.recent(snapshot.match)
    page = MatchPage(snapshot, snapshot.seat_of(user), log, user, NOTHING_TYPED)
    with timezone.override(own.user.zone if own else ZoneInfo(zone)):
        context = {"page": page, "user": user, "csrf_token": PLACEHOLDER}
        return get_template("match/pushed.html").render(context)
