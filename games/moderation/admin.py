"""Read-only admin of cases and the log of moderators. Changes are made at the desk."""

from django.contrib import admin

from games.matches.admin import ReadOnly
from games.moderation.models import Case, ModeratorAction


@admin.register(Case)
class CaseAdmin(ReadOnly):
    list_display = ("id", "suspect", "kind", "status", "opened", "closed", "claimed_by")
    list_filter = ("status", "kind", "opened")
    list_select_related = ("suspect", "claimed_by")
    search_fields = ("=suspect__username",)


@admin.register(ModeratorAction)
class ModeratorActionAdmin(ReadOnly):
    list_display = ("at", "moderator_name", "action", "user_name", "match_id", "reason", "details")
    list_filter = ("action", "at")
    search_fields = ("=moderator_name", "=user_name", "=match_id")
