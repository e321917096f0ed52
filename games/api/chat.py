"""API views of the chat of a match."""

from collections.abc import Sequence
from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts import limits
from accounts.models import ApiToken, User
from games.api import paging
from games.api.base import ApiView, body_of, caller, query_of
from games.api.openapi import SUBMISSION
from games.api.serializers import Body, MomentField, dump_all
from games.matches import selectors as matches
from games.talk import selectors, services
from games.talk.models import MAX_LINE_LENGTH, Line, Room


class ChatLineSerializer(serializers.Serializer[Line]):
    """A line of chat, or a comment on a position."""

    id = serializers.IntegerField()
    room = serializers.ChoiceField(choices=Room.choices, help_text="Where it was written.")
    author = serializers.CharField(source="author.username")
    text = serializers.SerializerMethodField(help_text="Null if a moderator has hidden it.")
    version = serializers.IntegerField(
        help_text="The version of the match when it was written."
        " For a comment: the position that it is about."
    )
    created = MomentField()

    def get_text(self, line: Line) -> str | None:
        """Return the text; ``None`` if it is hidden."""
        return None if line.hidden else line.text


class RoomQuery(serializers.Serializer[Any]):
    """The query parameter for the room."""

    room = serializers.ChoiceField(
        choices=Room.choices,
        required=False,
        help_text="By default `players` for players and `spectators` for everybody else.",
    )


class SaySerializer(Body):
    """A line to write in the caller’s own room, or a comment on a position."""

    text = serializers.CharField(max_length=MAX_LINE_LENGTH, help_text="What to write.")
    submission = serializers.UUIDField(help_text=SUBMISSION)
    position = serializers.IntegerField(
        min_value=0,
        max_value=2**31 - 1,
        required=False,
        help_text="Makes it a comment on a match that has ended: the number of a log entry,"
        " 0 for the start.",
    )


class ChatView(ApiView):
    scope = ApiToken.Scope.CHAT

    @extend_schema(
        parameters=[RoomQuery, paging.PLACE], responses=paging.listed(ChatLineSerializer)
    )
    def get(self, request: Request, match_id: int) -> Response:
        """List the lines of a room, the latest first."""
        asked = query_of(request, RoomQuery).get("room")
        room = Room(asked) if asked else None
        lines = selectors.readable(match_id, caller(request), room)
        return paging.answer(request, lines, "-created", _dump)

    @extend_schema(
        request=SaySerializer, responses={200: ChatLineSerializer, 201: ChatLineSerializer}
    )
    def post(self, request: Request, match_id: int) -> Response:
        """Write a line in the caller’s room, or comment on a position."""
        sent = body_of(request, SaySerializer)
        user = caller(request)
        limits.spend(request, "chat", others=matches.opponents(match_id, user.pk))
        result = _said(match_id, user, **sent)
        return Response(ChatLineSerializer(result.line).data, 200 if result.repeated else 201)


def _said(
    match_id: int, user: User, *, position: int | None = None, **words: Any
) -> services.SavedLine:
    written = {"match_id": match_id, "user": user, "now": timezone.now(), **words}
    if position is None:
        return services.say(**written)
    return services.comment(number=position, **written)


def _dump(lines: Sequence[Line]) -> Any:
    return dump_all(ChatLineSerializer, lines)
