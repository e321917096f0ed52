"""Team matches are listed, shown, agreed on by leaders, and joined by members."""

import re
from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_stubs_ext import StrOrPromise

from accounts.limits import limited
from accounts.models import User
from accounts.notifications import mark_seen
from accounts.optional import optional_write
from accounts.requests import UserRequest
from games.clubs import selectors as clubs
from games.clubs.models import Club
from games.clubs.selectors import may_look_inside, sees_inside
from games.events import acts, organising
from games.events import selectors as events
from games.events.models import Entry, Tournament, Waiting
from games.events.notifications import page_key as event_key
from games.events.waiting import may_all_hand_over
from games.http.paging import page_of
from games.kernel import registry
from games.kernel.errors import GameError
from games.teams import selectors, services
from games.teams.models import TeamMatch
from games.teams.notifications import page_key
from games.web import cards, refusals
from games.web.players import player_or_404
from games.web.teams.forms import LineUpForm, ReplaceForm, TeamMatchForm
from games.web.teams.page import boards_of, score_of, scores_of
from games.web.titles import title_or_404

DIGITS = re.compile(r"[0-9]{1,18}", re.ASCII)


@require_safe
def team_matches(request: HttpRequest) -> HttpResponse:
    """List the team matches that have begun, the latest first."""
    club = _club_asked(request)
    rows = selectors.begun()
    if club is not None:
        rows = rows.filter(selectors.of(club))
    page = page_of(rows, request, by="-created")
    context = {"page": page, "scores": scores_of(page.items), "club": club}
    return render(request, "teams/list.html", context)


def _club_asked(request: HttpRequest) -> Club | None:
    """Return the club whose team matches are asked for. None for all.

    :raises Http404: it doesn't exist, or the reader doesn't see inside.
    """
    asked = request.GET.get("club", "")
    if not asked:
        return None
    club = clubs.get(int(asked)) if DIGITS.fullmatch(asked) else None
    if club is None or not may_look_inside(club, request.user):
        raise Http404(_("There is no such club."))
    return club


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@limited("challenge-club")
def team_match_new(request: UserRequest, slug: str) -> HttpResponse:
    """Challenge another club."""
    title = title_or_404(slug)
    initial = {name: request.GET.get(name, "")[:100] for name in ("club", "opponent")}
    form = TeamMatchForm(
        request.POST if request.method == "POST" else None,
        initial=initial,
        meta=title.meta,
        user=request.user,
    )
    if form.is_valid():
        with refusals.InForm(form):
            made = services.challenge(leader=request.user, now=timezone.now(), **form.arguments())
            messages.success(request, _("The leaders of the other club will answer."))
            return redirect(made)
    context = {
        "form": form,
        "title": title,
        "meta": title.meta,
        "leads": selectors.led_by(request.user).exists(),
    }
    return render(request, "teams/new.html", context, status=422 if form.errors else 200)


@require_safe
def team_match(request: HttpRequest, team_match_id: int) -> HttpResponse:
    return _page(request, selectors.get(team_match_id))


def _page(
    request: HttpRequest, shown: TeamMatch, replace: ReplaceForm | None = None
) -> HttpResponse:
    """Show a team match: who will play, or the score and the boards."""
    user = request.user
    who = selectors.reader(shown, user)
    if user.is_authenticated:
        with optional_write("which notifications were seen"):
            pages = [page_key(shown.pk)]
            if shown.tournament_id:
                pages.append(event_key(shown.tournament_id))
            mark_seen(recipient=user, page_keys=pages, now=timezone.now())
    context: dict[str, Any] = {
        "shown": shown,
        "event": shown.tournament,
        "meta": registry.get(shown.title).meta,
        "who": who,
        "may_answer": services.CHALLENGED in who.leads,
        "may_withdraw": services.CHALLENGER in who.leads,
        "emblems": [
            team in who.member_of or sees_inside(club, user, None)
            for team, club in zip(selectors.TEAMS, shown.clubs, strict=True)
        ],
    }
    if shown.tournament is not None:
        context |= _of_begun(request, shown, shown.tournament, who, replace)
    elif shown.status == TeamMatch.Status.ACCEPTED:
        context |= {
            "numbers": selectors.signed_up(shown),
            "players": [selectors.shown_players(shown, team, who) for team in selectors.TEAMS],
            "own": shown.players.filter(user=user.pk).first() if user.pk else None,
        }
    status = 422 if replace is not None and replace.errors else 200
    return render(request, "teams/team_match.html", context, status=status)


def _of_begun(
    request: HttpRequest,
    shown: TeamMatch,
    tournament: Tournament,
    who: selectors.Reader,
    replace: ReplaceForm | None,
) -> dict[str, Any]:
    """Return what the page shows of a team match that has begun."""
    user = request.user
    entries = events.entries_of(tournament)
    reserves = events.waiting_of(tournament)
    own = next((one for one in entries if one.user_id == user.pk and not one.left), None)
    form = replace or _replace_form(None, tournament, who, entries, reserves)
    tables = events.tables_of(tournament, entries)
    return {
        "boards": boards_of(tables, user),
        "score": score_of(shown, tables),
        "round": tables[0].round if tables else None,
        "entry": own,
        "reserves": reserves,
        "is_reserve": any(one.user_id == user.pk for one in reserves),
        "may_step_in": tournament.is_running and not own and bool(who.member_of),
        "replace": form,
        "may_manage": organising.may_moderate(user),
        "log": acts.log_lines(events.acts_of(tournament)),
        "undoing": (),
        "undo": None,
    }


