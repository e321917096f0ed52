"""The lobby: lists of challenges, their pages and answers."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from accounts import devices, guests, limits
from accounts.models import User
from accounts.notifications import mark_seen
from accounts.optional import optional_write
from accounts.requests import UserRequest, signed_in
from games.bots.services import level_for
from games.http.paging import page_of
from games.kernel import registry
from games.kernel.errors import GameError
from games.ladders import selectors as ladders
from games.lobby import reliability, renewals, reveals, selectors, services
from games.lobby.commitments import CommitmentRefused
from games.lobby.models import Challenge, Invitation
from games.lobby.notifications import page_key
from games.matches import formatting
from games.ratings.selectors import DisplayedRating, of_many
from games.web import refusals
from games.web.lobby.forms import AnswerForm, ChallengeForm, FindForm, LobbyFilter
from games.web.titles import title_or_404

FROM_BOTS = 20
"""Maximum number of bots' challenges in the lobby."""

FEW = 5
"""Maximum number of others' challenges offered to the creator of one."""

REASON_TOO_LONG = gettext_lazy("Your reason is too long. Please shorten it.")
BROKEN_LINK = gettext_lazy("The link to this challenge is incomplete. Please open it again.")


@require_safe
def lobby(request: HttpRequest) -> HttpResponse:
    """Show open challenges of people, then of bots. Those from and to the user are on top."""
    form = LobbyFilter(request.GET)
    user = request.user
    context: dict[str, Any] = {
        "form": form,
        "titles": registry.titles().values(),
        "received": (),
        "made": (),
    }
    challenges = selectors.open_to_all()
    if user.is_authenticated:
        received, made = selectors.received_and_made(user, services.MAX_OPEN)
        context |= {"received": received, "made": made}
        challenges = selectors.open_to_others(user)
    challenges = form.kept(challenges)
    context["page"] = page_of(selectors.by_people(challenges), request, by="-created")
    context["from_bots"] = selectors.by_bots(challenges)[:FROM_BOTS]
    slug = form.cleaned_data.get("game")
    context["game"] = registry.get(slug) if slug else None
    context["find_form"] = FindForm(initial={"game": slug})
    return render(request, "lobby/lobby.html", context)


@login_required
@limits.limited("challenge")
def challenge_new(request: UserRequest, slug: str) -> HttpResponse:
    """The form of a new challenge. With ``sentence`` in the query, only that challenge in words.

    A form from a page without scripts names the sentence that it showed. If the challenge has
    changed since, the page shows the new sentence and waits for a second press.
    """
    meta = title_or_404(slug).meta
    name = request.GET.get("player", "")
    is_changed = False
    if "sentence" in request.GET:
        asked = ChallengeForm(request.GET, meta=meta, user=request.user)
        return HttpResponse(asked.sentence, content_type="text/plain; charset=utf-8")
    if request.method == "POST":
        form = ChallengeForm(request.POST, meta=meta, user=request.user)
        is_changed = form.is_valid() and request.POST.get("shown") not in (None, form.sentence)
        if form.is_valid() and not is_changed and (made := _made(request, form)):
            return redirect(made)
    else:
        form = ChallengeForm.filled_in(meta=meta, user=request.user, opponent=name)
    context = {
        "form": form,
        "title": registry.get(slug),
        "meta": meta,
        "is_open": bool(form.errors or is_changed or "settings" in request.GET),
        "is_changed": is_changed,
    }
    return render(request, "challenge/new.html", context)


def _made(request: UserRequest, form: ChallengeForm) -> Challenge | None:
    invited = [user.pk for user in form.cleaned_data["players"]]
    if invited:
        limits.spend(request, "invite", others=invited)
    try:
        now = timezone.now()
        most = form.cleaned_data["keep_up_to"]
        terms = {**form.arguments(), **form.bot_terms(now)}
        if most:
            return renewals.keep(user=request.user, most=most, terms=terms, now=now)
        return services.challenge(creator=request.user, now=now, **terms)
    except GameError as refusal:
        form.add_error(None, str(refusal))
        if isinstance(refusal, CommitmentRefused):
            form.renew_commitment()
        return None


@require_safe
def challenge(request: HttpRequest, pk: int, token: str = "") -> HttpResponse:
    """Show a challenge and the user's possible actions."""
    user = request.user if request.user.is_authenticated else None
    challenge = selectors.get_for(pk, user, token)
    if user is not None:
        with optional_write("which notifications were seen"):
            mark_seen(recipient=user, page_keys=[page_key(pk)], now=timezone.now())
    context = {
        "challenge": challenge,
        "meta": registry.get(challenge.title).meta,
        "form": AnswerForm(initial={"token": token}),
        "reliability": reliability.of(challenge.creator, timezone.now()),
        "ratings": _ratings(challenge),
        **_answers(challenge, user, token),
        **_meanwhile(challenge, user),
        "for_place": ladders.of_challenge(challenge) if challenge.is_pending else None,
        "is_makers_browser": _is_makers_browser(request, challenge),
    }
    return render(request, "challenge/challenge.html", context)


