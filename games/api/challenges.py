"""API views of challenges, which use the same services as the pages."""

from collections.abc import Callable, Sequence
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from accounts import limits
from accounts.models import ApiToken
from games.api import challenge_serializers as shapes
from games.api import paging
from games.api.base import ApiView, body_of, caller, query_of
from games.api.serializers import dump_all
from games.lobby import commitments, finding, selectors, services
from games.lobby.commitments import CommitmentRefused, PendingSecret
from games.lobby.finding import Wanted
from games.lobby.models import Challenge, Invitation
from games.matches.clock import PRESETS
from games.matches.errors import Refused

LINK = OpenApiParameter("link", str, description="The secret part of the link to the challenge.")
CREATED = 201
REPEATED = 200


class WhichQuery(serializers.Serializer[Any]):
    """The query parameters of the list of challenges."""

    which = serializers.ChoiceField(
        choices=["open", "received", "made", "revealing"],
        default="open",
        help_text="`open` to anybody, `received` or `made` by the caller, or `revealing`:"
        " those with strict dice that wait for the caller’s nonce.",
    )


class Challenging(ApiView):
    scope = ApiToken.Scope.CHALLENGE


class Challenges(Challenging):
    is_public = True

    @extend_schema(
        parameters=[WhichQuery, paging.PLACE],
        responses=paging.listed(shapes.ChallengeSerializer),
    )
    def get(self, request: Request) -> Response:
        """List pending challenges, the latest first."""
        which = query_of(request, WhichQuery)["which"]
        if which != "open" and not request.user.is_authenticated:
            raise NotAuthenticated
        own = {
            "received": selectors.received,
            "made": selectors.made,
            "revealing": selectors.awaiting_nonce,
        }
        challenges = (
            own[which](caller(request)) if which in own else selectors.open_to_all(request.user)
        )
        return paging.answer(request, challenges, "-created", lambda few: _dump_all(few, request))

    @extend_schema(
        request=shapes.NewChallenge,
        responses={201: shapes.ChallengeSerializer, 200: shapes.ChallengeSerializer},
    )
    def post(self, request: Request) -> Response:
        """Make a challenge and take its first seat; 200 if the submission was made before."""
        limits.spend(request, "challenge")
        form = shapes.NewChallenge(data=request.data)
        form.is_valid(raise_exception=True)
        pending = _pending(request.user, form.validated_data)
        arguments = form.arguments()
        if repeated := _made_of(request.user, pending):
            return dump(repeated, request, REPEATED)
        if arguments["invited"]:
            others = [user.pk for user in arguments["invited"]]
            limits.spend(request, "invite", others=others)
        try:
            made = services.challenge(
                creator=caller(request), now=timezone.now(), pending=pending, **arguments
            )
        except CommitmentRefused:
            # the same submission was made concurrently
            if repeated := _made_of(request.user, pending):
                return dump(repeated, request, REPEATED)
            raise
        return dump(selectors.get(made.pk), request, CREATED)


def _pending(user: Any, sent: dict[str, Any]) -> PendingSecret:
    """Return the secret whose commitment the caller saw, or the secret of the submission."""
    if token := sent["commitment_token"]:
        return commitments.redeem(user, token)
    if sent["nonce"] or sent["nonce_commitment"]:
        raise CommitmentRefused(
            _("A nonce counts only with the commitment that was shown before it.")
        )
    return commitments.of_submission(user, sent["submission"])


def _made_of(user: Any, pending: PendingSecret) -> Challenge | None:
    made = Challenge.objects.filter(creator=user, commitment=pending.commitment)
    return selectors.with_people(made).first()


class FindView(Challenging):
    @extend_schema(request=shapes.Search, responses={200: shapes.ChallengeSerializer})
    def post(self, request: Request) -> Response:
        """Accept the open challenge that fits best, otherwise post one.

        The answer is the challenge, with its match if one has begun. Repeating it has no effect
        while your own challenge is open.
        """
        limits.spend(request, "challenge")
        sent = body_of(request, shapes.Search)
        clock = PRESETS[sent["pace"]]
        wanted = Wanted(sent["title"], clock, sent["rated"], sent["rating_within"])
        result = finding.find(user=caller(request), wanted=wanted, now=timezone.now())
        return dump(selectors.get(result.pk), request)


