"""The pages about an account's security: factors, sessions and events."""

import ipaddress
from collections.abc import Callable
from functools import wraps
from typing import Any
from urllib.parse import urlsplit

from allauth.mfa.base.views import IndexView
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes import views as codes_views
from allauth.mfa.webauthn.internal import auth as webauthn
from allauth.mfa.webauthn.views import AddWebAuthnView
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe
from django.views.generic import FormView

from accounts import mail, tokens
from accounts.delivery import readers
from accounts.limits import limited
from accounts.models import User
from accounts.requests import UserRequest
from accounts.security import events, second_factor, sessions


class AddPasskeyView(AddWebAuthnView):  # type: ignore[misc]
    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Return the browser's options, or a better URL if passkeys aren't possible here."""
        context: dict[str, Any] = super().get_context_data(**kwargs)
        options = webauthn.begin_registration(self.request.user, passwordless=True)
        is_number = _is_number(f"//{self.request.get_host()}")
        named = "" if _is_number(settings.SITE_URL) else mail.absolute(self.request.path)
        return {
            **context,
            "js_data": {"creation_options": options},
            "is_number": is_number,
            "named_url": named,
        }


class FactorsView(IndexView):  # type: ignore[misc]
    """The list of second factors; it says which of them the site can't read any more."""

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context: dict[str, Any] = super().get_context_data(**kwargs)
        unreadable = second_factor.unreadable(self.request.user)
        codes = context["authenticators"].get(Authenticator.Type.RECOVERY_CODES)
        can_be_read = codes and Authenticator.Type.RECOVERY_CODES not in unreadable
        left = len(codes.get_unused_codes()) if can_be_read else 0
        return {**context, "unreadable": unreadable, "codes_left": left}


class NewCodesView(codes_views.GenerateRecoveryCodesView):  # type: ignore[misc]
    """Making new recovery codes, also if the site can't read the present ones."""

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context: dict[str, Any] = FormView.get_context_data(self, **kwargs)
        codes = Authenticator.objects.filter(
            user=self.request.user, type=Authenticator.Type.RECOVERY_CODES
        )
        return {**context, "has_codes": codes.exists()}


def with_codes(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Redirect from a page of recovery codes to the list if the site can't read them."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        user = request.user
        unreadable = second_factor.unreadable(user) if isinstance(user, User) else set()
        if Authenticator.Type.RECOVERY_CODES in unreadable:
            return redirect("mfa_index")
        return view(request, *args, **kwargs)

    return guarded


show_codes = with_codes(codes_views.view_recovery_codes)
download_codes = with_codes(codes_views.download_recovery_codes)


def _is_number(url: str) -> bool:
    """Whether a URL's host is an IP address, for which browsers create no passkeys."""
    try:
        ipaddress.ip_address(urlsplit(url).hostname or "")
    except ValueError:
        return False
    return True


@login_required
@never_cache
@require_safe
def overview(request: UserRequest) -> HttpResponse:
    user = request.user
    context = {
        "address": readers.addresses([user.pk]).get(user.pk),
        "factors": second_factor.of(user).count(),
        "sessions": len(sessions.of(user, str(request.session.session_key))),
        "tokens": tokens.of_user(user).count(),
    }
    return render(request, "accounts/security.html", context)


@login_required
@never_cache
@require_safe
def session_list(request: UserRequest) -> HttpResponse:
    context = {
        "sessions": sessions.of(request.user, str(request.session.session_key)),
        "events": events.recent(request.user),
        "memory": events.EVENT_LIFETIME.days,
        "has_tokens": tokens.of_user(request.user).exists(),
    }
    return render(request, "accounts/sessions.html", context)


@login_required
@require_POST
@limited("profile")
def end_session(request: UserRequest, session_id: int) -> HttpResponse:
    """End a session; ending one's own signs the user out."""
    if sessions.end(request.user, session_id):
        _note_ended(request.user, request)
        messages.success(request, _("That device is signed out."))
    return redirect("sessions")


@login_required
@require_POST
@limited("profile")
def end_other_sessions(request: UserRequest) -> HttpResponse:
    count = sessions.end_others(request.user, str(request.session.session_key))
    if count:
        _note_ended(request.user, request)
    messages.success(request, _("You are signed out on all other devices."))
    return redirect("sessions")


@login_required
@require_POST
@limited("profile")
def end_all_sessions(request: UserRequest) -> HttpResponse:
    _note_ended(request.user, request)
    sessions.end_all(request.user)
    logout(request)
    # The next page is in the language of a visitor.
    with translation.override(translation.get_language_from_request(request)):
        messages.success(request, _("You are signed out everywhere."))
    return redirect("home")


def _note_ended(user: User, request: UserRequest) -> None:
    events.record(user, events.Kind.SESSIONS_ENDED, now=timezone.now(), request=request)
