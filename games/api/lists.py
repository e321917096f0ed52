"""API views of matches, players, notifications and the caller."""

from collections.abc import Sequence
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import NotAuthenticated, NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from accounts import limits, notifications
from accounts.models import ApiToken, Notification, User
from accounts.sanctions import standing
from config.postgresql.replica import from_replica
from games.api import paging
from games.api.base import ApiView, caller, query_of
from games.api.serializers import (
    TITLE,
    DeprecatedField,
    MatchSummarySerializer,
    MomentField,
    WaitingSerializer,
    dump_all,
    text_list,
)
from games.http.archive import ENDED, FRIENDLY, RATED, RUNNING, VOID, ArchiveFilter
from games.kernel import registry
from games.matches import listing
from games.matches.models import Match
from games.matches.store import read_players


class MatchQuery(serializers.Serializer[Any]):
    """The query parameters of the list of matches."""

    title = serializers.CharField(
        max_length=60, required=False, help_text="Only matches of this game, by its slug."
    )
    game = DeprecatedField(
        max_length=60, required=False, help_text="Deprecated: the same as `title`."
    )
    player = serializers.CharField(
        max_length=20, required=False, help_text="Only matches of this player, by name."
    )
    status = serializers.ChoiceField(
        choices=Match.Status.choices,
        default=Match.Status.RUNNING,
        help_text="Only matches with this status.",
    )
    waiting = serializers.BooleanField(
        default=False,
        help_text="Only running matches in which the caller is to move, by deadline.",
    )
    other = serializers.CharField(
        max_length=20, required=False, help_text="Only matches of this player, too, by name."
    )
    seat = serializers.IntegerField(
        min_value=0, required=False, help_text="Only matches in which `player` has this seat."
    )
    result = serializers.ChoiceField(
        ["won", "lost", "tied"], required=False, help_text="Only with this result of `player`."
    )
    ending = serializers.CharField(
        max_length=40, required=False, help_text="Only matches that ended like this."
    )
    rated = serializers.ChoiceField(
        [RATED, FRIENDLY], required=False, help_text="Only matches that count, or the others."
    )
    rating = serializers.IntegerField(
        min_value=1, required=False, help_text="Only if all players were rated from this number."
    )
    shortest = serializers.IntegerField(
        min_value=1, required=False, help_text="Only matches with this many log entries or more."
    )
    longest = serializers.IntegerField(
        min_value=1, required=False, help_text="Only matches with at most this many log entries."
    )
    since = serializers.DateField(required=False, help_text="Only from this day on.")
    until = serializers.DateField(required=False, help_text="Only up to this day.")
    position = serializers.CharField(
        max_length=20,
        required=False,
        help_text="Only ended matches that reached the position with this `key` of the explorer.",
    )


WHICH = {
    Match.Status.RUNNING: RUNNING,
    Match.Status.OVER: ENDED,
    Match.Status.CANCELLED: VOID,
    Match.Status.ANNULLED: VOID,
}
"""What the filter of the archive calls a status."""


class Matches(ApiView):
    is_public = True

    @extend_schema(
        parameters=[MatchQuery, paging.PLACE], responses=paging.listed(MatchSummarySerializer)
    )
    @from_replica
    def get(self, request: Request) -> Response:
        """List matches, the latest first. Without `status`, only running ones.

        With `title`, a parameter of the game is a filter, too: `param-size=6`. A page may be short
        although others follow: then `next` searches more matches.
        """
        asked = query_of(request, MatchQuery)
        if asked["waiting"]:
            return _waiting(request, asked)
        for name in ("player", "other"):
            if asked.get(name):
                named(asked[name])
        title = _title_of(asked)
        known = title if title in registry.titles() else ""
        filters = {**request.query_params.dict(), "game": known, "status": WHICH[asked["status"]]}
        archive = ArchiveFilter(filters)
        if archive.errors:
            faults = {name: list(map(str, found)) for name, found in archive.errors.items()}
            raise serializers.ValidationError(faults)
        wanted = {"status": asked["status"], **({"title": title} if title else {})}
        matches, among = archive.kept()
        among = among and among.filter(**wanted)
        by = f"-{archive.moment}"
        return paging.answer(request, matches.filter(**wanted), by, _summaries, among)


def _waiting(request: Request, asked: dict[str, Any]) -> Response:
    if not request.user.is_authenticated:
        raise NotAuthenticated
    title = _title_of(asked)
    matches = listing.waiting(request.user)
    matches = matches.filter(title=title) if title else matches
    return paging.answer(request, matches, "due", _summaries)


def _title_of(asked: dict[str, Any]) -> str:
    return str(asked.get("title") or asked.get("game") or "")


def _summaries(matches: Sequence[Match]) -> Any:
    read_players(matches)
    return dump_all(MatchSummarySerializer, matches)


