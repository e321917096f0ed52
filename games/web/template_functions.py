"""Functions and filters of the site's own templates (:mod:`games.web.environment`)."""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple
from urllib.parse import urljoin

from django.conf import settings
from django.forms import BoundField
from django.forms.widgets import CheckboxInput, CheckboxSelectMultiple, RadioSelect
from django.urls import NoReverseMatch, reverse
from django.utils import timezone
from django.utils.encoding import escape_uri_path
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from accounts import browsers, dates, presence, site_languages, zones
from accounts.delivery import muting
from accounts.models import User
from games.http.paging import Page
from games.kernel import registry
from games.kernel.contract import AnyGame, Meta
from games.kernel.formatting import between, listed
from games.kernel.views import Json
from games.lobby import commitments, selectors
from games.lobby.commitments import PendingSecret
from games.lobby.models import Challenge
from games.matches import formatting
from games.matches.clocks import pace, vacations
from games.matches.models import Player, Vacation
from games.matches.notify.counts import Counts, counts_of
from games.matches.notify.notifications import page_key
from games.matches.view import seats
from games.matches.view.parts import ClockFace
from games.moderation import abandoned
from games.moderation.models import AbandonedSeat
from games.study import lessons, puzzles

# --- Addresses ----------------------------------------------------------------------------------


def page_name(request: Any) -> str:
    """Return the URL name of the page being shown; empty if there is none."""
    match = getattr(request, "resolver_match", None)
    return (match.url_name or "") if match else ""


def canonical_address(request: Any, language: str = "") -> str:
    """Return the address of the page for search engines; empty on pages without a request.

    :param language: the code of the language that it names; by default the one that the page's own
        address names.
    """
    if not request:
        return ""
    named = language or request.GET.get(site_languages.PARAMETER, "")
    query = f"?{site_languages.PARAMETER}={named}" if site_languages.is_offered(named) else ""
    return whole_address(escape_uri_path(request.path)) + query


def address_without_language(request: Any) -> str:
    """Return the address of the page, with what was entered, but without a language in it."""
    query = request.GET.copy()
    query.pop(site_languages.PARAMETER, None)
    path: str = escape_uri_path(request.path)
    return f"{path}?{query.urlencode()}" if query else path


def languages_offered() -> list[tuple[str, str]]:
    """Return code and own name of the languages to choose from. Empty with English alone."""
    return list(settings.LANGUAGES) if site_languages.has_choice() else []


def whole_address(path: str) -> str:
    """Return an address with the site's host."""
    return urljoin(settings.SITE_URL, path)


def site_address(name: str, *args: Any) -> str:
    """Return the whole address of a page, with the site's host."""
    return whole_address(reverse(name, args=args))


def share_link(request: Any, challenge: Challenge) -> str:
    """Return the whole address of a challenge by link."""
    path = reverse("challenge-link", args=[challenge.pk, challenge.token])
    return str(request.build_absolute_uri(path))


def sent_mails() -> str:
    """Return where mails can be read that are kept as files; empty where they are sent."""
    try:
        return reverse("mails")
    except NoReverseMatch:
        return ""


def source_url() -> str:
    """Return where the source of the site can be had; empty if the operator does not say."""
    return str(settings.SOURCE_URL)


def page_address(request: Any, page: Page, place: str) -> str:
    """Return the address of another page of a list: ``page.newer``, ``page.older``."""
    return querystring(request, **{page.key: place})


def querystring(request: Any, **changes: Any) -> str:
    """Return the query of a page with other values; ``None`` leaves one out."""
    asked = request.GET.copy()
    for name, value in changes.items():
        if value is None:
            asked.pop(name, None)
        else:
            asked[name] = value
    return f"?{asked.urlencode()}"


# --- The head of every page -----------------------------------------------------------------------


class SiteHeader(NamedTuple):
    """The name of the page being shown, its reader, and their counts; ``None`` for visitors."""

    current: str
    reader: Any
    counts: Counts | None


def site_header(request: Any, user: Any) -> SiteHeader:
    """Return what the head of a page shows; pages without a request have that of a visitor.

    Guests keep their head on the pages to join and sign in, where they count as visitors.
    """
    reader = getattr(request, "guest", user)
    is_known = reader is not None and reader.is_authenticated
    counts = header_of(request, reader) if is_known else None
    return SiteHeader(page_name(request), reader, counts)


def header_of(request: Any, user: User) -> Counts:
    """Return what every page shows a user, read once for a request."""
    if not hasattr(request, "header"):
        request.header = counts_of(user)
    counts: Counts = request.header
    return counts


# --- Moments and clocks ---------------------------------------------------------------------------


def time_ago(moment: datetime | None) -> SafeString:
    """Say how long ago a moment was, with the exact moment on hover; nothing for ``None``."""
    if moment is None:
        return SafeString()
    machine, ago = formatting.machine_readable(moment), formatting.ago(moment, timezone.now())
    text = '<time datetime="{}" title="{}">{}</time>'
    return format_html(text, machine, formatting.exact(moment), ago)


def exact_time(moment: datetime) -> SafeString:
    """Say a moment exactly, in the reader's zone."""
    machine = formatting.machine_readable(moment)
    return format_html('<time datetime="{}">{}</time>', machine, formatting.exact(moment))


def zone_for_scripts() -> str:
    """Return the reader's zone as scripts need it to write times, as JSON; empty for UTC."""
    zone = timezone.get_current_timezone_name()
    if zone == zones.UTC_NAME:
        return ""
    return json.dumps({"zone": zone, "names": zones.names(zone, timezone.now())})


