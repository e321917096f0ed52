"""Tournaments are listed, announced, entered and shown."""

from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_POST, require_safe

from accounts.limits import limited
from accounts.models import User
from accounts.notifications import mark_seen
from accounts.optional import optional_write
from accounts.requests import UserRequest
from games.events import acts, conditions, organising, selectors, services, waiting
from games.events.models import ByeRequest, Entry, Table, Tournament
from games.events.notifications import page_key
from games.events.tie_breaks import TIE_BREAKS
from games.http.paging import page_of
from games.kernel import registry
from games.lobby.finding import is_for_two
from games.noticeboards import selectors as noticeboards
from games.noticeboards.boards import Board
from games.ratings.selectors import of_many
from games.web import cards, refusals
from games.web.events import bracket, calendar, crosstable
from games.web.events.forms import TournamentForm
from games.web.events.page import TournamentPage
from games.web.titles import title_or_404

SHOWN = 50
"""Maximum number of open and running tournaments in the list."""


TOPICS = 3
"""How many topics of the noticeboard the page of a tournament shows."""


@require_safe
def events(request: HttpRequest) -> HttpResponse:
    """Show tournaments of all games or one: the user's own, open, running and finished ones."""
    user = request.user
    titles = registry.titles()
    slug = request.GET.get("game", "")
    which = {"title": slug} if slug in titles else {}
    over = selectors.finished().filter(**which)
    shows_leagues = request.GET.get("leagues") == "1"
    seasons = over.filter(selectors.is_league())
    context = {
        "leagues": 0 if shows_leagues else seasons.count(),
        "titles": titles.values(),
        "with_ladder": [title for title in titles.values() if is_for_two(title.meta)],
        "game": titles[slug].meta if which else None,
        "mine": selectors.of_player(user).filter(**which) if user.is_authenticated else [],
        "open": selectors.open_for_entry().filter(**which)[:SHOWN],
        "running": selectors.running().filter(**which)[:SHOWN],
        "page": page_of(
            seasons if shows_leagues else over.exclude(selectors.is_league()), request, by="-ended"
        ),
    }
    return render(request, "events/events.html", context)


@login_required
@limited("tournament")
def event_new(request: UserRequest, slug: str) -> HttpResponse:
    title = title_or_404(slug)
    form = TournamentForm(request.POST or None, meta=title.meta, user=request.user)
    if request.method == "POST" and form.is_valid():
        with refusals.InForm(form):
            made = services.create(organiser=request.user, now=timezone.now(), **form.arguments())
            return redirect(made)
    context = {"form": form, "title": title, "meta": title.meta, "most": services.MAX_ORGANISED}
    context["tie_breaks"] = TIE_BREAKS
    return render(request, "events/new.html", context)


def _page(tournament: Tournament, reader: User | AnonymousUser | None = None) -> TournamentPage:
    entries = selectors.entries_of(tournament)
    return TournamentPage(tournament, entries, selectors.tables_of(tournament, entries), reader)


@require_safe
def event(request: HttpRequest, event_id: int) -> HttpResponse:
    """Show how a tournament works, its players, standings and rounds."""
    tournament = selectors.get(event_id)
    if tournament.is_for_teams:
        return redirect("team-match", tournament.team_match.pk)
    user = request.user
    if user.is_authenticated:
        with optional_write("which notifications were seen"):
            mark_seen(recipient=user, page_keys=[page_key(event_id)], now=timezone.now())
    page = _page(tournament, user)
    board = Board(tournament=tournament)
    entry = next((one for one in page.entries if one.user_id == user.pk and not one.left), None)
    queue = selectors.waiting_of(tournament)
    turn = next((n for n, one in enumerate(queue, start=1) if one.user_id == user.pk), 0)
    is_kept = waiting.is_kept(tournament)
    wanted = [(one.user_id, tournament.title) for one in page.entries]
    ratings = {user: shown for (user, _title), shown in of_many(wanted, timezone.now()).items()}
    context: dict[str, Any] = {
        "event": tournament,
        "meta": registry.get(tournament.title).meta,
        "page": page,
        "bracket": _bracket(tournament, page.tables),
        "entry": entry,
        "own": tournament.organiser_id == user.pk,
        "queue": queue,
        "turn": turn,
        "is_full": tournament.is_open and len(page.entries) >= tournament.most,
        "takes_waiting": is_kept,
        "is_vacant": is_kept and waiting.is_vacant(tournament),
        "substitutes": waiting.has_substitutes(tournament),
        "own_matches": page.running_matches(entry) if entry else [],
        "successor": waiting.successor(tournament, entry)
        if entry and tournament.is_running and queue
        else None,
        "cannot_wait": waiting.refusal(tournament, user) if is_kept and user.pk else "",
        "ratings": ratings,
        "topics": noticeboards.latest_topics(board, user, TOPICS),
        "writes": not board.refusal(user, timezone.now()),
        **_organisation(request, tournament, entry),
    }
    return render(request, "events/event.html", context)


