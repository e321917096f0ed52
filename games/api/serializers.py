"""Serializers of matches, whose fields also make up the OpenAPI document."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC
from difflib import get_close_matches
from itertools import islice
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from accounts import zones
from games.http.echo import MAX_ECHO_LENGTH
from games.kernel.views import Json
from games.matches import pauses
from games.matches.log.lines import LogLine
from games.matches.models import LogEntry, Match, Player
from games.matches.play.offers import Offer, agreed_by
from games.matches.selectors import MatchSnapshot
from games.matches.view.match_view import MatchView

AnyObject = extend_schema_field({"type": "object", "additionalProperties": True})

NO_FIELD = gettext_lazy("There is no such field.")
TITLE = "The slug of the game, as in `games/`."
SEAT = "The number of the seat, 0 for the first."
NUMBER_FORMAT = (
    "How to write the number. Replace the braces by the number and keep the text around them."
    " `{:d}` is a whole number, `{:.1f}` has one digit after the point, `{:.0f}` none."
    " With `+` after the colon, numbers from 0 on begin with a plus sign:"
    " `{:+.1f}` makes `+1.5` and `-1.5`."
)


class MomentField(serializers.DateTimeField):
    """A time in UTC (RFC 3339), whatever the caller's time zone."""

    def __init__(self, **options: Any) -> None:
        super().__init__(default_timezone=UTC, **options)


@extend_schema_field({"type": "number"})
class SecondsField(serializers.FloatField):
    """A duration, in seconds."""

    def __init__(self, **options: Any) -> None:
        super().__init__(allow_null=True, **options)

    def to_representation(self, value: Any) -> Any:
        return float(value.total_seconds())


@extend_schema_field({"type": "string", "deprecated": True})
class DeprecatedField(serializers.CharField):
    """A text field that the next release removes."""


@AnyObject
class ObjectField(serializers.Field[Any, Any, Any, Any]):
    """An object whose fields depend on the game."""

    def to_representation(self, value: Any) -> Json:
        return value


def dump_all(
    kind: type[serializers.Serializer[Any]], instances: Sequence[Any], **context: Any
) -> list[dict[str, Json]]:
    """Return several values as JSON."""
    items: Any = instances
    return list(kind(items, many=True, context=context).data)


class BoundedList(serializers.ListField):
    """A list of a request: its length is checked before its items are."""

    def to_internal_value(self, data: Any) -> list[Any]:
        """:raises ValidationError: there are too many items, or one is invalid."""
        if isinstance(data, list):
            self.run_validators(data)
        return super().to_internal_value(data)


def text_list(**options: Any) -> serializers.ListField:
    return serializers.ListField(child=serializers.CharField(), **options)


def seat_list(**options: Any) -> serializers.ListField:
    return serializers.ListField(child=serializers.IntegerField(), **options)


COMMON = frozenset({"submission", "version"})
"""Fields that any change may carry, whether it needs them or not."""

MAX_UNKNOWN = 10
"""Maximum number of unknown fields that an error names."""


class Body(serializers.Serializer[Any]):
    """The body of a change. Unknown fields are refused, as a typo would otherwise do nothing."""

    def to_internal_value(self, data: Any) -> Any:
        """:raises ValidationError: a field is missing, wrong or unknown."""
        unknown = self._unknown(data) if isinstance(data, Mapping) else {}
        try:
            values = super().to_internal_value(data)
        except serializers.ValidationError as error:
            if unknown and isinstance(error.detail, dict):
                raise serializers.ValidationError({**error.detail, **unknown}) from error
            raise
        if unknown:
            raise serializers.ValidationError(unknown)
        return values

    def _unknown(self, data: Iterable[str]) -> dict[str, list[str]]:
        names = (name for name in data if name not in self.fields and name not in COMMON)
        shown = (name[:MAX_ECHO_LENGTH] for name in islice(names, MAX_UNKNOWN))
        return {name: [self._no_field(name)] for name in shown}

    def _no_field(self, name: str) -> str:
        close = get_close_matches(name, self.fields, 1)
        if not close:
            return str(NO_FIELD)
        return _("There is no such field. Did you mean “{name}”?").format(name=close[0])


