"""API views of ratings: leaderboards, the ratings of a player, and what a match did."""

from collections.abc import Sequence
from typing import Any

from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from config.postgresql.replica import from_replica
from games.api import paging
from games.api.base import ApiView, query_of, title_or_404
from games.api.lists import BOT, named
from games.api.serializers import SEAT, TITLE, MomentField, dump_all
from games.matches.models import Match
from games.ratings import selectors
from games.ratings.calculation import Strength
from games.ratings.models import RatingChange
from games.ratings.selectors import PlayerRating


class RatingSerializer(serializers.Serializer[Any]):
    """A rating."""

    number = serializers.IntegerField(
        help_text="The estimated strength. New players have 1500; 200 points more win about three"
        " matches of four."
    )
    deviation = serializers.IntegerField(
        help_text="The uncertainty: the true strength usually lies within this distance."
    )
    provisional = serializers.BooleanField(
        source="is_provisional", help_text="Whether too little is known."
    )
    level = serializers.CharField(help_text="The level in words, from `beginner` to `master`.")


class StandingSerializer(serializers.Serializer[PlayerRating]):
    """The rating of a player in a game now."""

    title = serializers.CharField(help_text=TITLE)
    name = serializers.CharField(source="user.username")
    bot = serializers.BooleanField(source="user.is_shown_as_bot", help_text=BOT)
    rating = RatingSerializer()
    matches = serializers.IntegerField(help_text="The number of matches that counted.")
    last = MomentField(help_text="When the last of them ended.")


class OwnStandingSerializer(StandingSerializer):
    """The rating of a player in a game now, among all others."""

    percentile = serializers.IntegerField(
        allow_null=True,
        help_text="The percentage of established players with a lower number. Null for bots and"
        " provisional ratings, and where there are too few players.",
    )


class PlaceSerializer(serializers.Serializer[Any]):
    """A place of a leaderboard."""

    place = serializers.IntegerField(help_text="Players with the same number share a place.")
    standing = StandingSerializer()


class LeaderboardQuery(serializers.Serializer[Any]):
    """The query parameters of a leaderboard."""

    who = serializers.ChoiceField(
        choices=["established", "all", "bots"],
        default="established",
        help_text="`established` ratings of people, `all` with provisional ones, or `bots` too.",
    )
    name = serializers.CharField(
        max_length=20, allow_blank=True, default="", help_text="A part of the names to list."
    )
    page = paging.number_field()


class RatingsView(ApiView):
    is_public = True


class LeaderboardView(RatingsView):
    @extend_schema(parameters=[LeaderboardQuery], responses=paging.listed(PlaceSerializer))
    @from_replica
    def get(self, request: Request, slug: str) -> Response:
        """List the ratings of a game, the highest first."""
        title_or_404(slug)
        asked = query_of(request, LeaderboardQuery)
        rows = selectors.leaderboard(
            slug,
            timezone.now(),
            page=asked["page"],
            name=asked["name"].replace("\0", ""),
            with_provisional=asked["who"] == "all",
            with_bots=asked["who"] == "bots",
        )
        return paging.numbered(request, rows, PlaceSerializer)


class PlayerRatingsView(RatingsView):
    @extend_schema(responses=OwnStandingSerializer(many=True))
    @from_replica
    def get(self, request: Request, name: str) -> Response:
        """Read a player’s rating in every game."""
        ratings = selectors.of_player(named(name), timezone.now())
        return Response(dump_all(OwnStandingSerializer, ratings))


class ChangeSerializer(serializers.Serializer[RatingChange]):
    """What a match did to a player’s rating."""

    match = serializers.IntegerField(source="match_id", help_text="The id of the match.")
    ended = MomentField()
    matches = serializers.IntegerField(help_text="The number of matches counted so far.")
    before = RatingSerializer()
    after = RatingSerializer()


class PlayerHistoryView(RatingsView):
    @extend_schema(parameters=[paging.PLACE], responses=paging.listed(ChangeSerializer))
    @from_replica
    def get(self, request: Request, name: str, slug: str) -> Response:
        """List the changes of a player’s rating in a game, the latest first."""
        changes = selectors.history(named(name), slug)
        return paging.answer(request, changes, "-ended", _changes)


def _changes(changes: Sequence[RatingChange]) -> Any:
    rows = [
        {
            "match_id": one.match_id,
            "ended": one.ended,
            "matches": one.matches,
            "before": selectors.shown(Strength(one.mu_before, one.sigma_before)),
            "after": selectors.shown(one.strength),
        }
        for one in changes
    ]
    return dump_all(ChangeSerializer, rows)


class SeatChangeSerializer(serializers.Serializer[Any]):
    """What the match did to the rating of a seat’s player."""

    seat = serializers.IntegerField(help_text=SEAT)
    name = serializers.CharField()
    before = RatingSerializer()
    after = RatingSerializer()


class EffectSerializer(serializers.Serializer[Any]):
    """What a match did to ratings."""

    rated = serializers.BooleanField(help_text="Whether the match is rated and has a result.")
    known = serializers.BooleanField(
        help_text="Whether it is worked out, which takes seconds after the end."
    )
    reason = serializers.CharField(
        allow_blank=True, help_text="Why the match doesn’t count. Empty if it does."
    )
    changes = SeatChangeSerializer(many=True, help_text="The seats that count, in their order.")


class MatchRatingsView(RatingsView):
    @extend_schema(responses=EffectSerializer)
    @from_replica
    def get(self, request: Request, match_id: int) -> Response:
        """Read what an ended match did to the ratings of its players."""
        effect = selectors.effect_of(get_object_or_404(Match, pk=match_id))
        data = {
            "rated": effect is not None,
            "known": effect is not None and effect.is_known,
            "reason": effect.reason if effect else "",
            "changes": [
                {"seat": seat, "name": one.name, "before": one.before, "after": one.after}
                for seat, one in (effect.changes if effect else ())
            ],
        }
        return Response(EffectSerializer(data).data)
