"""Answers of the API about matches, as JSON; their fields are those of the OpenAPI document."""

from collections.abc import Sequence
from datetime import UTC
from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from accounts import zones
from games.kernel.views import Json
from games.matches import pauses
from games.matches.log_lines import Line
from games.matches.models import Match, Player
from games.matches.offers import agreed_by
from games.matches.presentation import MatchPresentation
from games.matches.selectors import MatchSnapshot

AnyObject = extend_schema_field({"type": "object", "additionalProperties": True})


class MomentField(serializers.DateTimeField):
    """A moment in UTC (RFC 3339), whatever the zone of the caller."""

    def __init__(self, **options: Any) -> None:
        super().__init__(default_timezone=UTC, **options)


@extend_schema_field({"type": "number"})
class SecondsField(serializers.FloatField):
    """A span of time, in seconds."""

    def __init__(self, **options: Any) -> None:
        super().__init__(allow_null=True, **options)

    def to_representation(self, value: Any) -> Any:
        """Return a span as a number."""
        return float(value.total_seconds())


@AnyObject
class ObjectField(serializers.Field[Any, Any, Any, Any]):
    """An object whose fields depend on the game."""

    def to_representation(self, value: Any) -> Json:
        """Return it as it is."""
        return value


def dump_all(
    kind: type[serializers.Serializer[Any]], found: Sequence[Any], **context: Any
) -> list[dict[str, Json]]:
    """Return several things as JSON."""
    items: Any = found
    return list(kind(items, many=True, context=context).data)


def text_list(**options: Any) -> serializers.ListField:
    """Return a field that holds a list of texts."""
    return serializers.ListField(child=serializers.CharField(), **options)


def seat_list(**options: Any) -> serializers.ListField:
    """Return a field that holds a list of seats."""
    return serializers.ListField(child=serializers.IntegerField(), **options)


class GameSerializer(serializers.Serializer[Any]):
    """A game: ``seats`` is the least and the greatest number, ``params`` a JSON Schema."""

    slug = serializers.CharField()
    title = serializers.CharField()
    designer = serializers.CharField()
    seats = seat_list(min_length=2, max_length=2)
    params = ObjectField()


class WaitingSerializer(serializers.Serializer[Any]):
    """How many matches wait for the caller."""

    count = serializers.IntegerField()


class ClockSerializer(serializers.Serializer[Any]):
    """A clock, in seconds: at the start, more for each turn, and never more than ``cap``."""

    start = serializers.IntegerField(min_value=86_400, max_value=60 * 86_400)
    increment = serializers.IntegerField(min_value=0, max_value=60 * 86_400)
    cap = serializers.IntegerField(min_value=86_400, max_value=60 * 86_400)
    weekends = serializers.CharField(
        max_length=60,
        required=False,
        validators=[zones.validate],
        help_text="The time zone in whose weekends no clock runs; left out where all do.",
    )

    def validate(self, attrs: dict[str, int]) -> dict[str, int]:
        """Check that the clock does not begin above its cap.

        :raises ValidationError: it does.
        """
        if attrs["cap"] < attrs["start"]:
            raise serializers.ValidationError({"cap": "It must be at least the start."})
        return attrs


class SeatSerializer(serializers.Serializer[Player]):
    """A seat of a match and its player; ``time_left`` is what was left when the clock started."""

    seat = serializers.IntegerField()
    name = serializers.CharField(source="user.username")
    deadline = serializers.SerializerMethodField()
    time_left = SecondsField()
    stands_still = serializers.SerializerMethodField()
    agrees_to_close = serializers.BooleanField()
    agrees_to = serializers.SerializerMethodField()
    dropped = serializers.CharField(allow_blank=True)
    rank = serializers.IntegerField(allow_null=True)

    @extend_schema_field({"type": ["string", "null"], "format": "date-time"})
    def get_deadline(self, player: Player) -> str | None:
        """Return when the clock runs out; ``None`` while that is not known."""
        found = pauses.shown_deadline(player, timezone.now())
        return MomentField().to_representation(found) if found else None

    def get_stands_still(self, player: Player) -> list[str]:
        """Return why the clock does not run now."""
        return [str(reason) for reason in pauses.reasons(player, timezone.now())]

    def get_agrees_to(self, player: Player) -> str:
        """Return the open offer that the player has made or accepted."""
        return str(agreed_by(player))


class PlayerSerializer(SeatSerializer):
    """The same with the colour of the seat."""

    colour = serializers.SerializerMethodField()

    def get_colour(self, player: Player) -> str:
        """Return the name of the colour."""
        return str(self.context["colours"][player.seat].name)


class MatchFactsSerializer(serializers.Serializer[Match]):
    """A match without its position."""

    id = serializers.IntegerField(source="pk")
    title = serializers.CharField()
    rules_version = serializers.IntegerField()
    params = ObjectField()
    clock = ClockSerializer(allow_null=True)
    status = serializers.ChoiceField(choices=Match.Status.choices)
    ending = serializers.CharField(allow_blank=True)
    version = serializers.IntegerField()
    started = MomentField(source="created")
    changed = MomentField()
    ended = MomentField(allow_null=True)


