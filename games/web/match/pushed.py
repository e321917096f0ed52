"""The parts of a match's page that its changes are pushed in, as one seat or spectators see them.

They depend on the seat and the version alone, so that they are rendered once for all pages of a
seat. Each page adds its own token and submission ids, and fetches itself anew where it holds more
than this: a move that is being entered.
"""

from dataclasses import dataclass
from zoneinfo import ZoneInfo

from django.contrib.auth.models import AnonymousUser
from django.utils import timezone

from accounts import zones
from games.matches import kept_matches, log_entries
from games.matches.errors import Unreadable
from games.matches.listing import read_snapshot
from games.matches.selectors import MatchSnapshot
from games.web.match import fragments
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


def read(match_id: int, user_id: int | None, zone: str, version: int | None = None) -> Pushed:
    """Render a match as it stands for one of its players, or for spectators.

    :param user_id: whose page it is; of somebody without a seat it makes no difference.
    :param zone: the time zone of spectators; players have their own. Who has lost a seat to a
        substitute is a spectator without one, and sees UTC until the page is loaded anew.
    :param version: the version that is asked for, or a later one; ``None`` for the last.
    :raises NoSuchMatch: there is no such match.
    """
    snapshot = _kept(match_id, user_id, version)
    if snapshot is None:
        snapshot = read_snapshot(match_id)
        kept_matches.keep(snapshot)
    match = snapshot.match
    try:
        html = _render(snapshot, user_id, zone) if match.is_running else ""
    except Unreadable:
        html = ""
    return Pushed(match.version, match.clock_epoch, html)


def _kept(match_id: int, user_id: int | None, version: int | None) -> MatchSnapshot | None:
    """Return a snapshot that this process has, if what it knows of the user is as late."""
    found = None if version is None else kept_matches.latest(match_id, version)
    if found is None or user_id is None:
        return found
    movers = (p.user_id for p in found.players if p.version == found.match.version)
    return found if user_id in movers else None


def _render(snapshot: MatchSnapshot, user_id: int | None, zone: str) -> str:
    """Return the parts as HTML; empty for a player with plans, which change without a version."""
    own = next((player for player in snapshot.players if player.user_id == user_id), None)
    if own is not None and own.plans:
        return ""
    user = own.user if own else AnonymousUser()
    log = log_entries.recent(snapshot.match)
    page = MatchPage(snapshot, snapshot.seat_of(user), log, user, NOTHING_TYPED)
    with timezone.override(own.user.zone if own else ZoneInfo(zone or zones.UTC_NAME)):
        return fragments.render("pushed", page=page, user=user, csrf_token=PLACEHOLDER)
