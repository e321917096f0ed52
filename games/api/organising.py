"""API views of what organisers do in tournaments, and moderators in their place."""

from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotFound, PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response

from accounts import limits
from accounts.models import ApiToken
from games.api.base import ApiView, body_of, caller
from games.api.challenge_serializers import ParamsField
from games.api.desk import moderates
from games.api.serializers import TITLE, Body, BoundedList, ClockSerializer, MomentField
from games.api.tournaments import Tournaments, WholeTournamentSerializer, whole
from games.events import acts, organising, selectors, services, terms
from games.events.errors import NoSuchTournament
from games.events.models import OrganiserAct, Tournament
from games.events.tie_breaks import MOST, TIE_BREAKS
from games.kernel import registry
from games.matches.clock import Clock

Kind = OrganiserAct.Kind

KINDS = [(str(kind), kind.label) for kind in organising.ACTS]


def _number(help_text: str) -> serializers.IntegerField:
    return serializers.IntegerField(
        min_value=0, max_value=2**62, required=False, help_text=help_text
    )


class TermsSerializer(Body):
    """The terms of a tournament to change. Those left out stay."""

    name = serializers.CharField(max_length=60, required=False)
    about = serializers.CharField(max_length=1000, allow_blank=True, required=False)
    format = serializers.ChoiceField(choices=Tournament.Format.choices, required=False)
    rounds = serializers.IntegerField(min_value=0, max_value=100, required=False)
    rated = serializers.BooleanField(required=False)
    least = serializers.IntegerField(min_value=2, max_value=1000, required=False)
    most = serializers.IntegerField(min_value=2, max_value=1000, required=False)
    seats = serializers.IntegerField(min_value=2, max_value=10, required=False)
    starts = MomentField(required=False)
    begins_when_full = serializers.BooleanField(required=False)
    params = ParamsField(required=False)
    clock = ClockSerializer(required=False)
    round_days = serializers.IntegerField(min_value=1, max_value=1000, required=False)
    rating_low = serializers.IntegerField(
        min_value=0, max_value=10_000, allow_null=True, required=False
    )
    rating_high = serializers.IntegerField(
        min_value=0, max_value=10_000, allow_null=True, required=False
    )
    least_matches = serializers.IntegerField(min_value=0, max_value=1000, required=False)
    least_reliability = serializers.IntegerField(min_value=0, max_value=100, required=False)
    by_invitation = serializers.BooleanField(required=False)
    club_id = serializers.IntegerField(
        min_value=1,
        max_value=2**62,
        allow_null=True,
        required=False,
        help_text="A club of the caller, whose members alone may enter.",
    )
    late_until = serializers.IntegerField(min_value=0, max_value=100, required=False)
    tie_breaks = BoundedList(
        child=serializers.ChoiceField(choices=list(TIE_BREAKS)), max_length=MOST, required=False
    )


class NewTournament(TermsSerializer):
    """A tournament to announce. Those left out have the values of the page."""

    title = serializers.CharField(max_length=60, help_text=TITLE)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("name", "format", "most", "starts", "clock", "round_days"):
            self.fields[name].required = True


