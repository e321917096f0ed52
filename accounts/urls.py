"""Addresses under /account/: those of this application, and allauth's own."""

from django.urls import include, path
from django.views.generic import RedirectView

from accounts import views

urlpatterns = [
    path("", RedirectView.as_view(pattern_name="preferences"), name="account"),
    path("preferences/", views.preferences, name="preferences"),
    path("profile/", views.profile_edit, name="profile-edit"),
    path("notices/", views.notice_list, name="notices"),
    path("notices/seen/", views.notices_seen, name="notices-seen"),
    path("unsubscribe/<str:token>/", views.unsubscribe_page, name="unsubscribe"),
    # Before allauth's page of the same address, which it stands in for.
    path("signup/", views.SignupView.as_view(), name="account_signup"),
    path("", include("allauth.account.urls")),
]
