"""Imported records: the list, a record's page, and exports."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import limits
from accounts.limits import limited
from accounts.requests import UserRequest
from games.kernel.palettes import PALETTES
from games.matches.errors import NoSuchMatch
from games.matches.log import log_entries
from games.matches.log.commitment import Commitment
from games.matches.models import LogEntry
from games.matches.table import Table
from games.matches.view import pictures
from games.matches.view.match_view import MatchView
from games.records import imports, reading
from games.records.errors import Damaged, MayNotImport
from games.records.models import ImportedRecord
from games.records.rebuilding import commitment_of, table_of
from games.study.models import PrivateBoard
from games.web.record.page import RecordPage
from games.web.record.text import text
from games.web.record.views import TYPES


@dataclass(frozen=True)
class ImportedHistory:
    """The history of an imported record. All readers see all of it."""

    record: ImportedRecord
    table: Table

    @property
    def address(self) -> str:
        return self.record.get_absolute_url().removesuffix("0/")

    def state_after(self, number: int) -> Any:
        return imports.state_after(self.record, self.table, number)

    def entries(self, *, after: int, upto: int) -> Sequence[LogEntry]:
        return imports.log(self.record, after=after, upto=upto)

    def newest(self) -> LogEntry | None:
        return log_entries.newest_move(imports.log(self.record))

    def undone_among(self, entries: Sequence[LogEntry]) -> Collection[int | None]:
        """Return the numbers of those entries that were taken back."""
        return imports.undone_among(self.record, [entry.number for entry in entries])

    def count_moves(self, *numbers: int) -> Sequence[int]:
        return imports.count_moves(self.record, *numbers)


@dataclass(frozen=True)
class ImportedPage(RecordPage):
    """An imported record after entry ``number``."""

    record: ImportedRecord

    @property
    def thoughts(self) -> Sequence[PrivateBoard]:
        """Empty: nobody here thought about it while it was played."""
        return ()

    @property
    def commitment(self) -> Commitment | None:
        """The commitment to the dice. ``None`` without chance."""
        return commitment_of(self.record.head)

    @property
    def comment_counts(self) -> Mapping[int, int]:
        """Empty: there are no comments on imported records."""
        return {}

    @classmethod
    def read_imported(cls, record_id: int, number: int, user: Any) -> "ImportedPage":
        """Read everything that the page shows.

        :raises Http404: there is no such record.
        :raises NoSuchMatch: its log is shorter.
        """
        rows = ImportedRecord.objects.select_related("owner")
        record = get_object_or_404(rows, pk=record_id)
        if number > record.length:
            raise NoSuchMatch(_("The record has no entry {number}.").format(number=number))
        table = table_of(record.head, record.length)
        log = imports.leading_to(record, number)
        history = ImportedHistory(record, table)
        view = MatchView(table, None, log if number else [], history, number)
        return cls(view, history, number, user, record)


PARTS = {"record": "match/position.html", "log": "match/record_log.html"}
"""The templates of the parts that scripts ask for; other requests get the whole page."""


LARGEST_UPLOAD = 1_000_000
"""Maximum bytes of a file in a form: the server accepts no larger request."""

LONGEST_IMPORT = 60
"""Seconds after which an import that never ended no longer blocks the next."""

ONE_AT_A_TIME = gettext_lazy(
    "Another record is being checked, for you or for somebody in your network. Try again in a"
    " moment."
)


class ImportForm(forms.Form):
    file = forms.FileField(
        label=gettext_lazy("File"),
        required=False,
        widget=forms.FileInput(
            attrs={
                "accept": ".json,.txt,application/json,text/plain",
                "data-most-bytes": LARGEST_UPLOAD,
            },
        ),
        help_text=gettext_lazy(
            "The JSON or the text of a match that has ended, from its record: 1 MB at most."
        ),
        error_messages={"empty": gettext_lazy("The file is empty.")},
    )
    text = forms.CharField(
        label=gettext_lazy("Or paste the text"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false"}),
        help_text=gettext_lazy("Text copied from a mail works too, quoted or wrapped."),
    )

    def clean(self) -> dict[str, Any]:
        """Check that exactly one of the fields is filled in.

        :raises ValidationError: both or neither are.
        """
        cleaned = super().clean() or {}
        if not self.errors and bool(cleaned.get("file")) == bool(cleaned.get("text")):
            both = _("Choose a file or paste a text, not both.")
            neither = _("Choose a file, or paste a text.")
            raise forms.ValidationError(both if cleaned.get("file") else neither)
        return cleaned

    @property
    def source(self) -> str:
        """The name of the field that is filled in."""
        return "file" if self.cleaned_data["file"] else "text"

    def record(self) -> bytes:
        """Return the input, up to the maximum size."""
        if self.source == "file":
            return bytes(self.cleaned_data["file"].read(reading.MAX_FILE_SIZE + 1))
        return str(self.cleaned_data["text"]).encode("utf-8", "surrogatepass")


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@limited("import")
def records(request: UserRequest) -> HttpResponse:
    """List the user's imported records, or import one."""
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
    """Import a record, one at a time for each account and network address.

    :raises Damaged: it isn't a record, or the verification fails.
    :raises MayNotImport: the user may not, or another import is in progress.
    """
    with limits.alone(request, "import", seconds=LONGEST_IMPORT) as is_alone:
        if not is_alone:
            raise MayNotImport(str(ONE_AT_A_TIME))
        return imports.take_in(user=request.user, data=data, now=timezone.now())


@login_required
@require_POST
@limited("profile")
def delete(request: UserRequest, record_id: int) -> HttpResponse:
    """Delete a record that the user has imported."""
    record = get_object_or_404(ImportedRecord, pk=record_id, owner=request.user)
    imports.remove(user=request.user, record=record)
    messages.success(request, _("The record is deleted."))
    return redirect("imported-records")


@require_safe
@cache_control(private=True, no_cache=True)
def imported(request: HttpRequest, record_id: int, number: int) -> HttpResponse:
    """An imported record after one entry of its log."""
    page = ImportedPage.read_imported(record_id, number, request.user)
    template = PARTS.get(request.GET.get("part", ""), "imported/record.html")
    return render(request, template, {"page": page, "view": page.view, "comments": None})


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
    drawing = ImportedPage.read_imported(record_id, number, request.user).view.drawing
    return HttpResponse(make(drawing, theme), content_type=TYPES[kind])


@require_safe
def export_json(request: HttpRequest, record_id: int) -> HttpResponse:
    exported = imports.export(get_object_or_404(ImportedRecord, pk=record_id))
    answer = JsonResponse(exported, json_dumps_params={"indent": 2, "ensure_ascii": False})
    answer["Content-Disposition"] = f'attachment; filename="imported-{record_id}.json"'
    return answer


@require_safe
def export_text(request: HttpRequest, record_id: int) -> HttpResponse:
    """The record as text, to read and to paste into a mail."""
    page = ImportedPage.read_imported(record_id, 0, request.user)
    written = text(
        page.view,
        imports.export(page.record),
        page.record.get_absolute_url(),
        lambda: page.view.lines_of(imports.log(page.record)),
    )
    answer = HttpResponse(written, content_type="text/plain; charset=utf-8")
    answer["Content-Disposition"] = f'inline; filename="imported-{record_id}.txt"'
    return answer
