"""Addresses of home, the games, and how the dice work."""

from django.urls import path

from games.web.pages import featured, views

urlpatterns = [
    path("", views.home, name="home"),
    path("featured/<id:match_id>/", featured.featured, name="featured"),
    path("activity/", views.activity_page, name="activity"),
    path("games/", views.games, name="games"),
    path("games/<slug:slug>/", views.game, name="game"),
    path("games/<slug:slug>/card.png", views.game_card, name="game-card"),
    path("games/<slug:slug>/board-<slug:theme>.svg", views.game_board, name="game-board"),
    path("dice/", views.dice, name="dice"),
]
