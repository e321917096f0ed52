"""Matches for programs: to read and to play, through the same services as the pages."""

from collections.abc import Callable, Mapping
from typing import Any

from django.utils import timezone
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import UserRateThrottle
from rest_framework.views import APIView

from accounts import limits
from games.api import shapes
from games.kernel import registry
from games.kernel.encoding import facts
from games.matches import listing, move_input, selectors, services
from games.matches.listing import read_snapshot
from games.matches.presentation import MatchPresentation
from games.matches.update import Outcome

ACTIONS: Mapping[str, Callable[..., Outcome]] = {
    "resign": services.resign,
    "offer": services.offer_close,
    "accept": services.accept_close,
    "decline": services.decline_close,
    "take-back": services.take_back,
    "cancel": services.cancel,
}
"""The actions of a player other than moves, by their names in addresses."""

LIMITS: Mapping[str, str] = {
    "resign": "end",
    "offer": "offer",
    "accept": "reply",
    "decline": "reply",
    "take-back": "take-back",
    "cancel": "end",
}
"""The key in ``FORM_LIMITS`` of each action; requests to pages and to the API count together."""


class Change(serializers.Serializer[Any]):
    """The version of the match that a change was made for, and the id of its submission."""

    version = serializers.IntegerField(min_value=0)
    submission = serializers.UUIDField()


class Moves(Change):
    """The moves of one submission."""

    moves = serializers.ListField(
        child=serializers.CharField(max_length=move_input.LONGEST),
        min_length=1,
        max_length=move_input.MOST,
    )


class ChangeThrottle(UserRateThrottle):
    """The limit on requests that change a match."""

    scope = "change"


class Games(APIView):
    """All games, with the parameters that they take."""

    def get(self, request: Request) -> Response:
        """Return them by name."""
        return Response([facts(title.meta) for title in registry.titles().values()])


class Waiting(APIView):
    """How many matches wait for the caller."""

    def get(self, request: Request) -> Response:
        """Return their number, 0 for an anonymous caller."""
        count = listing.count_waiting(request.user) if request.user.is_authenticated else 0
        return Response({"count": count})


class MatchView(APIView):
    """A match as the caller may see it."""

    def get(self, request: Request, match_id: int) -> Response:
        """Return it."""
        snapshot = read_snapshot(match_id)
        return Response(
            shapes.match(MatchPresentation(snapshot, snapshot.seat_of(request.user), ()))
        )


class LogView(APIView):
    """The log of a match as the caller may read it."""

    def get(self, request: Request, match_id: int) -> Response:
        """Return its entries in order."""
        snapshot = read_snapshot(match_id)
        log = selectors.log(snapshot.match)
        shown = MatchPresentation(snapshot, snapshot.seat_of(request.user), log)
        return Response([shapes.line(line) for line in shown.lines])


class OptionsView(APIView):
    """How a move of the caller may go on after ``?typed=``."""

    permission_classes = (IsAuthenticated,)

    def get(self, request: Request, match_id: int) -> Response:
        """Return the options."""
        snapshot = read_snapshot(match_id)
        typed = request.query_params.get("typed", "")
        return Response(
            shapes.options(move_input.options(snapshot, snapshot.seat_for(request.user), typed))
        )


class PreviewView(APIView):
    """What moves of the caller, each a ``?move=``, would do, as far as can be known."""

    permission_classes = (IsAuthenticated,)

    def get(self, request: Request, match_id: int) -> Response:
        """Return their canonical texts and what happens."""
        snapshot = read_snapshot(match_id)
        *moves, last = request.query_params.getlist("move") or [""]
        return Response(
            shapes.preview(
                move_input.enter(snapshot, snapshot.seat_for(request.user), moves, [last])
            )
        )


class Changing(APIView):
    """A view that changes a match."""

    permission_classes = (IsAuthenticated,)
    throttle_classes = (ChangeThrottle,)

    def change(
        self, request: Request, match_id: int, service: Callable[..., Outcome], arguments: Any
    ) -> Response:
        """Call a service and return the new version of the match."""
        done = service(match_id=match_id, user=request.user, now=timezone.now(), **arguments)
        return Response({"version": done.version, "repeated": done.repeated})


class MovesView(Changing):
    """The moves of the caller."""

    def post(self, request: Request, match_id: int) -> Response:
        """Play the moves of one submission, all or none."""
        form = Moves(data=request.data)
        form.is_valid(raise_exception=True)
        arguments = dict(form.validated_data)
        arguments["texts"] = arguments.pop("moves")
        return self.change(request, match_id, services.play_move, arguments)


class ActionView(Changing):
    """An action of the caller other than a move."""

    def post(self, request: Request, match_id: int, action: str) -> Response:
        """Carry out the action in the address."""
        opponents = selectors.opponents(match_id, request.user.pk)
        limits.spend(request, LIMITS[action], others=opponents)
        form = Change(data=request.data)
        form.is_valid(raise_exception=True)
        return self.change(request, match_id, ACTIONS[action], form.validated_data)
