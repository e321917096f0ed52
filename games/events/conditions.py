"""Who may enter a tournament: conditions, and what is known about a player."""

from dataclasses import dataclass
from datetime import datetime

from accounts.models import User
from games.events.models import EntryInvitation, Tournament
from games.lobby import reliability
from games.matches.models import Player
from games.ratings.selectors import of_many

INVITED_ONLY = "This tournament is by invitation. Ask its organiser for a link."

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
        return INVITED_ONLY
    if conditions.club and not facts.is_member:
        return f"This tournament is for members of {conditions.club}."
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
        return f"This tournament is for players with a rating {rating_words(low, high)}."
    if (low is None or rating >= low) and (high is None or rating <= high):
        return ""
    return (
        f"This tournament is for players with a rating {rating_words(low, high)};"
        f" yours is {rating}."
    )


def _refused_matches(conditions: Conditions, matches: int) -> str:
    if matches >= conditions.least_matches:
        return ""
    return (
        f"This tournament is for players who have ended {conditions.least_matches} matches or more;"
        f" you have ended {matches}."
    )


def _refused_reliability(conditions: Conditions, own: int | None) -> str:
    # As for challenges, newcomers are reliable.
    if own is None or own >= conditions.least_reliability:
        return ""
    return (
        f"This tournament asks for a reliability of {conditions.least_reliability} %;"
        f" yours is {own} %."
    )


def rating_words(low: int | None, high: int | None) -> str:
    """Return a range of ratings in words, as ``from 1200 to 1600``."""
    if low is None:
        return f"of at most {high}"
    return f"of at least {low}" if high is None else f"from {low} to {high}"


def words(conditions: Conditions) -> list[str]:
    """Return the conditions for the page of a tournament, one in a sentence."""
    found = []
    if conditions.by_invitation:
        found.append("Only players with an invitation or a link from the organiser can enter.")
    if conditions.club:
        found.append(f"Players must be members of {conditions.club}.")
    if conditions.rating_low is not None or conditions.rating_high is not None:
        span = rating_words(conditions.rating_low, conditions.rating_high)
        found.append(f"Players need a rating {span} in this game.")
    if conditions.least_matches:
        found.append(f"Players must have ended {conditions.least_matches} matches or more.")
    if conditions.least_reliability:
        found.append(f"Players need a reliability of {conditions.least_reliability} % or more.")
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
