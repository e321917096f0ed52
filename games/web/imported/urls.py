"""Addresses of imported records."""

from django.urls import path

from games.http import converters  # noqa: F401 - registers <id:…>
from games.web.imported import views

urlpatterns = [
    path("", views.records, name="imported-records"),
    path("<id:record_id>/delete/", views.delete, name="imported-delete"),
    path("<id:record_id>/export.json", views.export_json, name="imported-export"),
    path("<id:record_id>/export.txt", views.export_text, name="imported-text"),
    path("<id:record_id>/<int:number>/", views.imported, name="imported"),
    path("<id:record_id>/<int:number>/board.<str:kind>", views.board, name="imported-board"),
]
