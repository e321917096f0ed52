"""The floor: views that do the least that a move and a page can do, behind the same middleware."""

from http import HTTPStatus

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.html import format_html
from django.views.decorators.http import require_POST

from bench.models import Counter, Entry


@require_POST
def count(request: HttpRequest, counter_id: int) -> HttpResponse:
    """One read, one conditional update, one insert and a commit, by somebody signed in."""
    if not request.user.is_authenticated:
        return HttpResponse(status=HTTPStatus.FORBIDDEN)
    counter = get_object_or_404(Counter, pk=counter_id)
    version, text, now = int(request.POST["version"]), request.POST["word"], timezone.now()
    if version != counter.version:
        return HttpResponse(status=HTTPStatus.CONFLICT)
    with transaction.atomic():
        found = Counter.objects.filter(pk=counter_id, version=version)
        if not found.update(version=version + 1, changed=now):
            return HttpResponse(status=HTTPStatus.CONFLICT)
        Entry.objects.create(
            counter=counter, number=version + 1, user=request.user, text=text, at=now
        )
    answer = redirect("bench-page", counter_id)
    answer.status_code = HTTPStatus.SEE_OTHER
    return answer


def page(request: HttpRequest, counter_id: int) -> HttpResponse:
    """A page of one line about one row, for somebody signed in."""
    counter = get_object_or_404(Counter, pk=counter_id)
    line = "<!doctype html><title>{}</title><p>{}: {}, changed {}</p>"
    return HttpResponse(format_html(line, counter, request.user, counter.version, counter.changed))
