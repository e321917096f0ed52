"""Addresses under /account/: those of this application, and allauth's own."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.account.urls import urlpatterns as allauth_urls
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, include, path
from django.views.generic import RedirectView

from accounts import views


def whole(pattern: URLPattern) -> URLPattern:
    """Let a view change everything or nothing: accounts, and the mails about them."""
    view: Callable[..., HttpResponse] = pattern.callback

    @wraps(view)
    def in_transaction(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.method in ("GET", "HEAD"):
            return view(request, *args, **kwargs)
        with transaction.atomic():
            return view(request, *args, **kwargs)

    return URLPattern(pattern.pattern, in_transaction, pattern.default_args, pattern.name)


urlpatterns = [
    path("", RedirectView.as_view(pattern_name="preferences"), name="account"),
    path("preferences/", views.preferences, name="preferences"),
    path("profile/", views.profile_edit, name="profile-edit"),
    path("notices/", views.notification_list, name="notifications"),
    path("notices/seen/", views.mark_notifications_seen, name="notifications-seen"),
    path("unsubscribe/<str:token>/", views.unsubscribe_page, name="unsubscribe"),
    # Before allauth's page of the same address, which it stands in for.
    whole(path("signup/", views.SignupView.as_view(), name="account_signup")),
    path("", include([whole(pattern) for pattern in allauth_urls])),
]
