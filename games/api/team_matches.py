"""API views of team matches, which use the same services as the pages."""

from collections.abc import Sequence
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from accounts import limits
from accounts.models import ApiToken, User
from games.api import paging
from games.api.base import ApiView, body_of, caller, query_of
from games.api.challenge_serializers import ParamsField
from games.api.serializers import (
    TITLE,
    Body,
    BoundedList,
    ClockSerializer,
    MomentField,
    dump_all,
)
from games.clubs.errors import NoSuchClub
from games.events import selectors as events
from games.events.models import Table, Tournament
from games.matches.clock import Clock
from games.matches.models import MAX_SEATS
from games.teams import selectors, services
from games.teams.errors import NoSuchTeamMatch
from games.teams.models import TeamMatch
from games.teams.selectors import TEAMS, Scores

LISTS = {"running": selectors.running, "ended": selectors.ended}
NAME_LENGTH = 40
TEAM = "1 for the club that challenged, 2 for the other one."


class ClubNameSerializer(serializers.Serializer[Any]):
    """A club."""

    id = serializers.IntegerField()
    name = serializers.CharField()


class TeamMatchSerializer(serializers.Serializer[Any]):
    """A team match as lists show it."""

    id = serializers.IntegerField()
    first = ClubNameSerializer(help_text="The club that challenged.")
    second = ClubNameSerializer()
    title = serializers.CharField(help_text=TITLE)
    params = ParamsField(help_text="The parameters of the game.")
    clock = ClockSerializer(help_text="The clock of its matches.")
    seats = serializers.IntegerField(help_text="The number of players at a board.")
    boards = serializers.IntegerField(help_text="The number of players of each club.")
    rated = serializers.BooleanField(help_text="Whether results change ratings.")
    pairing = serializers.ChoiceField(
        choices=TeamMatch.Pairing.choices,
        help_text="Players meet by `rating`, or in the `order` of the line-ups.",
    )
    status = serializers.CharField(
        help_text="`asked`, `accepted`, `declined`, `withdrawn` or `cancelled`, `running` or"
        " `finished`."
    )
    due = MomentField(help_text="The line-ups are due by then.")
    ends = MomentField(help_text="Matches that still run then are ended.")
    created = MomentField()
    points = serializers.ListField(
        child=serializers.FloatField(),
        allow_null=True,
        help_text="The points of both clubs. Null before it begins.",
    )
    second_seat = serializers.ListField(
        child=serializers.IntegerField(),
        allow_null=True,
        help_text="Boards won with the second seat, which decide equal points.",
    )


class TeamPlayerSerializer(serializers.Serializer[Any]):
    """A member who has signed up."""

    name = serializers.CharField(source="user.username")
    board = serializers.IntegerField(
        allow_null=True, help_text="The place in the line-up. Only leaders of the club see it."
    )


class TeamSeatSerializer(serializers.Serializer[Any]):
    """A player at a board, in seat order."""

    name = serializers.CharField(source="entry.user.username")
    team = serializers.IntegerField(source="entry.team", help_text=TEAM)
    rank = serializers.IntegerField(
        allow_null=True, help_text="Null while the match runs, and without a result."
    )


class TeamTableSerializer(serializers.Serializer[Any]):
    """A board."""

    match = serializers.IntegerField(source="match_id")
    seats = TeamSeatSerializer(source="table_seats.all", many=True)


class TeamSideSerializer(serializers.Serializer[Any]):
    """A club of a team match."""

    signed_up = serializers.IntegerField(
        allow_null=True, help_text="How many have signed up. Null once it has begun."
    )
    line_up_set = serializers.BooleanField()
    players = TeamPlayerSerializer(
        many=True,
        allow_null=True,
        help_text="Those who have signed up. Null for others than members of the club, and once it"
        " has begun: then `tables` has all players.",
    )


class WholeTeamMatchSerializer(TeamMatchSerializer):
    """A team match with what the caller may see of its players."""

    sides = TeamSideSerializer(many=True, help_text="Both clubs, the one that challenged first.")
    tables = TeamTableSerializer(many=True)
    reserves = serializers.ListField(
        child=serializers.CharField(), help_text="The names of those who would step in."
    )


class TeamMatchesQuery(serializers.Serializer[Any]):
    """The query parameters of the list of team matches."""

    which = serializers.ChoiceField(
        choices=list(LISTS), default="running", help_text="`running` or `ended`."
    )


