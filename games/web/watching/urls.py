"""Addresses of watching matches."""

from django.urls import path

from games.web.watching import views

urlpatterns = [
    path("watching/", views.watching, name="watching"),
    path("matches/<id:match_id>/watch/", views.change, name="match-watch"),
]
