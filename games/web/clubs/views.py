"""Clubs are listed, founded, shown, joined and left."""

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Case, When
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.limits import limited
from accounts.notifications import mark_seen
from accounts.optional import optional_write
from accounts.requests import UserRequest, signed_in
from config.postgresql.replica import from_replica
from games.clubs import candidates, selectors, services
from games.clubs.models import Club, Membership
from games.clubs.notifications import page_key
from games.events import selectors as events
from games.events.models import Tournament
from games.http.errors import status_of
from games.kernel import registry
from games.kernel.errors import GameError
from games.ladders import selectors as ladders
from games.lobby.finding import is_for_two
from games.noticeboards import selectors as noticeboards
from games.noticeboards.boards import Board
from games.teams import selectors as teams
from games.web import refusals
from games.web.clubs.forms import ClubForm, ListFilter, MemberFilter, RequestForm
from games.web.teams.page import scores_of

SHOWN_TOPICS = 3
"""How many topics of the noticeboard the page of a club shows."""

SHOWN_TEAM_MATCHES = 6
"""How many team matches the page of a club shows. Their list has all that have begun."""

SHOWN_EVENTS = 6
"""How many tournaments the page of a club shows."""

SHOWN_MEMBERS = 10
"""How many members the page of a club shows. Their list has all."""


@require_safe
@from_replica
def clubs(request: HttpRequest) -> HttpResponse:
    """List the open clubs, the user's own and their invitations on top."""
    form = ListFilter(request.GET)
    asked = form.cleaned_data if form.is_valid() else {}
    page = selectors.listed(
        name=asked.get("name", ""),
        country=asked.get("country", ""),
        language=asked.get("language", ""),
        page=asked.get("page") or 1,
    )
    own = _own(request) if page.number == 1 else NOTHING_OWN
    context = {"form": form, "page": page, **own}
    return render(request, "clubs/clubs.html", context)


NOTHING_OWN: Mapping[str, Any] = {"mine": (), "invitations": (), "requests": ()}


def _own(request: HttpRequest) -> Mapping[str, Any]:
    """Return the clubs of a user, and those that they wait for or are invited to."""
    if not request.user.is_authenticated:
        return NOTHING_OWN
    user = signed_in(request)
    now = timezone.now()
    return {
        "mine": selectors.of_member(user),
        "invitations": selectors.invitations_of(user, now),
        "requests": selectors.requests_of(user, now),
    }


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@limited("found-club")
def club_new(request: UserRequest) -> HttpResponse:
    form = ClubForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        with refusals.InForm(form):
            made = services.found(founder=request.user, terms=form.terms(), now=timezone.now())
            messages.success(
                request, _("The club is founded. Invite people, or tell them about it.")
            )
            return redirect(made)
    context = {
        "form": form,
        "most": services.MAX_FOUNDED,
        "least_matches": services.MIN_MATCHES,
    }
    return render(request, "clubs/new.html", context, status=422 if form.errors else 200)


def game_asked(request: HttpRequest) -> str:
    """Return the slug of the game that is asked for. Empty without one."""
    slug = request.GET.get("game", "")
    return slug if slug in registry.titles() else ""


@require_safe
def club(request: HttpRequest, club_id: int) -> HttpResponse:
    return _club_page(request, selectors.get(club_id), RequestForm())


def _club_page(
    request: HttpRequest, shown: Club, form: RequestForm, status: int = 200
) -> HttpResponse:
    """Show a club, and how its reader can join it."""
    user = request.user
    now = timezone.now()
    if user.is_authenticated:
        with optional_write("which notifications were seen"):
            mark_seen(recipient=user, page_keys=[page_key(shown.pk)], now=now)
    own = selectors.membership(shown, user)
    context: dict[str, Any] = {
        "club": shown,
        "own": own,
        "form": form,
        "candidate": None if own else selectors.candidate(shown, user, now),
        "sees_inside": selectors.sees_inside(shown, user, own),
    }
    if context["sees_inside"]:
        slug = game_asked(request)
        context |= {
            "leaders": selectors.leaders_of(shown),
            "game": slug,
            "titles": registry.titles().values(),
            "page": selectors.members(shown, now, title=slug, length=SHOWN_MEMBERS),
            "topics": noticeboards.latest_topics(Board(club=shown), user, SHOWN_TOPICS),
            "message": selectors.last_message(shown) if own else None,
            **_team_matches(request, shown, own),
            **_ladders(shown, user),
            "club_events": _tournaments(shown),
        }
    return render(request, "clubs/club.html", context, status=status)