class NewTeamMatch(Body):
    """A challenge to another club."""

    club = serializers.IntegerField(
        min_value=1, max_value=2**62, help_text="The id of a club that the caller leads."
    )
    opponent = serializers.IntegerField(
        min_value=1, max_value=2**62, help_text="The id of the other club."
    )
    title = serializers.CharField(max_length=60, help_text=TITLE)
    params = ParamsField(default=dict, help_text="Those left out have their defaults.")
    clock = ClockSerializer()
    seats = serializers.IntegerField(min_value=2, max_value=MAX_SEATS, default=2)
    boards = serializers.IntegerField(min_value=services.BOARDS[0], max_value=services.BOARDS[1])
    rated = serializers.BooleanField(default=True)
    pairing = serializers.ChoiceField(
        choices=TeamMatch.Pairing.choices, default=TeamMatch.Pairing.RATING
    )
    due = MomentField(help_text="When the line-ups are due, within 30 days.")
    ends = MomentField(help_text="7 to 240 days after that.")


class TeamBody(Body):
    """The club for which a member of both acts."""

    team = serializers.IntegerField(min_value=0, max_value=2, default=0, help_text=TEAM)


class LineUp(TeamBody):
    """A line-up."""

    players = BoundedList(
        child=serializers.CharField(max_length=NAME_LENGTH),
        max_length=services.BOARDS[1],
        help_text="The names of the players, that of the first board first.",
    )


class Replacement(Body):
    """A player who hasn't moved, and the reserve who steps in."""

    player = serializers.CharField(max_length=NAME_LENGTH)
    substitute = serializers.CharField(max_length=NAME_LENGTH)


def _found(team_match_id: int) -> TeamMatch:
    """:raises NotFound: it does not exist."""
    try:
        return selectors.get(team_match_id)
    except NoSuchTeamMatch as unknown:
        raise NotFound(str(unknown)) from unknown


def _row(one: TeamMatch, score: Scores | None) -> dict[str, Any]:
    columns = (
        *("first", "second", "title", "params", "clock", "seats", "boards", "rated"),
        *("pairing", "due", "ends", "created"),
    )
    return {
        "id": one.pk,
        **{name: getattr(one, name) for name in columns},
        "status": one.tournament.status if one.tournament else one.status,
        "points": [float(side.points) for side in score] if score else None,
        "second_seat": [side.second_seat for side in score] if score else None,
    }


def _rows(team_matches: Sequence[TeamMatch]) -> list[dict[str, Any]]:
    scores = selectors.scores(team_matches)
    return [_row(one, scores.get(one.pk)) for one in team_matches]


def _whole(request: Request, team_match_id: int) -> Response:
    """Return a team match as the caller may see it."""
    one = _found(team_match_id)
    who = selectors.reader(one, request.user)
    tables, reserves = _begun(one.tournament) if one.tournament else ([], [])
    numbers = selectors.signed_up(one)
    sides = [
        {
            "signed_up": None if one.tournament else numbers[team - 1],
            "line_up_set": one.line_ups_set[team - 1],
            "players": None if one.tournament else selectors.shown_players(one, team, who),
        }
        for team in TEAMS
    ]
    [row] = _rows([one])
    whole = {**row, "sides": sides, "tables": tables, "reserves": reserves}
    return Response(WholeTeamMatchSerializer(whole).data)


def _begun(tournament: Tournament) -> tuple[list[Table], list[str]]:
    reserves = [one.user.username for one in events.waiting_of(tournament)]
    return events.tables_of(tournament), reserves


def _named(name: str) -> User:
    """:raises NotFound: there is no such player."""
    user = User.objects.named(name)
    if user is None:
        raise NotFound(_("There is no player of this name."))
    return user


class TeamMatchesView(ApiView):
    is_public = True
    scope = ApiToken.Scope.CHALLENGE

    @extend_schema(
        parameters=[TeamMatchesQuery, paging.PLACE], responses=paging.listed(TeamMatchSerializer)
    )
    def get(self, request: Request) -> Response:
        """List team matches that have begun, the latest first."""
        rows = selectors.begun().filter(LISTS[query_of(request, TeamMatchesQuery)["which"]]())
        return paging.answer(
            request, rows, "-created", lambda few: dump_all(TeamMatchSerializer, _rows(few))
        )

    @extend_schema(request=NewTeamMatch, responses={200: WholeTeamMatchSerializer})
    def post(self, request: Request) -> Response:
        """Challenge another club, as a leader."""
        values = body_of(request, NewTeamMatch)
        values["clock"] = Clock.load(values["clock"])
        limits.spend(request, "challenge-club")
        try:
            made = services.challenge(
                club_id=values.pop("club"),
                opponent_id=values.pop("opponent"),
                leader=caller(request),
                now=timezone.now(),
                **values,
            )
        except NoSuchClub as unknown:
            raise NotFound(str(unknown)) from unknown
        return _whole(request, made.pk)