class GameSerializer(serializers.Serializer[Any]):
    """A game."""

    slug = serializers.CharField(help_text="The id of the game, called `title` everywhere else.")
    name = serializers.CharField(help_text="The name of the game, for people.")
    title = DeprecatedField(help_text="Deprecated: the same as `name`.")
    designer = serializers.CharField()
    seats = seat_list(
        min_length=2, max_length=2, help_text="The smallest and the largest number of players."
    )
    dice = serializers.BooleanField(
        help_text="Whether the game has dice, cards or other chance, and so allows strict dice."
    )
    params = ObjectField(help_text="The parameters of the game, as a JSON Schema with defaults.")


class WaitingSerializer(serializers.Serializer[Any]):
    """A number of things."""

    count = serializers.IntegerField()


class CountsSerializer(WaitingSerializer):
    """How much is new for the caller."""

    count = serializers.IntegerField(help_text="Matches in which the caller is to move.")
    unseen = serializers.IntegerField(help_text="Notifications that the caller has not seen.")


class ClockSerializer(Body):
    """The time that each player has."""

    start = serializers.IntegerField(
        min_value=86_400, max_value=60 * 86_400, help_text="Seconds at the start of the match."
    )
    increment = serializers.IntegerField(
        min_value=0, max_value=60 * 86_400, help_text="Seconds added after each turn."
    )
    cap = serializers.IntegerField(
        min_value=86_400, max_value=60 * 86_400, help_text="The most seconds a player can have."
    )
    weekends = serializers.CharField(
        max_length=60,
        required=False,
        validators=[zones.validate],
        help_text="A time zone such as `Europe/Rome`, in whose weekends clocks stop."
        " Without it, clocks run at weekends.",
    )

    def validate(self, attrs: dict[str, int]) -> dict[str, int]:
        """Check that the starting time is within the cap.

        :raises ValidationError: it isn't.
        """
        if attrs["cap"] < attrs["start"]:
            raise serializers.ValidationError({"cap": _("It must be at least the start.")})
        return attrs


class SeatSerializer(serializers.Serializer[Player]):
    """A seat of a match and its player."""

    seat = serializers.IntegerField(help_text=SEAT)
    name = serializers.CharField(source="user.username")
    deadline = serializers.SerializerMethodField(
        help_text="When the clock runs out. Null if the clock is not running."
    )
    time_left = SecondsField(
        help_text="Seconds left when the clock last started. Null without a time limit."
    )
    stands_still = serializers.SerializerMethodField(
        help_text="Why the clock is stopped. Empty if it is not stopped."
    )
    agrees_to_close = serializers.BooleanField(help_text="The same as `agrees_to` being `close`.")
    agrees_to = serializers.SerializerMethodField(
        help_text="The open offer that the player made or accepted: `close` ends the match here,"
        " the others are `pause`, `cancel` and `take-back`. Empty without one."
    )
    dropped = serializers.ChoiceField(
        choices=Player.Dropped.choices,
        allow_blank=True,
        help_text="Why the player left the match before its end. Empty for everyone else.",
    )
    rank = serializers.IntegerField(
        allow_null=True, help_text="The final rank, 1 for first place. Null without a result."
    )
    rating = serializers.IntegerField(
        allow_null=True,
        help_text="The player’s rating when the match began. Null for players without one.",
    )
    rating_provisional = serializers.BooleanField(
        source="rating_is_provisional",
        help_text="Whether too little was known of the player then.",
    )

    @extend_schema_field({"type": ["string", "null"], "format": "date-time"})
    def get_deadline(self, player: Player) -> str | None:
        """Return when the clock runs out; ``None`` if that is unknown."""
        deadline = pauses.shown_deadline(player, timezone.now())
        return MomentField().to_representation(deadline) if deadline else None

    @extend_schema_field(
        {"type": "array", "items": {"type": "string", "enum": list(pauses.Reason)}}
    )
    def get_stands_still(self, player: Player) -> list[str]:
        """Return why the clock is stopped now."""
        return [str(reason) for reason in pauses.reasons(player, timezone.now())]

    @extend_schema_field({"type": "string", "enum": ["", *Offer]})
    def get_agrees_to(self, player: Player) -> str:
        """Return the open offer that the player has made or accepted."""
        return str(agreed_by(player))


