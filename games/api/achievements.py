"""API views of achievements: those of a game, of the site, and of a player."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from config.postgresql.replica import from_replica
from games.achievements import selectors
from games.achievements.selectors import Known
from games.achievements.site import SITE
from games.api.base import ApiView, title_or_404
from games.api.lists import named
from games.api.serializers import MomentField, dump_all


class AchievementSerializer(serializers.Serializer[Known]):
    """An achievement."""

    title = serializers.CharField(help_text="The slug of the game. Empty for one of the site.")
    key = serializers.CharField(help_text="The name of the achievement among those of its game.")
    name = serializers.CharField()
    text = serializers.CharField(source="sentence", help_text="What a player does to earn it.")
    players = serializers.IntegerField(help_text="How many players have it.")


class EarnedSerializer(AchievementSerializer):
    """An achievement of a player."""

    match = serializers.IntegerField(help_text="The first match in which the player earned it.")
    at = MomentField(help_text="When that match ended.")


class AchievementsBase(ApiView):
    is_public = True


class GameAchievementsView(AchievementsBase):
    @extend_schema(responses=AchievementSerializer(many=True))
    @from_replica
    def get(self, request: Request, slug: str) -> Response:
        """List the achievements of a game, the rarest first."""
        title_or_404(slug)
        return Response(dump_all(AchievementSerializer, selectors.all_of(slug)))


class SiteAchievementsView(AchievementsBase):
    @extend_schema(responses=AchievementSerializer(many=True))
    @from_replica
    def get(self, request: Request) -> Response:
        """List the achievements of the site in all games, the rarest first."""
        return Response(dump_all(AchievementSerializer, selectors.all_of(SITE)))


class PlayerAchievementsView(AchievementsBase):
    @extend_schema(responses=EarnedSerializer(many=True))
    @from_replica
    def get(self, request: Request, name: str) -> Response:
        """List the achievements of a player, the rarest first, with the matches as proof."""
        earned: Any = selectors.of_player(named(name))
        return Response(dump_all(EarnedSerializer, earned))
