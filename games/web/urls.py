"""Addresses of the pages."""

from django.urls import include, path

from games.http import converters  # noqa: F401 - registers <id:…>
from games.web import feeds
from games.web.record import oembed

urlpatterns = [
    path("", include("games.web.pages.urls")),
    path("", include("games.web.about.urls")),
    path("", include("games.web.rules.urls")),
    path("", include("games.web.lobby.urls")),
    path("", include("games.web.lists.urls")),
    path("", include("games.web.statistics.urls")),
    path("", include("games.web.ratings.urls")),
    path("", include("games.web.ladders.urls")),
    path("", include("games.web.events.urls")),
    path("", include("games.web.reports.urls")),
    path("", include("games.web.collections.urls")),
    path("oembed/", oembed.oembed, name="oembed"),
    path("account/feeds/<str:token>/deadlines.ics", feeds.deadlines, name="feed-deadlines"),
    path("activity/feed.atom", feeds.activity_feed, name="activity-feed"),
    path("events/feed.atom", feeds.tournament_feed, name="events-feed"),
    path("games/<slug:slug>/ladder/feed.atom", feeds.ladder_feed, name="ladder-feed"),
    path("imported/", include("games.web.imported.urls")),
    path("", include("games.web.abandoned.urls")),
    path("", include("games.web.settings.urls")),
    path("desk/", include("games.web.desk.urls")),
    path("", include("games.web.vacation.urls")),
    path("", include("games.web.watching.urls")),
    path("", include("games.web.plans.urls")),
    path("", include("games.web.study.urls")),
    path("", include("games.web.talk.urls")),
    path("matches/<id:match_id>/", include("games.web.match.urls")),
    path("matches/<id:match_id>/", include("games.web.record.urls")),
]
