"""Addresses of one's vacation."""

from django.urls import path

from games.web.vacation import views

urlpatterns = [
    path("account/vacation/", views.vacation, name="vacation"),
    path("account/vacation/end/", views.end, name="vacation-end"),
    path("account/vacation/automatic/", views.automatic, name="vacation-automatic"),
]
