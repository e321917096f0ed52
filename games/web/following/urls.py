"""Address of following a player."""

from django.urls import path

from games.web.following import views

urlpatterns = [
    path("account/following/<str:name>/", views.change, name="follow"),
]
