"""Addresses of the record of a match."""

from django.urls import path

from games.web.record import animation, comments, sharing, thumbnails, views

urlpatterns = [
    path("export.json", views.export_json, name="match-export"),
    path("export.txt", views.export_text, name="match-text"),
    path("<int:number>/", views.match_at, name="match-at"),
    path("<int:number>/board.<str:kind>", views.board, name="match-board"),
    path(
        "<id:version>/thumbnail-<slug:theme>.<slug:digest>.svg",
        thumbnails.thumbnail,
        name="match-thumbnail",
    ),
    path("animations/", animation.ask, name="animation-ask"),
    path("animations/<id:animation_id>/", animation.page, name="animation"),
    path("animations/<id:animation_id>/match.gif", animation.picture, name="animation-picture"),
    path("<int:number>/comments/", comments.comment, name="match-comment"),
    path("<int:number>/share/", sharing.share, name="match-share"),
    path("<int:number>/card.png", sharing.card, name="match-card"),
    path("<int:number>/embed/", sharing.embed, name="match-embed"),
    path("<int:number>/trace.json", views.trace, name="match-trace"),
]
