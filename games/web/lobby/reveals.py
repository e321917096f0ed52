"""Strict dice: a browser asks where its nonce is due, and reveals it.

Scripts (``static/js/site/reveal.js``) call both views, which return JSON.
"""

from typing import Any

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import JsonResponse
from django.middleware.csrf import get_token
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts import limits
from accounts.models import User
from accounts.requests import UserRequest
from games.http.echo import shorten_echo
from games.http.errors import status_of
from games.kernel.errors import GameError
from games.lobby import selectors, services
from games.lobby.models import Challenge
from games.lobby.reveals import COMMITMENT
from games.web.lobby.forms import NonceField

MAX_COMMITMENTS = 50
"""Maximum number of commitments that a browser may ask about at once."""


class RevealForm(forms.Form):
    nonce = NonceField()


@login_required
@require_safe
@never_cache
def reveals(request: UserRequest) -> JsonResponse:
    """The challenges that wait for the user's nonce, and which ``?commitment=`` are pending."""
    asked = [
        text
        for text in request.GET.getlist("commitment")[:MAX_COMMITMENTS]
        if COMMITMENT.fullmatch(text)
    ]
    due = [_due(challenge, request.user) for challenge in selectors.awaiting_nonce(request.user)]
    pending = sorted(selectors.pending_commitments(asked))
    return JsonResponse({"due": due, "pending": pending, "token": get_token(request)})


def _due(challenge: Challenge, user: User) -> dict[str, Any]:
    """Return what a browser checks before it reveals: all commitments, in seat order."""
    invitations = selectors.seated(challenge)
    own = next(invitation for invitation in invitations if invitation.user_id == user.pk)
    return {
        "challenge": challenge.get_absolute_url(),
        "reveal": reverse("challenge-reveal", args=[challenge.pk]),
        "commitment": challenge.commitment,
        "nonce_commitment": own.nonce_commitment,
        "nonce_commitments": [invitation.nonce_commitment for invitation in invitations],
    }


@login_required
@require_POST
@limits.limited("answer")
def reveal(request: UserRequest, pk: int) -> JsonResponse:
    """Reveal the user's nonce. The response has the match if that was the last one."""
    form = RevealForm(request.POST)
    nonce = form.cleaned_data["nonce"] if form.is_valid() else b""
    try:
        challenge = services.reveal(
            challenge_id=pk, user=request.user, nonce=nonce, now=timezone.now()
        )
    except GameError as refusal:
        return JsonResponse({"detail": shorten_echo(str(refusal))}, status=status_of(refusal))
    return JsonResponse({"match": challenge.match.get_absolute_url() if challenge.match else None})
