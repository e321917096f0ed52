"""Address of the rules of a game."""

from django.urls import path

from games.web.rules import views

urlpatterns = [
    path("games/<slug:slug>/rules/", views.game_rules, name="game-rules"),
    path("games/<slug:slug>/brief/", views.game_brief, name="game-brief"),
]
