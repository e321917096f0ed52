"""Addresses of the lobby and of challenges."""

from django.urls import path

from games.web.lobby import bots, declaring, finding, reveals, views

urlpatterns = [
    path("play/", bots.play_now, name="play-now"),
    path("account/bot/", declaring.declare_bot, name="declare-bot"),
    path("games/<slug:slug>/challenge/", views.challenge_new, name="challenge-new"),
    path("games/<slug:slug>/bots/", bots.play_bot, name="play-bot"),
    path("games/<slug:slug>/bots/<slug:level>/", bots.play_bot_at_once, name="play-bot-at-once"),
    path("matches/<id:match_id>/next-level/", bots.play_next_level, name="play-next-level"),
    path("lobby/find/", finding.find, name="find-opponent"),
    path("lobby/", views.lobby, name="lobby"),
    path("challenges/<int:pk>/", views.challenge, name="challenge"),
    path("challenges/<int:pk>/accept/", views.challenge_accept, name="challenge-accept"),
    path("challenges/<int:pk>/decline/", views.challenge_decline, name="challenge-decline"),
    path("challenges/<int:pk>/withdraw/", views.challenge_withdraw, name="challenge-withdraw"),
    path("challenges/reveals/", reveals.reveals, name="reveals"),
    path("challenges/<int:pk>/reveal/", reveals.reveal, name="challenge-reveal"),
    path("challenges/<int:pk>/<str:token>/", views.challenge, name="challenge-link"),
]
