"""Addresses of a match: its page, its record, and the doors through which it changes."""

from django.urls import path

from games.web import match_views, record_views

urlpatterns = [
    path("", match_views.match, name="match"),
    path("moves/", match_views.move, name="match-move"),
    path("resign/", match_views.resign, name="match-resign"),
    path("offer/", match_views.offer, name="match-offer"),
    path("accept/", match_views.accept, name="match-accept"),
    path("decline/", match_views.decline, name="match-decline"),
    path("take-back/", match_views.take_back, name="match-take-back"),
    path("cancel/", match_views.cancel, name="match-cancel"),
    path("order/", match_views.order, name="match-order"),
    path("queue/", match_views.queue, name="match-queue"),
    path("rematch/", match_views.rematch, name="match-rematch"),
    path("export.json", record_views.export_json, name="match-export"),
    path("export.txt", record_views.export_text, name="match-text"),
    path("<int:number>/", record_views.match_at, name="match-at"),
    path("<int:number>/board.<str:kind>", record_views.board, name="match-board"),
    path("<int:number>/trace.json", record_views.trace, name="match-trace"),
]
