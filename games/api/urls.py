"""Addresses of the API, version 1."""

from django.urls import path

from games.api import (
    challenges,
    chat,
    docs,
    ladders,
    lists,
    private_views,
    ratings,
    statistics,
    streams,
    tournaments,
    views,
)
from games.api.base import Nowhere
from games.http import converters  # noqa: F401 - registers <id:…> and <anything:…>

urlpatterns = [
    path("", docs.reference, name="api-docs"),
    path("guides/<slug:name>/", docs.guide, name="api-guide"),
    path("openapi.json", docs.openapi, name="api-schema"),
    path("games/", views.Games.as_view()),
    path("games/<slug:slug>/statistics/", statistics.GameStatisticsView.as_view()),
    path("games/<slug:slug>/ratings/", ratings.LeaderboardView.as_view()),
    path("games/<slug:slug>/ladder/", ladders.LadderView.as_view()),
    path("games/<slug:slug>/ladder/join/", ladders.JoinView.as_view()),
    path("games/<slug:slug>/ladder/leave/", ladders.LeaveView.as_view()),
    path("games/<slug:slug>/ladder/challenges/", ladders.LadderChallengesView.as_view()),
    path("me/", lists.Me.as_view()),
    path("me/records/", streams.OwnRecords.as_view(), name="own-records"),
    path("record.schema.json", docs.record_schema, name="record-schema"),
    path("stream/", streams.OwnStream.as_view()),
    path("waiting/", views.Waiting.as_view(), name="api-waiting"),
    path("players/<str:name>/", lists.PlayerView.as_view()),
    path("players/<str:name>/records/", streams.PlayerRecords.as_view()),
    path("players/<str:name>/statistics/", statistics.PlayerStatisticsView.as_view()),
    path("players/<str:name>/statistics/<str:other>/", statistics.PairView.as_view()),
    path("players/<str:name>/ratings/", ratings.PlayerRatingsView.as_view()),
    path("players/<str:name>/ratings/<slug:slug>/", ratings.PlayerHistoryView.as_view()),
    path("notices/", lists.Notices.as_view()),
    path("notices/seen/", lists.NoticesSeen.as_view()),
    path("challenges/", challenges.Challenges.as_view()),
    path("challenges/find/", challenges.FindView.as_view()),
    path("challenges/commitment/", challenges.CommitmentView.as_view()),
    path("challenges/<id:challenge_id>/", challenges.ChallengeView.as_view()),
    path("challenges/<id:challenge_id>/accept/", challenges.AcceptView.as_view()),
    path("challenges/<id:challenge_id>/reveal/", challenges.RevealView.as_view()),
    path("challenges/<id:challenge_id>/decline/", challenges.DeclineView.as_view()),
    path("challenges/<id:challenge_id>/withdraw/", challenges.WithdrawView.as_view()),
    path("events/", tournaments.Tournaments.as_view()),
    path("events/<id:event_id>/", tournaments.TournamentView.as_view()),
    path("events/<id:event_id>/join/", tournaments.JoinView.as_view()),
    path("events/<id:event_id>/leave/", tournaments.LeaveView.as_view()),
    path("matches/", lists.Matches.as_view()),
    path("matches/<id:match_id>/", views.MatchView.as_view(), name="api-match"),
    path("matches/<id:match_id>/log/", views.LogView.as_view(), name="api-log"),
    path("matches/<id:match_id>/record/", views.RecordView.as_view()),
    path("matches/<id:match_id>/ratings/", ratings.MatchRatingsView.as_view()),
    path("matches/<id:match_id>/stream/", streams.MatchStream.as_view()),
    path("matches/<id:match_id>/options/", views.OptionsView.as_view(), name="api-options"),
    path("matches/<id:match_id>/random/", views.RandomMoveView.as_view()),
    path("matches/<id:match_id>/preview/", views.PreviewView.as_view(), name="api-preview"),
    path("matches/<id:match_id>/moves/", views.MovesView.as_view(), name="api-moves"),
    path("matches/<id:match_id>/private/", private_views.PrivateView.as_view()),
    path("matches/<id:match_id>/lines/", private_views.LinesView.as_view()),
    path("matches/<id:match_id>/lines/remove/", private_views.RemoveLineView.as_view()),
    path("matches/<id:match_id>/queue/", private_views.QueueView.as_view()),
    path("matches/<id:match_id>/order/", private_views.OrderView.as_view()),
    path("matches/<id:match_id>/chat/", chat.ChatView.as_view()),
    *(
        path(f"matches/<id:match_id>/{action}/", view.as_view(), name=f"api-{action}")
        for action, view in views.ACTIONS.items()
    ),
    # addresses without the final slash are redirected
    path("<anything:rest>/", Nowhere.as_view()),
]
