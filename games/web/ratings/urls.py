"""Addresses of ratings."""

from django.urls import path

from games.web.ratings import views

urlpatterns = [
    path("games/<slug:slug>/ratings/", views.leaderboard, name="game-ratings"),
    path("games/<slug:slug>/ratings/card.png", views.leaderboard_card, name="ratings-card"),
    path("players/<str:name>/card.png", views.player_card, name="player-card"),
    path("players/<str:name>/ratings/", views.player, name="player-ratings"),
    path("account/ratings/", views.settings, name="rating-settings"),
]
