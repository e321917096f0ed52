"""Statistics of games and players by program."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.base import ApiView
from games.api.conditional import tag_of_numbers, unless_seen
from games.api.lists import named
from games.api.openapi import SEEN
from games.api.serializers import MomentField, ObjectField
from games.kernel import registry
from games.kernel.errors import UnknownTitle
from games.statistics import selectors
from games.statistics.facts import PACE
from games.statistics.models import Company

ENDS = [*(int(end.total_seconds()) for end in PACE), None]
"""The ends of the spans of time by which moves are counted, in seconds; the last one has none."""


class CompanyQuery(serializers.Serializer[Any]):
    """Which matches are wanted: those between people, with bots, or with guests."""

    company = serializers.ChoiceField(choices=Company.choices, default=Company.PEOPLE)


class WeekSerializer(serializers.Serializer[Any]):
    """How many matches ended in the week from a Monday on, in UTC."""

    monday = serializers.DateField()
    matches = serializers.IntegerField()


class SeatResultsSerializer(serializers.Serializer[Any]):
    """How often a seat, of so many, won alone, shared the first place, and did not have it."""

    seats = serializers.IntegerField()
    seat = serializers.IntegerField()
    won = serializers.IntegerField()
    tied = serializers.IntegerField()
    lost = serializers.IntegerField()


class LengthSerializer(serializers.Serializer[Any]):
    """How many matches had so many moves."""

    moves = serializers.IntegerField()
    matches = serializers.IntegerField()


class EndingSerializer(serializers.Serializer[Any]):
    """How many matches ended in one way."""

    ending = serializers.CharField()
    matches = serializers.IntegerField()


class PaceSerializer(serializers.Serializer[Any]):
    """How many moves took less than so many seconds, and no less than the span before."""

    under = serializers.IntegerField(allow_null=True)
    moves = serializers.IntegerField()


class CellSerializer(serializers.Serializer[Any]):
    """How many matches began with a move that touches a mark of the board."""

    mark = serializers.CharField()
    matches = serializers.IntegerField(source="number")


class OpeningSerializer(serializers.Serializer[Any]):
    """Where matches began, of those with the parameters and number of seats played most."""

    seats = serializers.IntegerField(source="variant.seats")
    params = ObjectField(source="variant.params")
    matches = serializers.IntegerField()
    cells = CellSerializer(many=True)


class GameStatisticsSerializer(serializers.Serializer[Any]):
    """What has been counted of a game until ``counted``, null before the first time."""

    company = serializers.ChoiceField(choices=Company.choices)
    counted = MomentField(allow_null=True)
    matches = serializers.IntegerField()
    weeks = WeekSerializer(many=True)
    seats = SeatResultsSerializer(many=True)
    lengths = LengthSerializer(many=True)
    endings = EndingSerializer(many=True)
    pace = PaceSerializer(many=True)
    opening = OpeningSerializer(allow_null=True)


class TitleResultsSerializer(serializers.Serializer[Any]):
    """A player’s results in a game."""

    game = serializers.CharField(source="title")
    won = serializers.IntegerField()
    tied = serializers.IntegerField()
    lost = serializers.IntegerField()


class OpponentSerializer(serializers.Serializer[Any]):
    """How often a player came before an opponent, level, or after; null is all others together."""

    name = serializers.CharField(source="opponent.username", default=None, allow_null=True)
    won = serializers.IntegerField()
    tied = serializers.IntegerField()
    lost = serializers.IntegerField()


class StreakSerializer(serializers.Serializer[Any]):
    """The last results that are alike, and the most wins in a row that ever were."""

    result = serializers.CharField()
    length = serializers.IntegerField()
    longest = serializers.IntegerField()


class PlayerStatisticsSerializer(serializers.Serializer[Any]):
    """What has been counted of a player until ``counted``, null before the first time."""

    company = serializers.ChoiceField(choices=Company.choices)
    counted = MomentField(allow_null=True)
    matches = serializers.IntegerField()
    results = TitleResultsSerializer(many=True)
    opponents = OpponentSerializer(many=True)
    pace = PaceSerializer(many=True)
    streak = StreakSerializer(allow_null=True)


class PairResultsSerializer(TitleResultsSerializer):
    """How often a player came before another in a game, level with them, or after."""

    company = serializers.ChoiceField(choices=Company.choices)


class PairSerializer(serializers.Serializer[Any]):
    """What has been counted of two players until ``counted``, null before the first time."""

    counted = MomentField(allow_null=True)
    results = PairResultsSerializer(many=True)


class StatisticsView(ApiView):
    """Numbers that were counted of matches which ended with a result."""

    is_public = True

    def company(self, request: Request) -> Company:
        """Return which matches are asked for.

        :raises ValidationError: there is no such kind.
        """
        form = CompanyQuery(data=request.query_params)
        form.is_valid(raise_exception=True)
        return Company(form.validated_data["company"])

    def answer(
        self,
        request: Request,
        kind: type[serializers.Serializer[Any]],
        numbers: dict[str, Any],
    ) -> Response:
        """Return numbers unless the caller has them already; when they were counted is no news."""
        shown = {"counted": selectors.counted_until(), **numbers}
        found = kind(shown).data
        known = {key: value for key, value in found.items() if key != "counted"}
        return unless_seen(request, tag_of_numbers(known), lambda: found)


class GameStatisticsView(StatisticsView):
    """The statistics of a game."""

    @extend_schema(
        parameters=[CompanyQuery, SEEN], responses={200: GameStatisticsSerializer, 304: None}
    )
    def get(self, request: Request, slug: str) -> Response:
        """Read what has been counted of a game: weeks, seats, lengths, endings, pace, openings."""
        try:
            title = registry.get(slug)
        except UnknownTitle as unknown:
            raise NotFound(str(unknown)) from unknown
        company = self.company(request)
        found = selectors.of_game(title.meta.slug, company)
        numbers = {
            "company": company,
            "matches": found.matches,
            "weeks": [{"monday": day, "matches": n} for day, n in found.weeks.items()],
            "seats": [row._asdict() for row in found.seats],
            "lengths": [{"moves": moves, "matches": n} for moves, n in found.lengths.items()],
            "endings": [{"ending": key, "matches": n} for key, n in found.endings.items()],
            "pace": _pace(found.pace),
            "opening": found.opening,
        }
        return self.answer(request, GameStatisticsSerializer, numbers)


class PlayerStatisticsView(StatisticsView):
    """The statistics of a player."""

    @extend_schema(
        parameters=[CompanyQuery, SEEN], responses={200: PlayerStatisticsSerializer, 304: None}
    )
    def get(self, request: Request, name: str) -> Response:
        """Read what has been counted of a player: results by game and opponent, pace, streaks."""
        user, company = named(name), self.company(request)
        found = selectors.of_player(user, company)
        numbers = {
            "company": company,
            "matches": found.matches,
            "results": found.results,
            "opponents": found.opponents,
            "pace": _pace(found.pace),
            "streak": found.streak,
        }
        return self.answer(request, PlayerStatisticsSerializer, numbers)


class PairView(StatisticsView):
    """Two players head to head."""

    @extend_schema(parameters=[SEEN], responses={200: PairSerializer, 304: None})
    def get(self, request: Request, name: str, other: str) -> Response:
        """Read how often a player came before another, by game."""
        numbers = {"results": selectors.of_pair(named(name), named(other))}
        return self.answer(request, PairSerializer, numbers)


def _pace(pace: Any) -> list[dict[str, int | None]]:
    return [{"under": end, "moves": moves} for end, moves in zip(ENDS, pace, strict=True)]
