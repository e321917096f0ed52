"""API views of matches, which use the same services as the pages."""

import secrets
from collections.abc import Callable, Mapping
from typing import Any

from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts import limits
from config.postgresql.replica import from_replica
from games.api import serializers as answers
from games.api.base import ApiView, body_of, query_of
from games.api.conditional import tag_of, unless_seen
from games.api.openapi import RECORD, SEEN, SUBMISSION
from games.api.throttles import MoveThrottle
from games.kernel import registry
from games.kernel.encoding import facts, offered
from games.matches import selectors, services
from games.matches.notify.counts import counts_of
from games.matches.play import move_input
from games.matches.update import Outcome
from games.matches.view import match_view
from games.records import record

VERSION = "The `version` of the match that you decided on. It is refused if there is a newer one."


class ChangeBody(answers.Body):
    """A change of a match."""

    version = serializers.IntegerField(min_value=0, help_text=VERSION)
    submission = serializers.UUIDField(help_text=SUBMISSION)


class Moves(ChangeBody):
    """The moves of one submission."""

    moves = answers.BoundedList(
        child=serializers.CharField(max_length=move_input.MAX_MOVE_LENGTH),
        min_length=1,
        max_length=move_input.MAX_MOVES,
        help_text="The moves to play in order. If one is not legal, none is played.",
    )


class Games(ApiView):
    is_public = True

    @extend_schema(responses=answers.GameSerializer(many=True))
    def get(self, request: Request) -> Response:
        """List the games with their parameters, as JSON Schema."""
        return Response([facts(title.meta) for title in registry.titles().values()])


class Waiting(ApiView):
    is_public = True

    @extend_schema(responses=answers.CountsSerializer)
    def get(self, request: Request) -> Response:
        """Count the matches that wait for the caller, and unseen notifications.

        Both are 0 for anonymous callers.
        """
        user = request.user
        if not user.is_authenticated:
            return Response({"count": 0, "unseen": 0})
        waiting, unseen, _ = counts_of(user)
        return Response({"count": waiting, "unseen": unseen})


class MatchView(ApiView):
    is_public = True

    @extend_schema(
        parameters=[SEEN],
        responses={200: answers.MatchSerializer, 304: None},
    )
    def get(self, request: Request, match_id: int) -> Response:
        """Read a match, with the position as the caller may see it."""
        snapshot = selectors.snapshot(match_id)
        seat = snapshot.seat_of(request.user)
        view = match_view.MatchView(snapshot.table, seat, ())
        return unless_seen(
            request, tag_of(snapshot, seat), lambda: answers.MatchSerializer(view).data
        )


class LogView(ApiView):
    is_public = True

    @extend_schema(
        parameters=[SEEN],
        responses={200: answers.LineSerializer(many=True), 304: None},
    )
    def get(self, request: Request, match_id: int) -> Response:
        """Read the log of a match, in order."""
        snapshot = selectors.snapshot(match_id)
        seat = snapshot.seat_of(request.user)

        def lines() -> Any:
            shown = match_view.MatchView(snapshot.table, seat, selectors.log(snapshot.match))
            return answers.dump_all(answers.LineSerializer, shown.lines)

        return unless_seen(request, tag_of(snapshot, seat, "log"), lines)


class RecordView(ApiView):
    is_public = True

    @extend_schema(
        parameters=[SEEN],
        responses={200: RECORD, 304: None},
    )
    @from_replica
    def get(self, request: Request, match_id: int) -> Response:
        """Export a match: complete after its end, before that as a spectator sees it."""
        snapshot = selectors.snapshot(match_id)
        return unless_seen(
            request,
            tag_of(snapshot, None, "record"),
            lambda: record.export(snapshot, selectors.log(snapshot.match)),
        )


class OptionsView(ApiView):
    @extend_schema(
        parameters=[
            OpenApiParameter("typed", str, description="The text of the move so far.", default="")
        ],
        responses=answers.OptionsSerializer,
    )
    def get(self, request: Request, match_id: int) -> Response:
        """List the continuations of a move; without text, its beginnings."""
        limits.spend(request, "preview")
        snapshot = selectors.snapshot(match_id)
        typed = request.query_params.get("typed", "")
        options = move_input.options(snapshot.table, snapshot.seat_for(request.user), typed)
        following = [offered(option) for option in options.next]
        return Response({"complete": options.complete, "prompt": options.prompt, "next": following})


