"""Challenges as JSON: what is sent to make and answer them, and what is answered."""

from datetime import timedelta
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from accounts.models import User
from games.api.openapi import SUBMISSION
from games.api.serializers import AnyObject, ClockSerializer, MomentField, ObjectField
from games.kernel import registry
from games.kernel.dice import SIZE
from games.lobby.models import Challenge, Invitation
from games.lobby.services import LIFETIME, LONGEST
from games.matches.clock import Clock
from games.matches.models import MOST_SEATS

HEX = r"^([0-9a-f]{64})?$"


class NonceField(serializers.RegexField):
    """Bytes in hexadecimal, none if empty."""

    def __init__(self, **options: Any) -> None:
        super().__init__(HEX, max_length=2 * SIZE, allow_blank=True, default="", **options)

    def run_validation(self, data: Any = serializers.empty) -> bytes:
        """Return the bytes.

        :raises ValidationError: it is not of the length, or not hexadecimal.
        """
        return bytes.fromhex(super().run_validation(data))


def _commitment_field() -> serializers.RegexField:
    words = "With strict dice: the SHA-256 of your nonce, in hexadecimal."
    return serializers.RegexField(
        HEX, max_length=2 * SIZE, allow_blank=True, default="", help_text=words
    )


@AnyObject
class ParamsField(serializers.DictField):
    """The parameters of a game; those left out have their defaults."""


class NewChallenge(serializers.Serializer[Any]):
    """A challenge to be made; what is left out has the game’s or the site’s default."""

    title = serializers.CharField(max_length=60, help_text="The slug of the game.")
    submission = serializers.UUIDField(help_text=SUBMISSION)
    params = ParamsField(default=dict)
    clock = ClockSerializer(allow_null=True, default=None, help_text="Null: no time limit.")
    seats = serializers.IntegerField(min_value=2, max_value=MOST_SEATS, required=False)
    audience = serializers.ChoiceField(
        choices=Challenge.Audience.choices, default=Challenge.Audience.OPEN
    )
    players = serializers.ListField(
        child=serializers.CharField(max_length=20),
        max_length=MOST_SEATS,
        default=list,
        help_text="Of “named”: the names of the others.",
    )
    seating = serializers.ChoiceField(
        choices=Challenge.Seating.choices,
        default=Challenge.Seating.RANDOM,
        help_text="Who moves first; without effect in a game in which a roll decides that.",
    )
    message = serializers.CharField(max_length=500, allow_blank=True, default="")
    days = serializers.IntegerField(
        min_value=1, max_value=LONGEST.days, default=LIFETIME.days, help_text="Until it expires."
    )
    strict_dice = serializers.BooleanField(default=False)
    commitment_token = serializers.CharField(
        max_length=400,
        allow_blank=True,
        default="",
        help_text="From challenges/commitment/, where you make the nonce yourself.",
    )
    nonce = NonceField(help_text="32 bytes in hexadecimal; without them the site draws some.")
    nonce_commitment = _commitment_field()

    def validate_players(self, names: list[str]) -> list[User]:
        """Return the users of names.

        :raises ValidationError: there is no such player.
        """
        found = [(name, User.objects.named(name)) for name in names]
        if missing := [name for name, user in found if user is None]:
            raise serializers.ValidationError(f"There is no player called “{missing[0]}”.")
        return [user for _, user in found if user is not None]

    def arguments(self) -> dict[str, Any]:
        """Return the arguments of :func:`games.lobby.services.challenge` but the secret.

        :raises UnknownTitle: there is no such game.
        """
        sent = self.validated_data
        least = registry.get(sent["title"]).meta.seats[0]
        same = ("title", "params", "seating", "message", "strict_dice", "nonce")
        return {
            **{key: sent[key] for key in (*same, "nonce_commitment")},
            "clock": Clock.load(sent["clock"]),
            "seats": sent.get("seats", least),
            "audience": Challenge.Audience(sent["audience"]),
            "seating": Challenge.Seating(sent["seating"]),
            "invited": sent["players"],
            "lifetime": timedelta(days=sent["days"]),
        }


class Answer(serializers.Serializer[Any]):
    """The answer to a challenge; nothing of it is needed for most."""

    link = serializers.CharField(
        max_length=43, allow_blank=True, default="", help_text="Of a challenge by link: its secret."
    )
    nonce = NonceField(help_text="32 bytes in hexadecimal; without them the site draws some.")
    nonce_commitment = _commitment_field()
    reason = serializers.CharField(
        max_length=200, allow_blank=True, default="", help_text="Why you decline."
    )


class CommitmentSerializer(serializers.Serializer[Any]):
    """A commitment to dice, and the token that names it; good for a day and one challenge."""

    commitment = serializers.CharField()
    token = serializers.CharField()


class InvitationSerializer(serializers.Serializer[Invitation]):
    """Who was invited or has a seat."""

    name = serializers.CharField(source="user.username")
    state = serializers.ChoiceField(choices=Invitation.State.choices)
    has_revealed = serializers.BooleanField()


class ChallengeSerializer(serializers.Serializer[Challenge]):
    """A challenge; ``match`` is the match that it became, ``link`` its secret for its creator."""

    id = serializers.IntegerField(source="pk")
    title = serializers.CharField()
    params = ObjectField()
    clock = ClockSerializer(allow_null=True)
    seats = serializers.IntegerField()
    creator = serializers.CharField(source="creator.username")
    audience = serializers.ChoiceField(choices=Challenge.Audience.choices)
    seating = serializers.ChoiceField(choices=Challenge.Seating.choices)
    message = serializers.CharField(allow_blank=True)
    commitment = serializers.CharField()
    strict_dice = serializers.BooleanField()
    status = serializers.ChoiceField(choices=Challenge.Status.choices)
    version = serializers.IntegerField()
    created = MomentField()
    expires = MomentField()
    match = serializers.IntegerField(source="match_id", allow_null=True)
    invitations = InvitationSerializer(many=True, source="invitations.all")
    link = serializers.SerializerMethodField()

    @extend_schema_field({"type": ["string", "null"]})
    def get_link(self, challenge: Challenge) -> str | None:
        """Return the secret of the link, to the creator alone."""
        own = challenge.creator_id == self.context["caller"]
        by_link = challenge.audience == Challenge.Audience.LINK
        return challenge.token if own and by_link else None
