"""URLs under /account/: our own, and allauth's."""

from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any

from allauth.account import views as allauth_views
from allauth.account.urls import urlpatterns as allauth_urls
from allauth.mfa.urls import urlpatterns as mfa_urls
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, URLResolver, include, path, re_path
from django.views.generic import RedirectView

from accounts import block_views, data_views, token_views, views
from accounts.delivery import feeds
from accounts.delivery import views as delivery
from accounts.sanctions import views as standing
from accounts.security import views as security


def all_whole(patterns: Iterable[URLPattern | URLResolver]) -> list[URLPattern | URLResolver]:
    return [
        path(str(pattern.pattern), include(all_whole(pattern.url_patterns)))
        if isinstance(pattern, URLResolver)
        else whole(pattern)
        for pattern in patterns
    ]


def whole(pattern: URLPattern) -> URLPattern:
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
    path("language/", views.choose_language, name="language"),
    path("profile/", views.profile_edit, name="profile-edit"),
    path("blocks/<str:name>/", block_views.change, name="block"),
    path("notices/", views.notification_list, name="notifications"),
    path("notices/seen/", views.mark_notifications_seen, name="notifications-seen"),
    whole(path("notices/settings/", delivery.settings_page, name="delivery")),
    path("notices/test/<slug:channel>/", delivery.send_test, name="delivery-test"),
    path("notices/browsers/", delivery.add_device, name="push-device-add"),
    path("notices/browsers/<int:device_id>/", delivery.remove_device, name="push-device-remove"),
    path("notices/feeds/", delivery.renew_feeds, name="feeds-renew"),
    path("notices/unmute/", delivery.unmute, name="delivery-unmute"),
    path("tokens/", token_views.api_tokens, name="api-tokens"),
    path("tokens/new/", token_views.new_api_token, name="api-token-new"),
    path("tokens/revoke/", token_views.revoke_all_api_tokens, name="api-tokens-revoke"),
    path("tokens/<int:token_id>/revoke/", token_views.revoke_api_token, name="api-token-revoke"),
    path("unsubscribe/<str:token>/", views.unsubscribe_page, name="unsubscribe"),
    path("feeds/<str:token>/events.atom", feeds.events, name="feed-events"),
    path("data/", data_views.data, name="own-data"),
    whole(path("data/download/", data_views.download, name="own-data-download")),
    whole(path("data/delete/", data_views.delete, name="account-delete")),
    whole(path("data/keep/", data_views.keep, name="account-keep")),
    whole(path("email/change/<str:token>/", data_views.change_address, name="address-change")),
    path("security/", security.overview, name="account-security"),
    path("standing/", standing.page, name="standing"),
    path("standing/<int:sanction_id>/read/", standing.read_warning, name="standing-read"),
    path("standing/<int:sanction_id>/appeal/", standing.appeal, name="standing-appeal"),
    path("sessions/", security.session_list, name="sessions"),
    path("sessions/<int:session_id>/end/", security.end_session, name="session-end"),
    path("sessions/end-others/", security.end_other_sessions, name="sessions-end-others"),
    path("sessions/end-all/", security.end_all_sessions, name="sessions-end-all"),
    # These replace allauth's pages, so they come first.
    whole(path("logout/", views.LogoutView.as_view(), name="account_logout")),
    whole(path("email/", views.EmailView.as_view(), name="account_email")),
    # These hash passwords, so they open their transactions themselves. Re-entering the password
    # writes only the session.
    path("signup/", views.SignupView.as_view(), name="account_signup"),
    path("login/", views.LoginView.as_view(), name="account_login"),
    path("reauthenticate/", allauth_views.reauthenticate, name="account_reauthenticate"),
    path("password/change/", views.PasswordChangeView.as_view(), name="account_change_password"),
    path("password/set/", views.PasswordSetView.as_view(), name="account_set_password"),
    re_path(
        r"^password/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        views.PasswordResetFromKeyView.as_view(),
        name="account_reset_password_from_key",
    ),
    path("", include(all_whole(allauth_urls))),
    whole(path("2fa/webauthn/add/", security.AddPasskeyView.as_view(), name="mfa_add_webauthn")),
    # Passkeys are listed with the other second factors.
    path(
        "2fa/webauthn/",
        RedirectView.as_view(pattern_name="mfa_index"),
        name="mfa_list_webauthn",
    ),
    path("2fa/", security.FactorsView.as_view(), name="mfa_index"),
    path("2fa/recovery-codes/", security.show_codes, name="mfa_view_recovery_codes"),
    path(
        "2fa/recovery-codes/download/", security.download_codes, name="mfa_download_recovery_codes"
    ),
    whole(
        path(
            "2fa/recovery-codes/generate/",
            security.NewCodesView.as_view(),
            name="mfa_generate_recovery_codes",
        )
    ),
    path("2fa/", include(all_whole(mfa_urls))),
]
