"""Addresses of statistics."""

from django.urls import path

from games.web.statistics import views

urlpatterns = [
    path("games/<slug:slug>/statistics/", views.game, name="game-statistics"),
    path("players/<str:name>/statistics/", views.player, name="player-statistics"),
    path("players/<str:name>/against/<str:other>/", views.head_to_head, name="head-to-head"),
]
