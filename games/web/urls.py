"""Addresses of the pages, but for those of a match."""

from django.urls import include, path

from games.web import (
    converters,  # noqa: F401 - registers <id:…>
    dice_views,
    list_views,
    lobby_views,
    page_views,
)

urlpatterns = [
    path("", page_views.home, name="home"),
    path("games/", page_views.games, name="games"),
    path("games/<slug:slug>/", page_views.game, name="game"),
    path("games/<slug:slug>/rules/", page_views.game_rules, name="game-rules"),
    path("games/<slug:slug>/challenge/", lobby_views.challenge_new, name="challenge-new"),
    path("dice/", page_views.dice, name="dice"),
    path("lobby/", lobby_views.lobby, name="lobby"),
    path("challenges/<int:pk>/", lobby_views.challenge, name="challenge"),
    path("challenges/<int:pk>/accept/", lobby_views.challenge_accept, name="challenge-accept"),
    path("challenges/<int:pk>/decline/", lobby_views.challenge_decline, name="challenge-decline"),
    path(
        "challenges/<int:pk>/withdraw/", lobby_views.challenge_withdraw, name="challenge-withdraw"
    ),
    path("challenges/reveals/", dice_views.reveals, name="reveals"),
    path("challenges/<int:pk>/reveal/", dice_views.reveal, name="challenge-reveal"),
    path("challenges/<int:pk>/<str:token>/", lobby_views.challenge, name="challenge-link"),
    path("home/", list_views.my_matches, name="my-matches"),
    path("home/next/", list_views.next_match, name="next-match"),
    path("matches/<id:match_id>/", include("games.web.match_urls")),
    path("archive/", list_views.archive, name="archive"),
    path("players/<str:name>/", list_views.player, name="player"),
]
