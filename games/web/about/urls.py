"""Addresses of what the site says about itself."""

from django.contrib.sitemaps.views import sitemap
from django.urls import path
from django.views.decorators.http import require_safe
from django.views.generic import RedirectView

from games.web.about import views
from games.web.about.sitemaps import SITEMAPS

urlpatterns = [
    path("help/", views.AboutPage.as_view(page="help"), name="help"),
    path("contact/", views.AboutPage.as_view(page="contact"), name="contact"),
    path("privacy/", views.AboutPage.as_view(page="privacy"), name="privacy"),
    path("terms/", views.AboutPage.as_view(page="terms"), name="terms"),
    path("favicon.ico", views.favicon, name="favicon"),
    path("manifest.webmanifest", views.manifest, name="manifest"),
    path("robots.txt", views.robots, name="robots"),
    path("sitemap.xml", require_safe(sitemap), {"sitemaps": SITEMAPS}, name="sitemap"),
    path(".well-known/security.txt", views.security, name="security-txt"),
    path(
        ".well-known/change-password",
        RedirectView.as_view(pattern_name="account_change_password"),
        name="well-known-change-password",
    ),
]
