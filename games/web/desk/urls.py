"""Addresses of the desk."""

from django.urls import path

from games.http import converters  # noqa: F401 - registers <id:…>
from games.web.desk import act, views

urlpatterns = [
    path("", views.queue, name="desk"),
    path("open/", act.open_case, name="desk-open"),
    path("log/", views.action_log, name="desk-log"),
    path("cases/<id:case_id>/", views.case, name="desk-case"),
    path("cases/<id:case_id>/claim/", act.claim, name="desk-claim"),
    path("cases/<id:case_id>/release/", act.release, name="desk-release"),
    path("cases/<id:case_id>/note/", act.note, name="desk-note"),
    path("cases/<id:case_id>/close/", act.close, name="desk-close"),
    path("cases/<id:case_id>/act/", act.act, name="desk-act"),
    path("cases/<id:case_id>/unlock/", act.unlock, name="desk-unlock"),
    path("sanctions/<id:sanction_id>/", views.sanction, name="desk-sanction"),
    path("sanctions/<id:sanction_id>/lift/", act.lift, name="desk-lift"),
    path("sanctions/<id:sanction_id>/answer/", act.answer, name="desk-answer"),
]
