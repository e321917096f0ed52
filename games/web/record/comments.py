"""Comments on the positions of an ended match."""

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_POST

from accounts import limits
from accounts.requests import UserRequest
from games.http.errors import TooFast
from games.kernel.errors import GameError
from games.matches.errors import NoSuchMatch
from games.talk import services
from games.web.record.page import RecordPage
from games.web.record.views import show
from games.web.talk.comments import CommentsPanel
from games.web.talk.panel import submission_of


@login_required
@require_POST
def comment(request: UserRequest, match_id: int, number: int) -> HttpResponse:
    try:
        limits.spend(request, "chat")
        result = services.comment(
            match_id=match_id,
            number=number,
            user=request.user,
            text=request.POST.get("text", ""),
            submission=submission_of(request),
            now=timezone.now(),
        )
    except NoSuchMatch:
        raise
    except limits.TooMany as refusal:
        return _refuse(request, match_id, number, TooFast(refusal.wait))
    except GameError as refusal:
        return _refuse(request, match_id, number, refusal)
    return redirect(result.line)


def _refuse(request: UserRequest, match_id: int, number: int, refusal: GameError) -> HttpResponse:
    """Show the position again with the typed text, and why it was refused."""
    page = RecordPage.read(match_id, number, request.user)
    typed = request.POST.get("text", "")
    answer = show(
        request, page, CommentsPanel(page.snapshot.match, request.user, number, typed, refusal)
    )
    if isinstance(refusal, TooFast):
        answer.headers["Retry-After"] = str(refusal.wait)
    return answer
