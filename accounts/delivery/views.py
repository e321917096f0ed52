"""The notification settings, a test of each channel, and muted pages."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts import browsers
from accounts.delivery import feeds, muting, pace, push, readers, trial
from accounts.delivery.forms import DeliveryForm, DeviceForm
from accounts.delivery.models import PushDevice
from accounts.limits import limited
from accounts.mail import absolute
from accounts.models import User
from accounts.requests import UserRequest

FEEDS = (
    (
        "feed-deadlines",
        gettext_lazy("Calendar of your deadlines"),
        gettext_lazy("For calendar programs (iCalendar)."),
    ),
    ("feed-events", gettext_lazy("Your notifications"), gettext_lazy("For feed readers (Atom).")),
)
"""View, title and hint of each feed."""

NO_ADDRESS = gettext_lazy(
    "This browser did not give us an address to send to. Reload the page and try again."
)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@limited("profile")
def settings_page(request: UserRequest) -> HttpResponse:
    form = DeliveryForm(request.POST or None, user=request.user)
    if form.is_valid():
        form.save()
        messages.success(request, _("Your notification settings are saved."))
        return redirect("delivery")
    address = readers.addresses([request.user.pk]).get(request.user.pk)
    context = {
        "form": form,
        "address": address,
        "is_refused": bool(readers.refused_address(request.user)),
        "muted": muting.muted(request.user),
        "devices": PushDevice.objects.filter(user=request.user).order_by("created", "pk"),
        "public_key": push.public_key(),
        "most": pace.MAX_PER_HOUR,
        "feeds": _feeds(request.user),
    }
    return render(request, "accounts/delivery.html", context)


def _feeds(user: User) -> list[tuple[str, str, str]]:
    """Return name, hint and URL of each feed. Empty without feed addresses."""
    token = feeds.token(user)
    return [
        (str(title), str(hint), absolute(reverse(name, args=[token])))
        for name, title, hint in FEEDS
        if token
    ]


@login_required
@require_POST
@limited("profile")
def renew_feeds(request: UserRequest) -> HttpResponse:
    """Renew the user's feed addresses, or remove them with ``end`` in the form."""
    if "end" in request.POST:
        feeds.end(request.user)
        messages.success(request, _("Your feeds are off. Their old addresses no longer work."))
    else:
        feeds.renew(request.user, now=timezone.now())
        messages.success(request, _("Your feeds have new addresses. Old ones no longer work."))
    return redirect(f"{reverse('delivery')}#feeds")


@login_required
@require_POST
@limited("test-notification")
def send_test(request: UserRequest, channel: str) -> HttpResponse:
    if channel not in trial.CHANNELS:
        raise Http404
    if channel == trial.MAIL:
        # Asking for a test resumes mails to an address that refused them.
        readers.forget_refusals(request.user)
    trial.send(request.user, channel, now=timezone.now())
    messages.success(request, trial.CHANNELS[channel])
    return redirect("delivery")


@login_required
@require_POST
@limited("profile")
def unmute(request: UserRequest) -> HttpResponse:
    muting.unmute(request.user, request.POST.get("page", ""))
    return redirect("delivery")


@login_required
@require_POST
@limited("profile")
def add_device(request: UserRequest) -> HttpResponse:
    form = DeviceForm(request.POST)
    browser = browsers.name(request.headers.get("User-Agent", ""))
    if form.is_valid() and push.subscribe(
        request.user, **form.cleaned_data, browser=browser, now=timezone.now()
    ):
        messages.success(request, _("This browser now shows your notifications."))
    else:
        messages.error(request, NO_ADDRESS)
    return redirect("delivery")


@login_required
@require_POST
@limited("profile")
def remove_device(request: UserRequest, device_id: int) -> HttpResponse:
    get_object_or_404(PushDevice, pk=device_id, user=request.user).delete()
    messages.success(request, _("That browser no longer shows notifications."))
    return redirect("delivery")