class SeedQuery(serializers.Serializer[Any]):
    """A seed for random moves."""

    seed = serializers.CharField(
        max_length=100, required=False, help_text="Any text; the same one draws the same moves."
    )


class RandomMoveView(ApiView):
    @extend_schema(parameters=[SeedQuery], responses=answers.RandomMoveSerializer)
    def get(self, request: Request, match_id: int) -> Response:
        """Draw a random legal move of the caller, without playing it."""
        limits.spend(request, "preview")
        seed = query_of(request, SeedQuery).get("seed") or secrets.token_hex(16)
        snapshot = selectors.snapshot(match_id)
        move = move_input.draw_move(snapshot.table, snapshot.seat_for(request.user), seed)
        return Response({"move": move, "version": snapshot.match.version, "seed": seed})


class PreviewView(ApiView):
    @extend_schema(
        parameters=[OpenApiParameter("move", str, many=True, description="A move; once for each.")],
        responses=answers.PreviewSerializer,
    )
    def get(self, request: Request, match_id: int) -> Response:
        """Preview moves of the caller, without playing them."""
        limits.spend(request, "preview")
        snapshot = selectors.snapshot(match_id)
        *moves, last = request.query_params.getlist("move") or [""]
        entry = move_input.enter(snapshot.table, snapshot.seat_for(request.user), moves, [last])
        preview = entry.preview
        return Response(
            {
                "moves": list(entry.texts),
                "sentences": list(preview.sentences) if preview else [],
                "goes_on": entry.goes_on,
            }
        )


class Changing(ApiView):
    def change(
        self, request: Request, match_id: int, service: Callable[..., Outcome], arguments: Any
    ) -> Response:
        done = service(match_id=match_id, user=request.user, now=timezone.now(), **arguments)
        return Response({"version": done.version, "repeated": done.repeated})


class MovesView(Changing):
    change_throttle = MoveThrottle

    @extend_schema(request=Moves, responses={200: answers.DoneSerializer})
    def post(self, request: Request, match_id: int) -> Response:
        """Play the moves of a submission, all or none."""
        arguments = body_of(request, Moves)
        arguments["texts"] = arguments.pop("moves")
        return self.change(request, match_id, services.play_move, arguments)


class ActionView(Changing):
    """An action of the caller other than a move; ``limit`` is its key in ``FORM_LIMITS``.

    Requests to pages and to the API count together.
    """

    limit: str
    service: Callable[..., Outcome]

    def act(self, request: Request, match_id: int) -> Response:
        opponents = selectors.opponents(match_id, request.user.pk)
        limits.spend(request, self.limit, others=opponents)
        return self.change(request, match_id, type(self).service, body_of(request, ChangeBody))


def _action(limit: str, service: Callable[..., Outcome], summary: str) -> type[ActionView]:
    @extend_schema(request=ChangeBody, responses={200: answers.DoneSerializer})
    def post(self: ActionView, request: Request, match_id: int) -> Response:
        return self.act(request, match_id)

    post.__doc__ = summary
    own = {"limit": limit, "service": staticmethod(service), "post": post, "__doc__": summary}
    return type("Action", (ActionView,), own)


ACTIONS: Mapping[str, type[ActionView]] = {
    "resign": _action("end", services.resign, "Resign."),
    "offer": _action("offer", services.offer_close, "Offer to end the match here."),
    "pause": _action("offer", services.offer_pause, "Offer a pause."),
    "offer-cancel": _action("offer", services.offer_cancel, "Offer to cancel the match."),
    "offer-take-back": _action(
        "offer", services.offer_take_back, "Ask the others to take back the caller’s last move."
    ),
    "give-time": _action(
        "offer", services.give_time, "Give the only opponent a day more, within the clock’s cap."
    ),
    "end-pause": _action("reply", services.end_pause, "End a pause."),
    "accept": _action("reply", services.accept_offer, "Agree to an open offer."),
    "decline": _action("reply", services.decline_offer, "Refuse an open offer."),
    "take-back": _action("take-back", services.take_back, "Take the caller’s last move back."),
    "cancel": _action("end", services.cancel, "Cancel the match, before its second move."),
}
"""The actions of a player other than moves, by their names in addresses."""