class NewAct(Body):
    """An act of an organiser. Which values it needs depends on its kind."""

    kind = serializers.ChoiceField(choices=KINDS, help_text="What to do.")
    reason = serializers.CharField(
        max_length=organising.MAX_MESSAGE,
        allow_blank=True,
        default="",
        help_text="Everybody reads it. For `message`, the text. `remove`, `pause` and `settle`"
        " need one.",
    )
    terms = TermsSerializer(required=False, help_text="For `edit`.")
    name = serializers.CharField(
        max_length=40,
        required=False,
        help_text="A player: for `invite`, `remove`, `share`, `unshare`, `hand-over` and `word`.",
    )
    club = _number("The id of a club that you lead, for `club`: all its members are invited.")
    days = _number("For `extend`.")
    table = _number("The `id` of a table, for `settle`.")
    outcome = serializers.CharField(
        max_length=40,
        required=False,
        help_text="For `settle`: the name of the winner, `draw` or `nobody`.",
    )
    round = _number("For `late`: the last round that may be a player’s first. 0 for no.")
    request = _number("For `bye`: the `id` of one of the `bye_requests`.")
    act = _number("For `undo`: the `id` of an act in the log. Only moderators undo.")
    word = serializers.CharField(
        max_length=40, allow_blank=True, required=False, help_text="For `word`; empty removes it."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Check that an act has the values that its kind needs, and no others.

        :raises ValidationError: one is missing, or doesn't belong to the kind.
        """
        kind = Kind(attrs["kind"])
        needed = {"terms"} if kind == Kind.EDIT else set(organising.ACTS[kind].values)
        sent = set(attrs) - {"kind", "reason"}
        wrong = {name: ["This act needs it."] for name in needed - sent}
        wrong |= {name: ["This act doesn’t take it."] for name in sent - needed}
        if wrong:
            raise serializers.ValidationError(wrong)
        return attrs


class ActSerializer(serializers.Serializer[Any]):
    """An act in the log."""

    id = serializers.IntegerField(source="act.pk")
    at = MomentField(source="act.at")
    kind = serializers.CharField(source="act.kind")
    who = serializers.CharField()
    by_moderator = serializers.BooleanField(source="act.by_moderator")
    did = serializers.CharField(help_text="What was done, in words that follow the name.")
    changes = serializers.ListField(
        child=serializers.ListField(child=serializers.CharField()),
        help_text="For `edit`: each term with its values before and after, in words.",
    )
    reason = serializers.CharField(source="text")
    undone_by = serializers.CharField(help_text="The moderator who undid it, or empty.")


class TournamentsView(Tournaments):
    scope = ApiToken.Scope.CHALLENGE

    @extend_schema(request=NewTournament, responses={200: WholeTournamentSerializer})
    def post(self, request: Request) -> Response:
        """Announce a tournament, as its organiser."""
        values = body_of(request, NewTournament)
        if values["title"] not in registry.titles():
            raise NotFound(_("There is no such game."))
        limits.spend(request, "tournament")
        made = services.create(
            organiser=caller(request),
            now=timezone.now(),
            **{
                **values,
                "format": Tournament.Format(values["format"]),
                "clock": Clock.load(values["clock"]),
                "params": values.get("params", {}),
            },
        )
        return whole(made.pk)


class ActsView(ApiView):
    is_public = True
    scope = ApiToken.Scope.CHALLENGE

    @extend_schema(responses=ActSerializer(many=True))
    def get(self, request: Request, event_id: int) -> Response:
        """Read the log of what organisers and moderators did, the latest first."""
        lines = acts.log_lines(selectors.acts_of(_found(event_id)))
        return Response(ActSerializer(lines, many=True).data)

    @extend_schema(request=NewAct, responses={200: WholeTournamentSerializer})
    def post(self, request: Request, event_id: int) -> Response:
        """Do what an organiser may do.

        Moderators do the same with a session that has shown a second factor, and give a reason.
        """
        tournament = _found(event_id)
        user = caller(request)
        by_moderator = organising.may_moderate(user) and moderates(request)
        if not by_moderator and not selectors.organises(tournament, user):
            raise PermissionDenied(_("Only the organisers of this tournament can do this."))
        values = body_of(request, NewAct)
        kind = Kind(values.pop("kind"))
        if kind == Kind.EDIT:
            values |= _all_terms(tournament, values.pop("terms"))
        limits.spend(request, organising.LIMITS.get(kind, "organise"))
        organising.act(
            tournament_id=event_id,
            user=user,
            kind=kind,
            now=timezone.now(),
            moderates=by_moderator,
            **values,
        )
        return whole(event_id)


def _all_terms(tournament: Tournament, changed: dict[str, Any]) -> dict[str, Any]:
    """Return the terms of a tournament with those changed, as :func:`organising.act` takes them."""
    values = {name: getattr(tournament, name) for name in terms.LABELS} | changed
    values["tie_breaks"] = values["tie_breaks"] or []
    return {
        **values,
        "format": Tournament.Format(values["format"]),
        "clock": Clock.load(values["clock"]),
    }


def _found(event_id: int) -> Tournament:
    try:
        return selectors.get(event_id)
    except NoSuchTournament as unknown:
        raise NotFound(str(unknown)) from unknown


class AnsweringView(ApiView):
    scope = ApiToken.Scope.CHALLENGE

    def answer(self, request: Request, event_id: int, *, accepts: bool) -> Response:
        limits.spend(request, "enter")
        _found(event_id)
        organising.answer(
            tournament_id=event_id, user=caller(request), accepts=accepts, now=timezone.now()
        )
        return whole(event_id)


class AcceptView(AnsweringView):
    @extend_schema(request=None, responses={200: WholeTournamentSerializer})
    def post(self, request: Request, event_id: int) -> Response:
        """Accept to organise a tournament together with others."""
        return self.answer(request, event_id, accepts=True)


class DeclineView(AnsweringView):
    @extend_schema(request=None, responses={200: WholeTournamentSerializer})
    def post(self, request: Request, event_id: int) -> Response:
        """Decline an invitation or a shared job, or give the job back."""
        return self.answer(request, event_id, accepts=False)


class ByeView(ApiView):
    scope = ApiToken.Scope.CHALLENGE

    @extend_schema(request=None, responses={200: WholeTournamentSerializer})
    def post(self, request: Request, event_id: int) -> Response:
        """Ask for a bye in the next round of a Swiss tournament, or take the request back."""
        limits.spend(request, "enter")
        _found(event_id)
        organising.ask_for_bye(tournament_id=event_id, user=caller(request), now=timezone.now())
        return whole(event_id)
