"""Addresses of boards to think on."""

from django.urls import path

from games.http import converters  # noqa: F401 - registers <id:…>
from games.web.study import lessons, play, review, saved, thinking, views

PUZZLES = {"series": lessons.PUZZLES}

urlpatterns = [
    path("games/<slug:slug>/board/", views.begin, name="board-begin"),
    path("games/<slug:slug>/board/new/", views.new, name="board-new"),
    path("games/<slug:slug>/board/<slug:packed>/<int:number>/", views.board, name="board"),
    path("games/<slug:slug>/board/<slug:packed>/<int:number>/save/", saved.save, name="board-save"),
    path("matches/<id:match_id>/board/", thinking.begin, name="match-board-begin"),
    path("matches/<id:match_id>/board/<int:number>/", thinking.board, name="match-board"),
    path("games/<slug:slug>/lessons/", lessons.index, name="lessons"),
    path("games/<slug:slug>/lessons/<int:number>/", lessons.lesson, name="lesson"),
    path(
        "games/<slug:slug>/lessons/<int:number>/<slug:tried>/", lessons.lesson, name="lesson-tried"
    ),
    path(
        "games/<slug:slug>/lessons/<int:number>/board-<slug:theme>.svg",
        lessons.picture,
        name="lesson-board",
    ),
    path("games/<slug:slug>/puzzles/", lessons.index, PUZZLES, name="puzzles"),
    path("games/<slug:slug>/puzzles/<int:number>/", lessons.lesson, PUZZLES, name="puzzle"),
    path(
        "games/<slug:slug>/puzzles/<int:number>/<slug:tried>/",
        lessons.lesson,
        PUZZLES,
        name="puzzle-tried",
    ),
    path(
        "games/<slug:slug>/puzzles/<int:number>/board-<slug:theme>.svg",
        lessons.picture,
        PUZZLES,
        name="puzzle-board",
    ),
    path("matches/<id:match_id>/<int:number>/try/", views.from_match, name="match-try"),
    path("imported/<id:record_id>/<int:number>/try/", views.from_import, name="imported-try"),
    path("matches/<id:match_id>/review/", review.of_match, name="match-review"),
    path(
        "matches/<id:match_id>/review/<int:number>/board/",
        review.board_of_match,
        name="match-review-board",
    ),
    path("imported/<id:record_id>/review/", review.of_import, name="imported-review"),
    path(
        "imported/<id:record_id>/review/<int:number>/board/",
        review.board_of_import,
        name="imported-review-board",
    ),
    path("games/<slug:slug>/play/", play.begin, name="play-begin"),
    path("play/<slug:key>/", play.cover, name="play"),
    path("play/<slug:key>/<int:number>/", play.turn, name="play-turn"),
    path("boards/", saved.studies, name="studies"),
    path("boards/<slug:key>/<int:number>/", saved.study, name="study"),
    path("boards/<slug:key>/change/", saved.change, name="study-change"),
    path("boards/<slug:key>/copy/", saved.copy, name="study-copy"),
    path("boards/<slug:key>/delete/", saved.delete, name="study-delete"),
    path("boards/<slug:key>/export.json", saved.export_json, name="study-json"),
    path("boards/<slug:key>/export.txt", saved.export_text, name="study-text"),
]
