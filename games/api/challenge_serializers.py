"""Serializers of challenges: requests to make and answer them, and responses."""

from datetime import timedelta
from typing import Any

from django.utils.translation import gettext
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from accounts.models import User
from games.api.openapi import SUBMISSION
from games.api.serializers import (
    TITLE,
    AnyObject,
    Body,
    BoundedList,
    ClockSerializer,
    MomentField,
    ObjectField,
)
from games.bots.users import user_named
from games.kernel import registry
from games.kernel.dice import SIZE
from games.lobby.models import Challenge, Invitation
from games.lobby.services import CHALLENGE_LIFETIME, MAX_CHALLENGE_LIFETIME
from games.lobby.strength import MAX_WITHIN
from games.matches.clock import PRESETS, Clock
from games.matches.models import MAX_SEATS

HEX = r"^([0-9a-f]{64})?$"


class NonceField(serializers.RegexField):
    """Bytes in hexadecimal. Empty for no bytes."""

    def __init__(self, **options: Any) -> None:
        super().__init__(HEX, max_length=2 * SIZE, allow_blank=True, default="", **options)

    def run_validation(self, data: Any = serializers.empty) -> bytes:
        """:raises ValidationError: it has another length, or isn't hexadecimal."""
        return bytes.fromhex(super().run_validation(data))


AUDIENCE = (
    "Who may accept: `open` anybody, `named` only the players in `players`,"
    " `link` anybody who has the link."
)
SEATING = (
    "How seats are assigned. The first seat usually begins:"
    " `random` draws the seats, `first` gives it to the creator, `last` to the others."
)
STATUS = (
    "`open` waits for players. `revealing` has all players and waits for their nonces"
    " (strict dice). `started` has become a match. The others have ended without one."
)
STRICT_DICE = "Whether all players commit to their nonces first (see the guide to strict dice)."
RATED = "Whether the result changes the ratings of the players. With a guest it never does."
RATING_WITHIN = (
    "For the audience `open`: how far from yours the ratings of the others may be, in points. Null"
    " for any."
)
NONCE = (
    "32 bytes of your own in hexadecimal, which the dice then depend on. Needs `commitment_token`"
    " in a new challenge. Without a nonce the site makes one."
)


def _within_field(words: str) -> serializers.IntegerField:
    return serializers.IntegerField(
        min_value=1, max_value=MAX_WITHIN, allow_null=True, default=None, help_text=words
    )


def _commitment_field() -> serializers.RegexField:
    words = "With strict dice: the SHA-256 of your nonce, in hexadecimal."
    return serializers.RegexField(
        HEX, max_length=2 * SIZE, allow_blank=True, default="", help_text=words
    )


@AnyObject
class ParamsField(serializers.DictField):
    """The parameters of a game."""


class NewChallenge(Body):
    """A challenge to make. Only `title` and `submission` are needed."""

    title = serializers.CharField(max_length=60, help_text=TITLE)
    submission = serializers.UUIDField(help_text=SUBMISSION)
    params = ParamsField(
        default=dict,
        help_text="Parameters of the game, as `games/` describes them."
        " Those left out have their defaults.",
    )
    clock = ClockSerializer(
        allow_null=True, default=None, help_text="Null, the default, for no time limit."
    )
    seats = serializers.IntegerField(
        min_value=2,
        max_value=MAX_SEATS,
        required=False,
        help_text="The number of players. By default the smallest that the game allows.",
    )
    audience = serializers.ChoiceField(
        choices=Challenge.Audience.choices, default=Challenge.Audience.OPEN, help_text=AUDIENCE
    )
    players = BoundedList(
        child=serializers.CharField(max_length=20),
        max_length=MAX_SEATS,
        default=list,
        help_text="For the audience `named`: the names of the other players, or of `bots/`.",
    )
    seating = serializers.ChoiceField(
        choices=Challenge.Seating.choices, default=Challenge.Seating.RANDOM, help_text=SEATING
    )
    message = serializers.CharField(
        max_length=500, allow_blank=True, default="", help_text="A message shown with it."
    )
    days = serializers.IntegerField(
        min_value=1,
        max_value=MAX_CHALLENGE_LIFETIME.days,
        default=CHALLENGE_LIFETIME.days,
        help_text="The number of days until it expires.",
    )
    strict_dice = serializers.BooleanField(default=False, help_text=STRICT_DICE)
    rated = serializers.BooleanField(default=False, help_text=RATED)
    rating_within = _within_field(RATING_WITHIN)
    commitment_token = serializers.CharField(
        max_length=400,
        allow_blank=True,
        default="",
        help_text="The `token` from `challenges/commitment/`, if you make your own nonce.",
    )
    nonce = NonceField(help_text=NONCE)
    nonce_commitment = _commitment_field()

    def validate_players(self, names: list[str]) -> list[User]:
        """:raises ValidationError: there is no such player."""
        users = [(name, User.objects.named(name) or user_named(name)) for name in names]
        if missing := [name for name, user in users if user is None]:
            raise serializers.ValidationError(
                gettext("There is no player called “{name}”.").format(name=missing[0])
            )
        return [user for _, user in users if user is not None]

    def arguments(self) -> dict[str, Any]:
        """Return the arguments of :func:`games.lobby.services.challenge` except the secret.

        :raises UnknownTitle: there is no such game.
        """
        sent = self.validated_data
        least = registry.get(sent["title"]).meta.seats[0]
        same = (
            "title",
            "params",
            "seating",
            "message",
            "strict_dice",
            "rated",
            "rating_within",
            "nonce",
        )
        return {
            **{key: sent[key] for key in (*same, "nonce_commitment")},
            "clock": Clock.load(sent["clock"]),
            "seats": sent.get("seats", least),
            "audience": Challenge.Audience(sent["audience"]),
            "seating": Challenge.Seating(sent["seating"]),
            "invited": sent["players"],
            "lifetime": timedelta(days=sent["days"]),
        }


