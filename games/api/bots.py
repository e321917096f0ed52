"""API views of the bots that the site itself runs."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.base import ApiView
from games.bots.levels import LEVELS
from games.bots.users import names


class BotSerializer(serializers.Serializer[Any]):
    """A bot of the site."""

    name = serializers.CharField(help_text="Its name as a player.")
    level = serializers.ChoiceField(
        choices=[level.name for level in LEVELS],
        help_text="How well it plays. Bots of one level play alike, in every game.",
    )


class BotsView(ApiView):
    is_public = True

    @extend_schema(responses=BotSerializer(many=True))
    def get(self, request: Request) -> Response:
        """List the bots that the site runs, the weakest first; challenge them by name."""
        return Response(
            [{"name": name, "level": level.name} for name, (level, _) in names().items()]
        )