class MatchSummarySerializer(MatchFactsSerializer):
    """A match in a list."""

    players = SeatSerializer(many=True, source="players.all")
    to_move = serializers.SerializerMethodField()

    @extend_schema_field(seat_list())
    def get_to_move(self, match: Match) -> list[int]:
        """Return the seats that are to move."""
        return [player.seat for player in match.players.all() if player.to_move]


class MatchSerializer(serializers.Serializer[MatchPresentation]):
    """A match as the caller may see it: ``seat`` is the caller's, ``result`` the ranks by seat.

    ``view`` is the position; what is hidden from the caller is ``"??"`` in it.
    """

    seat = serializers.IntegerField(source="viewer", allow_null=True)
    to_move = seat_list(source="snapshot.actors")
    players = serializers.SerializerMethodField()
    result = serializers.SerializerMethodField()
    view = serializers.SerializerMethodField()

    def to_representation(self, shown: MatchPresentation) -> dict[str, Json]:
        """Return the facts of the match, then what depends on the caller."""
        return {**MatchFactsSerializer(shown.match).data, **super().to_representation(shown)}

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """Return the fields; in the description, those of the facts too."""
        facts = MatchFactsSerializer().get_fields() if self.instance is None else {}
        return {**facts, **super().get_fields()}

    @extend_schema_field(PlayerSerializer(many=True))
    def get_players(self, shown: MatchPresentation) -> Any:
        """Return the players in seat order."""
        context = {"colours": shown.meta.colours}
        return dump_all(PlayerSerializer, shown.players, **context)

    @extend_schema_field({"type": ["array", "null"], "items": {"type": ["integer", "null"]}})
    def get_result(self, shown: MatchPresentation) -> list[int | None] | None:
        """Return the ranks by seat; ``None`` without a result."""
        over = shown.match.status == Match.Status.OVER
        return [player.rank for player in shown.players] if over else None

    @AnyObject
    def get_view(self, shown: MatchPresentation) -> Json:
        """Return the position as the caller may see it."""
        return shown.view.dump()


class LineSerializer(serializers.Serializer[Line]):
    """An entry of the log, as the caller may read it."""

    number = serializers.IntegerField(source="entry.number")
    kind = serializers.CharField(source="entry.kind")
    seat = serializers.IntegerField(source="entry.seat", allow_null=True)
    text = serializers.CharField(allow_blank=True)
    sentences = text_list()
    taken_back = serializers.BooleanField()
    undoes = serializers.IntegerField(source="entry.undoes", allow_null=True)
    at = MomentField(source="entry.at")
    thinking = SecondsField(source="entry.thinking")


class OptionSerializer(serializers.Serializer[Any]):
    """One way to go on: a text to append, or a number in a range to be written by a format."""

    text = serializers.CharField(required=False)
    marks = text_list(required=False)
    range = serializers.ListField(
        child=serializers.FloatField(), min_length=3, max_length=3, required=False
    )
    format = serializers.CharField(required=False)
    label = serializers.CharField(allow_blank=True)  # type: ignore[assignment]


class OptionsSerializer(serializers.Serializer[Any]):
    """How what was typed may go on, and whether it is a whole move."""

    complete = serializers.BooleanField()
    prompt = serializers.CharField(allow_blank=True)
    next = OptionSerializer(many=True)


class RandomMoveSerializer(serializers.Serializer[Any]):
    """A random legal move at a version of the match, and the seed from which it follows."""

    move = serializers.CharField()
    version = serializers.IntegerField()
    seed = serializers.CharField()


class PreviewSerializer(serializers.Serializer[Any]):
    """What moves would do: their canonical texts, what happens, and whether more may follow."""

    moves = text_list()
    sentences = text_list()
    goes_on = serializers.BooleanField()


class DoneSerializer(serializers.Serializer[Any]):
    """The version after a change; ``repeated`` says that the submission was made before."""

    version = serializers.IntegerField()
    repeated = serializers.BooleanField()


class OrderChoiceSerializer(serializers.Serializer[Any]):
    """A standing order that there is."""

    name = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]


class PrivateSerializer(serializers.Serializer[MatchSnapshot]):
    """What the caller has set for later."""

    queue = text_list()
    stopped = serializers.CharField(allow_blank=True)
    order = serializers.CharField(allow_blank=True)
    answer = serializers.CharField(allow_blank=True)
    orders = OrderChoiceSerializer(many=True)


class RecordSerializer(serializers.Serializer[Any]):
    """The record of a match, complete and replayable."""

    format = serializers.CharField()
    format_version = serializers.IntegerField()

    def to_representation(self, record: Any) -> Any:
        """Return it as it is."""
        return record


class ProblemSerializer(serializers.Serializer[Any]):
    """Why a request was refused (RFC 9457); ``code`` does not change."""

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField()
    code = serializers.CharField()
    errors = serializers.DictField(  # type: ignore[assignment]
        child=text_list(), required=False, help_text="Of “invalid”: what is wrong, by field."
    )
