"""API views of the board on which the caller thinks about a match; nobody else can see it."""

from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.base import ApiView, caller
from games.kernel.errors import MatchOver
from games.matches.play import move_input
from games.study import private, services
from games.study.replaying import moment_of, played
from games.study.tree import Tree


class BoardSerializer(serializers.Serializer[Any]):
    """The caller’s board on a match."""

    start = serializers.IntegerField(
        help_text="The version of the match at the start of the board."
    )
    now = serializers.IntegerField(
        help_text="The node of the match’s last position that is on the board; 0 is the start."
    )
    missing = serializers.IntegerField(
        help_text="How many moves of the match after that are not on the board."
    )
    left_behind = serializers.BooleanField(
        help_text="Whether the match has left the lines of the board: start again."
    )
    tree = serializers.JSONField(
        help_text="The lines as pages export them: `nodes` with `id`, `parent`, `seat` and `text`."
    )


class BoardMovesSerializer(serializers.Serializer[Any]):
    """Moves to try on the board."""

    after = serializers.IntegerField(
        min_value=0, default=0, help_text="The node that they follow; 0 is the start."
    )
    moves = serializers.ListField(
        child=serializers.CharField(max_length=move_input.MAX_MOVE_LENGTH),
        max_length=move_input.MAX_MOVES,
        allow_empty=False,
        help_text="Moves in order, each for the player to move.",
    )


class BoardView(ApiView):
    """The caller's board on a match, where nothing is a move of the match."""

    @extend_schema(responses=BoardSerializer)
    def get(self, request: Request, match_id: int) -> Response:
        """Read the caller’s board on a match."""
        return _shown(request, match_id)

    @extend_schema(request=BoardMovesSerializer, responses={200: BoardSerializer})
    def post(self, request: Request, match_id: int) -> Response:
        """Try moves on the board. They are not played in the match."""
        form = BoardMovesSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        board, _ = private.opened(caller(request), match_id, timezone.now())
        after, texts = form.validated_data["after"], form.validated_data["moves"]

        def edit(tree: Tree) -> tuple[Tree, int]:
            tree.check_has(after)
            at = after
            for text in texts:
                actors = tree.title.actors(moment_of(tree, at).state)
                if not actors:
                    raise MatchOver("The game is over here.")
                tree, at = played(tree, at, actors[0], [text])
            return tree, at

        services.change(board=board, edit=edit, now=timezone.now())
        return _shown(request, match_id)


class FollowView(ApiView):
    """The moves of the match on the caller's board."""

    @extend_schema(request=None, responses={200: BoardSerializer})
    def post(self, request: Request, match_id: int) -> Response:
        """Add the moves to the board that have been played in the match."""
        now = timezone.now()
        board, snapshot = private.opened(caller(request), match_id, now)
        private.follow(board, snapshot, now)
        return _shown(request, match_id)


class RestartView(ApiView):
    """A new start of the caller's board."""

    @extend_schema(request=None, responses={200: BoardSerializer})
    def post(self, request: Request, match_id: int) -> Response:
        """Delete all lines of the board, and start from the position now."""
        now = timezone.now()
        board, snapshot = private.opened(caller(request), match_id, now)
        private.start_again(board, snapshot, now)
        return _shown(request, match_id)


def _shown(request: Request, match_id: int) -> Response:
    now = timezone.now()
    board, snapshot = private.opened(caller(request), match_id, now, saves=False)
    tree = services.tree_of(board)
    stands = private.standing(board, tree, snapshot)
    return Response(
        {
            "start": board.root,
            "now": stands.node,
            "missing": len(stands.missing),
            "left_behind": stands.is_lost,
            "tree": services.exported(tree),
        }
    )
