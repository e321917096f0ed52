"""The chat of a match, private notes, and muting."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_http_methods, require_POST

from accounts import limits, notifications
from accounts.limits import limited
from accounts.models import User
from accounts.optional import optional_write
from accounts.requests import UserRequest, signed_in
from games.http.errors import TooFast, status_of
from games.kernel.errors import GameError
from games.matches import selectors as matches
from games.matches.notify import notifications as match_notifications
from games.talk import selectors, services
from games.talk.errors import NoLine
from games.web.talk.panel import SHOWN_LINES, ChatPanel, submission_of

PAGE_LENGTH = 100
"""Lines of a room on a page of the whole chat."""

PART = "chat"
"""The part that scripts request."""


@cache_control(private=True, no_cache=True)
@require_http_methods(["GET", "HEAD", "POST"])
def chat(request: HttpRequest, match_id: int) -> HttpResponse:
    """Show the whole chat of a match, which marks it as read, or write a line."""
    if request.method == "POST":
        return _say(request, match_id)
    panel = _panel(request, match_id)
    if not panel.rooms and not request.user.is_authenticated:
        return _sign_in(request)
    if request.GET.get("part") != PART:
        _note_read(request, match_id, panel.last)
    return _answer(request, panel)


def _sign_in(request: HttpRequest) -> HttpResponse:
    return redirect(f"{reverse('account_login')}?next={request.path}")


def _panel(request: HttpRequest, match_id: int, **refused: Any) -> ChatPanel:
    match, players = selectors.seated(match_id)
    length = SHOWN_LINES if request.GET.get("part") == PART else PAGE_LENGTH
    return ChatPanel(match, players, request.user, request, length, **refused)


def _answer(request: HttpRequest, panel: ChatPanel) -> HttpResponse:
    status = status_of(panel.error) if panel.error else 200
    template = "talk/chat_part.html" if request.GET.get("part") == PART else "talk/chat.html"
    return render(request, template, {"chat": panel}, status=status)


def _say(request: HttpRequest, match_id: int) -> HttpResponse:
    if not request.user.is_authenticated:
        return _sign_in(request)
    user = signed_in(request)
    text = request.POST.get("text", "")
    try:
        limits.spend(request, "chat", others=matches.opponents(match_id, user.pk))
        result = services.say(
            match_id=match_id,
            user=user,
            text=text,
            submission=submission_of(request),
            now=timezone.now(),
        )
    except limits.TooMany as refusal:
        return _refuse(request, match_id, text, TooFast(refusal.wait))
    except GameError as refusal:
        return _refuse(request, match_id, text, refusal)
    services.mark_read(match_id=match_id, user=user, line_id=result.line.pk)
    if request.GET.get("part") == PART:
        return _answer(request, _panel(request, match_id))
    return redirect(f"{reverse('match', args=[match_id])}#match-chat")


def _refuse(request: HttpRequest, match_id: int, text: str, refusal: GameError) -> HttpResponse:
    answer = _answer(request, _panel(request, match_id, typed=text, error=refusal))
    if isinstance(refusal, TooFast):
        answer.headers["Retry-After"] = str(refusal.wait)
    return answer


def _note_read(request: HttpRequest, match_id: int, line_id: int) -> None:
    """Note that a user has seen the chat up to a line, and the notifications of the match."""
    if not request.user.is_authenticated or not line_id:
        return
    with optional_write("how far a chat was read"):
        services.mark_read(match_id=match_id, user=request.user, line_id=line_id)
        notifications.mark_seen(
            recipient=request.user,
            page_keys=[match_notifications.page_key(match_id)],
            now=timezone.now(),
        )


@login_required
@require_POST
@limited("chat-read")
def read(request: UserRequest, match_id: int) -> HttpResponse:
    """Note that the user has read up to a line. Scripts send this when the chat is visible."""
    line = request.POST.get("line", "")
    panel = _panel(request, match_id)
    if panel.rooms and line.isascii() and line.isdigit() and len(line) < len(str(2**63)):
        _note_read(request, match_id, int(line))
    return HttpResponse(status=204)


@login_required
@require_POST
@limited("note")
def note(request: UserRequest, match_id: int) -> HttpResponse:
    """Save the user's private note about a match."""
    if request.user.is_guest:
        return redirect("account_signup")
    text = request.POST.get("note", "")
    try:
        services.keep_note(match_id=match_id, user=request.user, text=text, now=timezone.now())
    except NoLine as refusal:
        context = {"match_id": match_id, "note": text, "error": refusal}
        return render(request, "talk/note.html", context, status=status_of(refusal))
    messages.success(request, _("Your note is kept."))
    return redirect(f"{reverse('match', args=[match_id])}#match-note")


@login_required
@require_POST
@limited("profile")
def mute(request: UserRequest, match_id: int) -> HttpResponse:
    """Mute a player who writes in a match."""
    asked = request.POST.get("user", "")
    digits = asked if asked.isascii() and asked.isdigit() and len(asked) < len(str(2**63)) else "0"
    other = get_object_or_404(User, pk=int(digits))
    if other == request.user:
        raise Http404
    services.mute(user=request.user, other=other, now=timezone.now())
    text = _("You read nothing more of what {name} writes.")
    messages.success(request, text.format(name=other.username))
    return redirect(f"{reverse('match', args=[match_id])}#match-chat")


@login_required
@require_POST
@limited("profile")
def unmute(request: UserRequest, name: str) -> HttpResponse:
    muted = None if "\0" in name else User.objects.filter(username__iexact=name).first()
    if muted is None:
        raise Http404
    services.unmute(user=request.user, other=muted)
    messages.success(request, _("You read {name} again.").format(name=muted.username))
    return redirect(f"{reverse('people')}#chat")
