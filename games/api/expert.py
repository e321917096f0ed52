"""API view of the expert: the best moves in a position."""

from functools import partial
from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts import limits
from games.api.base import ApiView, body_of, caller, title_or_404
from games.api.serializers import SEAT, Body
from games.kernel.tree import ROOT
from games.study import expert
from games.study.replaying import start_of
from games.study.tree import Start, Tree, checked


class ExpertBody(Body):
    """A position."""

    seats = serializers.IntegerField(
        min_value=1, max_value=10, required=False, help_text="The minimum of the game by default."
    )
    params = serializers.DictField(default=dict, help_text="The parameters.")
    position = serializers.JSONField(help_text="The position, as exported boards have it.")


class BestMoveSerializer(serializers.Serializer[Any]):
    """A good move."""

    move = serializers.CharField()
    chance = serializers.FloatField(
        allow_null=True,
        help_text="The chance to win of the seat to move, from 0 to 1. Null if nobody can tell.",
    )


class ExpertSerializer(serializers.Serializer[Any]):
    """The answer of the expert."""

    status = serializers.ChoiceField(
        [("waiting", "being worked out"), ("ready", "ready")],
        help_text="While it is `waiting`, send the same again after a second. That costs nothing.",
    )
    seat = serializers.IntegerField(help_text=SEAT)
    exact = serializers.BooleanField(help_text="Whether the position has been solved.")
    moves = BestMoveSerializer(many=True, help_text="At most three, the best first.")


class ExpertView(ApiView):
    @extend_schema(request=ExpertBody, responses={200: ExpertSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Ask for the best moves in a position, with all hands of the position open.

        Only accounts may ask, some times a day. Positions of the caller’s running matches are
        refused.
        """
        title = title_or_404(slug)
        asked = body_of(request, ExpertBody)
        limits.spend(request, "board")
        meta = title.meta
        seats = asked.get("seats", meta.seats[0])
        start = Start(position=asked["position"])
        tree = checked(Tree(slug, meta.rules_version, seats, asked["params"], start))
        state = start_of(tree)
        question = expert.ask(
            user=caller(request),
            tree=tree,
            number=ROOT,
            now=timezone.now(),
            admit=partial(limits.spend_with_all, request, "expert"),
        )
        advice = expert.advice(question)
        return Response(
            {
                "status": "waiting" if advice is None else "ready",
                "seat": expert.mover(tree, state),
                "exact": bool(advice and advice.exact),
                "moves": [
                    {"move": one.move, "chance": one.chance}
                    for one in (advice.moves if advice else ())
                ],
            }
        )
