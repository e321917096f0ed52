"""Addresses of the pages about abandoned seats."""

from django.urls import path

from games.http import converters  # noqa: F401 - registers <id:…>
from games.web.abandoned import views

urlpatterns = [
    path("abandoned/<id:pk>/", views.abandoned, name="abandoned"),
    path("substitute/<id:pk>/", views.substitute, name="substitute"),
]
