"""API views of the caller's conditional moves and standing order, which nobody else can see."""

from django.utils import timezone
from django.utils.translation import gettext
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.base import ApiView, body_of, caller
from games.api.serializers import Body, BoundedList, PrivateSerializer
from games.matches import selectors
from games.matches.plans import conditional, orders
from games.matches.plans.lines import MAX_NODES, Lines
from games.matches.play import move_input


class QueueSerializer(Body):
    """Moves planned ahead."""

    moves = BoundedList(
        child=serializers.CharField(max_length=move_input.MAX_MOVE_LENGTH),
        max_length=move_input.MAX_MOVES,
        help_text="The moves to play when the caller is to move. An empty list clears them.",
    )


class LineSerializer(Body):
    """A line of conditional moves."""

    moves = BoundedList(
        child=serializers.CharField(max_length=move_input.MAX_MOVE_LENGTH),
        max_length=MAX_NODES,
        allow_empty=False,
        help_text="The moves of all players in turn, from the current position. The site plays the"
        " caller’s once those before them have been played. `*` stands for any moves of others.",
    )
    version = serializers.IntegerField(
        min_value=0, help_text="The version of the match for which the line is meant."
    )


class RemoveLineSerializer(Body):
    """The beginning of lines to remove."""

    moves = BoundedList(
        child=serializers.CharField(max_length=move_input.MAX_MOVE_LENGTH),
        max_length=MAX_NODES,
        allow_empty=False,
        help_text="A line up to the move that is removed with everything after it.",
    )


class StandingOrderSerializer(Body):
    """A standing order to give."""

    order = serializers.CharField(
        max_length=40,
        allow_blank=True,
        help_text="The name of one of `orders`. An empty one withdraws the order given before.",
    )


class PrivateView(ApiView):
    @extend_schema(responses=PrivateSerializer)
    def get(self, request: Request, match_id: int) -> Response:
        """Read the caller’s conditional moves and standing order."""
        return _shown(request, match_id)


class LinesView(ApiView):
    @extend_schema(request=LineSerializer, responses={200: PrivateSerializer})
    def post(self, request: Request, match_id: int) -> Response:
        """Add a line of conditional moves; it replaces other replies to the same moves."""
        sent = body_of(request, LineSerializer)
        texts, version = sent["moves"], sent["version"]
        conditional.add_line(match_id=match_id, user=caller(request), texts=texts, version=version)
        return _shown(request, match_id)


class RemoveLineView(ApiView):
    @extend_schema(request=RemoveLineSerializer, responses={200: PrivateSerializer})
    def post(self, request: Request, match_id: int) -> Response:
        """Remove a conditional move and everything after it."""
        line = body_of(request, RemoveLineSerializer)["moves"]
        conditional.remove(match_id=match_id, user=caller(request), line=line)
        return _shown(request, match_id)


class QueueView(ApiView):
    @extend_schema(request=QueueSerializer, responses={200: PrivateSerializer})
    def post(self, request: Request, match_id: int) -> Response:
        """Plan moves in order, whatever the others play; without moves, clear the plan."""
        sent = body_of(request, QueueSerializer)
        user = caller(request)
        if texts := sent["moves"]:
            conditional.queue_moves(match_id=match_id, user=user, texts=texts)
        else:
            conditional.clear(match_id=match_id, user=user)
        return _shown(request, match_id)


class OrderView(ApiView):
    @extend_schema(request=StandingOrderSerializer, responses={200: PrivateSerializer})
    def post(self, request: Request, match_id: int) -> Response:
        """Give a standing order, or withdraw it."""
        name = body_of(request, StandingOrderSerializer)["order"]
        now = timezone.now()
        orders.give(match_id=match_id, user=caller(request), name=name, now=now)
        return _shown(request, match_id)


def _shown(request: Request, match_id: int) -> Response:
    snapshot = selectors.snapshot(match_id)
    seat = snapshot.seat_for(request.user)
    left = conditional.plan_of(snapshot.table, seat)
    lines = conditional.lines_of(left) if left else Lines()
    order = orders.order_of(snapshot.table, seat)
    offered = orders.offered(snapshot.table).items()
    return Response(
        {
            "lines": lines.all_lines(),
            "queue": lines.unconditional_moves(),
            "stopped": left.why_stopped if left else "",
            "order": order.name if order else "",
            "answer": orders.answer_of(snapshot.table, order, seat) if order else "",
            "orders": [{"name": name, "label": gettext(policy.label)} for name, policy in offered],
        }
    )
