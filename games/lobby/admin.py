"""Challenges for moderators, who can read them and withdraw them."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.html import format_html

from games.kernel.errors import GameError
from games.lobby import services
from games.lobby.models import Challenge, Invitation
from games.matches import formatting
from games.matches.admin import ReadOnly, TitleFilter


class InvitationInline(admin.TabularInline[Invitation, Challenge]):
    """Who is invited to a challenge or has a seat in it."""

    model = Invitation
    extra = 0
    can_delete = False
    fields = readonly_fields = ("user", "state", "reason", "answered")

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Users are invited on the site."""
        return False


@admin.register(Challenge)
class ChallengeAdmin(ReadOnly):
    """Challenges: search by player, follow to the match, withdraw."""

    list_display = ("id", "title", "creator", "audience", "seats", "status", "created", "expires")
    list_filter = ("status", "audience", TitleFilter, "created")
    search_fields = ("=id", "creator__username", "invitations__user__username", "message")
    list_select_related = ("creator", "match")
    inlines = (InvitationInline,)
    actions = ("withdraw",)
    fields = readonly_fields = (
        "title",
        "params",
        "clock_words",
        "seats",
        "creator",
        "audience",
        "seating",
        "message",
        "status",
        "created",
        "expires",
        "match_link",
    )

    def has_withdraw_permission(self, request: HttpRequest) -> bool:
        """Whether this moderator may withdraw challenges."""
        user = request.user
        return user.is_active and user.has_perm("lobby.change_challenge")

    @admin.display(description="clock")
    def clock_words(self, challenge: Challenge) -> str:
        """Say how the clocks will run."""
        return formatting.clock(challenge.time_control)

    @admin.display(description="match")
    def match_link(self, challenge: Challenge) -> str:
        """Link to the match that came of it."""
        if challenge.match is None:
            return "none yet"
        address = challenge.match.get_absolute_url()
        return format_html('<a href="{}">match {}</a>', address, challenge.match_id)

    @admin.action(description="Withdraw", permissions=["withdraw"])
    def withdraw(self, request: HttpRequest, queryset: QuerySet[Challenge]) -> None:
        """Withdraw open challenges in the name of their creators."""
        for challenge in queryset.select_related("creator"):
            try:
                services.withdraw(
                    challenge_id=challenge.pk, user=challenge.creator, now=timezone.now()
                )
            except GameError as error:
                self.message_user(request, f"Challenge {challenge.pk}: {error}", messages.ERROR)
            else:
                self.log_change(request, challenge, "withdrawn")
