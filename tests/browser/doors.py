"""The URLs of the site under test, with doors for tests past pages that other tests look at."""

import json
from hashlib import sha256
from uuid import uuid4

from allauth.account.internal.flows.login import record_authentication
from allauth.account.signals import user_logged_in
from django.conf import settings
from django.contrib.auth import login
from django.http import HttpResponse, JsonResponse
from django.urls import path
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from accounts.models import User
from accounts.services import create_user
from config.local.urls import handler429, handler500
from config.local.urls import urlpatterns as everywhere
from games.kernel import params, registry
from games.matches import selectors, services
from games.matches.clock import PRESETS
from games.matches.models import Player

__all__ = ["handler429", "handler500", "urlpatterns"]


@csrf_exempt
@require_POST
def join(request):
    """Sign in somebody new, whose address is confirmed."""
    fields = {name: request.POST[name] for name in ("username", "email", "password")}
    return _signed_in(request, create_user(**fields, confirmed=True))


@csrf_exempt
@require_POST
def sign_in(request):
    user = User.objects.get(username=request.POST["username"])
    record_authentication(request, user, method="password", username=user.username)
    return _signed_in(request, user)


def _signed_in(request, user):
    login(request, user, backend=settings.AUTHENTICATION_BACKENDS[0])
    answer = HttpResponse()
    user_logged_in.send(sender=User, request=request, response=answer, user=user)
    return answer


@csrf_exempt
@require_POST
def begin(request):
    """Begin a match, players in seat order, dice drawn from a seed, and play its first moves."""
    given = json.loads(request.body)
    game = registry.get(given["game"])
    users = [User.objects.get(username=name) for name in given["players"]]
    match = services.start(
        title=game.meta.slug,
        params=params.complete(game.meta, given["params"]),
        clock=PRESETS["standard"],
        secret=sha256(str(given["seed"]).encode()).digest(),
        participants=[services.Participant(user, bytes([n]) * 32) for n, user in enumerate(users)],
        last_joiner=users[-1],
        now=timezone.now(),
    )
    for text in given["moves"]:
        _play(match.pk, text, users)
    return JsonResponse({"match": match.pk})


@csrf_exempt
@require_POST
def play(request):
    """Play the first legal move in a match, for the player to move."""
    match_id = json.loads(request.body)["match"]
    seats = Player.objects.filter(match=match_id).order_by("seat").select_related("user")
    _play(match_id, "", [one.user for one in seats])
    return HttpResponse()


def _play(match_id, text, users):
    """Play a move of the first seat that may move, or the first of all its moves for ``""``."""
    table = selectors.snapshot(match_id)
    (seat, *_) = table.title.actors(table.state)
    services.play_move(
        match_id=match_id,
        user=users[seat],
        texts=[text or str(next(iter(table.title.moves(table.state, seat))))],
        version=table.match.version,
        submission=uuid4(),
        now=timezone.now(),
    )


urlpatterns = [
    path("doors/join/", join),
    path("doors/sign-in/", sign_in),
    path("doors/begin/", begin),
    path("doors/play/", play),
    *everywhere,
]
