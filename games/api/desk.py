"""API views of what moderators do about clubs, tournaments, team matches and noticeboards.

They need a session that has shown a second factor, as the desk does. Tokens never moderate.
"""

from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotFound, PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import ApiToken, User
from accounts.security import second_factor
from games.api.base import ApiView, body_of, caller
from games.api.lists import named
from games.api.serializers import Body
from games.moderation import actions, cases
from games.moderation.case_actions import ACTIONS, MAX_REASON_LENGTH
from games.moderation.models import Case

CREATED = 201
NOTHING = 204

ACTS = (
    "hide-post",
    "restore-post",
    "clear-events",
    "close-club",
    "clear-club",
    "cancel-team-match",
)
"""Those of :data:`games.moderation.case_actions.ACTIONS` that are open to programs."""


def moderates(request: Request) -> bool:
    """Whether the caller's session has shown a second factor. A token never has."""
    return not isinstance(request.auth, ApiToken) and second_factor.is_shown(request)


class NewCase(Body):
    """A case to open."""

    player = serializers.CharField(max_length=40, help_text="The name of the suspect.")
    kind = serializers.ChoiceField(choices=Case.Kind.choices)
    reason = serializers.CharField(
        max_length=MAX_REASON_LENGTH, help_text="For other moderators, and for the log."
    )


class CaseSerializer(serializers.Serializer[Case]):
    """A case."""

    id = serializers.IntegerField()
    player = serializers.CharField(source="suspect.username")
    kind = serializers.CharField()
    status = serializers.CharField()


class CaseAct(Body):
    """What to do in a case. Each act needs one of the numbers, except `clear-events`."""

    act = serializers.ChoiceField(
        choices=[(name, ACTIONS[name].label) for name in ACTS], help_text="What to do."
    )
    reason = serializers.CharField(
        max_length=MAX_REASON_LENGTH, help_text="Those concerned read it, and it stays in the log."
    )
    post = serializers.IntegerField(min_value=1, max_value=2**62, required=False)
    club = serializers.IntegerField(min_value=1, max_value=2**62, required=False)
    team_match = serializers.IntegerField(min_value=1, max_value=2**62, required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Check that an act has the number that it needs, and no other.

        :raises ValidationError: one is missing, or doesn't belong to the act.
        """
        needed = set(ACTIONS[attrs["act"]].required)
        sent = set(attrs) - {"act", "reason"}
        wrong = {name: ["This act needs it."] for name in needed - sent}
        wrong |= {name: ["This act doesn’t take it."] for name in sent - needed}
        if wrong:
            raise serializers.ValidationError(wrong)
        return attrs


class PostDecision(Body):
    """What becomes of a post that waits."""

    shows = serializers.BooleanField(help_text="Whether it is shown. Otherwise it is hidden.")


class DeskView(ApiView):
    scope = ApiToken.Scope.CHALLENGE

    def moderator(self, request: Request, power: str = "use_desk") -> User:
        """Return the caller.

        :raises PermissionDenied: they don't have this permission, or showed no second factor.
        """
        user = caller(request)
        if not user.has_perms(["moderation.use_desk", f"moderation.{power}"]):
            raise PermissionDenied("Only moderators can do this.")
        if not moderates(request):
            raise PermissionDenied("Sign in on the site and show your second factor first.")
        return user


class CasesView(DeskView):
    @extend_schema(request=NewCase, responses={201: CaseSerializer})
    def post(self, request: Request) -> Response:
        """Open a case about a player, as a moderator, or find the one that is open."""
        moderator = self.moderator(request)
        asked = body_of(request, NewCase)
        case = cases.open_by(
            moderator,
            suspect=named(asked["player"]),
            kind=Case.Kind(asked["kind"]),
            reason=asked["reason"],
            now=timezone.now(),
        )
        return Response(CaseSerializer(case).data, status=CREATED)


class CaseActsView(DeskView):
    @extend_schema(request=CaseAct, responses={204: None})
    def post(self, request: Request, case_id: int) -> Response:
        """Do what a moderator may do in a case. It is logged, and those concerned are notified."""
        self.moderator(request)
        case = Case.objects.select_related("suspect").filter(pk=case_id).first()
        if case is None:
            raise NotFound("There is no such case.")
        asked = body_of(request, CaseAct)
        action = ACTIONS[asked["act"]]
        moderator = self.moderator(request, action.permission)
        values = [asked[name] for name in action.required]
        how: dict[str, Any] = {"moderator": moderator, "reason": asked["reason"]}
        action.run(case, *values, **how, now=timezone.now())
        return Response(status=NOTHING)


class WaitingPostView(DeskView):
    @extend_schema(request=PostDecision, responses={204: None})
    def post(self, request: Request, post_id: int) -> Response:
        """Show or hide the first post of an account, which waits because it has a link."""
        moderator = self.moderator(request)
        shows = body_of(request, PostDecision)["shows"]
        actions.decide_post(post_id, shows=shows, moderator=moderator, now=timezone.now())
        return Response(status=NOTHING)
