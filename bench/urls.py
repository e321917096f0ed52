"""The addresses of the site, and those of the bare page."""

from django.urls import include, path

from bench import views

urlpatterns = [
    path("bench/<int:counter_id>/", views.page),
    path("", include("config.urls")),
]
