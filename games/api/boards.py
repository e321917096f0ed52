"""API views of boards to think on: the caller's board on a match, and saved boards."""

import json
from typing import Any

from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts import limits
from games.api import paging
from games.api.base import ApiView, body_of, caller
from games.api.serializers import Body, BoundedList, MomentField, dump_all
from games.kernel.contract import Unseen
from games.kernel.errors import MatchOver
from games.matches.errors import Refused
from games.matches.play import move_input
from games.study import private, services, text
from games.study.models import Study
from games.study.replaying import moment_of, played
from games.study.tree import MAX_NAME_LENGTH, Tree

TREE = "The lines as pages export them: `nodes` with `id`, `parent`, `seat` and `text`."
CREATED = 201
NOTHING = 204

MAX_VALUES = 100
"""Maximum number of hidden things, and of assumed values for each."""

MAX_VALUE_LENGTH = 20
"""Maximum length of one of them, in characters."""


class ChoiceSerializer(serializers.Serializer[Any]):
    """A value that hidden information may have."""

    value = serializers.CharField()
    name = serializers.CharField()


class UnseenSerializer(serializers.Serializer[Any]):
    """Something that the caller does not see in the match now."""

    key = serializers.CharField()
    name = serializers.CharField()
    count = serializers.IntegerField(help_text="How many values it has, such as cards of a hand.")
    choices = ChoiceSerializer(many=True, help_text="A value that may occur twice is there twice.")


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
    unseen = UnseenSerializer(many=True)
    tree = serializers.JSONField(help_text=TREE)


class SavedBoardSerializer(serializers.Serializer[Study]):
    """A saved board."""

    key = serializers.CharField(help_text="Names the board in addresses.")
    title = serializers.CharField(help_text="The slug of the game.")
    name = serializers.CharField()
    visibility = serializers.ChoiceField(
        Study.Visibility.choices,
        help_text="`private`: only its owner sees it. `link`: anybody who has its address.",
    )
    changed = MomentField()


class SavedTreeSerializer(SavedBoardSerializer):
    """A saved board with its lines."""

    tree = serializers.SerializerMethodField(help_text=TREE)

    def get_tree(self, study: Study) -> dict[str, Any]:
        """Return its lines as pages export them."""
        exported: dict[str, Any] = services.exported(services.tree_of(study))
        return exported


class NewBoardSerializer(Body):
    """A board to save."""

    name = serializers.CharField(max_length=MAX_NAME_LENGTH)
    tree = serializers.JSONField(required=False, help_text=TREE)
    text = serializers.CharField(
        required=False,
        max_length=services.MAX_BYTES,
        help_text="The board as pages export it as text, instead of a `tree`.",
    )

    def validate(self, sent: dict[str, Any]) -> dict[str, Any]:
        """Refuse a board that is sent twice, or not at all."""
        if ("tree" in sent) == ("text" in sent):
            raise serializers.ValidationError(gettext("Send the board as `tree` or as `text`."))
        return sent


class BoardMovesSerializer(Body):
    """Moves to try on the board."""

    after = serializers.IntegerField(
        min_value=0, default=0, help_text="The node that they follow; 0 is the start."
    )
    moves = BoundedList(
        child=serializers.CharField(max_length=move_input.MAX_MOVE_LENGTH),
        max_length=move_input.MAX_MOVES,
        allow_empty=False,
        help_text="Moves in order, each for the player to move.",
    )


class BoardView(ApiView):
    @extend_schema(responses=BoardSerializer)
    def get(self, request: Request, match_id: int) -> Response:
        """Read the caller’s board on a match."""
        return _shown(request, match_id)

    @extend_schema(request=BoardMovesSerializer, responses={200: BoardSerializer})
    def post(self, request: Request, match_id: int) -> Response:
        """Try moves on the board. They are not played in the match."""
        edit = _trying(request)
        board, _ = private.opened(caller(request), match_id, timezone.now())
        services.change(board=board, edit=edit, now=timezone.now())
        return _shown(request, match_id)


class FollowView(ApiView):
    @extend_schema(request=None, responses={200: BoardSerializer})
    def post(self, request: Request, match_id: int) -> Response:
        """Add the moves to the board that have been played in the match."""
        now = timezone.now()
        board, snapshot = private.opened(caller(request), match_id, now)
        private.follow(board, snapshot, now)
        return _shown(request, match_id)


class RestartView(ApiView):
    @extend_schema(request=None, responses={200: BoardSerializer})
    def post(self, request: Request, match_id: int) -> Response:
        """Delete all lines of the board, and start from the current position."""
        now = timezone.now()
        board, snapshot = private.opened(caller(request), match_id, now)
        private.start_again(board, snapshot, now)
        return _shown(request, match_id)


