"""Addresses of reports."""

from django.urls import path

from games.http import converters  # noqa: F401 - registers <id:…>
from games.web.reports import views

urlpatterns = [
    path("report/<slug:name>/<id:subject_id>/", views.report, name="report"),
    path("report/<slug:name>/<id:subject_id>/now/", views.report_now, name="report-now"),
]