def _team_matches(request: HttpRequest, shown: Club, own: Membership | None) -> Mapping[str, Any]:
    """Return the latest team matches of a club: members see those that haven't begun, too."""
    which = teams.running() | teams.ended()
    if own is not None:
        which |= teams.waiting()
    found = list(teams.of_club(shown).filter(which)[:SHOWN_TEAM_MATCHES])
    leads = own is not None and own.leads
    may_challenge = request.user.is_authenticated and not leads
    return {
        "team_matches": found,
        "scores": scores_of(found),
        "may_challenge": may_challenge and teams.led_by(signed_in(request)).exists(),
    }


def _ladders(shown: Club, user: Any) -> Mapping[str, Any]:
    """Return the ladders of a club, and the games in which its leaders could found another."""
    rows = ladders.of_club(shown, user)
    found = {row.title for row in rows}
    metas = [title.meta for title in registry.titles().values()]
    return {
        "ladders": rows,
        "ladders_to_found": [one for one in metas if one.slug not in found and is_for_two(one)],
    }


def _tournaments(shown: Club) -> list[Tournament]:
    """Return the latest tournaments of a club: those that aren't over come first."""
    # Most clubs have none. To count players costs most of the query.
    if not Tournament.objects.filter(club=shown).exists():
        return []
    rows = events.among_players().filter(club=shown).exclude(status=Tournament.Status.CANCELLED)
    over = Case(When(status=Tournament.Status.FINISHED, then=1), default=0)
    return list(rows.order_by(over, "-starts", "-pk")[:SHOWN_EVENTS])


@require_safe
def club_members(request: HttpRequest, club_id: int) -> HttpResponse:
    """List the members, by their ratings in a game if one is asked for."""
    shown = selectors.get(club_id)
    own = selectors.membership(shown, request.user)
    if not shown.is_open or not selectors.sees_inside(shown, request.user, own):
        raise Http404(_("Only members see who is in this club."))
    form = MemberFilter(request.GET)
    asked = form.cleaned_data if form.is_valid() else {}
    slug = game_asked(request)
    page = selectors.members(
        shown,
        timezone.now(),
        title=slug,
        name=asked.get("name", ""),
        page=asked.get("page") or 1,
    )
    context = {
        "club": shown,
        "own": own,
        "form": form,
        "game": slug,
        "titles": registry.titles().values(),
        "page": page,
    }
    return render(request, "clubs/members.html", context)


@login_required
@require_POST
@limited("join-club")
def club_join(request: UserRequest, club_id: int) -> HttpResponse:
    """Join a club, accept its invitation, or ask its leaders."""
    shown = selectors.get(club_id)
    form = RequestForm(request.POST)
    if not form.is_valid():
        return _club_page(request, shown, form, status=422)
    try:
        joined = candidates.join(
            club_id=club_id, user=request.user, now=timezone.now(), **form.cleaned_data
        )
    except GameError as refusal:
        form.add_error(None, str(refusal))
        return _club_page(request, shown, form, status=status_of(refusal))
    if isinstance(joined, Membership):
        messages.success(request, _("You are a member of {club}.").format(club=shown.name))
    else:
        messages.success(request, _("The leaders will answer. We’ll let you know."))
    return redirect("club", club_id)


@login_required
@require_POST
@limited("join-club")
def club_decline(request: UserRequest, club_id: int) -> HttpResponse:
    """Decline an invitation, or withdraw a request."""
    with refusals.AsMessage(request):
        candidates.decline(club_id=club_id, user=request.user, now=timezone.now())
        if "request" in request.POST:
            messages.success(request, _("The request is withdrawn."))
        else:
            messages.success(request, _("The invitation is declined."))
    return redirect("club", club_id)


@login_required
@require_POST
@limited("join-club")
def club_leave(request: UserRequest, club_id: int) -> HttpResponse:
    with refusals.AsMessage(request):
        left = services.leave(club_id=club_id, user=request.user)
        messages.success(request, _("You are no longer a member of {club}.").format(club=left.name))
    return redirect("club", club_id)
