"""All addresses of the site."""

from django.contrib import admin
from django.urls import include, path
from django.views.generic import RedirectView

from games import health

# What allauth answers where its limits are passed.
handler429 = "accounts.views.too_many"
handler500 = "config.errors.failed"

urlpatterns = [
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    # The site's own page limits guessing at the old password, and tells the owner of the change.
    path("admin/password_change/", RedirectView.as_view(pattern_name="account_change_password")),
    path("admin/", admin.site.urls),
    path("account/", include("accounts.urls")),
    path("api/v1/", include("games.api.urls")),
    path("", include("games.web.urls")),
]
