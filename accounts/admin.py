"""The admin's pages about people, notifications, mails and errors."""

from collections.abc import Callable
from typing import Any

from allauth.account.admin import EmailAddressAdmin
from allauth.account.decorators import secure_admin_login
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib import admin, messages
from django.contrib.admin.helpers import ActionForm
from django.contrib.auth.admin import GroupAdmin as DjangoGroupAdmin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.forms import AdminUserCreationForm
from django.contrib.auth.models import Group
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from accounts import closing, texts
from accounts.models import Block, ErrorReport, Notification, OutgoingMail, User
from accounts.security import events, second_factor
from accounts.security.models import SecurityEvent

# Sign in through the site's own page, so that its rate limits apply here too.
_site_login = secure_admin_login(admin.site.login)
_is_staff = admin.site.has_permission


def _login(request: HttpRequest, extra_context: Any = None) -> HttpResponse:
    """Redirect to the site's sign-in page, and ask signed-in staff for a second factor."""
    if _is_staff(request) and not second_factor.is_shown(request):
        return second_factor.ask(request, request.GET.get("next") or reverse("admin:index"))
    response: HttpResponse = _site_login(request, extra_context)
    return response


def _may_enter(request: HttpRequest) -> bool:
    return _is_staff(request) and second_factor.is_shown(request)


admin.site.login = _login  # type: ignore[method-assign]
admin.site.has_permission = _may_enter  # type: ignore[method-assign]

admin.site.site_header = "Turnstone administration"
admin.site.site_title = "Turnstone administration"
admin.site.index_title = "Everything that is stored"

RIGHTS = ("is_staff", "is_superuser", "groups", "user_permissions")
"""The fields that say what a user may do. Only superusers change them."""


class ChangedBySuperusers(admin.ModelAdmin[Any]):
    """Rows that decide what staff may do or how they sign in. Other staff can only read them."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return _is_superuser(request) and super().has_add_permission(request)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return _is_superuser(request) and super().has_change_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return _is_superuser(request) and super().has_delete_permission(request, obj)


class NewUserForm(AdminUserCreationForm[User]):
    class Meta:
        model = User
        fields = ("username", "email")


class ReasonForm(ActionForm):
    reason = texts.TextInput(
        required=False, max_length=1000, label="Reason, to close or open an account:"
    )


@admin.register(Block)
class BlockAdmin(admin.ModelAdmin[Block]):
    """Blocks between players, read-only."""

    list_display = ("blocker", "blocked", "created")
    search_fields = ("blocker__username", "blocked__username")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Block | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Block | None = None) -> bool:
        return False


@admin.register(User)
class UserAdmin(DjangoUserAdmin[User]):
    """Users. They are closed, never deleted, because other people's matches refer to them."""

    action_form = ReasonForm
    add_form = NewUserForm
    add_fieldsets = (
        (
            None,
            {
                "classes": ("wide",),
                "fields": ("username", "email", "usable_password", "password1", "password2"),
            },
        ),
    )
    fieldsets = (
        (None, {"fields": ("username", "skeleton", "email", "password", "links")}),
        ("Profile", {"fields": ("about", "country", "languages")}),
        (
            "Preferences",
            {"fields": (*User.PREFERENCES, "mail_off")},
        ),
        (
            "Vacation",
            {"fields": ("auto_vacation",)},
        ),
        (
            "Rights",
            {"fields": ("is_active", *RIGHTS)},
        ),
        ("Dates", {"fields": ("date_joined", "last_login")}),
    )
    readonly_fields = (
        *("username", "skeleton", "email", "is_active", "links", "date_joined", "last_login"),
    )
    list_display = ("username", "email", "is_active", "is_staff", "date_joined", "last_login")
    list_filter = ("is_active", "is_staff", "is_superuser", "is_guest", "date_joined", "country")
    search_fields = ("username", "skeleton", "email")
    ordering = ("-date_joined",)
    actions = ["close", "open_again", "reset_second_factors"]

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Show or save a user, and log changes of their rights."""
        user = self.get_object(request, object_id)
        before = events.rights_of(user) if user else ""
        response: HttpResponse = super().change_view(request, object_id, form_url, extra_context)
        if user and request.method == "POST":
            user.refresh_from_db()
            by = request.user.get_username()
            events.rights_changed(user, before=before, by=by, now=timezone.now())
        return response

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> Any:
        """Make name and address editable for new users only, and rights for superusers only.

        Nobody changes the rights of their own account, so that there is always a superuser.
        """
        if obj is None:
            return ()
        if obj == request.user:
            return (*self.readonly_fields, *RIGHTS)
        return self.readonly_fields if _is_superuser(request) else (*self.readonly_fields, *RIGHTS)

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Let superusers alone change staff."""
        if obj is not None and (obj.is_staff or obj.is_superuser) and not _is_superuser(request):
            return False
        return super().has_change_permission(request, obj)

    def user_change_password(
        self,
        request: HttpRequest,
        id: str,  # noqa: A002 - as Django has it
        form_url: str = "",
    ) -> HttpResponse:
        """Let only superusers set a password, since it lets them sign in as that person."""
        if not _is_superuser(request):
            raise PermissionDenied
        response: HttpResponse = super().user_change_password(request, id, form_url)
        return response

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        return False

    @admin.display(description="see also")
    def links(self, user: User) -> SafeString:
        return format_html(
            '<a href="{}">page</a> · <a href="{}?recipient__id__exact={}">notifications</a> · '
            '<a href="{}?user__id__exact={}">mail addresses</a>',
            user.get_absolute_url(),
            reverse("admin:accounts_notification_changelist"),
            user.pk,
            reverse("admin:account_emailaddress_changelist"),
            user.pk,
        )

    @admin.action(description="Close the chosen accounts", permissions=["change"])
    def close(self, request: HttpRequest, chosen: QuerySet[User]) -> None:
        self._decide(request, chosen.filter(is_active=True), closing.close, "closed")

    @admin.action(description="Open the chosen accounts again", permissions=["change"])
    def open_again(self, request: HttpRequest, chosen: QuerySet[User]) -> None:
        self._decide(request, chosen.filter(is_active=False), closing.open_again, "opened")

    def has_reset_permission(self, request: HttpRequest) -> bool:
        return _is_superuser(request)

    @admin.action(description="Remove second factors (lost ones)", permissions=["reset"])
    def reset_second_factors(self, request: HttpRequest, chosen: QuerySet[User]) -> None:
        """Remove second factors, so that the password alone signs in, and end all sessions."""
        for user in chosen.exclude(username=request.user.get_username()):
            second_factor.reset(user, by=request.user.get_username(), now=timezone.now())
            self.log_change(request, user, "second factors removed")
            self.message_user(request, f"{user.username} signs in with the password alone.")

    def _decide(
        self, request: HttpRequest, chosen: QuerySet[User], decide: Callable[..., None], word: str
    ) -> None:
        """Close or reopen the accounts that the caller may change; log and show each outcome."""
        by = User.objects.get(username=request.user.get_username())
        reason = request.POST.get("reason", "")
        for user in chosen:
            if not self.has_change_permission(request, user):
                self.message_user(request, f"{user} is left to superusers.", messages.ERROR)
                continue
            try:
                decide(user, by=by, reason=reason, now=timezone.now())
            except closing.CannotClose as refusal:
                self.message_user(request, f"{user}: {refusal}", messages.ERROR)
            else:
                self.log_change(request, user, word)
                self.message_user(request, f"{user} is {word}.", messages.SUCCESS)


