"""API views of the statistics of games and players."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from config.postgresql.replica import from_replica
from games.api.base import ApiView, query_of, title_or_404
from games.api.conditional import tag_of_numbers, unless_seen
from games.api.lists import named
from games.api.openapi import SEEN
from games.api.serializers import SEAT, TITLE, DeprecatedField, MomentField, ObjectField
from games.statistics import selectors
from games.statistics.facts import PACE
from games.statistics.models import Company

ENDS = [*(int(end.total_seconds()) for end in PACE), None]
"""The upper bounds of the classes of thinking time, in seconds; the last is unbounded."""


COMPANY = "Which matches count: those between `people`, with `bots`, or with `guests`."
COUNTED_HELP = "When the matches were last counted. Null before the first time."
FIRST_HELP = "First place alone."
SHARED_HELP = "First place shared."
OTHER_HELP = "No first place."


class CompanyQuery(serializers.Serializer[Any]):
    """The query parameter for the kind of matches."""

    company = serializers.ChoiceField(
        choices=Company.choices, default=Company.PEOPLE, help_text=COMPANY
    )


class WeekSerializer(serializers.Serializer[Any]):
    """How many matches ended in a week."""

    monday = serializers.DateField(help_text="The first day of the week, in UTC.")
    matches = serializers.IntegerField()


class SeatResultsSerializer(serializers.Serializer[Any]):
    """The results of a seat."""

    seats = serializers.IntegerField(help_text="The number of players in these matches.")
    seat = serializers.IntegerField(help_text=SEAT)
    won = serializers.IntegerField(help_text=FIRST_HELP)
    tied = serializers.IntegerField(help_text=SHARED_HELP)
    lost = serializers.IntegerField(help_text=OTHER_HELP)


class LengthSerializer(serializers.Serializer[Any]):
    """How many matches had a number of moves."""

    moves = serializers.IntegerField()
    matches = serializers.IntegerField()


class EndingSerializer(serializers.Serializer[Any]):
    """How many matches ended in one way."""

    ending = serializers.CharField()
    matches = serializers.IntegerField()


class PaceSerializer(serializers.Serializer[Any]):
    """How many moves took how long."""

    under = serializers.IntegerField(
        allow_null=True,
        help_text="Less than this many seconds, and no less than the row before. Null: any more.",
    )
    moves = serializers.IntegerField()


class CellSerializer(serializers.Serializer[Any]):
    """How many matches began with a move that touches a part of the board."""

    mark = serializers.CharField(help_text="The part of the board.")
    matches = serializers.IntegerField(source="number")


class OpeningSerializer(serializers.Serializer[Any]):
    """Where matches began, for the most popular parameters and number of seats."""

    seats = serializers.IntegerField(source="variant.seats")
    params = ObjectField(source="variant.params")
    matches = serializers.IntegerField()
    cells = CellSerializer(many=True)


class GameStatisticsSerializer(serializers.Serializer[Any]):
    """The statistics of a game."""

    company = serializers.ChoiceField(choices=Company.choices, help_text=COMPANY)
    counted = MomentField(allow_null=True, help_text=COUNTED_HELP)
    matches = serializers.IntegerField(help_text="The number of matches counted.")
    weeks = WeekSerializer(many=True, help_text="Matches by the week in which they ended.")
    seats = SeatResultsSerializer(many=True, help_text="Results by seat.")
    lengths = LengthSerializer(many=True, help_text="Matches by their number of moves.")
    endings = EndingSerializer(many=True, help_text="Matches by how they ended.")
    pace = PaceSerializer(many=True, help_text="Moves by how long they took.")
    opening = OpeningSerializer(allow_null=True, help_text="Where matches began.")


class TitleResultsSerializer(serializers.Serializer[Any]):
    """A player’s results in a game."""

    title = serializers.CharField(help_text=TITLE)
    game = DeprecatedField(source="title", help_text="Deprecated: the same as `title`.")
    won = serializers.IntegerField(help_text=FIRST_HELP)
    tied = serializers.IntegerField(help_text=SHARED_HELP)
    lost = serializers.IntegerField(help_text=OTHER_HELP)


class OpponentSerializer(serializers.Serializer[Any]):
    """A player’s results against an opponent."""

    name = serializers.CharField(
        source="opponent.username",
        default=None,
        allow_null=True,
        help_text="The opponent. Null for all other opponents together.",
    )
    won = serializers.IntegerField(help_text="Matches in which the player ranked higher.")
    tied = serializers.IntegerField(help_text="Matches in which both ranked the same.")
    lost = serializers.IntegerField(help_text="Matches in which the opponent ranked higher.")


class StreakSerializer(serializers.Serializer[Any]):
    """The player’s latest run of equal results."""

    result = serializers.CharField(help_text="The result: `won`, `tied` or `lost`.")
    length = serializers.IntegerField(help_text="How many times in a row.")
    longest = serializers.IntegerField(help_text="The longest run of wins so far.")


class PlayerStatisticsSerializer(serializers.Serializer[Any]):
    """The statistics of a player."""

    company = serializers.ChoiceField(choices=Company.choices, help_text=COMPANY)
    counted = MomentField(allow_null=True, help_text=COUNTED_HELP)
    matches = serializers.IntegerField(help_text="The number of matches counted.")
    results = TitleResultsSerializer(many=True, help_text="Results by game.")
    opponents = OpponentSerializer(many=True, help_text="Results against frequent opponents.")
    pace = PaceSerializer(many=True, help_text="Moves by how long they took.")
    streak = StreakSerializer(allow_null=True, help_text="Null before the first result.")


class PairResultsSerializer(TitleResultsSerializer):
    """A player’s results against another player in a game."""

    company = serializers.ChoiceField(choices=Company.choices, help_text=COMPANY)


class PairSerializer(serializers.Serializer[Any]):
    """The results of two players against each other."""

    counted = MomentField(allow_null=True, help_text=COUNTED_HELP)
    results = PairResultsSerializer(many=True, help_text="Results by game.")


class StatisticsView(ApiView):
    is_public = True

    def company(self, request: Request) -> Company:
        """:raises ValidationError: there is no such kind of matches."""
        return Company(query_of(request, CompanyQuery)["company"])

    def answer(
        self,
        request: Request,
        kind: type[serializers.Serializer[Any]],
        numbers: dict[str, Any],
    ) -> Response:
        """Return the numbers, or 304 if only the time of counting has changed."""
        data = {"counted": selectors.counted_until(), **numbers}
        figures = kind(data).data
        known = {key: value for key, value in figures.items() if key != "counted"}
        return unless_seen(request, tag_of_numbers(known), lambda: figures)


class GameStatisticsView(StatisticsView):
    @extend_schema(
        parameters=[CompanyQuery, SEEN], responses={200: GameStatisticsSerializer, 304: None}
    )
    @from_replica
    def get(self, request: Request, slug: str) -> Response:
        """Read the statistics of a game."""
        title = title_or_404(slug)
        company = self.company(request)
        figures = selectors.of_game(title.meta.slug, company)
        numbers = {
            "company": company,
            "matches": figures.matches,
            "weeks": [{"monday": day, "matches": n} for day, n in figures.weeks.items()],
            "seats": [row._asdict() for row in figures.seats],
            "lengths": [{"moves": moves, "matches": n} for moves, n in figures.lengths.items()],
            "endings": [{"ending": key, "matches": n} for key, n in figures.endings.items()],
            "pace": _pace(figures.pace),
            "opening": figures.opening,
        }
        return self.answer(request, GameStatisticsSerializer, numbers)


class PlayerStatisticsView(StatisticsView):
    @extend_schema(
        parameters=[CompanyQuery, SEEN], responses={200: PlayerStatisticsSerializer, 304: None}
    )
    @from_replica
    def get(self, request: Request, name: str) -> Response:
        """Read the statistics of a player."""
        user = named(name)
        company = self.company(request)
        figures = selectors.of_player(user, company)
        numbers = {
            "company": company,
            "matches": figures.matches,
            "results": figures.results,
            "opponents": figures.opponents,
            "pace": _pace(figures.pace),
            "streak": figures.streak,
        }
        return self.answer(request, PlayerStatisticsSerializer, numbers)


class PairView(StatisticsView):
    @extend_schema(parameters=[SEEN], responses={200: PairSerializer, 304: None})
    @from_replica
    def get(self, request: Request, name: str, other: str) -> Response:
        """Read the results of two players against each other."""
        numbers = {"results": selectors.of_pair(named(name), named(other))}
        return self.answer(request, PairSerializer, numbers)


def _pace(pace: Any) -> list[dict[str, int | None]]:
    return [{"under": end, "moves": moves} for end, moves in zip(ENDS, pace, strict=True)]
