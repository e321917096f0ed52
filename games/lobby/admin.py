"""Read-only admin of challenges. Changes are made at the desk."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils.html import format_html

from games.lobby.models import Challenge, Invitation
from games.matches import formatting
from games.matches.admin import ReadOnly, TitleFilter


class InvitationInline(admin.TabularInline[Invitation, Challenge]):
    model = Invitation
    extra = 0
    can_delete = False
    fields = readonly_fields = ("user", "state", "reason", "answered")

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Users are invited on the site."""
        return False


@admin.register(Challenge)
class ChallengeAdmin(ReadOnly):
    """Challenges, searchable by player, with links to their matches."""

    list_display = ("id", "title", "creator", "audience", "seats", "status", "created", "expires")
    list_filter = ("status", "audience", TitleFilter, "created")
    search_fields = ("=id", "creator__username", "invitations__user__username", "message")
    list_select_related = ("creator", "match")
    inlines = (InvitationInline,)
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

    @admin.display(description="clock")
    def clock_words(self, challenge: Challenge) -> str:
        return formatting.clock(challenge.time_control)

    @admin.display(description="match")
    def match_link(self, challenge: Challenge) -> str:
        if challenge.match is None:
            return "none yet"
        address = challenge.match.get_absolute_url()
        return format_html('<a href="{}">match {}</a>', address, challenge.match_id)