def _is_superuser(request: HttpRequest) -> bool:
    user = request.user
    return user.is_active and user.is_superuser


for _model in (Group, EmailAddress, Authenticator, UserSession):
    admin.site.unregister(_model)


@admin.register(Group)
class GroupAdmin(ChangedBySuperusers, DjangoGroupAdmin):
    pass


@admin.register(EmailAddress)
class AddressAdmin(ChangedBySuperusers, EmailAddressAdmin):  # type: ignore[misc]
    """Mail addresses. A confirmed address can reset the account's password."""

    def get_actions(self, request: HttpRequest) -> Any:
        return super().get_actions(request) if self.has_change_permission(request) else {}


@admin.register(Notification)
class NotificationAdmin(admin.ModelAdmin[Notification]):
    """Notifications, read-only, with an action that retries failed mails."""

    list_display = (
        "id",
        "recipient",
        "kind",
        "created",
        "seen_at",
        "mail_state",
        "attempts",
        "next_try",
        "error",
    )
    list_filter = ("mail_state", "kind", "created")
    list_select_related = ("recipient",)
    search_fields = ("recipient__username", "page_key", "error")
    ordering = ("-pk",)
    show_full_result_count = False
    actions = ["try_again"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Notification | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Notification | None = None) -> bool:
        return False

    def has_retry_permission(self, request: HttpRequest) -> bool:
        user = request.user
        return user.is_active and user.has_perm("accounts.change_notification")

    @admin.action(description="Try again to send", permissions=["retry"])
    def try_again(self, request: HttpRequest, chosen: QuerySet[Notification]) -> None:
        failed = chosen.filter(mail_state=Notification.MailState.FAILED)
        count = failed.update(
            mail_state=Notification.MailState.DUE, attempts=0, next_try=timezone.now(), error=""
        )
        self.message_user(request, f"{count} mails will be sent again.", messages.SUCCESS)


class ReadOnlyAdmin(admin.ModelAdmin[Any]):
    """Rows that only the site writes and deletes."""

    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(OutgoingMail)
class OutgoingMailAdmin(ReadOnlyAdmin):
    """Mails waiting to be sent, without their text, since links in it may open an account."""

    list_display = ("id", "to", "subject", "created", "attempts", "next_try", "expires", "error")
    exclude = ("text",)
    search_fields = ("to", "subject", "error")
    ordering = ("-pk",)


@admin.register(ErrorReport)
class ErrorReportAdmin(ReadOnlyAdmin):
    """Errors of the site."""

    list_display = ("summary", "count", "first_seen", "last_seen", "mailed_at")
    search_fields = ("summary", "details")
    ordering = ("-last_seen",)


@admin.register(SecurityEvent)
class SecurityEventAdmin(ReadOnlyAdmin):
    """Events of accounts: sign-ins, failures, changes of rights."""

    list_display = ("at", "user", "kind", "details", "by", "address", "browser")
    list_filter = ("kind", "at")
    list_select_related = ("user",)
    search_fields = ("=user__username", "=address", "=by")
    ordering = ("-pk",)
