"""General pages: home, the games, how the dice work."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from hashlib import blake2b
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_safe

from accounts import blocks, outcomes
from accounts.models import User
from games.bots.levels import LEVELS
from games.clubs import selectors as clubs
from games.clubs.candidates import LIFETIME
from games.events import selectors as events
from games.http import activity
from games.kernel import registry
from games.kernel.dice import commitment, match_key, work_out
from games.kernel.language import cached
from games.kernel.palettes import PALETTES
from games.lobby import follows
from games.lobby import selectors as lobby
from games.lobby.finding import is_for_two
from games.matches import formatting, listing
from games.matches.models import Match
from games.matches.view import pictures
from games.study import progress, puzzles
from games.web import cards, example_positions, fragments
from games.web.lobby.rows import first_open
from games.web.match_rows import rows
from games.web.pages import front_page, own_affairs, own_clubs
from games.web.pages.featured import section_of
from games.web.pages.own_affairs import OwnAffairs
from games.web.pictures import example_steps
from games.web.titles import featured, title_or_404

FRONT_PAGE_MATCHES = 4
FRONT_PAGE_ACTIVITY = 5

NEWS_ON_FRONT_PAGE = timedelta(days=14)
"""How long the latest piece of news is on the front page."""

FOLLOWED_FOR = timedelta(days=30)
"""For how long the page of activity shows what followed players did."""

LISTED_HERE = 40
"""Maximum number of people that a page lists as here today, or as here now."""

PACE_CACHE_SECONDS = 600
"""Seconds for which the usual wait is cached."""

DAY = 24 * 3600
"""Seconds that the picture of a game may be cached."""

EXAMPLE_SECRET = b"turnstones wade on wet shingle.."
EXAMPLE_NONCES = (b"ada brings 32 bytes of her own..", b"bruno adds as many of his own...")
EXAMPLE_DICE = (6, 6, 52)


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show what the site is and what happens on it. For a user, first what waits for them."""
    now = timezone.now()
    context: dict[str, Any] = {"featured": featured()}
    going_on = front_page.of_reader(request.user, FRONT_PAGE_MATCHES, now)
    context["live"] = going_on.live and going_on.live.pk
    waiting: list[Match] = []
    has_solved = True
    if request.user.is_authenticated:
        own = own_affairs.of_member(request.user, topics_since=now - own_clubs.RECENT)
        has_solved = own.has_solved_lessons
        waiting = list(listing.waiting(request.user)[:FRONT_PAGE_MATCHES])
        context |= _of_member(request.user, own, now)
    context |= _shared(going_on, request, now, has_solved=has_solved)
    context["waiting"] = rows(waiting, request.user)
    return render(request, "home/home.html", context)


def _of_member(user: User, own: OwnAffairs, now: datetime) -> dict[str, Any]:
    """Return a member's news, challenges, tournaments, clubs and followed players."""
    few = FRONT_PAGE_MATCHES
    news = outcomes.since_last_visit(user, now, is_any_unseen=own.has_unseen_outcomes)
    invitations = clubs.invitations_of(user, now)[:few] if own.is_invited_to_clubs else ()
    people = list(follows.followed(user)) if own.follows_players else []
    return {
        "own": own,
        "outcomes": news,
        "received": lobby.first_received(user, few) if own.is_challenged else [],
        "open": first_open(user, few, blocks.all_apart(user) if own.has_blocks else ()),
        "tournaments": events.played_by(user, few) if own.plays_tournaments else [],
        "clubs": own_clubs.of_member(user, own, few, now) if own.is_in_clubs else [],
        "invitations": [(one, one.created + LIFETIME) for one in invitations],
        "here_now": follows.here_now(people)[:LISTED_HERE],
        "followed": rows(_followed(user) if people else [], user),
    }


def _followed(user: User) -> list[Match]:
    """Return running matches of followed players against others."""
    return list(follows.matches(user).exclude(players__user=user)[:FRONT_PAGE_MATCHES])


def _shared(
    going_on: front_page.FrontPageMatches,
    request: HttpRequest,
    now: datetime,
    *,
    has_solved: bool,
) -> dict[str, SafeString]:
    """Return the puzzle of the day, and what the page shows all readers with the same look.

    Both are cached until they change, for at most a minute.

    :param has_solved: false if the reader is known to have solved no puzzle at all.
    """
    reader, today = request.user, now.date()
    puzzle = _puzzle(today)
    wanted = (puzzle["puzzle_game"].slug, puzzle["puzzle"].key) if puzzle else ("", "")
    streak, is_solved = 0, False
    if has_solved:
        streak, is_solved = progress.streak_and_solved(reader, request.session, now, *wanted)
    matches = [going_on.live, *going_on.playing, *going_on.finished]
    states = [one and (one.pk, one.status, one.version, one.clock_epoch) for one in matches]
    depends = f"{reader.is_authenticated} {today} {states}"
    digest = blake2b(depends.encode(), digest_size=16).hexdigest()
    look = fragments.look(reader)
    keys = {
        "puzzle": f"front-page-puzzle-1:{look}:{today}:{streak}:{is_solved}",
        "shared": f"front-page-shared-2:{look}:{digest}",
    }

    def write(names: Sequence[str]) -> dict[str, str]:
        contexts = {
            "puzzle": lambda: {
                "streak": streak,
                "is_solved": is_solved,
                "reader": reader,
                **puzzle,
            },
            "shared": lambda: _of_all(going_on, reader, now),
        }
        return {name: render_to_string(f"home/{name}.html", contexts[name]()) for name in names}

    return fragments.written(keys, write)