class PlayerSerializer(SeatSerializer):
    """A seat of a match and its player, with the colour of the pieces."""

    colour = serializers.SerializerMethodField(help_text="The name of the colour.")

    def get_colour(self, player: Player) -> str:
        return str(self.context["colours"][player.seat].name)


class MatchFactsSerializer(serializers.Serializer[Any]):
    """A match without its position."""

    id = serializers.IntegerField(source="pk")
    title = serializers.CharField(help_text=TITLE)
    rules_version = serializers.IntegerField(
        help_text="The version of the game’s rules that the match is played by."
    )
    params = ObjectField(help_text="All parameters of the game.")
    clock = ClockSerializer(allow_null=True, help_text="Null without a time limit.")
    rated = serializers.BooleanField(
        help_text="Whether the result changes the ratings of the players."
    )
    status = serializers.ChoiceField(
        choices=Match.Status.choices,
        help_text="`over` matches have a result; `cancelled` and `annulled` ones have none.",
    )
    ending = serializers.CharField(
        allow_blank=True,
        help_text="How the match ended: `resigned`, `timeout`, `removed` (by a moderator),"
        " `dropped` (all others had left), `closed` (by agreement), `cancelled`, `annulled`,"
        " or an ending of the game. Empty while it runs.",
    )
    version = serializers.IntegerField(help_text="The number of the last entry of the log.")
    started = MomentField(source="created")
    changed = MomentField(help_text="When the last entry was added to the log.")
    ended = MomentField(allow_null=True, help_text="Null while the match runs.")


class MatchSummarySerializer(MatchFactsSerializer):
    """A match in a list."""

    players = SeatSerializer(many=True, source="players.all")
    to_move = serializers.SerializerMethodField(help_text="The seats that are to move.")

    @extend_schema_field(seat_list())
    def get_to_move(self, match: Match) -> list[int]:
        """Return the seats that are to move."""
        return [player.seat for player in match.players.all() if player.to_move]


class MatchSerializer(serializers.Serializer[MatchView]):
    """A match as the caller may see it."""

    seat = serializers.IntegerField(
        source="viewer", allow_null=True, help_text="The caller’s own seat. Null for spectators."
    )
    to_move = seat_list(source="table.actors", help_text="The seats that are to move.")
    players = serializers.SerializerMethodField(help_text="The players in seat order.")
    result = serializers.SerializerMethodField(
        help_text="The ranks in seat order, 1 for first place. Null without a result."
    )
    view = serializers.SerializerMethodField(
        help_text="The position. Its fields depend on the game;"
        " `??` stands for what is hidden from the caller."
    )

    def to_representation(self, shown: MatchView) -> dict[str, Json]:
        """Return the facts of the match, then what depends on the caller."""
        return {**MatchFactsSerializer(shown.match).data, **super().to_representation(shown)}

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """Return the fields; in the description, those of the facts too."""
        facts = MatchFactsSerializer().get_fields() if self.instance is None else {}
        return {**facts, **super().get_fields()}

    @extend_schema_field(PlayerSerializer(many=True))
    def get_players(self, shown: MatchView) -> Any:
        """Return the players in seat order."""
        context = {"colours": shown.meta.colours}
        return dump_all(PlayerSerializer, shown.players, **context)

    @extend_schema_field({"type": ["array", "null"], "items": {"type": ["integer", "null"]}})
    def get_result(self, shown: MatchView) -> list[int | None] | None:
        """Return the ranks by seat; ``None`` without a result."""
        over = shown.match.status == Match.Status.OVER
        return [player.rank for player in shown.players] if over else None

    @AnyObject
    def get_view(self, shown: MatchView) -> Json:
        """Return the position as the caller may see it."""
        return shown.position.dump()


class LineSerializer(serializers.Serializer[LogLine]):
    """An entry of the log, as the caller may read it."""

    number = serializers.IntegerField(source="entry.number", help_text="1 for the first entry.")
    kind = serializers.ChoiceField(
        source="entry.kind",
        choices=LogEntry.Kind.choices,
        help_text="What the entry is; `play` is a move.",
    )
    seat = serializers.IntegerField(
        source="entry.seat",
        allow_null=True,
        help_text="The seat that it is about. Null if it is about the whole match.",
    )
    text = serializers.CharField(
        allow_blank=True, help_text="The move as it was sent; `??` while it is hidden."
    )
    sentences = text_list(help_text="What happened, in the language of the request.")
    taken_back = serializers.BooleanField(help_text="Whether the move was taken back later.")
    undoes = serializers.IntegerField(
        source="entry.undoes",
        allow_null=True,
        help_text="For a `take-back`: the number of the entry that it takes back.",
    )
    at = MomentField(source="entry.at")
    thinking = SecondsField(
        source="entry.thinking", help_text="How many seconds the clock ran for it."
    )