def _organisation(
    request: HttpRequest, tournament: Tournament, entry: Entry | None
) -> dict[str, Any]:
    """Return what the page shows of organisers, and of what they have asked the reader."""
    user = request.user
    link = request.GET.get("link", "")
    has_link = bool(tournament.link) and link == tournament.link
    shared = list(tournament.co_organisers.select_related("user"))
    organises = selectors.organises(tournament, user)
    moderates = not organises and organising.may_moderate(user)
    number = waiting.next_round(tournament) if entry else 0
    request_for_bye = entry.bye_requests.filter(round=number).first() if entry else None
    return {
        "conditions": conditions.words(conditions.Conditions.of(tournament)),
        "link": link if has_link else "",
        "link_is_old": bool(link) and not has_link,
        "organisers": [one.user for one in shared if one.accepted],
        "asked_to_organise": any(one.user_id == user.pk and not one.accepted for one in shared),
        "is_invited": bool(user.pk)
        and tournament.invitations.filter(user=user.pk, declined=None).exists(),
        "may_manage": organises or moderates,
        "takes_late": waiting.takes_late(tournament),
        "next_round": number,
        "bye": request_for_bye,
        "log": acts.log_lines(selectors.acts_of(tournament)),
        "undoing": (),
        "undo": None,
    }


@require_safe
def event_crosstable(request: HttpRequest, event_id: int) -> HttpResponse:
    page = _page(selectors.get(event_id))
    if not page.has_picture:
        raise Http404(_("This tournament has no crosstable."))
    content = crosstable.svg(page.tournament.name, page.rows)
    return HttpResponse(content, content_type="image/svg+xml")


@require_safe
def event_bracket(request: HttpRequest, event_id: int) -> HttpResponse:
    tournament = selectors.get(event_id)
    drawn = _bracket(tournament, selectors.tables_of(tournament))
    if not drawn:
        raise Http404(_("This tournament has no bracket."))
    return HttpResponse(drawn, content_type="image/svg+xml")


def _bracket(tournament: Tournament, tables: Sequence[Table]) -> str:
    """Return the drawn bracket. Empty without one."""
    has_one = bracket.has_bracket(tournament, tables)
    return mark_safe(bracket.svg(tournament, tables)) if has_one else ""  # noqa: S308 - by ElementTree


@require_safe
@cache_control(public=True, max_age=cards.HOUR)
def event_card(request: HttpRequest, event_id: int) -> HttpResponse:
    """The picture of a link to a tournament, 1200 × 630: the leaders or the winner."""
    tournament = selectors.get(event_id)
    page = _page(tournament)
    lines = [f"{row.place}. {row.entry.user.shown_name}" for row in page.rows]
    count = len(page.entries)
    # Translators: {format} is a kind of tournament, such as Round robin.
    last = ngettext("{format}, {count} player", "{format}, {count} players", count)
    last = last.format(format=tournament.get_format_display(), count=count)
    card = cards.of_game(tournament.title, tournament.name, lines, last)
    return cards.picture(request, card)


@require_safe
def event_calendar(request: HttpRequest, event_id: int) -> HttpResponse:
    content = calendar.dates(selectors.get(event_id))
    return HttpResponse(content, content_type="text/calendar; charset=utf-8")


def _action(
    act: Callable[..., Tournament],
    done: Callable[[Tournament, User], str],
    *,
    with_link: bool = False,
) -> Callable[..., HttpResponse]:
    @login_required
    @require_POST
    @limited("enter")
    def view(request: UserRequest, event_id: int) -> HttpResponse:
        link = request.POST.get("link", "") if with_link else ""
        more = {"link": link} if with_link else {}
        with refusals.AsMessage(request):
            changed = act(tournament_id=event_id, user=request.user, now=timezone.now(), **more)
            messages.success(request, done(changed, request.user))
            return redirect("event", event_id)
        address = reverse("event", args=[event_id])
        return redirect(f"{address}?{urlencode({'link': link})}" if link else address)

    return view


def _entered(tournament: Tournament, user: User) -> str:
    if tournament.waiting.filter(user=user).exists():
        return _(
            "You are on the waiting list. When a player leaves, the first in line gets the place."
        )
    if tournament.is_running and tournament.played_rounds.exists():
        return _("You have entered. You play from the next round on and start with 0 points.")
    return _("You have entered. We’ll notify you when the tournament begins.")


def _asked(tournament: Tournament, user: User) -> str:
    asked = ByeRequest.objects.filter(entry__tournament=tournament, entry__user=user, granted=None)
    if asked.filter(round=waiting.next_round(tournament)).exists():
        return _("You have asked for a bye. The organiser decides.")
    return _("You have taken your request back.")


event_join = _action(services.join, _entered, with_link=True)
event_wait = _action(services.wait, _entered, with_link=True)
event_bye = _action(organising.ask_for_bye, _asked)
event_leave = _action(services.leave, lambda *_who: _("You have left the tournament."))
event_cancel = _action(services.cancel, lambda *_who: _("The tournament is cancelled."))