class AssumptionsField(serializers.DictField):
    """What is assumed, by key: the number of keys is checked before their values are."""

    def to_internal_value(self, data: Any) -> Any:
        """Return the values by key.

        :raises ValidationError: there are too many keys, or a value is invalid.
        """
        if isinstance(data, dict) and len(data) > MAX_VALUES:
            raise serializers.ValidationError(
                gettext("There are at most {max_values} keys.").format(max_values=MAX_VALUES)
            )
        return super().to_internal_value(data)


class AssumptionsSerializer(Body):
    """What the caller assumes by hand."""

    assumed = AssumptionsField(
        child=BoundedList(
            child=serializers.CharField(max_length=MAX_VALUE_LENGTH), max_length=MAX_VALUES
        ),
        default=dict,
        help_text="Values by the key of what is `unseen`. All others are drawn at random.",
    )


class AssumeView(ApiView):
    @extend_schema(request=AssumptionsSerializer, responses={200: BoardSerializer})
    def post(self, request: Request, match_id: int) -> Response:
        """Begin new lines at the current position, with other assumptions for what isn’t seen."""
        sent = body_of(request, AssumptionsSerializer)
        limits.spend(request, "board")
        now = timezone.now()
        board, snapshot = private.opened(caller(request), match_id, now)
        private.assume(board, snapshot, sent["assumed"], now)
        return _shown(request, match_id)


class SavedBoards(ApiView):
    @extend_schema(parameters=[paging.PLACE], responses=paging.listed(SavedBoardSerializer))
    def get(self, request: Request) -> Response:
        """List the caller’s saved boards, the last one changed first."""
        own = services.own(caller(request)).filter(names=[])
        return paging.answer(
            request, own, "changed", lambda rows: dump_all(SavedBoardSerializer, rows)
        )

    @extend_schema(request=NewBoardSerializer, responses={201: SavedTreeSerializer})
    def post(self, request: Request) -> Response:
        """Save lines as a new board, which only the caller sees. Its moves are replayed."""
        sent = body_of(request, NewBoardSerializer)
        limits.spend(request, "board")
        is_text = "text" in sent
        tree = text.read(sent["text"]) if is_text else services.read(json.dumps(sent["tree"]))
        name = sent["name"]
        made = services.save(user=caller(request), tree=tree, name=name, now=timezone.now())
        return Response(SavedTreeSerializer(made).data, status=CREATED)


class SavedBoardView(ApiView):
    @extend_schema(responses=SavedTreeSerializer)
    def get(self, request: Request, key: str) -> Response:
        """Read a board of the caller’s, or one that is shared by link."""
        board = get_object_or_404(services.readable(caller(request)), key=key)
        return Response(SavedTreeSerializer(board).data)

    @extend_schema(request=BoardMovesSerializer, responses={200: SavedTreeSerializer})
    def post(self, request: Request, key: str) -> Response:
        """Try moves on a board of the caller’s."""
        edit = _trying(request)
        board = _own(request, key)
        services.change(board=board, edit=edit, now=timezone.now())
        board.refresh_from_db()
        return Response(SavedTreeSerializer(board).data)


class DeleteBoardView(ApiView):
    @extend_schema(request=None, responses={204: None})
    def post(self, request: Request, key: str) -> Response:
        """Delete a board of the caller’s with all its lines."""
        _own(request, key).delete()
        return Response(status=NOTHING)


def _own(request: Request, key: str) -> Study:
    """Return a board of the caller's.

    :raises Refused: it is somebody else's.
    :raises Http404: the caller sees no such board.
    """
    board = get_object_or_404(services.readable(caller(request)), key=key)
    if board.owner_id != caller(request).pk:
        raise Refused(gettext("Only its owner can change this board."))
    return board


def _trying(request: Request) -> services.Edit:
    """Return the change of a tree that tries the moves of a request. Each counts."""
    sent = body_of(request, BoardMovesSerializer)
    after = sent["after"]
    texts = sent["moves"]
    for _ in texts:
        limits.spend(request, "board")

    def edit(tree: Tree) -> tuple[Tree, int]:
        tree.check_has(after)
        at = after
        for move in texts:
            actors = tree.title.actors(moment_of(tree, at).state)
            if not actors:
                raise MatchOver(gettext("The game is over here."))
            tree, at = played(tree, at, actors[0], [move])
        return tree, at

    return edit


def _unseen(unseen: Unseen) -> dict[str, Any]:
    choices = [{"value": value, "name": name} for value, name in unseen.choices]
    return {"key": unseen.key, "name": unseen.label, "count": unseen.count, "choices": choices}


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
            "unseen": [_unseen(one) for one in private.unseen(board, snapshot)],
            "tree": services.exported(tree),
        }
    )
