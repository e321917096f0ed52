"""Pages of accounts beside allauth's: profile, notifications, unsubscribing."""

from http import HTTPStatus
from typing import Any

from allauth.account import views as allauth_views
from allauth.account.internal.flows.email_verification import (
    consume_email_verification_rate_limit as spend_link,
)
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db import IntegrityError, transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django.views.i18n import set_language

from accounts import guests, notifications, site_languages, unsubscribe
from accounts.forms import ProfileForm, SignupForm
from accounts.limits import limited
from accounts.optional import optional_write
from accounts.requests import UserRequest

PAGE = 20

DEFAULT_RETRY_AFTER = 60
"""Default for ``Retry-After``: the period of most of allauth's limits."""

TOO_SOON = gettext_lazy(
    "We have just sent a link to {email}. Check your spam folder, too. You can ask for another "
    "link three minutes after the last one, at most five times a day."
)
"""Names the limit that ``confirm_email`` in ``ACCOUNT_RATE_LIMITS`` sets."""

NOT_WAITING = gettext_lazy("This address no longer waits for confirmation.")


def too_many(request: HttpRequest, wait: int = DEFAULT_RETRY_AFTER) -> HttpResponse:
    response = render(request, "429.html", status=HTTPStatus.TOO_MANY_REQUESTS)
    response.headers["Retry-After"] = str(wait)
    return response


class CheckedBeforeTransaction:
    """A form view that validates before its transaction begins.

    Checking or setting a password is slow on purpose.
    """

    def form_valid(self, form: Any) -> HttpResponse:
        with transaction.atomic():
            response: HttpResponse = super().form_valid(form)  # type: ignore[misc]
        return response


class LoginView(CheckedBeforeTransaction, allauth_views.LoginView):  # type: ignore[misc]
    pass


class PasswordChangeView(CheckedBeforeTransaction, allauth_views.PasswordChangeView):  # type: ignore[misc]
    pass


class PasswordSetView(CheckedBeforeTransaction, allauth_views.PasswordSetView):  # type: ignore[misc]
    pass


class PasswordResetFromKeyView(
    CheckedBeforeTransaction,
    allauth_views.PasswordResetFromKeyView,  # type: ignore[misc]
):
    pass


class EmailView(allauth_views.EmailView):  # type: ignore[misc]
    """Changing the address, or asking for another link. It says why no link is sent."""

    def form_valid(self, form: Any) -> HttpResponse:
        """Change the address, if a link can be sent to it now."""
        if not self._may_send(form.cleaned_data["email"]):
            return redirect("account_email")
        response: HttpResponse = super().form_valid(form)
        return response

    def _action_send(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        """Send another link, if the address waits for one."""
        address = self._get_email_address(request)
        if address is None or address.verified:
            messages.warning(request, NOT_WAITING)
        elif self._may_send(address.email):
            super()._action_send(request, *args, **kwargs)

    def _may_send(self, email: str) -> bool:
        """Whether enough time has passed since the last link; otherwise say so."""
        may_send = bool(spend_link(self.request, email.lower(), dry_run=True))
        if not may_send:
            messages.warning(self.request, TOO_SOON.format(email=email))
        return may_send


class LogoutView(allauth_views.LogoutView):  # type: ignore[misc]
    """Signing out; a guest who does can't come back."""

    def logout(self) -> None:
        guest = guests.guest_of(self.request)
        # The next page is in the language of a visitor.
        with translation.override(translation.get_language_from_request(self.request)):
            super().logout()
        if guest is not None:
            guests.forget(guest, now=timezone.now())


class SignupView(CheckedBeforeTransaction, allauth_views.SignupView):  # type: ignore[misc]
    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Sign up, or show the form with the address from another page."""
        response: HttpResponse
        if "begin" in request.POST:
            self.initial = {"email": request.POST.get("email", "")}
            self._cached_form = self.get_form_class()(initial=self.initial)
            response = self.render_to_response(self.get_context_data(form=self._cached_form))
        else:
            response = super().post(request, *args, **kwargs)
        return response

    def form_valid(self, form: SignupForm) -> HttpResponse:
        """Create the user; if the name was taken meanwhile, show the form again."""
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
    form = ProfileForm(request.POST or None, instance=request.user)
    if form.is_valid():
        form.save()
        messages.success(request, _("Your profile is saved."))
        return redirect("profile-edit")
    return render(request, "accounts/profile.html", {"form": form})


@csrf_exempt  # A cookie that names a language is all that it changes.
@never_cache
@require_POST
def choose_language(request: HttpRequest) -> HttpResponse:
    """Keep the language that a visitor has chosen in the footer, and return to the page."""
    if not site_languages.is_offered(request.POST.get("language", "")):
        raise Http404(_("The site isn’t offered in this language."))
    return set_language(request)


@login_required
@never_cache
@require_safe
def notification_list(request: UserRequest) -> HttpResponse:
    """List a user's notifications, newest first, and mark those shown as seen."""
    page = Paginator(notifications.listed(request.user), PAGE).get_page(request.GET.get("page"))
    rows = [(notification, notifications.summary(notification)) for notification in page]
    new = [notification.pk for notification in page if notification.seen_at is None]
    with optional_write("which notifications were seen"):
        notifications.mark_seen(recipient=request.user, now=timezone.now(), only=new)
    context = {"page": page, "rows": rows, "more_unseen": notifications.unseen(request.user)}
    return render(request, "accounts/notifications.html", context)


@login_required
@require_POST
@limited("notifications")
def mark_notifications_seen(request: UserRequest) -> HttpResponse:
    notifications.mark_seen(recipient=request.user, now=timezone.now())
    return redirect("notifications")


@csrf_exempt
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@limited("unsubscribe")
def unsubscribe_page(request: HttpRequest, token: str) -> HttpResponse:
    """Ask whether to unsubscribe from a kind of mails, or do it.

    Mail programs post here without cookies or a CSRF token; the signed token replaces both. A GET
    changes nothing, since link scanners send one.
    """
    try:
        subscription = unsubscribe.read(token)
    except unsubscribe.BadToken as error:
        raise Http404 from error
    if request.method == "POST":
        unsubscribe.end(subscription)
    context: dict[str, Any] = {"subscription": subscription, "ended": request.method == "POST"}
    return render(request, "accounts/unsubscribe.html", context)
