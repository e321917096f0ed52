"""All addresses of the site."""

from django.contrib import admin
from django.urls import include, path

from games import health

urlpatterns = [
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("admin/", admin.site.urls),
    path("account/", include("accounts.urls")),
    path("api/v1/", include("games.api.urls")),
    path("", include("games.web.urls")),
]
