"""Pages about personal data: downloading it, deleting the account, and changing the address."""

from allauth.account.adapter import get_adapter
from allauth.account.decorators import reauthentication_required
from allauth.account.internal.flows.reauthentication import did_recently_reauthenticate
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import address_change, deletion, personal_data
from accounts.limits import limited
from accounts.requests import UserRequest
from accounts.security import events, sessions

Kind = events.Kind


@login_required
@never_cache
@require_safe
def data(request: UserRequest) -> HttpResponse:
    return _data_page(request)


def _data_page(request: UserRequest, *, is_confirmed: bool = False) -> HttpResponse:
    context = {
        "due": deletion.due(request.user),
        "days": deletion.CANCELLATION_PERIOD.days,
        "is_confirmed": is_confirmed,
    }
    return render(request, "accounts/data.html", context)


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def download(request: UserRequest) -> HttpResponse:
    """Download everything stored about the user as a file.

    A user who had to re-enter the password returns to a page with the button, since the browser
    would stay on the password page after a download.
    """
    answer: HttpResponse
    if request.method != "POST":
        answer = _download_page(request)
    elif did_recently_reauthenticate(request):
        answer = _download(request)
    else:
        answer = redirect("own-data-download")
    return answer


@reauthentication_required  # type: ignore[untyped-decorator]
def _download_page(request: UserRequest) -> HttpResponse:
    return _data_page(request, is_confirmed=True)


@limited("own-data")
def _download(request: UserRequest) -> HttpResponse:
    events.record(request.user, Kind.DATA, now=timezone.now(), request=request)
    name = f"turnstone-{request.user.username}.json"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return JsonResponse(
        personal_data.export(request.user), headers=headers, json_dumps_params={"indent": 1}
    )


@never_cache
@require_http_methods(["GET", "POST"])
@reauthentication_required  # type: ignore[untyped-decorator]
@limited("delete")
def delete(request: UserRequest) -> HttpResponse:
    if request.method != "POST":
        return render(request, "accounts/delete.html", {"days": deletion.CANCELLATION_PERIOD.days})
    try:
        deletion.ask(request.user, now=timezone.now())
    except deletion.CannotDelete as refusal:
        messages.error(request, str(refusal))
        return redirect("own-data")
    sessions.end_others(request.user, str(request.session.session_key))
    events.record(request.user, Kind.DELETION, now=timezone.now(), request=request)
    return redirect("own-data")


@login_required
@require_POST
@limited("profile")
def keep(request: UserRequest) -> HttpResponse:
    now = timezone.now()
    if deletion.call_off(request.user, now=now):
        events.record(request.user, Kind.KEPT, now=now, request=request)
        messages.success(request, _("Your account stays."))
    return redirect("own-data")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@limited("unsubscribe")
def change_address(request: HttpRequest, token: str) -> HttpResponse:
    try:
        change = address_change.read(token)
    except address_change.BadToken as error:
        raise Http404 from error
    answer = request.POST.get("answer", "")
    context = {"change": change, "answer": answer, "outcome": ""}
    if answer == "no":
        address_change.refuse(change)
    elif answer == "yes" and address_change.note_old(change):
        changed = get_adapter().confirm_email(request, change.address)
        context["outcome"] = "changed" if changed else "taken"
    return render(request, "accounts/address_change.html", context)
