"""API views of the caller's queue and standing order, which nobody else can see."""

from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.base import ApiView, caller
from games.api.serializers import PrivateSerializer
from games.matches.listing import read_snapshot
from games.matches.plans import orders, queue
from games.matches.play import move_input


class QueueSerializer(serializers.Serializer[Any]):
    """Moves planned ahead."""

    moves = serializers.ListField(
        child=serializers.CharField(max_length=move_input.MAX_MOVE_LENGTH),
        max_length=move_input.MAX_MOVES,
        help_text="The moves to play when the caller is to move. An empty list clears them.",
    )


class StandingOrderSerializer(serializers.Serializer[Any]):
    """A standing order to give."""

    order = serializers.CharField(
        max_length=40,
        allow_blank=True,
        help_text="The name of one of `orders`. An empty one withdraws the order given before.",
    )


class PrivateView(ApiView):
    """The caller's queue and standing order in a match."""

    @extend_schema(responses=PrivateSerializer)
    def get(self, request: Request, match_id: int) -> Response:
        """Read the caller’s queue and standing order."""
        return _shown(request, match_id)


class QueueView(ApiView):
    """The caller's queue in a match."""

    @extend_schema(request=QueueSerializer, responses={200: PrivateSerializer})
    def post(self, request: Request, match_id: int) -> Response:
        """Plan moves ahead, or clear them."""
        form = QueueSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        queue.put(match_id=match_id, user=caller(request), texts=form.validated_data["moves"])
        return _shown(request, match_id)


class OrderView(ApiView):
    """The caller's standing order in a match."""

    @extend_schema(request=StandingOrderSerializer, responses={200: PrivateSerializer})
    def post(self, request: Request, match_id: int) -> Response:
        """Give a standing order, or withdraw it."""
        form = StandingOrderSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        name = form.validated_data["order"]
        now = timezone.now()
        orders.give(match_id=match_id, user=caller(request), name=name, now=now)
        return _shown(request, match_id)


def _shown(request: Request, match_id: int) -> Response:
    snapshot = read_snapshot(match_id)
    seat = snapshot.seat_for(request.user)
    left = queue.queue_of(snapshot, seat)
    order = orders.order_of(snapshot, seat)
    offered = orders.offered(snapshot).items()
    return Response(
        {
            "queue": left.moves if left else [],
            "stopped": left.halted if left else "",
            "order": order.name if order else "",
            "answer": orders.answer_of(snapshot, order, seat) if order else "",
            "orders": [{"name": name, "label": policy.label} for name, policy in offered],
        }
    )
