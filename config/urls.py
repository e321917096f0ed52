"""All URLs of the site."""

from django.contrib import admin
from django.urls import include, path
from django.views.generic import RedirectView

from games import health

# allauth's page for exceeded limits.
handler429 = "accounts.views.too_many"
handler500 = "config.errors.failed"

urlpatterns = [
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    # The site's own page limits guessing the old password, and mails the owner.
    path("admin/password_change/", RedirectView.as_view(pattern_name="account_change_password")),
    path("admin/", admin.site.urls),
    path("account/", include("accounts.urls")),
    path("api/v1/", include("games.api.urls")),
    path("", include("games.web.urls")),
]
