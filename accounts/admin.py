"""Administration of people and of what they are told."""

from typing import Any

from allauth.account.decorators import secure_admin_login
from django.contrib import admin, messages
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.forms import AdminUserCreationForm
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from accounts.models import ErrorReport, Notice, OutgoingMail, User

# Signing in goes through the site's own page, so that its limits against guessing hold here too.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]


class NewUserForm(AdminUserCreationForm[User]):
    """Makes a user by hand."""

    class Meta:
        model = User
        fields = ("username", "email")


@admin.register(User)
class UserAdmin(DjangoUserAdmin[User]):
    """Users. They are closed, never deleted: matches of others hold on to them."""

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
        ("Preferences", {"fields": ("time_zone", "theme", "confirm_moves", "mail_off")}),
        (
            "Rights",
            {"fields": ("is_active", "is_staff", "is_superuser", "groups", "user_permissions")},
        ),
        ("Dates", {"fields": ("date_joined", "last_login")}),
    )
    readonly_fields = ("username", "skeleton", "email", "links", "date_joined", "last_login")
    list_display = ("username", "email", "is_active", "is_staff", "date_joined", "last_login")
    list_filter = ("is_active", "is_staff", "is_superuser", "date_joined", "country")
    search_fields = ("username", "skeleton", "email")
    ordering = ("-date_joined",)
    actions = ["close", "open_again"]

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> Any:
        """Let name and address be typed for a new user only."""
        return self.readonly_fields if obj else ()

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Refuse: an account is closed by making it inactive."""
        return False

    @admin.display(description="see also")
    def links(self, user: User) -> SafeString:
        """Link the user's page, notices and addresses."""
        return format_html(
            '<a href="{}">page</a> · <a href="{}?recipient__id__exact={}">notices</a> · '
            '<a href="{}?user__id__exact={}">mail addresses</a>',
            user.get_absolute_url(),
            reverse("admin:accounts_notice_changelist"),
            user.pk,
            reverse("admin:account_emailaddress_changelist"),
            user.pk,
        )

    @admin.action(description="Close the chosen accounts")
    def close(self, request: HttpRequest, chosen: QuerySet[User]) -> None:
        """Close accounts, but the own one."""
        count = chosen.exclude(username=request.user.get_username()).update(is_active=False)
        self.message_user(request, f"{count} closed.", messages.SUCCESS)

    @admin.action(description="Open the chosen accounts again")
    def open_again(self, request: HttpRequest, chosen: QuerySet[User]) -> None:
        """Open accounts that were closed."""
        count = chosen.update(is_active=True)
        self.message_user(request, f"{count} open.", messages.SUCCESS)


@admin.register(Notice)
class NoticeAdmin(admin.ModelAdmin[Notice]):
    """Notices, to read, and to send again where sending was given up."""

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
    search_fields = ("recipient__username", "place", "error")
    ordering = ("-pk",)
    show_full_result_count = False
    actions = ["try_again"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Refuse: notices come from events."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Notice | None = None) -> bool:
        """Refuse: what people were told is not rewritten."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Notice | None = None) -> bool:
        """Refuse: what people were told stays."""
        return False

    @admin.action(description="Try again to send", permissions=["view"])
    def try_again(self, request: HttpRequest, chosen: QuerySet[Notice]) -> None:
        """Make notices due whose sending was given up."""
        failed = chosen.filter(mail_state=Notice.MailState.FAILED)
        count = failed.update(
            mail_state=Notice.MailState.DUE, attempts=0, next_try=timezone.now(), error=""
        )
        self.message_user(request, f"{count} to be sent again.", messages.SUCCESS)


class ReadOnlyAdmin(admin.ModelAdmin[Any]):
    """Rows that the site writes, to read."""

    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Refuse: the site writes them."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse: the site writes them."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse: the site deletes them."""
        return False


@admin.register(OutgoingMail)
class OutgoingMailAdmin(ReadOnlyAdmin):
    """Mails that wait to be sent; not what is in them, as it may open an account."""

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
