"""Addresses of lists of matches."""

from django.urls import path

from games.web.lists import views

urlpatterns = [
    path("home/", views.my_matches, name="my-matches"),
    path("home/next/", views.next_match, name="next-match"),
    path("archive/", views.archive, name="archive"),
    path("players/<str:name>/", views.player, name="player"),
]
