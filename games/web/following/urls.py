"""Addresses of the pages about following and being challenged."""

from django.urls import path

from games.web.following import views

urlpatterns = [
    path("account/following/", views.following, name="following"),
    path("account/following/<str:name>/", views.change, name="follow"),
    path("account/playing/", views.playing, name="playing"),
]