def _meanwhile(challenge: Challenge, user: User | None) -> dict[str, Any]:
    """Return what the creator of an open challenge can do until somebody accepts it."""
    is_open = challenge.is_open and challenge.audience == Challenge.Audience.OPEN
    if user is None or user.pk != challenge.creator_id or not is_open:
        return {"others": ()}
    same_game = selectors.open_to_others(user).filter(title=challenge.title)
    return {
        "bot_level": level_for(user, challenge.title, timezone.now()),
        "others": selectors.people_first(same_game)[:FEW],
    }


def _ratings(challenge: Challenge) -> dict[int, DisplayedRating]:
    """Return the ratings of the invited and seated users, by user."""
    wanted = [(one.user_id, challenge.title) for one in challenge.invitations.all()]
    return {user: shown for (user, _), shown in of_many(wanted, timezone.now()).items()}


def _is_makers_browser(request: HttpRequest, challenge: Challenge) -> bool:
    """Whether a signed-out visitor uses the browser of the creator of a challenge."""
    is_stranger = not request.user.is_authenticated or guests.guest_of(request) is not None
    return is_stranger and bool(devices.known_as(request, challenge.creator.username))


def _answers(challenge: Challenge, user: Any, token: str) -> dict[str, Any]:
    own = user is not None and challenge.creator_id == user.pk
    invitation = selectors.invitation_of(challenge, user) if user else None
    awaited = reveals.awaited(challenge)
    may_accept = user is None or selectors.may_accept(challenge, user, token)
    return {
        "own": own,
        "refusal": services.refusal(challenge, user, timezone.now()) if user and may_accept else "",
        "needs_account": challenge.audience == Challenge.Audience.OPEN
        and (user is None or user.is_guest),
        "invitation": invitation,
        "taken": selectors.taken(challenge),
        "open_seats": challenge.seats - len(selectors.taken(challenge)),
        "drawn_here": [p.user.shown_name for p in selectors.taken(challenge) if _made_here(p)],
        "seated": selectors.seated(challenge),
        "awaited": awaited,
        "missing": formatting.names([seat.user.shown_name for seat in awaited]) if awaited else "",
        "may_accept": may_accept,
        "may_decline": invitation is not None
        and not own
        and invitation.state != invitation.State.DECLINED,
    }


def _made_here(invitation: Invitation) -> bool:
    """Whether the server drew a person's nonce. With strict dice it never does."""
    own = invitation.nonce_is_own or invitation.nonce_commitment
    return not (own or invitation.user.is_bot)


@require_POST
def challenge_accept(request: HttpRequest, pk: int) -> HttpResponse:
    """Take a seat, and go to the match if it was the last one.

    With the link of a challenge no account is needed: the visitor becomes a guest.
    """
    if not request.user.is_authenticated:
        if not _has_link(request, pk):
            return redirect_to_login(reverse("challenge", args=[pk]))
        guests.sign_in(request, now=timezone.now())
    user = signed_in(request)

    def accept(answer: dict[str, Any]) -> Challenge:
        return services.accept(
            challenge_id=pk,
            user=user,
            now=timezone.now(),
            token=answer["token"],
            nonce=answer["nonce"],
            nonce_commitment=answer["nonce_commitment"],
        )

    return _answered(request, pk, accept)


def _has_link(request: HttpRequest, pk: int) -> bool:
    """Whether a visitor has sent the token of an open challenge by link."""
    form = AnswerForm(request.POST)
    challenge = selectors.get(pk) if Challenge.objects.filter(pk=pk).exists() else None
    return (
        challenge is not None
        and form.is_valid()
        and challenge.is_open
        and selectors.has_link(challenge, form.cleaned_data["token"])
    )


@login_required
@require_POST
def challenge_decline(request: UserRequest, pk: int) -> HttpResponse:
    def decline(answer: dict[str, Any]) -> Challenge:
        reason = answer["reason"]
        return services.decline(
            challenge_id=pk, user=request.user, now=timezone.now(), reason=reason
        )

    return _answered(request, pk, decline)


@login_required
@require_POST
def challenge_withdraw(request: UserRequest, pk: int) -> HttpResponse:
    def withdraw(_answer: dict[str, Any]) -> Challenge:
        return services.withdraw(challenge_id=pk, user=request.user, now=timezone.now())

    return _answered(request, pk, withdraw)


def _answered(
    request: HttpRequest, pk: int, act: Callable[[dict[str, Any]], Challenge]
) -> HttpResponse:
    """Answer a challenge and go to it or its match. A refusal is a message on its page."""
    others = Challenge.objects.filter(pk=pk).exclude(creator=request.user.pk)
    limits.spend(request, "answer", others=others.values_list("creator_id", flat=True))
    form = AnswerForm(request.POST)
    if not form.is_valid():
        messages.error(request, BROKEN_LINK if "token" in form.errors else REASON_TOO_LONG)
        return redirect("challenge", pk)
    with refusals.AsMessage(request):
        result = act(form.cleaned_data)
        return redirect(result.match or result)
    token = form.cleaned_data["token"]
    return redirect("challenge-link", pk, token) if token else redirect("challenge", pk)
