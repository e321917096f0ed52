"""The addresses of the site, and those of the bare views."""

from django.urls import include, path

from bench import views

urlpatterns = [
    path("bench/<int:counter_id>/", views.page, name="bench-page"),
    path("bench/<int:counter_id>/moves/", views.count, name="bench-count"),
    path("", include("config.urls")),
]