class CommitmentView(Challenging):
    @extend_schema(request=None, responses={200: shapes.CommitmentSerializer})
    def post(self, request: Request) -> Response:
        """Get a commitment to the dice, before you draw a nonce of your own (docs: dice)."""
        pending = commitments.make(caller(request))
        return Response({"commitment": pending.commitment, "token": pending.token})


class ChallengeView(Challenging):
    is_public = True

    @extend_schema(parameters=[LINK], responses=shapes.ChallengeSerializer)
    def get(self, request: Request, challenge_id: int) -> Response:
        """Read a challenge."""
        user = request.user if request.user.is_authenticated else None
        link = request.query_params.get("link", "")
        return dump(selectors.get_for(challenge_id, user, link), request)


class Answering(Challenging):
    def answer(
        self, request: Request, challenge_id: int, act: Callable[[dict[str, Any]], Challenge]
    ) -> Response:
        """Answer a challenge and return its new state."""
        others = Challenge.objects.filter(pk=challenge_id).exclude(creator=request.user.pk)
        limits.spend(request, "answer", others=others.values_list("creator_id", flat=True))
        act(body_of(request, shapes.Answer))
        return dump(selectors.get(challenge_id), request)


class AcceptView(Answering):
    @extend_schema(request=shapes.Answer, responses={200: shapes.ChallengeSerializer})
    def post(self, request: Request, challenge_id: int) -> Response:
        """Take a seat; the last one starts the match. Repeating it has no effect."""

        def accept(sent: dict[str, Any]) -> Challenge:
            return services.accept(
                challenge_id=challenge_id,
                user=caller(request),
                now=timezone.now(),
                token=sent["link"],
                nonce=sent["nonce"],
                nonce_commitment=sent["nonce_commitment"],
            )

        return self.answer(request, challenge_id, accept)


class RevealView(Answering):
    @extend_schema(request=shapes.Answer, responses={200: shapes.ChallengeSerializer})
    def post(self, request: Request, challenge_id: int) -> Response:
        """Reveal the committed nonce, with strict dice. Repeating it has no effect."""

        def reveal(sent: dict[str, Any]) -> Challenge:
            now = timezone.now()
            return services.reveal(
                challenge_id=challenge_id, user=caller(request), nonce=sent["nonce"], now=now
            )

        return self.answer(request, challenge_id, reveal)


class DeclineView(Answering):
    @extend_schema(request=shapes.Answer, responses={200: shapes.ChallengeSerializer})
    def post(self, request: Request, challenge_id: int) -> Response:
        """Decline an invitation, or give a seat back. Repeating it has no effect."""

        def decline(sent: dict[str, Any]) -> Challenge:
            user = caller(request)
            reason = sent["reason"]
            try:
                return services.decline(
                    challenge_id=challenge_id, user=user, now=timezone.now(), reason=reason
                )
            except Refused:
                challenge = selectors.get(challenge_id)
                own = selectors.invitation_of(challenge, user)
                if own is None or own.state != Invitation.State.DECLINED:
                    raise
                return challenge

        return self.answer(request, challenge_id, decline)


class WithdrawView(Answering):
    @extend_schema(request=shapes.Answer, responses={200: shapes.ChallengeSerializer})
    def post(self, request: Request, challenge_id: int) -> Response:
        """Withdraw the caller’s own challenge. Repeating it has no effect."""

        def withdraw(sent: dict[str, Any]) -> Challenge:
            user = caller(request)
            now = timezone.now()
            try:
                return services.withdraw(challenge_id=challenge_id, user=user, now=now)
            except Refused:
                challenge = selectors.get(challenge_id)
                withdrawn = challenge.status == Challenge.Status.WITHDRAWN
                if challenge.creator_id != user.pk or not withdrawn:
                    raise
                return challenge

        return self.answer(request, challenge_id, withdraw)


def dump(challenge: Challenge, request: Request, status: int = 200) -> Response:
    return Response(_dump_all([challenge], request)[0], status)


def _dump_all(challenges: Sequence[Challenge], request: Request) -> Any:
    return dump_all(shapes.ChallengeSerializer, challenges, caller=request.user.pk)
