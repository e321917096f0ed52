"""All URLs of the site, and those of the pages that show mails."""

from django.urls import path

from config.local import views
from config.urls import handler429, handler500
from config.urls import urlpatterns as everywhere

__all__ = ["handler429", "handler500", "urlpatterns"]

urlpatterns = [
    path("mails/", views.mails, name="mails"),
    path("mails/<slug:name>/", views.mail, name="mail"),
    path("mails/<slug:name>/picture/", views.picture, name="mail-picture"),
    *everywhere,
]
