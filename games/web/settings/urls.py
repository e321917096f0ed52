"""Addresses of the settings of several applications."""

from django.urls import path

from games.web.settings import views

urlpatterns = [
    path("account/preferences/", views.preferences, name="preferences"),
    path("account/people/", views.people, name="people"),
    path("account/playing/", views.playing, name="playing"),
    path("account/chat/", views.chat, name="chat-settings"),
    path("account/following/", views.following, name="following"),
    path("account/following/<str:name>/", views.follow, name="follow"),
    path("account/blocks/", views.blocks, name="blocks"),
]
