"""Pages of accounts beside allauth's: profile, notifications, unsubscribing."""

from http import HTTPStatus
from typing import Any

from allauth.account import views as allauth_views
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db import IntegrityError, transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import guests, notifications, unsubscribe
from accounts.forms import ProfileForm, SignupForm
from accounts.limits import limited
from accounts.models import Notification
from accounts.optional import optional_write
from accounts.requests import UserRequest

PAGE = 20

WAIT = 60
"""Seconds to wait where nobody counts them: the span of most limits of allauth."""


def too_many(request: HttpRequest, wait: int = WAIT) -> HttpResponse:
    """Say that something was done too often, and after how many seconds it may be done again."""
    response = render(request, "429.html", status=HTTPStatus.TOO_MANY_REQUESTS)
    response.headers["Retry-After"] = str(wait)
    return response


class CheckedBeforeTransaction:
    """A page with a form that is checked outside the transaction which then keeps everything.

    Checking or setting a password takes long, on purpose.
    """

    def form_valid(self, form: Any) -> HttpResponse:
        """Do what the form asks for, whole or not at all."""
        with transaction.atomic():
            response: HttpResponse = super().form_valid(form)  # type: ignore[misc]
        return response


class LoginView(CheckedBeforeTransaction, allauth_views.LoginView):  # type: ignore[misc]
    """Signing in."""


class PasswordChangeView(CheckedBeforeTransaction, allauth_views.PasswordChangeView):  # type: ignore[misc]
    """Changing the password."""


class PasswordSetView(CheckedBeforeTransaction, allauth_views.PasswordSetView):  # type: ignore[misc]
    """Setting the password of an account that has none."""


class PasswordResetFromKeyView(
    CheckedBeforeTransaction,
    allauth_views.PasswordResetFromKeyView,  # type: ignore[misc]
):
    """Setting a new password by the link from the mail."""


class LogoutView(allauth_views.LogoutView):  # type: ignore[misc]
    """Signing out; a guest who leaves does not come back."""

    def logout(self) -> None:
        """Sign out."""
        guest = guests.guest_of(self.request)
        super().logout()
        if guest is not None:
            guests.forget(guest, now=timezone.now())


class SignupView(CheckedBeforeTransaction, allauth_views.SignupView):  # type: ignore[misc]
    """Registering; who loses a race for a name is asked for another one."""

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Register, or only begin with the address that another page has asked for."""
        response: HttpResponse
        if "begin" in request.POST:
            self.initial = {"email": request.POST.get("email", "")}
            self._cached_form = self.get_form_class()(initial=self.initial)
            response = self.render_to_response(self.get_context_data(form=self._cached_form))
        else:
            response = super().post(request, *args, **kwargs)
        return response

    def form_valid(self, form: SignupForm) -> HttpResponse:
        """Make the user. Where that fails, what was free is taken by now: ask again."""
        try:
            response: HttpResponse = super().form_valid(form)
        except IntegrityError:
            form.full_clean()
            again = super().form_valid if form.is_valid() else self.form_invalid
            response = again(form)
        return response


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@limited("profile")
def profile_edit(request: UserRequest) -> HttpResponse:
    """Show or keep what others read about a user."""
    form = ProfileForm(request.POST or None, instance=request.user)
    if form.is_valid():
        form.save()
        messages.success(request, "Your profile is saved.")
        return redirect("profile-edit")
    return render(request, "accounts/profile.html", {"form": form})


@login_required
@never_cache
@require_safe
def notification_list(request: UserRequest) -> HttpResponse:
    """List what a user was told, newest first; what is shown counts as seen from now on."""
    page = Paginator(notifications.listed(request.user), PAGE).get_page(request.GET.get("page"))
    rows = [(notification, notifications.summary(notification)) for notification in page]
    new = [notification.pk for notification in page if notification.seen_at is None]
    with optional_write("which notifications were seen"):
        Notification.objects.filter(pk__in=new, seen_at=None).update(seen_at=timezone.now())
    context = {"page": page, "rows": rows, "more_unseen": notifications.unseen(request.user)}
    return render(request, "accounts/notifications.html", context)


@login_required
@require_POST
@limited("notifications")
def mark_notifications_seen(request: UserRequest) -> HttpResponse:
    """Note that a user has seen all notifications."""
    notifications.mark_seen(recipient=request.user, now=timezone.now())
    return redirect("notifications")


@csrf_exempt
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@limited("unsubscribe")
def unsubscribe_page(request: HttpRequest, token: str) -> HttpResponse:
    """Ask whether mails of a kind shall end, or end them.

    Mail programs post here for their reader, without a cookie and so without a CSRF token: the
    signed token stands for both. A GET changes nothing, as programs that look for bad links make
    one.
    """
    try:
        subscription = unsubscribe.read(token)
    except unsubscribe.BadToken as error:
        raise Http404 from error
    if request.method == "POST":
        unsubscribe.end(subscription)
    context: dict[str, Any] = {"subscription": subscription, "ended": request.method == "POST"}
    return render(request, "accounts/unsubscribe.html", context)
