"""API views of the review of a match that has ended."""

from functools import partial
from typing import Any

from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from accounts import limits
from games.api.base import ApiView, caller
from games.api.serializers import SEAT, TITLE, dump_all
from games.matches.errors import Refused
from games.matches.models import Match
from games.study import habits, reviews
from games.study.models import Review
from games.study.reviewing import WHOLE


class PlySerializer(serializers.Serializer[Any]):
    """A move of a line."""

    seat = serializers.IntegerField(help_text=SEAT)
    move = serializers.CharField(help_text="The move.")


class TurningPointSerializer(serializers.Serializer[Any]):
    """A move, or a player’s dropping out, after which somebody’s chance to win fell."""

    number = serializers.IntegerField(help_text="The number of its entry in the log.")
    mover = serializers.IntegerField(help_text="The seat that made the move or dropped out.")
    seat = serializers.IntegerField(help_text="The seat whose chance fell.")
    before = serializers.FloatField(help_text="Its chance before the move, from 0 to 1.")
    after = serializers.FloatField(help_text="Its chance after the move.")
    expected = serializers.FloatField(
        allow_null=True,
        help_text="Its chance after the move as an average of all outcomes, null without chance.",
    )
    is_move = serializers.BooleanField(help_text="False if the mover resigned or ran out of time.")
    is_fight = serializers.BooleanField(help_text="Whether it attacked or captured something.")
    line = PlySerializer(
        many=True, help_text="What the bots would have played, empty if the same or no better."
    )


class ReviewSerializer(serializers.Serializer[Any]):
    """A review, as far as it is finished."""

    status = serializers.ChoiceField(
        Review.Status.choices, help_text="`waiting` while it is being worked out."
    )
    length = serializers.IntegerField(help_text="The number of the last entry that it is about.")
    chances = serializers.ListField(
        child=serializers.ListField(child=serializers.FloatField()),
        help_text="Each seat’s chance to win, from 0 to 1, at the start and after each entry.",
    )
    turning_points = TurningPointSerializer(
        many=True, help_text="The moves that changed most; empty until it is ready."
    )


class ReviewView(ApiView):
    is_public = True

    @extend_schema(responses=ReviewSerializer)
    def get(self, request: Request, match_id: int) -> Response:
        """Read the review of a match that has ended: who was ahead, and what changed that."""
        match = get_object_or_404(Match, pk=match_id)
        if match.is_running:
            raise Refused(reviews.RUNNING)
        review = reviews.of(match)
        if review is None:
            raise NotFound(_("Nobody has asked for a review of this match."))
        return _shown(review)

    @extend_schema(request=None, responses={200: ReviewSerializer})
    def post(self, request: Request, match_id: int) -> Response:
        """Have a match that has ended reviewed. If it has been, or is being, nothing changes.

        You can wait for one review at a time.
        """
        match = get_object_or_404(Match, pk=match_id)
        limits.spend(request, "review")
        review = reviews.ask(
            match,
            now=timezone.now(),
            asker=limits.asker(request),
            admit=partial(limits.spend_for_all, request, "review"),
        )
        return _shown(review)


def _shown(review: Review) -> Response:
    is_ready = review.status == Review.Status.READY
    points = reviews.points_of(review) if is_ready else []
    return Response(
        {
            "status": review.status,
            "length": review.length,
            "chances": [[chance / WHOLE for chance in row] for row in review.values],
            "turning_points": [
                {
                    "number": point.number,
                    "mover": point.mover,
                    "seat": point.seat,
                    "before": point.before / WHOLE,
                    "after": point.after / WHOLE,
                    "expected": None if point.expected is None else point.expected / WHOLE,
                    "is_move": point.is_move,
                    "is_fight": point.is_fight,
                    "line": [{"seat": ply.seat, "move": ply.move} for ply in point.line],
                }
                for point in points
            ],
        }
    )


class MistakeSerializer(serializers.Serializer[Any]):
    """A move that lowered its player’s own chance to win."""

    match = serializers.IntegerField()
    number = serializers.IntegerField(help_text="The number of its entry in the log.")
    before = serializers.FloatField(help_text="The chance before the move, from 0 to 1.")
    after = serializers.FloatField(help_text="The chance after it, as an average of all rolls.")

    def to_representation(self, instance: Any) -> dict[str, Any]:
        """Return chances from 0 to 1."""
        chances = {"before": instance.before / WHOLE, "after": instance.after / WHOLE}
        return {"match": instance.match, "number": instance.number, **chances}


class HabitsSerializer(serializers.Serializer[Any]):
    """Where the caller loses in a game."""

    title = serializers.CharField(help_text=TITLE)
    matches = serializers.IntegerField(help_text="The number of reviewed matches.")
    lost = serializers.DictField(
        child=serializers.FloatField(),
        help_text=(
            "What turning points cost of the chance to win, summed over these matches: the"
            " caller’s own moves that attack or capture as `fights`, the others in the `opening`,"
            " the `middle` and the `end` of a match, each a third of its entries, and under `dice`"
            " unlucky rolls of anybody."
        ),
    )
    worst = MistakeSerializer(allow_null=True, help_text="The caller’s most expensive move.")

    def to_representation(self, instance: Any) -> dict[str, Any]:
        """Return chances from 0 to 1."""
        shown = super().to_representation(instance)
        return {**shown, "lost": {part: lost / WHOLE for part, lost in instance.lost.items()}}


class OwnHabits(ApiView):
    @extend_schema(responses=HabitsSerializer(many=True))
    def get(self, request: Request) -> Response:
        """Read where the caller loses, by game, from the reviews of the latest 50 matches."""
        found = habits.of_player(caller(request))
        return Response(dump_all(HabitsSerializer, found))
