"""Addresses of ladders."""

from django.urls import path

from games.web.ladders import views

urlpatterns = [
    path("games/<slug:slug>/ladder/", views.ladder, name="game-ladder"),
    path("games/<slug:slug>/ladder/card.png", views.ladder_card, name="ladder-card"),
    path("games/<slug:slug>/ladder/join/", views.join, name="ladder-join"),
    path("games/<slug:slug>/ladder/leave/", views.leave, name="ladder-leave"),
    path("games/<slug:slug>/ladder/challenge/", views.challenge, name="ladder-challenge"),
]
