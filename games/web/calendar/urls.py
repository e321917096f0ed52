"""Address of the calendar of deadlines."""

from django.urls import path

from games.web.calendar import views

urlpatterns = [
    path("account/feeds/<str:token>/deadlines.ics", views.deadlines, name="feed-deadlines"),
]
