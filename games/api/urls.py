"""Addresses of the API, version 1."""

from django.urls import path

from games.api import private_views, views
from games.http import converters  # noqa: F401 - registers <id:…>

urlpatterns = [
    path("games/", views.Games.as_view()),
    path("waiting/", views.Waiting.as_view(), name="api-waiting"),
    path("matches/<id:match_id>/", views.MatchView.as_view(), name="api-match"),
    path("matches/<id:match_id>/log/", views.LogView.as_view(), name="api-log"),
    path("matches/<id:match_id>/options/", views.OptionsView.as_view(), name="api-options"),
    path("matches/<id:match_id>/preview/", views.PreviewView.as_view(), name="api-preview"),
    path("matches/<id:match_id>/moves/", views.MovesView.as_view(), name="api-moves"),
    path("matches/<id:match_id>/private/", private_views.PrivateView.as_view()),
    path("matches/<id:match_id>/queue/", private_views.QueueView.as_view()),
    path("matches/<id:match_id>/order/", private_views.OrderView.as_view()),
    *(
        path(
            f"matches/<id:match_id>/{action}/",
            views.ActionView.as_view(),
            {"action": action},
            name=f"api-{action}",
        )
        for action in views.ACTIONS
    ),
]
