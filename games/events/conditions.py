"""Who may enter a tournament: conditions, and what is known about a player."""

from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts.models import User
from games.events.models import EntryInvitation, Tournament
from games.lobby import reliability
from games.matches.models import Player
from games.ratings.selectors import of_many

INVITED_ONLY = gettext_lazy("This tournament is by invitation. Ask its organiser for a link.")

RATINGS = (100, 3000)
"""The lowest and highest rating that a condition may name."""

MAX_LEAST_MATCHES = 100


@dataclass(frozen=True)
class Conditions:
    """The conditions of entry of a tournament. Zero and None stand for no condition."""

    rating_low: int | None = None
    rating_high: int | None = None
    least_matches: int = 0
    least_reliability: int = 0
    by_invitation: bool = False
    club: str = ""

    @classmethod
    def of(cls, tournament: Tournament) -> "Conditions":
        return cls(
            tournament.rating_low,
            tournament.rating_high,
            tournament.least_matches,
            tournament.least_reliability,
            tournament.by_invitation,
            club_name(tournament.club_id),
        )

    @property
    def needs_facts(self) -> bool:
        """Whether they depend on more than an invitation."""
        return self != Conditions(by_invitation=self.by_invitation)


@dataclass(frozen=True)
class Facts:
    """What conditions ask of a player. ``rating`` and ``reliability`` are None for newcomers."""

    rating: int | None = None
    matches: int = 0
    reliability: int | None = None
    is_invited: bool = False
    has_link: bool = False
    is_member: bool = False


def refusal(conditions: Conditions, facts: Facts) -> str:
    """Return why a player may not enter. Empty if they may.

    Players who were invited by name may always enter. A link only stands for an invitation.
    """
    if facts.is_invited:
        return ""
    if conditions.by_invitation and not facts.has_link:
        return str(INVITED_ONLY)
    if conditions.club and not facts.is_member:
        return _("This tournament is for members of {club}.").format(club=conditions.club)
    return (
        _refused_rating(conditions, facts.rating)
        or _refused_matches(conditions, facts.matches)
        or _refused_reliability(conditions, facts.reliability)
    )


def _refused_rating(conditions: Conditions, rating: int | None) -> str:
    low, high = conditions.rating_low, conditions.rating_high
    if low is None and high is None:
        return ""
    if rating is None:
        return _rating_asked(low, high)
    if (low is None or rating >= low) and (high is None or rating <= high):
        return ""
    return _rating_missed(low, high, rating)


def _rating_asked(low: int | None, high: int | None) -> str:
    if low is None:
        words = _("This tournament is for players with a rating of at most {high}.")
    elif high is None:
        words = _("This tournament is for players with a rating of at least {low}.")
    else:
        words = _("This tournament is for players with a rating from {low} to {high}.")
    return words.format(low=low, high=high)


def _rating_missed(low: int | None, high: int | None, own: int) -> str:
    if low is None:
        words = _(
            "This tournament is for players with a rating of at most {high}; yours is {rating}."
        )
    elif high is None:
        words = _(
            "This tournament is for players with a rating of at least {low}; yours is {rating}."
        )
    else:
        words = _(
            "This tournament is for players with a rating from {low} to {high}; yours is {rating}."
        )
    return words.format(low=low, high=high, rating=own)


def _refused_matches(conditions: Conditions, matches: int) -> str:
    if matches >= conditions.least_matches:
        return ""
    words = ngettext(
        "This tournament is for players who have ended {count} match or more; you have ended"
        " {matches}.",
        "This tournament is for players who have ended {count} matches or more; you have ended"
        " {matches}.",
        conditions.least_matches,
    )
    return words.format(count=conditions.least_matches, matches=matches)


def _refused_reliability(conditions: Conditions, own: int | None) -> str:
    # As for challenges, newcomers are reliable.
    if own is None or own >= conditions.least_reliability:
        return ""
    words = _("This tournament asks for a reliability of {least} %; yours is {own} %.")
    return words.format(least=conditions.least_reliability, own=own)


def _rating_needed(low: int | None, high: int | None) -> str:
    if low is None:
        words = _("Players need a rating of at most {high} in this game.")
    elif high is None:
        words = _("Players need a rating of at least {low} in this game.")
    else:
        words = _("Players need a rating from {low} to {high} in this game.")
    return words.format(low=low, high=high)


def words(conditions: Conditions) -> list[str]:
    """Return the conditions for the page of a tournament, one in a sentence."""
    found = []
    if conditions.by_invitation:
        found.append(_("Only players with an invitation or a link from the organiser can enter."))
    if conditions.club:
        found.append(_("Players must be members of {club}.").format(club=conditions.club))
    if conditions.rating_low is not None or conditions.rating_high is not None:
        found.append(_rating_needed(conditions.rating_low, conditions.rating_high))
    if conditions.least_matches:
        ended = ngettext(
            "Players must have ended {count} match or more.",
            "Players must have ended {count} matches or more.",
            conditions.least_matches,
        )
        found.append(ended.format(count=conditions.least_matches))
    if conditions.least_reliability:
        needed = _("Players need a reliability of {least} % or more.")
        found.append(needed.format(least=conditions.least_reliability))
    return found


def refusal_of(tournament: Tournament, user: User, link: str, now: datetime) -> str:
    """Return why a user may not enter a tournament. Empty if they may."""
    asked = Conditions.of(tournament)
    if asked == Conditions():
        return ""
    return refusal(asked, _facts(tournament, user, link, asked, now))


def _facts(
    tournament: Tournament, user: User, link: str, asked: Conditions, now: datetime
) -> Facts:
    is_invited = EntryInvitation.objects.filter(
        tournament=tournament, user=user, declined=None
    ).exists()
    has_link = bool(tournament.link) and link == tournament.link
    if is_invited or not asked.needs_facts:
        return Facts(is_invited=is_invited, has_link=has_link)
    rating = of_many([(user.pk, tournament.title)], now).get((user.pk, tournament.title))
    ended = Player.objects.filter(user=user, ended__isnull=False).exclude(result="")
    return Facts(
        rating.number if rating else None,
        ended[: asked.least_matches].count() if asked.least_matches else 0,
        reliability.of(user, now) if asked.least_reliability else None,
        has_link=has_link,
        is_member=is_member(user, tournament.club_id),
    )


def is_member(user: User, club_id: int | None) -> bool:
    return bool(club_id) and user.club_memberships.filter(club=club_id, club__closed=None).exists()


def club_name(club_id: int | None) -> str:
    """Return the name of a club. Empty for none."""
    club = Tournament(club_id=club_id).club if club_id else None
    return club.name if club is not None else ""


def leads(user: User, club_id: int) -> bool:
    """Whether a user leads a club, and so may write to its members."""
    led = user.club_memberships.filter(club=club_id, club__closed=None)
    return led.filter(led_since__isnull=False).exists()
