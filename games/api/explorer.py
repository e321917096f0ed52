"""API view of the explorer: what was played in a position in rated matches."""

import json
from datetime import date
from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts import limits
from games.api.base import ApiView, query_of, title_or_404
from games.api.serializers import MomentField
from games.explorer import selectors
from games.explorer.periods import month_of
from games.explorer.selectors import Explored, Filter, Results
from games.kernel.canonical import canonical
from games.study.replaying import start_of
from games.study.tree import Start, Tree, checked

MAX_LENGTH = 6_000
"""Maximum length of a position and of parameters in an address, in characters."""

FIRST_YEAR, LAST_YEAR = 2000, 2200


class ExplorerQuery(serializers.Serializer[Any]):
    """A position, and which matches count."""

    seats = serializers.IntegerField(
        min_value=1, max_value=10, required=False, help_text="The minimum of the game by default."
    )
    params = serializers.CharField(
        max_length=MAX_LENGTH, required=False, help_text="The parameters as JSON."
    )
    position = serializers.CharField(
        max_length=MAX_LENGTH,
        help_text="The position as JSON, as matches and exported boards have it.",
    )
    rating = serializers.IntegerField(
        min_value=0,
        max_value=5000,
        default=0,
        help_text="Only matches whose players had this mean rating at least, in steps of 200.",
    )
    since = serializers.DateField(
        required=False, help_text="Only matches that ended in the month of this day or later."
    )

    def validate_since(self, day: date) -> date:
        """Refuse years in which no match can have ended."""
        if not FIRST_YEAR <= day.year <= LAST_YEAR:
            raise serializers.ValidationError(_("No match is that far away."))
        return day


class ResultsBySeatSerializer(serializers.Serializer[Results]):
    """How matches ended."""

    matches = serializers.IntegerField()
    wins = serializers.ListField(
        child=serializers.IntegerField(), help_text="The matches that each seat won alone."
    )
    draws = serializers.IntegerField(help_text="The matches with several winners.")


class NextMoveSerializer(serializers.Serializer[Any]):
    """A move that was played next."""

    move = serializers.CharField(
        allow_blank=True, help_text="The move, empty for matches that ended in this position."
    )
    results = ResultsBySeatSerializer()


class ReachedBySerializer(serializers.Serializer[Any]):
    """A match that reached the position."""

    match = serializers.IntegerField(source="match.pk")
    number = serializers.IntegerField(help_text="The number of the entry before the position.")
    ended = MomentField(source="match.ended")


class ExploredSerializer(serializers.Serializer[Explored]):
    """What ended rated matches show about a position."""

    key = serializers.CharField(help_text="The `position` by which the archive can be searched.")
    results = ResultsBySeatSerializer(allow_null=True, help_text="Null if no match reached it.")
    moves = NextMoveSerializer(many=True, help_text="At most 30, the most frequent ones first.")
    more = serializers.IntegerField(help_text="The number of moves that are not listed.")
    latest = ReachedBySerializer(many=True, help_text="The latest matches that reached it.")


class ExplorerView(ApiView):
    is_public = True

    @extend_schema(parameters=[ExplorerQuery], responses=ExploredSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Read what was played in a position in rated matches that have ended.

        Mirror images of a position count as the same one if the game has them. With hidden hands
        positions are compared by what everybody could see.
        """
        title = title_or_404(slug)
        asked = query_of(request, ExplorerQuery)
        limits.spend(request, "preview")
        position, params = _read(asked["position"]), _read(asked.get("params", "{}"))
        if not isinstance(params, dict):
            raise serializers.ValidationError({"params": _("This is no object.")})
        meta = title.meta
        seats = asked.get("seats", meta.seats[0])
        tree = checked(Tree(slug, meta.rules_version, seats, params, Start(position=position)))
        same = canonical(title, seats, tree.params, start_of(tree))
        since = asked.get("since")
        wanted = Filter(asked["rating"], month_of(since) if since else 0)
        return Response(ExploredSerializer(selectors.explored(same, seats, wanted)).data)


def _read(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise serializers.ValidationError(_("This is not JSON.")) from None