def named(name: str) -> User:
    """:raises NotFound: there is no player with this name."""
    user = User.objects.named(name)
    if user is None:
        raise NotFound(_("There is no player of this name."))
    return user


BOT = "Whether a program plays."


class ResultsSerializer(serializers.Serializer[Any]):
    """A player’s results in a game."""

    title = serializers.CharField(help_text=TITLE)
    with_bots = serializers.BooleanField(help_text="Whether these are matches against bots.")
    won = serializers.IntegerField(help_text="Matches with the first place alone.")
    tied = serializers.IntegerField(help_text="Matches with a shared first place.")
    lost = serializers.IntegerField(help_text="All other matches.")


class ProfileSerializer(serializers.Serializer[User]):
    """The public profile of a player."""

    name = serializers.CharField(source="username")
    bot = serializers.BooleanField(source="is_shown_as_bot", help_text=BOT)
    about = serializers.CharField(allow_blank=True, help_text="What the player wrote, or empty.")
    country = serializers.SerializerMethodField(help_text="The ISO 3166-1 code, or empty.")
    languages = text_list(help_text="The codes of languages the player speaks.")
    joined = MomentField(source="date_joined")
    restriction = serializers.SerializerMethodField(
        help_text="`ban` or `suspension` if moderators keep the player out now, or empty."
    )
    results = serializers.SerializerMethodField(help_text="The results by game.")

    def get_country(self, user: User) -> str:
        """Return the code of the country (ISO 3166-1), or an empty string."""
        return str(user.country.code or "")

    @extend_schema_field({"type": "string", "enum": ["", *standing.RESTRICTED]})
    def get_restriction(self, user: User) -> str:
        """Return what keeps the player out now, or an empty string."""
        return standing.restriction(user, timezone.now()) or ""

    @extend_schema_field(ResultsSerializer(many=True))
    def get_results(self, user: User) -> list[dict[str, Any]]:
        """Return the results by game, against people and bots separately."""
        return [results._asdict() for results in listing.results_by_title(user)]


class PlayerView(ApiView):
    is_public = True

    @extend_schema(responses=ProfileSerializer)
    @from_replica
    def get(self, request: Request, name: str) -> Response:
        """Read a player’s profile and results."""
        return Response(ProfileSerializer(named(name)).data)


class MeSerializer(serializers.Serializer[User]):
    """The caller."""

    name = serializers.CharField(source="username")
    bot = serializers.BooleanField(source="is_shown_as_bot", help_text=BOT)
    scopes = serializers.SerializerMethodField(
        help_text="What the token may do. Null for a browser’s session."
    )

    @extend_schema_field({"type": ["array", "null"], "items": {"enum": list(ApiToken.Scope)}})
    def get_scopes(self, user: User) -> list[str] | None:
        """Return the scopes of the token. ``None`` for a session, which may do everything."""
        token = self.context["auth"]
        return list(token.scopes) if isinstance(token, ApiToken) else None


class Me(ApiView):
    @extend_schema(responses=MeSerializer)
    def get(self, request: Request) -> Response:
        """Read who the caller is."""
        return Response(MeSerializer(caller(request), context={"auth": request.auth}).data)


class NoticeSerializer(serializers.Serializer[Any]):
    """A notification."""

    id = serializers.IntegerField()
    kind = serializers.CharField(help_text="What it is about, such as `your-turn`.")
    subject = serializers.CharField(help_text="A sentence for people.")
    url = serializers.CharField(allow_blank=True, help_text="The path of the page about it.")
    created = MomentField()
    seen = MomentField(allow_null=True, help_text="Null until the caller has seen it.")


def _notice(notification: Notification) -> dict[str, Any]:
    line = notifications.summary(notification)
    about = {
        "id": notification.pk,
        "kind": notification.kind,
        "subject": line.subject,
        "url": line.url,
    }
    return {**about, "created": notification.created, "seen": notification.seen_at}


class Notices(ApiView):
    @extend_schema(parameters=[paging.PLACE], responses=paging.listed(NoticeSerializer))
    def get(self, request: Request) -> Response:
        """List the caller’s current notifications, the latest first."""
        listed = notifications.listed(caller(request))
        return paging.answer(request, listed, "-created", _notices)


def _notices(notifications: Sequence[Notification]) -> Any:
    return dump_all(NoticeSerializer, [_notice(one) for one in notifications])


class NoticesSeen(ApiView):
    @extend_schema(request=None, responses={200: WaitingSerializer})
    def post(self, request: Request) -> Response:
        """Mark all notifications as seen, and return how many were new."""
        limits.spend(request, "notifications")
        count = notifications.unseen(caller(request))
        notifications.mark_seen(recipient=caller(request), now=timezone.now())
        return Response({"count": count})