def clock_face(player: Player) -> ClockFace | None:
    """Return a player's clock as it stands; ``None`` in a match without one."""
    return seats.clock_face(player, timezone.now())


# --- People ---------------------------------------------------------------------------------------


def vacations_of(people: Iterable[User]) -> list[tuple[User, Vacation]]:
    """Return those of some people who are on vacation, each with it."""
    people = list(people)
    away = vacations.away([person.pk for person in people], timezone.now())
    return [(person, away[person.pk]) for person in people if person.pk in away]


def last_here(person: User, reader: Any) -> str:
    """Return the day on which somebody was here last; empty if the reader may not know it."""
    day = presence.day_shown(person, reader) if reader.is_authenticated else None
    if not day:
        return ""
    today = timezone.now().astimezone(UTC).date()
    days = {
        # Translators: after "last here".
        today: gettext("today"),
        # Translators: after "last here".
        today - timedelta(days=1): gettext("yesterday"),
    }
    return days.get(day, dates.day(day))


def usual_pace(person: User) -> str:
    """Return how fast somebody usually answers, in words; empty where too little is known."""
    usual = pace.usual(person)
    return "" if usual is None else formatting.roughly(usual)


def choices_to_make(user: User) -> list[AbandonedSeat]:
    """Return the abandoned seats about which a player can choose."""
    return list(abandoned.asked_of(user))


def is_muted(user: User, match_id: int) -> bool:
    """Whether a user gets no mails about a match."""
    return muting.is_muted(user, page_key(match_id))


# --- Games and challenges -------------------------------------------------------------------------


def all_games() -> list[Meta]:
    """Return the facts of every game, by name."""
    return [title.meta for title in registry.titles().values()]


def new_commitment(user: Any, meta: Meta | None = None) -> PendingSecret | None:
    """Return a new commitment for a form of a user; ``None`` in a game without chance.

    Without ``meta`` the game is chosen in the form.
    """
    return commitments.make(user) if meta is None or meta.has_chance else None


def challenge_title(challenge: Challenge) -> AnyGame:
    """Return the game of a challenge."""
    return registry.get(challenge.title)


def challenge_game(challenge: Challenge) -> str:
    """Return the name of a challenge's game."""
    return registry.get(challenge.title).meta.name


def has_lessons(meta: Meta) -> bool:
    """Whether a game has lessons."""
    return bool(lessons.lessons(meta.slug))


def has_puzzles(meta: Meta) -> bool:
    """Whether a game has puzzles."""
    return bool(puzzles.puzzles(meta.slug))


def has_dice(challenge: Challenge) -> bool:
    """Whether a challenge's game has chance."""
    return registry.get(challenge.title).meta.has_chance


def params_short(challenge: Challenge) -> str:
    """Return a challenge's parameters in one line."""
    return formatting.parameters_short(registry.get(challenge.title).meta, challenge.params)


def params_long(challenge: Challenge) -> list[tuple[str, str]]:
    """Return name and value of a challenge's parameters."""
    return formatting.parameters(registry.get(challenge.title).meta, challenge.params)


def seats_taken(challenge: Challenge) -> int:
    """Return how many seats of a challenge are taken."""
    return len(selectors.taken(challenge))


def seat_range(seats: tuple[int, int]) -> str:
    """Return how many play: ``2``, ``2 to 6``."""
    return between(*seats)


def parameter_facts(meta: Meta) -> list[tuple[str, str]]:
    """Return the title of each parameter and what can be chosen, the default named."""
    properties = meta.params.get("properties", {})
    return [
        (gettext(schema.get("title", name)), _choices(schema))
        for name, schema in properties.items()
    ]


def _choices(schema: Mapping[str, Json]) -> str:
    default = formatting.parameter(schema["default"])
    if "enum" in schema:
        values = listed([formatting.parameter(value) for value in schema["enum"]], "or")
    elif "minimum" in schema and "maximum" in schema:
        values = between(schema["minimum"], schema["maximum"])
    else:
        values = gettext("yes or no") if schema.get("type") == "boolean" else ""
    if not values:
        return gettext("default {default}").format(default=default)
    return gettext("{values}, default {default}").format(values=values, default=default)


# --- Forms ----------------------------------------------------------------------------------------


def widget_is(field: BoundField, kind: str) -> bool:
    """Whether a field is a single ``checkbox``, or a set of ``choices`` to tick."""
    widget = field.field.widget
    if kind == "checkbox":
        return isinstance(widget, CheckboxInput)
    return isinstance(widget, RadioSelect | CheckboxSelectMultiple)


def browser_name(stored: str) -> str:
    """Return the name of a browser in the reader's language."""
    return browsers.shown(stored)


FUNCTIONS = (
    all_games,
    browser_name,
    canonical_address,
    choices_to_make,
    clock_face,
    exact_time,
    header_of,
    is_muted,
    address_without_language,
    languages_offered,
    last_here,
    new_commitment,
    page_address,
    page_name,
    querystring,
    sent_mails,
    share_link,
    site_address,
    site_header,
    source_url,
    time_ago,
    usual_pace,
    vacations_of,
    zone_for_scripts,
)


def names(shown: Sequence[str]) -> SafeString:
    """List names or links, as the reader's language does."""
    return mark_safe(formatting.names([conditional_escape(one) for one in shown]))  # noqa: S308


FILTERS = (
    challenge_game,
    challenge_title,
    has_dice,
    has_lessons,
    has_puzzles,
    names,
    parameter_facts,
    params_long,
    params_short,
    seat_range,
    seats_taken,
    whole_address,
    widget_is,
)
