"""Addresses of chat and notes."""

from django.urls import path

from games.http import converters  # noqa: F401 - registers <id:…>
from games.web.talk import views

urlpatterns = [
    path("matches/<id:match_id>/chat/", views.chat, name="chat"),
    path("matches/<id:match_id>/chat/read/", views.read, name="chat-read"),
    path("matches/<id:match_id>/chat/mute/", views.mute, name="chat-mute"),
    path("matches/<id:match_id>/note/", views.note, name="match-note"),
    path("account/chat/unmute/<str:name>/", views.unmute, name="chat-unmute"),
]
