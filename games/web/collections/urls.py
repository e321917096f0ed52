"""Addresses of bookmarks and their collections."""

from django.urls import path

from games.http import converters  # noqa: F401 - registers <id:…>
from games.web.collections import bookmarking, views

urlpatterns = [
    path("collections/", views.collections, name="collections"),
    path("collections/<id:collection_id>/", views.collection, name="collection"),
    path("collections/<id:collection_id>/change/", views.change, name="collection-change"),
    path("collections/<id:collection_id>/delete/", views.delete, name="collection-delete"),
    path(
        "collections/<id:collection_id>/<id:bookmark_id>/", views.arrange, name="collection-arrange"
    ),
    path(
        "matches/<id:match_id>/<int:number>/bookmark/",
        bookmarking.bookmark_match,
        name="match-bookmark",
    ),
    path(
        "imported/<id:record_id>/<int:number>/bookmark/",
        bookmarking.bookmark_imported,
        name="imported-bookmark",
    ),
]