class Search(Body):
    """What you look for: a match of two on the standard board, with one of the site's clocks."""

    title = serializers.CharField(max_length=60, help_text=TITLE)
    pace = serializers.ChoiceField(
        choices=list(PRESETS), default="standard", help_text="The clock, by its name."
    )
    rated = serializers.BooleanField(default=True, help_text=RATED)
    rating_within = _within_field(
        "How far from yours the opponent’s rating may be, in points. Null for any."
    )


class Answer(Body):
    """The answer to a challenge. Most answers need no field at all."""

    link = serializers.CharField(
        max_length=43,
        allow_blank=True,
        default="",
        help_text="For a challenge by link: the secret part of the link.",
    )
    nonce = NonceField(help_text=NONCE)
    nonce_commitment = _commitment_field()
    reason = serializers.CharField(
        max_length=200, allow_blank=True, default="", help_text="Why you decline."
    )


class CommitmentSerializer(serializers.Serializer[Any]):
    """The site’s commitment to the dice of one challenge. It is valid for a day."""

    commitment = serializers.CharField(help_text="The SHA-256 of the site’s secret.")
    token = serializers.CharField(help_text="Send it as `commitment_token` with the challenge.")


class InvitationSerializer(serializers.Serializer[Invitation]):
    """A player who is invited or has a seat."""

    name = serializers.CharField(source="user.username")
    state = serializers.ChoiceField(
        choices=Invitation.State.choices,
        help_text="`invited` has not answered, `taken` has a seat, `declined` has none.",
    )
    has_revealed = serializers.BooleanField(
        help_text="With strict dice: whether the player’s nonce is revealed."
    )
    seat = serializers.IntegerField(
        allow_null=True,
        help_text="With strict dice, once all seats are taken: the number of the seat.",
    )
    nonce_commitment = serializers.SerializerMethodField(
        help_text="With strict dice, once all seats are taken: the SHA-256 of the player’s nonce."
    )

    @extend_schema_field({"type": ["string", "null"]})
    def get_nonce_commitment(self, invitation: Invitation) -> str | None:
        """Return the commitment; ``None`` until the seats are drawn."""
        return invitation.nonce_commitment if invitation.seat is not None else None


class ChallengeSerializer(serializers.Serializer[Challenge]):
    """A challenge."""

    id = serializers.IntegerField(source="pk")
    title = serializers.CharField(help_text=TITLE)
    params = ObjectField(help_text="All parameters of the game.")
    clock = ClockSerializer(allow_null=True, help_text="Null without a time limit.")
    seats = serializers.IntegerField(help_text="The number of players.")
    creator = serializers.CharField(source="creator.username")
    audience = serializers.ChoiceField(choices=Challenge.Audience.choices, help_text=AUDIENCE)
    seating = serializers.ChoiceField(choices=Challenge.Seating.choices, help_text=SEATING)
    message = serializers.CharField(allow_blank=True)
    commitment = serializers.CharField(
        help_text="The SHA-256 of the site’s secret, from which the dice follow."
    )
    strict_dice = serializers.BooleanField(help_text=STRICT_DICE)
    rated = serializers.BooleanField(help_text=RATED)
    lowest_rating = serializers.IntegerField(
        allow_null=True, help_text="The lowest rating that may accept it. Null for any."
    )
    highest_rating = serializers.IntegerField(
        allow_null=True, help_text="The highest rating that may accept it. Null for any."
    )
    status = serializers.ChoiceField(choices=Challenge.Status.choices, help_text=STATUS)
    version = serializers.IntegerField(help_text="Grows with every change.")
    created = MomentField()
    expires = MomentField(help_text="When it ends by itself if nothing happens.")
    match = serializers.IntegerField(
        source="match_id", allow_null=True, help_text="The id of the match that it has become."
    )
    invitations = InvitationSerializer(
        many=True, source="invitations.all", help_text="The players, the creator among them."
    )
    link = serializers.SerializerMethodField(
        help_text="For the creator of a challenge by link: the secret part of the link."
    )

    @extend_schema_field({"type": ["string", "null"]})
    def get_link(self, challenge: Challenge) -> str | None:
        """Return the secret of the link, only to the creator."""
        own = challenge.creator_id == self.context["caller"]
        by_link = challenge.audience == Challenge.Audience.LINK
        return challenge.token if own and by_link else None
