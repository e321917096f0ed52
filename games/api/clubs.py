"""API views of clubs: read only."""

from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from config.postgresql.replica import from_replica
from games.api import paging
from games.api.base import ApiView, query_of
from games.api.ratings import RatingSerializer
from games.api.serializers import TITLE, MomentField, text_list
from games.clubs import names, selectors
from games.clubs.errors import NoSuchClub
from games.clubs.models import Club
from games.clubs.selectors import Member
from games.kernel import registry

PRIVATE = "Null in a private club, unless the caller is a member."


class ClubSerializer(serializers.Serializer[Any]):
    """A club as lists show it."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    members = serializers.IntegerField(source="size", help_text="The number of members.")
    private = serializers.BooleanField(
        source="is_private", help_text="Whether others see only its name and number of members."
    )


class ClubDetailSerializer(ClubSerializer):
    """A club with everything that the caller may see of it."""

    about = serializers.CharField(
        allow_blank=True, allow_null=True, help_text=f"What its leaders say, as Markdown. {PRIVATE}"
    )
    country = serializers.CharField(
        allow_blank=True, allow_null=True, help_text=f"The ISO 3166-1 code, or empty. {PRIVATE}"
    )
    language = serializers.CharField(
        allow_blank=True,
        allow_null=True,
        help_text=f"The code of the language, or empty. {PRIVATE}",
    )
    admission = serializers.CharField(
        allow_null=True,
        help_text=f"`open` to all, on `request`, or by `invitation`. {PRIVATE}",
    )
    leaders = text_list(
        allow_null=True, help_text=f"The names of its leaders, who has led longest first. {PRIVATE}"
    )
    created = MomentField(allow_null=True, help_text=f"When it was founded. {PRIVATE}")
    closed = MomentField(allow_null=True, help_text="When it was closed. Null if it is open.")


class ClubMemberSerializer(serializers.Serializer[Member]):
    """A member of a club."""

    name = serializers.CharField(source="user.username")
    leads = serializers.BooleanField(source="membership.leads", help_text="Whether they lead it.")
    joined = MomentField(source="membership.joined")
    rating = RatingSerializer(
        allow_null=True, help_text="The rating in the game that was asked for. Null without one."
    )


class ClubsQuery(serializers.Serializer[Any]):
    """The query parameters of the list of clubs."""

    name = serializers.CharField(
        max_length=names.MAX_LENGTH,
        allow_blank=True,
        default="",
        help_text="A part of the names to list.",
    )
    country = serializers.CharField(
        max_length=2, allow_blank=True, default="", help_text="A code of ISO 3166-1."
    )
    language = serializers.CharField(
        max_length=10, allow_blank=True, default="", help_text="The code of a language."
    )
    page = paging.number_field()


class MembersQuery(serializers.Serializer[Any]):
    """The query parameters of the members of a club."""

    title = serializers.CharField(
        max_length=60,
        allow_blank=True,
        default="",
        help_text=f"{TITLE} Members are ordered by their rating in it. Without it leaders come"
        " first, and then who joined first.",
    )
    name = serializers.CharField(
        max_length=20, allow_blank=True, default="", help_text="A part of the names to list."
    )
    page = paging.number_field()


class ClubsView(ApiView):
    is_public = True

    @extend_schema(parameters=[ClubsQuery], responses=paging.listed(ClubSerializer))
    @from_replica
    def get(self, request: Request) -> Response:
        """List the open clubs, the largest first."""
        asked = {key: _storable(value) for key, value in query_of(request, ClubsQuery).items()}
        return paging.numbered(request, selectors.listed(**asked), ClubSerializer)


def _storable(value: Any) -> Any:
    """Return a value without characters that no database can hold."""
    return value.replace("\0", "") if isinstance(value, str) else value


def _club(club_id: int) -> Club:
    """:raises NotFound: it does not exist."""
    try:
        return selectors.get(club_id)
    except NoSuchClub as unknown:
        raise NotFound(str(unknown)) from unknown


def visible_club(request: Request, club_id: int) -> Club:
    """:raises NotFound: it doesn't exist, is closed, or shows the caller nothing of its inside."""
    club = _club(club_id)
    own = selectors.membership(club, request.user)
    if not club.is_open or not selectors.sees_inside(club, request.user, own):
        raise NotFound(_("Only members see more of this club."))
    return club


class ClubView(ApiView):
    is_public = True

    @extend_schema(responses=ClubDetailSerializer)
    def get(self, request: Request, club_id: int) -> Response:
        """Read a club."""
        club = _club(club_id)
        own = selectors.membership(club, request.user)
        shown = club.is_open and selectors.sees_inside(club, request.user, own)
        inside = {
            "about": club.about,
            "country": str(club.country.code or ""),
            "language": club.language,
            "admission": club.admission,
            "leaders": [one.user.username for one in selectors.leaders_of(club)],
            "created": club.created,
        }
        hidden = dict.fromkeys(inside)
        whole = {**_row(club), **(inside if shown else hidden), "closed": club.closed}
        return Response(ClubDetailSerializer(whole).data)


def _row(club: Club) -> dict[str, Any]:
    columns = ("id", "name", "size", "is_private")
    return {name: getattr(club, name) for name in columns}


class MembersView(ApiView):
    is_public = True

    @extend_schema(parameters=[MembersQuery], responses=paging.listed(ClubMemberSerializer))
    def get(self, request: Request, club_id: int) -> Response:
        """List the members of a club. Those of a private club are found by members alone."""
        club = visible_club(request, club_id)
        asked = query_of(request, MembersQuery)
        if asked["title"] and asked["title"] not in registry.titles():
            raise NotFound(_("There is no such game."))
        found = selectors.members(
            club,
            timezone.now(),
            title=asked["title"],
            name=_storable(asked["name"]),
            page=asked["page"],
        )
        return paging.numbered(request, found, ClubMemberSerializer)