def _replace_form(
    data: Any,
    tournament: Tournament,
    who: selectors.Reader,
    entries: list[Entry],
    reserves: list[Waiting],
) -> ReplaceForm | None:
    """Return the form of a leader who can replace a player. None if nobody can be replaced."""
    own = [one for one in reserves if one.team in who.leads]
    if not own or not tournament.is_running:
        return None
    may = set(may_all_hand_over(tournament).values_list("pk", flat=True))
    unmoved = [one for one in entries if one.team in who.leads and one.pk in may]
    return ReplaceForm(data, entries=unmoved, reserves=own) if unmoved else None


def _action(
    act: Callable[..., TeamMatch],
    done: StrOrPromise,
    *,
    who: str = "user",
    limit: str = "team-match",
) -> Callable[..., HttpResponse]:
    """Return the view of a button. ``who`` is the name that the service has for the user."""

    @login_required
    @require_POST
    @limited(limit)
    def view(request: UserRequest, team_match_id: int) -> HttpResponse:
        team = request.POST.get("team", "")
        more = {"team": int(team)} if team in ("1", "2") else {}
        with refusals.AsMessage(request):
            act(team_match_id=team_match_id, now=timezone.now(), **{who: request.user}, **more)
            messages.success(request, str(done))
        return redirect("team-match", team_match_id)

    return view


def _accept(*, team: int = 0, **how: Any) -> TeamMatch:
    return services.answer(**how, accepts=True)


def _decline(*, team: int = 0, **how: Any) -> TeamMatch:
    return services.answer(**how, accepts=False)


def _cancel(*, team: int = 0, **how: Any) -> TeamMatch:
    return services.cancel(**how)


def _drop_out(*, team: int = 0, **how: Any) -> TeamMatch:
    return services.drop_out(**how)


team_match_accept = _action(
    _accept, gettext_lazy("The challenge is accepted. Members can sign up now."), who="leader"
)
team_match_decline = _action(_decline, gettext_lazy("The challenge is declined."), who="leader")
team_match_cancel = _action(_cancel, gettext_lazy("The team match is cancelled."), who="leader")
team_match_sign_up = _action(
    services.sign_up, gettext_lazy("You have signed up. The leaders choose who plays.")
)
team_match_step_in = _action(
    services.sign_up_as_reserve, gettext_lazy("You are a reserve of your club.")
)
team_match_leave = _action(_drop_out, gettext_lazy("You no longer play in this team match."))


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@limited("team-match")
def team_match_line_up(request: UserRequest, team_match_id: int, team: int) -> HttpResponse:
    """Show a leader who has signed up, and set the line-up."""
    shown = selectors.get(team_match_id)
    who = selectors.reader(shown, request.user)
    if team not in who.leads:
        raise PermissionDenied
    if shown.status != TeamMatch.Status.ACCEPTED:
        return redirect(shown)
    form = LineUpForm(
        request.POST if request.method == "POST" else None,
        team_match=shown,
        players=selectors.players_of(shown, team),
    )
    if form.is_valid():
        with refusals.InForm(form):
            changed = services.set_line_up(
                team_match_id=team_match_id,
                leader=request.user,
                players=form.line_up(),
                team=team,
                now=timezone.now(),
            )
            has_begun = changed.tournament_id is not None
            messages.success(
                request,
                _("Both line-ups are set: the matches begin.")
                if has_begun
                else _(
                    "The line-up is set. The other club can’t see it before it has set its own."
                ),
            )
            return redirect(shown)
    context = {"shown": shown, "club": shown.clubs[team - 1], "form": form}
    context["meta"] = registry.get(shown.title).meta
    return render(request, "teams/line_up.html", context, status=422 if form.errors else 200)


@login_required
@require_POST
@limited("team-match")
def team_match_replace(request: UserRequest, team_match_id: int) -> HttpResponse:
    """Replace a player who hasn't moved by a reserve."""
    shown = selectors.get(team_match_id)
    who = selectors.reader(shown, request.user)
    if not who.leads:
        raise PermissionDenied
    tournament = shown.tournament
    form = tournament and _replace_form(
        request.POST,
        tournament,
        who,
        events.entries_of(tournament),
        events.waiting_of(tournament),
    )
    if not form:
        messages.error(request, _("Nobody can be replaced."))
        return redirect(shown)
    if not form.is_valid():
        return _page(request, shown, form)
    user = player_or_404(form.cleaned_data["player"])
    substitute = player_or_404(form.cleaned_data["substitute"])
    return _replaced(request, shown, form, user, substitute)


def _replaced(
    request: UserRequest, shown: TeamMatch, form: ReplaceForm, user: User, substitute: User
) -> HttpResponse:
    try:
        services.replace(
            team_match_id=shown.pk,
            leader=request.user,
            user=user,
            substitute=substitute,
            now=timezone.now(),
        )
    except GameError as refusal:
        form.add_error(None, str(refusal))
        return _page(request, shown, form)
    done = _("{name} plays for {other} now.")
    messages.success(request, done.format(name=substitute.username, other=user.username))
    return redirect(shown)


@require_safe
@cache_control(public=True, max_age=cards.HOUR)
def team_match_card(request: HttpRequest, team_match_id: int) -> HttpResponse:
    """The picture of a link to a team match, 1200 × 630: the clubs and the score."""
    shown = selectors.get(team_match_id)
    names = [club.name for club in shown.clubs]
    # Translators: {count} is always more than 1.
    last = _("{game}, {count} boards").format(
        game=registry.get(shown.title).meta.name, count=shown.boards
    )
    lines = names
    if shown.tournament is not None:
        score = score_of(shown, events.tables_of(shown.tournament))
        lines = [f"{points}  {name}" for points, name in zip(score.points, names, strict=True)]
    card = cards.of_game(shown.title, _("Team match"), lines, last)
    return cards.picture(request, card)
