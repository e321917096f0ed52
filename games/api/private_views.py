"""The caller's own queue and standing order, which nobody else can see."""

from typing import Any, cast

from django.utils import timezone
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.models import User
from games.api import shapes
from games.api.views import ChangeThrottle
from games.matches import move_input, orders, queue
from games.matches.listing import read_snapshot


class QueueSerializer(serializers.Serializer[Any]):
    """The moves of a queue; an empty list clears it."""

    moves = serializers.ListField(
        child=serializers.CharField(max_length=move_input.LONGEST), max_length=move_input.MOST
    )


class StandingOrderSerializer(serializers.Serializer[Any]):
    """The name of a standing order; an empty one withdraws it."""

    order = serializers.CharField(max_length=40, allow_blank=True)


class PrivateView(APIView):
    """The caller's queue and standing order in a match."""

    permission_classes = (IsAuthenticated,)

    def get(self, request: Request, match_id: int) -> Response:
        """Return them."""
        return _shown(request, match_id)


class PrivateWriteView(APIView):
    """A view that stores a queue or a standing order."""

    permission_classes = (IsAuthenticated,)
    throttle_classes = (ChangeThrottle,)


class QueueView(PrivateWriteView):
    """The caller's queue in a match."""

    def post(self, request: Request, match_id: int) -> Response:
        """Replace it, or clear it."""
        form = QueueSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        queue.put(match_id=match_id, user=_caller(request), texts=form.validated_data["moves"])
        return _shown(request, match_id)


class OrderView(PrivateWriteView):
    """The caller's standing order in a match."""

    def post(self, request: Request, match_id: int) -> Response:
        """Replace it, or withdraw it."""
        form = StandingOrderSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        name, now = form.validated_data["order"], timezone.now()
        orders.give(match_id=match_id, user=_caller(request), name=name, now=now)
        return _shown(request, match_id)


def _caller(request: Request) -> User:
    return cast(User, request.user)


def _shown(request: Request, match_id: int) -> Response:
    snapshot = read_snapshot(match_id)
    return Response(shapes.private(snapshot, snapshot.seat_for(request.user)))
