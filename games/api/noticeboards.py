"""API views of noticeboards: read only."""

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from games.api import paging
from games.api.base import ApiView
from games.api.serializers import MomentField, dump_all
from games.clubs import selectors as clubs
from games.clubs.errors import NoSuchClub
from games.events import selectors as events
from games.events.errors import NoSuchTournament
from games.noticeboards import selectors
from games.noticeboards.boards import Board
from games.noticeboards.errors import NoSuchTopic
from games.noticeboards.models import Post, Topic


class TopicSerializer(serializers.Serializer[Topic]):
    """A topic of a noticeboard."""

    id = serializers.IntegerField()
    subject = serializers.CharField()
    author = serializers.CharField(
        source="author.username",
        default=None,
        allow_null=True,
        help_text="Null if the account was deleted.",
    )
    posts = serializers.IntegerField(source="posts_shown", help_text="The number of posts.")
    latest = MomentField(help_text="When the last of them was written.")
    unread = serializers.BooleanField(
        source="is_unread", help_text="Whether the caller hasn’t read it to its end."
    )


class PostSerializer(serializers.Serializer[Post]):
    """A post of a topic."""

    id = serializers.IntegerField()
    author = serializers.CharField(source="author.username")
    text = serializers.SerializerMethodField(help_text="As Markdown. Empty if it is hidden.")
    created = MomentField()
    edited = MomentField(allow_null=True)
    hidden = serializers.SerializerMethodField(help_text="Whether moderators have hidden it.")
    waits = serializers.BooleanField(
        help_text="Whether it waits for a moderator, and only its author sees it."
    )

    def get_text(self, post: Post) -> str:
        """Return the text, which hidden posts don't show."""
        return "" if post.hidden else post.text

    def get_hidden(self, post: Post) -> bool:
        """Return whether moderators have hidden it."""
        return post.hidden is not None


TOPICS = paging.listed(TopicSerializer)
"""The page of a list of topics, which all kinds of boards answer with."""


class BoardView(ApiView):
    is_public = True

    def answer(self, request: Request, board: Board) -> Response:
        if not board.may_read(request.user):
            raise NotFound(_("There is no such noticeboard."))
        rows = selectors.topics(board, request.user)
        return paging.answer(request, rows, "-latest", lambda few: dump_all(TopicSerializer, few))


class ClubBoardView(BoardView):
    @extend_schema(parameters=[paging.PLACE], responses=TOPICS)
    def get(self, request: Request, club_id: int) -> Response:
        """List the topics of a club’s noticeboard, the latest first."""
        try:
            club = clubs.get(club_id)
        except NoSuchClub as unknown:
            raise NotFound(str(unknown)) from unknown
        return self.answer(request, Board(club=club))


class GameBoardView(BoardView):
    @extend_schema(parameters=[paging.PLACE], responses=TOPICS)
    def get(self, request: Request, slug: str) -> Response:
        """List the topics of a game’s noticeboard, the latest first."""
        return self.answer(request, Board(game=slug))


class EventBoardView(BoardView):
    @extend_schema(parameters=[paging.PLACE], responses=TOPICS)
    def get(self, request: Request, event_id: int) -> Response:
        """List the topics of a tournament’s noticeboard, the latest first."""
        try:
            tournament = events.get(event_id)
        except NoSuchTournament as unknown:
            raise NotFound(str(unknown)) from unknown
        return self.answer(request, Board(tournament=tournament))


class TopicView(ApiView):
    is_public = True

    @extend_schema(parameters=[paging.PLACE], responses=paging.listed(PostSerializer))
    def get(self, request: Request, topic_id: int) -> Response:
        """List the posts of a topic, the first on top."""
        try:
            topic = selectors.topic(topic_id, request.user)
        except NoSuchTopic as unknown:
            raise NotFound(str(unknown)) from unknown
        rows: Any = selectors.posts(topic, request.user)
        return paging.answer(request, rows, "created", lambda few: dump_all(PostSerializer, few))
