"""API views of tournaments, which use the same services as the pages."""

from collections.abc import Callable
from typing import Any

from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotAuthenticated, NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from accounts import limits
from accounts.models import ApiToken
from games.api import paging
from games.api.base import ApiView, caller, query_of
from games.api.challenge_serializers import ParamsField
from games.api.serializers import TITLE, ClockSerializer, MomentField, dump_all
from games.events import organising, selectors, services
from games.events.errors import NoSuchTournament
from games.events.models import Entry, Table, Tournament
from games.events.results import lines_of
from games.events.tie_breaks import chosen

LISTS = {
    "open": (selectors.open_for_entry, "starts"),
    "running": (selectors.running, "-began"),
    "finished": (selectors.finished, "-ended"),
}


class TournamentSerializer(serializers.Serializer[Tournament]):
    """A tournament as lists show it."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    title = serializers.CharField(help_text=TITLE)
    params = ParamsField(help_text="The parameters of the game.")
    clock = ClockSerializer(help_text="The clock of its matches.")
    format = serializers.ChoiceField(
        choices=Tournament.Format.choices,
        help_text="`round-robin`, `swiss`, `knock-out`, `double` for a double elimination,"
        " or `groups` for groups and then a knock-out.",
    )
    status = serializers.ChoiceField(
        choices=Tournament.Status.choices, help_text="`open` takes players."
    )
    seats = serializers.IntegerField(help_text="The number of players at a board.")
    rated = serializers.BooleanField(help_text="Whether results change ratings.")
    players = serializers.IntegerField(help_text="How many players are in.")
    least = serializers.IntegerField(help_text="With fewer players it is cancelled.")
    most = serializers.IntegerField(help_text="With this many players it is full.")
    begins_when_full = serializers.BooleanField(
        help_text="Whether it begins at once when it is full, or only when entry closes."
    )
    starts = MomentField(help_text="When entry closes.")
    round_days = serializers.IntegerField(
        help_text="After this many days a round ends, and with it the matches that still run."
    )
    organiser = serializers.CharField(
        source="organiser.username", default=None, allow_null=True, help_text="Null for the site."
    )
    rating_low = serializers.IntegerField(allow_null=True, help_text="A condition of entry.")
    rating_high = serializers.IntegerField(allow_null=True, help_text="A condition of entry.")
    least_matches = serializers.IntegerField(help_text="How many matches players have ended.")
    least_reliability = serializers.IntegerField(help_text="The minimum reliability, in percent.")
    by_invitation = serializers.BooleanField(
        help_text="Whether players need an invitation or a link."
    )
    club_id = serializers.IntegerField(
        allow_null=True, help_text="The club whose members alone may enter."
    )
    late_until = serializers.IntegerField(
        help_text="The last round before which players may enter late. 0 if they may not."
    )
    paused = MomentField(allow_null=True, help_text="Since when it is paused. Null if it isn’t.")
    began = MomentField(allow_null=True)
    ended = MomentField(allow_null=True)


class TournamentLineSerializer(serializers.Serializer[Any]):
    """A line of the standings."""

    place = serializers.IntegerField(help_text="Players who are equal share a place.")
    name = serializers.CharField()
    points = serializers.FloatField(help_text="1 for a win, 0.5 for a draw.")
    tie_breaks = serializers.DictField(
        child=serializers.FloatField(), help_text="The numbers for equal points, in their order."
    )
    word = serializers.CharField(
        allow_blank=True, help_text="What the organiser says about the player."
    )
    losses = serializers.IntegerField(
        help_text="In knock-outs of several seats, 1 for a player who did not go on."
    )
    out = serializers.BooleanField(help_text="Whether the player left or was knocked out.")
    replaces = serializers.CharField(
        allow_null=True, help_text="The player for whom this one stepped in as a substitute."
    )


class TournamentSeatSerializer(serializers.Serializer[Any]):
    """A player at a board, in seat order."""

    name = serializers.CharField()
    rank = serializers.IntegerField(
        allow_null=True, help_text="Null while the match runs, and without a result."
    )


class TournamentTableSerializer(serializers.Serializer[Any]):
    """A board of a round."""

    id = serializers.IntegerField()
    round = serializers.IntegerField(help_text="The number of the round, from 1.")
    match = serializers.IntegerField(allow_null=True, help_text="Null for a bye.")
    deadline = MomentField(help_text="The round ends by then.")
    settled = MomentField(allow_null=True, help_text="When an organiser decided its result.")
    reason = serializers.CharField(allow_blank=True, help_text="Why they did.")
    asked_for = serializers.BooleanField(help_text="Whether it is a bye for half a point.")
    seats = TournamentSeatSerializer(many=True)


class ByeRequestSerializer(serializers.Serializer[Any]):
    """A player who asks for a bye in the next round."""

    id = serializers.IntegerField(source="pk")
    name = serializers.CharField(source="entry.user.username")
    round = serializers.IntegerField()


class WholeTournamentSerializer(TournamentSerializer):
    """A tournament with its standings and boards."""

    about = serializers.CharField(allow_blank=True, help_text="What its organiser says about it.")
    waiting = serializers.ListField(
        child=serializers.CharField(), help_text="The names on the waiting list, the first on top."
    )
    co_organisers = serializers.ListField(
        child=serializers.CharField(), help_text="Those who share the job of the organiser."
    )
    bye_requests = ByeRequestSerializer(many=True, help_text="Those that aren’t granted yet.")
    standings = TournamentLineSerializer(many=True)
    tables = TournamentTableSerializer(many=True)


class TournamentQuery(serializers.Serializer[Any]):
    """The query parameters of the list of tournaments."""

    which = serializers.ChoiceField(
        choices=[*LISTS, "mine"],
        default="open",
        help_text="`open` for entry, `running`, `finished`, or `mine`: the open and running ones"
        " that the caller is in, waits for or organises.",
    )


class Tournaments(ApiView):
    is_public = True

    @extend_schema(
        parameters=[TournamentQuery, paging.PLACE], responses=paging.listed(TournamentSerializer)
    )
    def get(self, request: Request) -> Response:
        """List tournaments."""
        which = query_of(request, TournamentQuery)["which"]
        if which == "mine":
            if not request.user.is_authenticated:
                raise NotAuthenticated
            tournaments = selectors.of_player(caller(request))
            by = "starts"
        else:
            find, by = LISTS[which]
            tournaments = find()
        return paging.answer(
            request, tournaments, by, lambda few: dump_all(TournamentSerializer, few)
        )


class TournamentView(ApiView):
    is_public = True
    scope = ApiToken.Scope.CHALLENGE

    @extend_schema(responses=WholeTournamentSerializer)
    def get(self, request: Request, event_id: int) -> Response:
        """Read a tournament with its standings and boards."""
        return whole(event_id)


def whole(event_id: int) -> Response:
    """Return a tournament with its standings and boards.

    :raises NotFound: it does not exist.
    """
    try:
        tournament = selectors.get(event_id)
    except NoSuchTournament as unknown:
        raise NotFound(str(unknown)) from unknown
    entries = selectors.entries_of(tournament)
    tables = selectors.tables_of(tournament, entries)
    by_pk = {entry.pk: entry for entry in entries}
    data = TournamentSerializer(tournament).data
    lines = [
        {
            "place": line.place,
            "name": by_pk[line.entrant].user.username,
            "points": float(line.points),
            "tie_breaks": {
                key: float(line.tie_breaks[key]) for key in chosen(tournament.tie_breaks)
            },
            "word": by_pk[line.entrant].word,
            "losses": line.losses,
            "out": line.is_out,
            "replaces": _name(by_pk[line.entrant].replaces),
        }
        for line in lines_of(tournament, entries, tables)
    ]
    shared = tournament.co_organisers.filter(accepted__isnull=False).select_related("user")
    found = {
        **data,
        "co_organisers": [one.user.username for one in shared],
        "bye_requests": ByeRequestSerializer(organising.open_requests(tournament), many=True).data,
        "about": tournament.about,
        "waiting": [one.user.username for one in selectors.waiting_of(tournament)],
        "standings": TournamentLineSerializer(lines, many=True).data,
        "tables": TournamentTableSerializer(map(_table, tables), many=True).data,
    }
    return Response(found)


def _name(entry: Entry | None) -> str | None:
    return entry.user.username if entry else None


def _table(table: Table) -> dict[str, Any]:
    seats = [
        {"name": seat.entry.user.username, "rank": seat.rank} for seat in table.table_seats.all()
    ]
    return {
        "id": table.pk,
        "settled": table.settled,
        "reason": table.reason,
        "asked_for": table.asked_for,
        "round": table.round.number,
        "match": table.match_id,
        "deadline": table.round.deadline,
        "seats": seats,
    }


LINK = OpenApiParameter("link", str, description="The secret part of the organiser’s link.")


def _link(request: Request) -> str:
    return request.query_params.get("link", "")


class EnteringView(ApiView):
    scope = ApiToken.Scope.CHALLENGE

    def act(
        self, request: Request, event_id: int, service: Callable[..., Tournament], **more: Any
    ) -> Response:
        limits.spend(request, "enter")
        try:
            service(tournament_id=event_id, user=caller(request), now=timezone.now(), **more)
        except NoSuchTournament as unknown:
            raise NotFound(str(unknown)) from unknown
        return whole(event_id)


class JoinView(EnteringView):
    @extend_schema(parameters=[LINK], request=None, responses={200: WholeTournamentSerializer})
    def post(self, request: Request, event_id: int) -> Response:
        """Enter a tournament; the last player may start it. Repeating it has no effect."""
        return self.act(request, event_id, services.join, link=_link(request))


class WaitView(EnteringView):
    @extend_schema(parameters=[LINK], request=None, responses={200: WholeTournamentSerializer})
    def post(self, request: Request, event_id: int) -> Response:
        """Join the waiting list. A free place is taken at once. Repeating it has no effect."""
        return self.act(request, event_id, services.wait, link=_link(request))


class LeaveView(EnteringView):
    @extend_schema(request=None, responses={200: WholeTournamentSerializer})
    def post(self, request: Request, event_id: int) -> Response:
        """Leave a tournament or its waiting list.

        Once it has begun, a substitute takes over the running matches, or they are resigned.
        """
        return self.act(request, event_id, services.leave)
