"""Tournaments are listed, announced, entered and shown."""

from collections.abc import Callable, Sequence
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.safestring import mark_safe
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_POST, require_safe

from accounts.limits import limited
from accounts.models import User
from accounts.notifications import mark_seen
from accounts.optional import optional_write
from accounts.requests import UserRequest
from games.events import selectors, services, waiting
from games.events.errors import NoSuchTournament
from games.events.models import Table, Tournament
from games.events.notifications import page_key
from games.http.paging import page_of
from games.kernel import registry
from games.kernel.errors import GameError
from games.lobby.finding import is_for_two
from games.matches import formatting
from games.ratings.selectors import of_many
from games.web import cards
from games.web.events import bracket, calendar, crosstable
from games.web.events.forms import TournamentForm
from games.web.events.page import Page
from games.web.titles import title_or_404

SHOWN = 50
"""The most open and running tournaments that the list shows."""


@require_safe
def events(request: HttpRequest) -> HttpResponse:
    """Tournaments of all games or one: the user's own, open, running and finished ones."""
    user = request.user
    titles = registry.titles()
    slug = request.GET.get("game", "")
    which = {"title": slug} if slug in titles else {}
    context = {
        "titles": titles.values(),
        "with_ladder": [title for title in titles.values() if is_for_two(title.meta)],
        "game": titles[slug].meta if which else None,
        "mine": selectors.of_player(user).filter(**which) if user.is_authenticated else [],
        "open": selectors.open_for_entry().filter(**which)[:SHOWN],
        "running": selectors.running().filter(**which)[:SHOWN],
        "page": page_of(selectors.finished().filter(**which), request, by="-ended"),
    }
    return render(request, "events/events.html", context)


@login_required
@limited("tournament")
def event_new(request: UserRequest, slug: str) -> HttpResponse:
    """The form of a new tournament."""
    title = title_or_404(slug)
    form = TournamentForm(request.POST or None, meta=title.meta, user=request.user)
    if request.method == "POST" and form.is_valid():
        try:
            made = services.create(organiser=request.user, now=timezone.now(), **form.arguments())
        except GameError as refusal:
            form.add_error(None, str(refusal))
        else:
            return redirect(made)
    context = {"form": form, "title": title, "meta": title.meta, "most": services.MAX_ORGANISED}
    return render(request, "events/new.html", context)


def _found(pk: int) -> Tournament:
    try:
        return selectors.get(pk)
    except NoSuchTournament as unknown:
        raise Http404(str(unknown)) from unknown


def _page(tournament: Tournament) -> Page:
    entries = selectors.entries_of(tournament)
    return Page(tournament, entries, selectors.tables_of(tournament))


@require_safe
def event(request: HttpRequest, event_id: int) -> HttpResponse:
    """A tournament: how it works, who is in, standings and rounds."""
    tournament = _found(event_id)
    user = request.user
    if user.is_authenticated:
        with optional_write("which notifications were seen"):
            mark_seen(recipient=user, page_key=page_key(event_id), now=timezone.now())
    page = _page(tournament)
    entry = next((one for one in page.entries if one.user_id == user.pk and not one.left), None)
    queue = selectors.waiting_of(tournament)
    turn = next((n for n, one in enumerate(queue, start=1) if one.user_id == user.pk), 0)
    is_kept = waiting.is_kept(tournament)
    wanted = [(one.user_id, tournament.title) for one in page.entries]
    ratings = {user: shown for (user, _), shown in of_many(wanted, timezone.now()).items()}
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
    }
    return render(request, "events/event.html", context)


@require_safe
def event_crosstable(request: HttpRequest, event_id: int) -> HttpResponse:
    """The crosstable as a picture."""
    page = _page(_found(event_id))
    if not page.has_crosstable:
        raise Http404("This tournament has no crosstable.")
    content = crosstable.svg(page.tournament.name, page.rows)
    return HttpResponse(content, content_type="image/svg+xml")


@require_safe
def event_bracket(request: HttpRequest, event_id: int) -> HttpResponse:
    """The bracket as a picture."""
    tournament = _found(event_id)
    drawn = _bracket(tournament, selectors.tables_of(tournament))
    if not drawn:
        raise Http404("This tournament has no bracket.")
    return HttpResponse(drawn, content_type="image/svg+xml")


def _bracket(tournament: Tournament, tables: Sequence[Table]) -> str:
    """Return the drawn bracket; empty without one."""
    has_one = bracket.has_bracket(tournament, tables)
    return mark_safe(bracket.svg(tournament, tables)) if has_one else ""  # noqa: S308 - by ElementTree


@require_safe
@cache_control(public=True, max_age=cards.HOUR)
def event_card(request: HttpRequest, event_id: int) -> HttpResponse:
    """The picture of a link to a tournament, 1200 × 630: who leads, or who has won."""
    tournament = _found(event_id)
    page = _page(tournament)
    lines = [f"{row.place}. {row.entry.user.shown_name}" for row in page.rows]
    players = formatting.counted(len(page.entries), "player")
    last = f"{tournament.get_format_display()}, {players}"
    card = cards.of_game(tournament.title, tournament.name, lines, last)
    return cards.picture(request, card)


@require_safe
def event_calendar(request: HttpRequest, event_id: int) -> HttpResponse:
    """The dates of a tournament, for calendar programs."""
    content = calendar.dates(_found(event_id))
    return HttpResponse(content, content_type="text/calendar; charset=utf-8")


def _action(
    act: Callable[..., Tournament], done: Callable[[Tournament, User], str]
) -> Callable[..., HttpResponse]:
    @login_required
    @require_POST
    @limited("enter")
    def view(request: UserRequest, event_id: int) -> HttpResponse:
        try:
            changed = act(tournament_id=event_id, user=request.user, now=timezone.now())
        except NoSuchTournament as unknown:
            raise Http404(str(unknown)) from unknown
        except GameError as refusal:
            messages.error(request, str(refusal))
        else:
            messages.success(request, done(changed, request.user))
        return redirect("event", event_id)

    return view


def _entered(tournament: Tournament, user: User) -> str:
    if tournament.waiting.filter(user=user).exists():
        return (
            "You are on the waiting list. When a player leaves, the first in line gets the place."
        )
    return "You have entered. We’ll notify you when the tournament begins."


event_join = _action(services.join, _entered)
event_wait = _action(services.wait, _entered)
event_leave = _action(services.leave, lambda *_: "You have left the tournament.")
event_cancel = _action(services.cancel, lambda *_: "The tournament is cancelled.")