class OptionSerializer(serializers.Serializer[Any]):
    """One way to go on: either a `text`, or a number with `range`, `format` and `examples`."""

    text = serializers.CharField(required=False, help_text="Append it as it is, with its spaces.")
    marks = text_list(required=False, help_text="The parts of the board that it is about.")
    range = serializers.ListField(
        child=serializers.FloatField(),
        min_length=3,
        max_length=3,
        required=False,
        help_text="The smallest number, the largest, and the step between numbers.",
    )
    format = serializers.CharField(required=False, help_text=NUMBER_FORMAT)
    examples = text_list(
        required=False,
        help_text="The texts to append for the smallest number, one between, and the largest.",
    )
    label = serializers.CharField(  # type: ignore[assignment]
        allow_blank=True, help_text="What it means, in the language of the request."
    )


class OptionsSerializer(serializers.Serializer[Any]):
    """The continuations of the text typed so far."""

    complete = serializers.BooleanField(help_text="Whether it is a whole move already.")
    prompt = serializers.CharField(
        allow_blank=True, help_text="What to choose next, in the language of the request."
    )
    next = OptionSerializer(many=True, help_text="Everything that may follow.")


class RandomMoveSerializer(serializers.Serializer[Any]):
    """A random legal move at a version of the match, and the seed that determines it."""

    move = serializers.CharField()
    version = serializers.IntegerField()
    seed = serializers.CharField()


class PreviewSerializer(serializers.Serializer[Any]):
    """A preview of moves."""

    moves = text_list(help_text="The moves as the log would have them.")
    sentences = text_list(
        help_text="What would happen, as far as it is known, in the language of the request."
    )
    goes_on = serializers.BooleanField(help_text="Whether the caller would be to move again.")


class DoneSerializer(serializers.Serializer[Any]):
    """The result of a change of a match."""

    version = serializers.IntegerField(help_text="The version of the match after the change.")
    repeated = serializers.BooleanField(
        help_text="Whether this submission had been made before and changed nothing now."
    )


class OrderChoiceSerializer(serializers.Serializer[Any]):
    """A standing order that the game offers."""

    name = serializers.CharField(help_text="Send it as `order`.")
    label = serializers.CharField(  # type: ignore[assignment]
        help_text="What the order does, in the language of the request."
    )


class PrivateSerializer(serializers.Serializer[MatchSnapshot]):
    """The caller’s conditional moves and standing order in a match."""

    lines = serializers.ListField(
        child=text_list(),
        help_text="The lines of conditional moves from the position that they have reached, each"
        " whole; `*` stands for any moves of the others.",
    )
    queue = text_list(
        help_text="The moves of a plan that is one line whatever the others play; otherwise empty."
    )
    stopped = serializers.CharField(allow_blank=True, help_text="Why the plan stopped, or empty.")
    order = serializers.CharField(allow_blank=True, help_text="The standing order, or empty.")
    answer = serializers.CharField(
        allow_blank=True, help_text="The move that the standing order would play now, or empty."
    )
    orders = OrderChoiceSerializer(many=True, help_text="The standing orders to choose from.")


class ProblemSerializer(serializers.Serializer[Any]):
    """Why a request was refused (RFC 9457)."""

    type = serializers.CharField(help_text="The address of an explanation.")
    title = serializers.CharField(help_text="What kind of problem it is.")
    status = serializers.IntegerField(help_text="The status of the response.")
    detail = serializers.CharField(help_text="A sentence for people. It may change.")
    code = serializers.CharField(help_text="The kind of problem, for programs. It never changes.")
    errors = serializers.DictField(  # type: ignore[assignment]
        child=text_list(),
        required=False,
        help_text="For `invalid`: what is wrong, by field, such as `moves.0` or `clock.start`.",
    )
