"""Addresses of plans and standing orders."""

from django.urls import path

from games.web.plans import views

urlpatterns = [
    path("plans/", views.plans, name="plans"),
    path("plans/<id:match_id>/end/", views.end, name="plans-end"),
    path("plans/challenges/<int:pk>/", views.change, name="standing-challenge"),
]
