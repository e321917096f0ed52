"""API views of ladders: read, join, leave and challenge.

With a ``club_id`` it is the ladder of a club's members, whose leaders found and close it.
"""

from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from accounts import limits
from accounts.models import ApiToken
from games.api import challenge_serializers as shapes
from games.api import paging
from games.api.base import ApiView, body_of, caller, query_of, title_or_404
from games.api.challenges import dump
from games.api.clubs import visible_club
from games.api.lists import BOT, named
from games.api.serializers import TITLE, Body, MomentField, dump_all
from games.ladders import selectors, services
from games.ladders.models import LadderPlace
from games.ladders.selectors import ClubLadderRow
from games.lobby import selectors as lobby
from games.lobby.finding import is_for_two
from games.matches.numbered_pages import numbered_page

PAGE_LENGTH = 50
CREATED = 201
NOTHING = 204


class LadderPlaceSerializer(serializers.Serializer[LadderPlace]):
    """A place of a ladder."""

    position = serializers.IntegerField(help_text="The place: 1 is the top.")
    name = serializers.CharField(source="user.username")
    bot = serializers.BooleanField(source="user.is_shown_as_bot", help_text=BOT)
    joined = MomentField()


class LadderQuery(serializers.Serializer[Any]):
    """The query parameters of a ladder."""

    page = paging.number_field()


class NewLadderChallenge(Body):
    """A challenge for a place."""

    name = serializers.CharField(max_length=20, help_text="The player above you.")


def _check_ladder(request: Request, slug: str, club_id: int | None) -> None:
    """:raises NotFound: there is no such ladder, or it is closed to the caller."""
    _check_game(slug)
    if club_id is not None:
        club = visible_club(request, club_id)
        if selectors.club_ladder(slug, club) is None:
            raise NotFound(services.NO_LADDER)


def _check_game(slug: str) -> None:
    """:raises NotFound: there is no such game, or two can't play it."""
    meta = title_or_404(slug).meta
    if not is_for_two(meta):
        raise NotFound(_("{name} has no ladder.").format(name=meta.name))


class ClubLadderSerializer(serializers.Serializer[ClubLadderRow]):
    """A ladder of a club."""

    title = serializers.CharField(help_text=TITLE)
    players = serializers.IntegerField(source="size")


class NewClubLadder(Body):
    """A ladder to found."""

    title = serializers.CharField(max_length=60, help_text=TITLE)


class LadderBase(ApiView):
    scope = ApiToken.Scope.CHALLENGE


class LadderView(LadderBase):
    is_public = True

    @extend_schema(parameters=[LadderQuery], responses=paging.listed(LadderPlaceSerializer))
    def get(self, request: Request, slug: str, club_id: int | None = None) -> Response:
        """List the places of a ladder from the top."""
        _check_ladder(request, slug, club_id)
        page = query_of(request, LadderQuery)["page"]
        places = numbered_page(selectors.places(slug, club_id), page, PAGE_LENGTH)
        return paging.numbered(request, places, LadderPlaceSerializer)


class JoinView(LadderBase):
    @extend_schema(request=None, responses={204: None})
    def post(self, request: Request, slug: str, club_id: int | None = None) -> Response:
        """Take the lowest place of a ladder. Repeating it has no effect."""
        _check_ladder(request, slug, club_id)
        limits.spend(request, "challenge")
        services.join(user=caller(request), title=slug, club_id=club_id, now=timezone.now())
        return Response(status=NOTHING)


class LeaveView(LadderBase):
    @extend_schema(request=None, responses={204: None})
    def post(self, request: Request, slug: str, club_id: int | None = None) -> Response:
        """Leave a ladder. Repeating it has no effect."""
        _check_ladder(request, slug, club_id)
        limits.spend(request, "challenge")
        services.leave(user=caller(request), title=slug, club_id=club_id, now=timezone.now())
        return Response(status=NOTHING)


class LadderChallengesView(LadderBase):
    @extend_schema(request=NewLadderChallenge, responses={201: shapes.ChallengeSerializer})
    def post(self, request: Request, slug: str, club_id: int | None = None) -> Response:
        """Challenge a player above you for their place. Bots accept at once."""
        _check_ladder(request, slug, club_id)
        other = named(body_of(request, NewLadderChallenge)["name"])
        limits.spend(request, "invite", others=[other.pk])
        made = services.challenge(
            user=caller(request), other=other, title=slug, club_id=club_id, now=timezone.now()
        )
        return dump(lobby.get(made.challenge_id), request, CREATED)


class ClubLaddersView(LadderBase):
    is_public = True

    @extend_schema(responses=ClubLadderSerializer(many=True))
    def get(self, request: Request, club_id: int) -> Response:
        """List the ladders of a club. Those of a private club are found by members alone."""
        rows = selectors.of_club(visible_club(request, club_id), request.user)
        return Response(dump_all(ClubLadderSerializer, rows))

    @extend_schema(request=NewClubLadder, responses={204: None})
    def post(self, request: Request, club_id: int) -> Response:
        """Found a ladder, as a leader of the club. Repeating it has no effect."""
        slug = body_of(request, NewClubLadder)["title"]
        _check_game(slug)
        visible_club(request, club_id)
        limits.spend(request, "lead-club")
        services.found(club_id=club_id, leader=caller(request), title=slug, now=timezone.now())
        return Response(status=NOTHING)


class CloseView(LadderBase):
    @extend_schema(request=None, responses={204: None})
    def post(self, request: Request, club_id: int, slug: str) -> Response:
        """Close the ladder of a club, as its leader. All places are lost."""
        _check_ladder(request, slug, club_id)
        limits.spend(request, "lead-club")
        services.close(club_id=club_id, leader=caller(request), title=slug, now=timezone.now())
        return Response(status=NOTHING)
