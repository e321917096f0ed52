"""Addresses of tournaments."""

from django.urls import path

from games.web.events import views

urlpatterns = [
    path("events/", views.events, name="events"),
    path("events/new/<slug:slug>/", views.event_new, name="event-new"),
    path("events/<id:event_id>/", views.event, name="event"),
    path("events/<id:event_id>/join/", views.event_join, name="event-join"),
    path("events/<id:event_id>/wait/", views.event_wait, name="event-wait"),
    path("events/<id:event_id>/leave/", views.event_leave, name="event-leave"),
    path("events/<id:event_id>/cancel/", views.event_cancel, name="event-cancel"),
    path("events/<id:event_id>/crosstable.svg", views.event_crosstable, name="event-crosstable"),
    path("events/<id:event_id>/bracket.svg", views.event_bracket, name="event-bracket"),
    path("events/<id:event_id>/card.png", views.event_card, name="event-card"),
    path("events/<id:event_id>/calendar.ics", views.event_calendar, name="event-calendar"),
]
