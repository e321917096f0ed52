"""Public Atom feeds of the site, its tournaments and ladders; a private calendar of deadlines."""

import hashlib
from collections.abc import Iterable
from datetime import UTC, datetime
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.syndication.views import Feed
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.feedgenerator import Atom1Feed
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from accounts import texts
from accounts.delivery import feeds
from accounts.mail import absolute
from accounts.site_languages import reading
from games.events.models import Tournament
from games.http import activity
from games.http.activity import Item
from games.kernel import registry
from games.kernel.contract import Meta
from games.web import deadline_calendar
from games.web.ladders import ladder_meta

SECONDS = 300
"""Seconds that a feed may be cached."""

MOST_TOURNAMENTS = 40


class PublicAtom(Atom1Feed):
    """An Atom feed that doesn't change while it is empty."""

    def latest_post_date(self) -> datetime:
        return super().latest_post_date() if self.items else datetime.fromtimestamp(0, UTC)


class ItemFeed(Feed[Item, Meta | None]):
    """A feed of events. An entry never changes: news is a new entry."""

    feed_type = PublicAtom
    author_name = "Turnstone"

    def item_title(self, item: Item) -> str:
        """Return the event in a sentence that XML can hold."""
        return texts.one_line(item.text)

    def item_description(self, item: Item) -> None:  # type: ignore[override]
        """Return nothing: the title says everything."""

    def item_link(self, item: Item) -> str:
        return absolute(item.url)

    def item_guid(self, item: Item) -> str:
        """Return a permanent name (RFC 4151)."""
        what = f"{item.at.isoformat()} {item.url} {item.text}"
        digest = hashlib.sha256(what.encode()).hexdigest()[:16]
        host = urlsplit(settings.SITE_URL).hostname
        return f"tag:{host},{item.at:%Y-%m-%d}:{item.kind}-{digest}"

    def item_pubdate(self, item: Item) -> datetime:
        return item.at

    def item_updateddate(self, item: Item) -> datetime:
        return item.at


class ActivityFeed(ItemFeed):
    """What happens on the site, as on the page of activity."""

    def title(self) -> str:
        return _("Turnstone: activity")

    def subtitle(self) -> str:
        return _(
            "Results, tournaments, achievements, open challenges, ladders, collections and news"
        )

    def link(self) -> str:
        return absolute(reverse("activity"))

    def items(self) -> Iterable[Item]:
        lately = activity.latest(timezone.now())
        news = [Item(one.at, "news", one.title, reverse("activity")) for one in lately.news]
        return sorted([*lately.items, *news], key=lambda item: item.at, reverse=True)


class TournamentFeed(ItemFeed):
    """Tournaments: each when it is announced, when it begins and when it ends."""

    def title(self) -> str:
        return _("Turnstone: tournaments")

    def subtitle(self) -> str:
        return _("Tournaments that are announced, begin and end")

    def link(self) -> str:
        return absolute(reverse("events"))

    def items(self) -> Iterable[Item]:
        latest = Tournament.objects.filter(title__in=registry.titles()).order_by("-created")
        latest = latest.exclude(format=Tournament.Format.TEAMS)
        steps = [item for one in latest[:MOST_TOURNAMENTS] for item in _steps(one)]
        return sorted(steps, key=lambda item: item.at, reverse=True)[:MOST_TOURNAMENTS]


def _steps(one: Tournament) -> Iterable[Item]:
    name = f"{one.name} ({registry.get(one.title).meta.name})"
    ends = {
        Tournament.Status.FINISHED: _("{tournament} has ended"),
        Tournament.Status.CANCELLED: _("{tournament} is cancelled"),
    }
    dated = (
        (one.created, _("{tournament} is open for entry")),
        (one.began, _("{tournament} has begun")),
        (one.ended, ends.get(Tournament.Status(one.status), "")),
    )
    for at, text in dated:
        if at and text:
            yield Item(at, "tournament", text.format(tournament=name), one.get_absolute_url())


class LadderFeed(ItemFeed):
    """The ladder of a game: who joins it, and who takes whose place."""

    def get_object(self, request: HttpRequest, slug: str) -> Meta:
        """:raises Http404: the game has no ladder."""
        return ladder_meta(slug)

    def title(self, meta: Meta) -> str:
        return _("Turnstone: ladder of {game}").format(game=meta.name)

    def link(self, meta: Meta) -> str:
        return absolute(reverse("game-ladder", args=[meta.slug]))

    def items(self, meta: Meta) -> Iterable[Item]:
        return activity.of_ladder(meta.slug)


_public = cache_control(public=True, max_age=SECONDS)

activity_feed = require_safe(_public(ActivityFeed()))
tournament_feed = require_safe(_public(TournamentFeed()))
ladder_feed = require_safe(_public(LadderFeed()))


@feeds.private
def deadlines(request: HttpRequest, token: str) -> HttpResponse:
    """Return a player's deadlines, as a calendar at a private address."""
    now = timezone.now()
    user = feeds.reader(token, now=now)
    with reading(user):
        content = deadline_calendar.deadlines(user, now=now)
    return HttpResponse(content, content_type="text/calendar; charset=utf-8")