class TeamMatchView(ApiView):
    is_public = True

    @extend_schema(responses=WholeTeamMatchSerializer)
    def get(self, request: Request, team_match_id: int) -> Response:
        """Read a team match. Line-ups are shown once both are set."""
        return _whole(request, team_match_id)


class ChangingView(ApiView):
    """A change of a team match. ``body`` are the fields of the request."""

    scope = ApiToken.Scope.CHALLENGE
    body: type[Body] = Body

    def change(self, request: Request, team_match_id: int) -> Response:
        _found(team_match_id)
        sent = body_of(request, self.body)
        limits.spend(request, "team-match")
        how = {"team_match_id": team_match_id, "now": timezone.now()}
        self.act(caller(request), sent, how)
        return _whole(request, team_match_id)

    def act(self, user: User, values: dict[str, Any], how: dict[str, Any]) -> None:
        raise NotImplementedError


class AcceptView(ChangingView):
    @extend_schema(request=None, responses={200: WholeTeamMatchSerializer})
    def post(self, request: Request, team_match_id: int) -> Response:
        """Accept a challenge, as a leader of the challenged club."""
        return self.change(request, team_match_id)

    def act(self, user: User, values: dict[str, Any], how: dict[str, Any]) -> None:
        services.answer(leader=user, accepts=True, **how)


class DeclineView(ChangingView):
    @extend_schema(request=None, responses={200: WholeTeamMatchSerializer})
    def post(self, request: Request, team_match_id: int) -> Response:
        """Decline a challenge, as a leader of the challenged club."""
        return self.change(request, team_match_id)

    def act(self, user: User, values: dict[str, Any], how: dict[str, Any]) -> None:
        services.answer(leader=user, accepts=False, **how)


class CancelView(ChangingView):
    @extend_schema(request=None, responses={200: WholeTeamMatchSerializer})
    def post(self, request: Request, team_match_id: int) -> Response:
        """Withdraw a challenge, or cancel a team match that hasn't begun, as a leader."""
        return self.change(request, team_match_id)

    def act(self, user: User, values: dict[str, Any], how: dict[str, Any]) -> None:
        services.cancel(leader=user, **how)


class SignUpView(ChangingView):
    body = TeamBody

    @extend_schema(request=TeamBody, responses={200: WholeTeamMatchSerializer})
    def post(self, request: Request, team_match_id: int) -> Response:
        """Sign up for one's club, or as a reserve once it has begun."""
        return self.change(request, team_match_id)

    def act(self, user: User, values: dict[str, Any], how: dict[str, Any]) -> None:
        has_begun = _found(how["team_match_id"]).tournament_id is not None
        service = services.sign_up_as_reserve if has_begun else services.sign_up
        service(user=user, **values, **how)


class LeaveView(ChangingView):
    @extend_schema(request=None, responses={200: WholeTeamMatchSerializer})
    def post(self, request: Request, team_match_id: int) -> Response:
        """Take back that one plays, or leave a team match that has begun."""
        return self.change(request, team_match_id)

    def act(self, user: User, values: dict[str, Any], how: dict[str, Any]) -> None:
        services.drop_out(user=user, **how)


class LineUpView(ChangingView):
    body = LineUp

    @extend_schema(request=LineUp, responses={200: WholeTeamMatchSerializer})
    def post(self, request: Request, team_match_id: int) -> Response:
        """Set the line-up of a club, as its leader. With the second one the matches begin."""
        return self.change(request, team_match_id)

    def act(self, user: User, values: dict[str, Any], how: dict[str, Any]) -> None:
        players = [_named(name).pk for name in values.pop("players")]
        services.set_line_up(leader=user, players=players, **values, **how)


class ReplaceView(ChangingView):
    body = Replacement

    @extend_schema(request=Replacement, responses={200: WholeTeamMatchSerializer})
    def post(self, request: Request, team_match_id: int) -> Response:
        """Replace a player who hasn't moved by a reserve, as a leader."""
        return self.change(request, team_match_id)

    def act(self, user: User, values: dict[str, Any], how: dict[str, Any]) -> None:
        player, substitute = _named(values["player"]), _named(values["substitute"])
        services.replace(leader=user, user=player, substitute=substitute, **how)