def _of_all(going_on: front_page.FrontPageMatches, reader: Any, now: datetime) -> dict[str, Any]:
    shown = filter(None, (going_on.live, *going_on.playing, *going_on.finished))
    matches = Match.objects.in_bulk([match.pk for match in shown])
    live = going_on.live and matches.get(going_on.live.pk)
    playing = [matches[one.pk] for one in going_on.playing if one.pk in matches]
    finished = [matches[one.pk] for one in going_on.finished if one.pk in matches]
    lately = activity.latest(now)
    # results have a list of their own
    others = [item for item in lately.items if item.kind != activity.RESULT]
    return {
        "reader": reader,
        "is_member": reader.is_authenticated,
        "live_section": section_of(live, reader) if live else "",
        "news": [one for one in lately.news if one.at > now - NEWS_ON_FRONT_PAGE][:1],
        "titles": list(registry.titles().values()),
        "activity": others[:FRONT_PAGE_ACTIVITY],
        "here_today": lately.here_today,
        "playing": rows(playing, AnonymousUser()),
        "finished": rows(finished, AnonymousUser()),
    }


def _puzzle(today: date) -> dict[str, Any]:
    """Return the puzzle of the day and its game. Empty if no game has any."""
    found = puzzles.of_the_day(today)
    if found is None:
        return {}
    title, puzzle = found
    return {"puzzle_game": title.meta, "puzzle": puzzle}


@require_safe
def activity_page(request: HttpRequest) -> HttpResponse:
    """Show recent events on the site, and to members who has been here today."""
    now = timezone.now()
    reader = request.user
    context: dict[str, Any] = {
        "activity": activity.latest(now),
        "here": [],
        "follows_anybody": False,
    }
    if isinstance(reader, User) and not reader.is_guest:
        people = list(follows.followed(reader))
        context |= {
            "here": activity.names_here(reader, now, LISTED_HERE),
            "follows_anybody": bool(people),
            "followed_here": follows.here_now(people)[:LISTED_HERE],
            "followed": activity.of_people([one.pk for one in people], since=now - FOLLOWED_FOR),
        }
    return render(request, "home/activity.html", context)


@require_safe
def games(request: HttpRequest) -> HttpResponse:
    return render(request, "games/games.html", {"titles": registry.titles().values()})


@never_cache
@require_safe
def game(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a game: what it is, where to begin, what was played."""
    title = title_or_404(slug)
    ended = listing.archive().filter(status=Match.Status.OVER, title=slug)
    finished = list(ended.order_by("-ended", "-pk")[:FRONT_PAGE_MATCHES])
    context = {
        "title": title,
        "meta": title.meta,
        "has_ladder": is_for_two(title.meta),
        "challenges": lobby.people_first(lobby.open_to_all(request.user).filter(title=slug))[
            :FRONT_PAGE_MATCHES
        ],
        "finished": rows(finished, request.user),
        "bot_levels": LEVELS,
        "usual_wait": _usual_wait(slug),
    }
    return render(request, "games/game.html", context)


@require_safe
@cache_control(public=True, max_age=DAY)
def game_card(request: HttpRequest, slug: str) -> HttpResponse:
    """The picture of a link to a game, 1200 × 630."""
    meta = title_or_404(slug).meta
    return cards.picture(
        request, cards.of_game(slug, meta.name, last=_("by {author}").format(author=meta.author))
    )


@require_safe
@cache_control(public=True, max_age=DAY)
def game_board(_request: HttpRequest, slug: str, theme: str) -> HttpResponse:
    """The board of a game in the middle of an example match, for lists."""
    meta = title_or_404(slug).meta
    if theme not in PALETTES:
        raise Http404(_("There is no such picture."))
    return HttpResponse(_game_board(meta.slug, theme), content_type="image/svg+xml")


@require_safe
@cache_control(public=True, max_age=DAY)
def game_steps(_request: HttpRequest, slug: str) -> HttpResponse:
    """The last moves of a match of a game, which the front page plays (``static/js/home.js``)."""
    steps = example_steps(title_or_404(slug).meta.slug)
    return JsonResponse([{"board": board, "told": told} for board, told in steps], safe=False)


@cached(128)
def _game_board(slug: str, theme: str) -> str:
    return pictures.svg_document(example_positions.example_drawing(slug).board, theme)


def _usual_wait(slug: str) -> str:
    """Return in words how fast an opponent usually turns up. Empty with too few matches."""

    def in_words() -> str:
        wait = lobby.usual_wait(slug)
        return "" if wait is None else formatting.roughly(wait)

    key = f"usual-wait:{get_language()}:{slug}"
    return cache.get_or_set(key, in_words, PACE_CACHE_SECONDS) or ""


@require_safe
def dice(request: HttpRequest) -> HttpResponse:
    """Explain how the dice work, with a derivation of an example roll."""
    key = match_key(EXAMPLE_SECRET, EXAMPLE_NONCES)
    context = {
        "secret": EXAMPLE_SECRET.decode(),
        "nonces": [nonce.decode() for nonce in EXAMPLE_NONCES],
        "commitment": commitment(EXAMPLE_SECRET).hex(),
        "nonce_commitments": [commitment(nonce).hex() for nonce in EXAMPLE_NONCES],
        "key": key.hex(),
        "workings": [_shown(key, number, sides) for number, sides in enumerate(EXAMPLE_DICE)],
    }
    return render(request, "dice/dice.html", context)


def _shown(key: bytes, number: int, sides: int) -> dict[str, Any]:
    working = work_out(key, number, sides)
    names = ("number", "sides", "attempt", "x", "face")
    digest = working.digest.hex()
    steps = {name: getattr(working, name) for name in names}
    return {**steps, "first": digest[:16], "rest": digest[16:]}
