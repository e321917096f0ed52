"""The addresses of the site, and a bare page with the same middleware: the floor."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import include, path
from django.utils.html import format_html

from bench.models import Counter


def page(request: HttpRequest, counter_id: int) -> HttpResponse:
    """A page of one line about one row, for somebody signed in."""
    counter = get_object_or_404(Counter, pk=counter_id)
    line = "<!doctype html><title>{}</title><p>{}: {}, changed {}</p>"
    return HttpResponse(format_html(line, counter, request.user, counter.version, counter.changed))


urlpatterns = [path("bench/<int:counter_id>/", page), path("", include("config.urls"))]
