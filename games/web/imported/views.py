"""Taking records in, and looking through them."""

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import limits
from accounts.limits import limited
from accounts.requests import UserRequest
from games.kernel.palettes import PALETTES
from games.matches.errors import NoSuchMatch
from games.matches.view import pictures
from games.records import imports, reading
from games.records.errors import Damaged, MayNotImport
from games.records.models import ImportedRecord
from games.web.imported.page import ImportedPage
from games.web.record.text import text
from games.web.record.views import TYPES

PARTS = {"record": "match/position.html", "log": "match/record_log.html"}
"""The templates of the parts that scripts ask for; other requests get the whole page."""


LARGEST_UPLOAD = 1_000_000
"""Bytes of a file in a form: the server takes no larger request."""

LONGEST_IMPORT = 60
"""Seconds after which an import that never ended no longer stops the next."""

ONE_AT_A_TIME = (
    "Another record is being checked, for you or for somebody in your network. Try again in a"
    " moment."
)


class ImportForm(forms.Form):
    """A record, as a file or pasted."""

    file = forms.FileField(
        label="File",
        required=False,
        widget=forms.FileInput(
            attrs={
                "accept": ".json,.txt,application/json,text/plain",
                "data-most-bytes": LARGEST_UPLOAD,
            },
        ),
        help_text="The JSON or the text of a match that has ended, from its record: 1 MB at most.",
        error_messages={"empty": "The file is empty."},
    )
    text = forms.CharField(
        label="Or paste the text",
        required=False,
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false"}),
        help_text="Text copied from a mail works too, quoted or wrapped.",
    )

    def clean(self) -> dict[str, Any]:
        """Check that one of the fields is filled in, and only one.

        :raises ValidationError: none is, or both are.
        """
        cleaned = super().clean() or {}
        if not self.errors and bool(cleaned.get("file")) == bool(cleaned.get("text")):
            both = "Choose a file or paste a text, not both."
            raise forms.ValidationError(
                both if cleaned.get("file") else "Choose a file, or paste a text."
            )
        return cleaned

    @property
    def source(self) -> str:
        """The name of the field that is filled in."""
        return "file" if self.cleaned_data["file"] else "text"

    def record(self) -> bytes:
        """Return what was sent, but no more than is read."""
        if self.source == "file":
            return bytes(self.cleaned_data["file"].read(reading.MAX_FILE_SIZE + 1))
        return str(self.cleaned_data["text"]).encode("utf-8", "surrogatepass")


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@limited("import")
def records(request: UserRequest) -> HttpResponse:
    """List the user's imported records, and take another one in."""
    is_sent = request.method == "POST"
    form = ImportForm(request.POST, request.FILES) if is_sent else ImportForm()
    if form.is_valid():
        try:
            made = _take_in(request, form.record())
        except (Damaged, MayNotImport) as refusal:
            form.add_error(form.source, str(refusal))
        else:
            return redirect(made)
    own = ImportedRecord.objects.filter(owner=request.user)
    status = 422 if form.errors else 200
    context = {"form": form, "records": own, "most": imports.MAX_IMPORTS}
    return render(request, "imported/records.html", context, status=status)


def _take_in(request: UserRequest, data: bytes) -> ImportedRecord:
    """Take a record in, one at a time for each account and network address.

    :raises Damaged: it is no record, or one that does not hold.
    :raises MayNotImport: the user may not, or another import is in progress.
    """
    with limits.alone(request, "import", seconds=LONGEST_IMPORT) as is_alone:
        if not is_alone:
            raise MayNotImport(ONE_AT_A_TIME)
        return imports.take_in(user=request.user, data=data, now=timezone.now())


@login_required
@require_POST
@limited("profile")
def delete(request: UserRequest, record_id: int) -> HttpResponse:
    """Delete a record that the user has taken in."""
    record = get_object_or_404(ImportedRecord, pk=record_id, owner=request.user)
    imports.remove(user=request.user, record=record)
    messages.success(request, "The record is deleted.")
    return redirect("imported-records")


def _read(request: HttpRequest, record_id: int, number: int) -> ImportedPage:
    try:
        return ImportedPage.read_imported(record_id, number, request.user)
    except NoSuchMatch as unknown:
        raise Http404(str(unknown)) from unknown


@require_safe
@cache_control(private=True, no_cache=True)
def imported(request: HttpRequest, record_id: int, number: int) -> HttpResponse:
    """An imported record after one entry of its log."""
    page = _read(request, record_id, number)
    template = PARTS.get(request.GET.get("part", ""), "imported/record.html")
    return render(request, template, {"page": page, "view": page.view})


@require_safe
@cache_control(private=True, no_cache=True)
def board(request: HttpRequest, record_id: int, number: int, kind: str) -> HttpResponse:
    """A position as a picture, ``?theme=light`` or ``dark``."""
    theme = request.GET.get("theme", "light")
    if theme not in PALETTES or kind not in TYPES:
        raise Http404("There is no such picture.")
    make: Any = pictures.svg_document
    if kind == "png":
        limits.spend(request, "picture")
        make = pictures.png
    drawing = _read(request, record_id, number).view.drawing
    return HttpResponse(make(drawing, theme), content_type=TYPES[kind])


@require_safe
def export_json(request: HttpRequest, record_id: int) -> HttpResponse:
    """The record as it was taken in."""
    exported = imports.export(get_object_or_404(ImportedRecord, pk=record_id))
    answer = JsonResponse(exported, json_dumps_params={"indent": 2, "ensure_ascii": False})
    answer["Content-Disposition"] = f'attachment; filename="imported-{record_id}.json"'
    return answer


@require_safe
def export_text(request: HttpRequest, record_id: int) -> HttpResponse:
    """The record as text, to read and to paste into a mail."""
    page = _read(request, record_id, 0)
    lines = page.view.lines_of(imports.log(page.record))
    written = text(page.view, imports.export(page.record), page.record.get_absolute_url(), lines)
    answer = HttpResponse(written, content_type="text/plain; charset=utf-8")
    answer["Content-Disposition"] = f'inline; filename="imported-{record_id}.txt"'
    return answer
