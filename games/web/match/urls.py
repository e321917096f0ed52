"""Addresses of a match: its page, and the changes that players make."""

from django.urls import path

from games.web.match import planning, views

urlpatterns = [
    path("", views.match, name="match"),
    path("moves/", views.move, name="match-move"),
    path("resign/", views.resign, name="match-resign"),
    path("offer/", views.offer, name="match-offer"),
    path("pause/", views.pause, name="match-pause"),
    path("give-time/", views.give_time, name="match-give-time"),
    path("end-pause/", views.end_pause, name="match-end-pause"),
    path("offer-cancel/", views.offer_cancel, name="match-offer-cancel"),
    path("offer-take-back/", views.offer_take_back, name="match-offer-take-back"),
    path("accept/", views.accept, name="match-accept"),
    path("decline/", views.decline, name="match-decline"),
    path("take-back/", views.take_back, name="match-take-back"),
    path("cancel/", views.cancel, name="match-cancel"),
    path("order/", views.order, name="match-order"),
    path("plan/", planning.plan, name="match-plan"),
    path("queue/", views.queue, name="match-queue"),
    path("lines/", views.lines, name="match-lines"),
    path("mute/", views.mute, name="match-mute"),
    path("rematch/", views.rematch, name="match-rematch"),
]
