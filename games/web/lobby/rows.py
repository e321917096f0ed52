"""Challenges in lists, with facts about their creators."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from django.utils import timezone
from django.utils.safestring import SafeString

from accounts.models import User
from games.lobby import reliability, selectors, strength
from games.lobby.models import Challenge
from games.matches import formatting
from games.matches.clocks import pace
from games.ratings.calculation import START
from games.ratings.selectors import DisplayedRating, of_many
from games.screen.part_templates import macro
from games.web import fragments


class Listed(NamedTuple):
    """A challenge in a list, and facts about its creator.

    ``reliability``, in percent, is ``None`` for bots and without a finished match.
    ``answers_within`` is empty if too little is known. ``rating`` is ``None`` without one.
    ``refusal`` says why the reader's rating doesn't fit.
    """

    challenge: Challenge
    reliability: int | None
    answers_within: str
    rating: DisplayedRating | None
    refusal: str


def listed(challenges: Iterable[Challenge], reader: Any = None) -> list[Listed]:
    """Return challenges with facts about their creators, in a few queries for all."""
    all_challenges = list(challenges)
    creators = {
        challenge.creator_id for challenge in all_challenges if not challenge.creator.is_bot
    }
    known = reliability.of_many(creators, timezone.now())
    usual = pace.usual_of(creators)
    wanted = {(one.creator_id, one.title) for one in all_challenges}
    if reader is not None and reader.is_authenticated:
        wanted |= {
            (reader.pk, one.title) for one in all_challenges if one.lowest_rating is not None
        }
    ratings = of_many(wanted, timezone.now())
    return [
        Listed(
            challenge,
            known.get(challenge.creator_id),
            formatting.roughly(usual[challenge.creator_id])
            if challenge.creator_id in usual
            else "",
            ratings.get((challenge.creator_id, challenge.title)),
            _refusal(challenge, reader, ratings),
        )
        for challenge in all_challenges
    ]


def _refusal(
    challenge: Challenge, reader: Any, ratings: Mapping[tuple[int, str], DisplayedRating]
) -> str:
    if reader is None or not reader.is_authenticated or reader.pk == challenge.creator_id:
        return ""
    own = ratings.get((reader.pk, challenge.title))
    return strength.refusal(challenge, own.number if own else round(START))


def first_open(reader: User, few: int, apart: Collection[int]) -> list[SafeString]:
    """Return the rows of the first challenges open to everybody, in a reader's zone and theme.

    They are cached: the facts about their creators took a fifth of the time of the front page, and
    the rows themselves as much. Unlike in the lobby, they don't say whether the reader's rating
    fits.

    :param apart: the users whom a block separates from the reader.
    """
    versions = selectors.first_open(reader, few, apart)
    look = fragments.look(reader)
    keys = {pk: f"challenge-row-1:{pk}:{version}:{look}" for pk, version in versions}

    def write(unknown: Sequence[int]) -> dict[int, str]:
        challenges = selectors.with_people(Challenge.objects.filter(pk__in=unknown))
        return {
            one.challenge.pk: macro("lobby/challenges.html", "challenge_row", reader, one)
            for one in listed(challenges)
        }

    return list(fragments.written(keys, write).values())
