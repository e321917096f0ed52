"""Matches for moderators, who read everything but hidden cards and dice, and edit nothing.

They can end matches, with a reason that the players read.
"""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin import helpers
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html

from games.kernel import registry
from games.kernel.contract import Seat
from games.kernel.errors import GameError
from games.matches import services
from games.matches.models import LogEntry, Match, Outage, Player, SetAside
from games.matches.selectors import MatchSnapshot
from games.matches.unreadable import HIDDEN


class ReadOnly(admin.ModelAdmin[Any]):
    """A model that can be viewed, but not edited.

    ``searchable`` names the fields by which a query string may filter the list, besides filters.
    """

    searchable: tuple[str, ...] = ()

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        """Refuse lookups by fields that are not shown: the rows found would tell what they hold.

        Django allows all fields of the model, such as the position with the hidden cards.
        """
        offered = (getattr(item, "parameter_name", item) for item in self.list_filter)
        field = lookup.partition("__")[0]
        return lookup.removesuffix("__exact") in self.searchable or field in offered

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody adds rows by hand."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody edits rows by hand."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody deletes rows by hand."""
        return False


class PlayerInline(admin.TabularInline[Player, Match]):
    """The seats of a match."""

    model = Player
    extra = 0
    can_delete = False
    fields = readonly_fields = (
        "seat",
        "user",
        "to_move",
        "time_left",
        "deadline",
        "agrees_to_close",
        "dropped",
        "rank",
    )
    show_change_link = False

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Seats are taken in the lobby."""
        return False


class EndingForm(forms.Form):
    """Why matches are ended, in a sentence that the players will read."""

    reason = forms.CharField(
        widget=forms.Textarea(attrs={"rows": 3, "cols": 60}),
        max_length=500,
        help_text="The players read this, and it stays in the record.",
    )


class TitleFilter(admin.SimpleListFilter):
    """Matches of one game."""

    title = "game"
    parameter_name = "title"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Offer every game by its name."""
        return [(slug, title.meta.name) for slug, title in registry.titles().items()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Keep the matches of the game chosen."""
        return queryset.filter(title=self.value()) if self.value() else queryset


@admin.register(Match)
class MatchAdmin(ReadOnly):
    """Matches: search by player or number, look, end with a reason."""

    list_display = ("id", "game", "who", "status", "ending", "version", "created", "changed")
    list_filter = ("status", TitleFilter, "ending", "created")
    search_fields = ("=id", "players__user__username")
    date_hierarchy = "created"
    inlines = (PlayerInline,)
    actions = ("end_as_agreed", "annul")
    fields = readonly_fields = (
        "page",
        "log_link",
        "game",
        "params",
        "rules_version",
        "clock",
        "status",
        "ending",
        "version",
        "created",
        "changed",
        "ended",
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Match]:
        """Read the players along; the list shows them."""
        return super().get_queryset(request).prefetch_related("players__user")

    def has_end_permission(self, request: HttpRequest) -> bool:
        """Whether this moderator may end matches."""
        user = request.user
        return user.is_active and user.has_perm("match.change_match")

    @admin.display(description="game")
    def game(self, match: Match) -> str:
        """Name the game; a title that is gone keeps its slug."""
        title = registry.titles().get(match.title)
        return title.meta.name if title else match.title

    @admin.display(description="players")
    def who(self, match: Match) -> str:
        """Name the players in seat order."""
        return " – ".join(player.user.username for player in match.players.all())

    @admin.display(description="on the site")
    def page(self, match: Match) -> str:
        """Link to the match page."""
        return format_html('<a href="{}">match {}</a>', match.get_absolute_url(), match.pk)

    @admin.display(description="log")
    def log_link(self, match: Match) -> str:
        """Link to the log entries of the match."""
        address = reverse("admin:match_logentry_changelist")
        return format_html(
            '<a href="{}?match__id__exact={}">{} entries</a>', address, match.pk, match.version
        )

    @admin.action(description="End as if all had agreed…", permissions=["end"])
    def end_as_agreed(self, request: HttpRequest, queryset: QuerySet[Match]) -> HttpResponse | None:
        """Close running matches, after asking for the reason."""
        return self._with_reason(request, queryset, "end_as_agreed", services.close)

    @admin.action(description="Annul: no result…", permissions=["end"])
    def annul(self, request: HttpRequest, queryset: QuerySet[Match]) -> HttpResponse | None:
        """Annul matches, after asking for the reason."""
        return self._with_reason(request, queryset, "annul", services.annul)

    def _with_reason(
        self, request: HttpRequest, queryset: QuerySet[Match], action: str, service: Any
    ) -> HttpResponse | None:
        form = EndingForm(request.POST if "reason" in request.POST else None)
        if form.is_valid():
            self._carry_out(request, queryset, service, form.cleaned_data["reason"])
            return None
        context = {
            **self.admin_site.each_context(request),
            "title": "End matches" if action == "end_as_agreed" else "Annul matches",
            "matches": queryset,
            "form": form,
            "action": action,
            "checkbox": helpers.ACTION_CHECKBOX_NAME,
            "opts": self.model._meta,
        }
        return TemplateResponse(request, "admin/match/match/ending.html", context)

    def _carry_out(
        self, request: HttpRequest, queryset: QuerySet[Match], service: Any, reason: str
    ) -> None:
        for match in queryset:
            try:
                service(
                    match_id=match.pk, moderator=request.user, reason=reason, now=timezone.now()
                )
            except GameError as error:
                self.message_user(request, f"Match {match.pk}: {error}", messages.ERROR)
            else:
                self.log_change(request, match, f"ended: {reason}")
                self.message_user(request, f"Match {match.pk} has ended.", messages.SUCCESS)


@admin.register(LogEntry)
class LogEntryAdmin(ReadOnly):
    """The log of all matches, to search; what was drawn is shown after the end only."""

    list_display = ("match_link", "number", "kind", "who", "shown_text", "at", "thinking")
    list_filter = ("kind", "at")
    searchable = ("match__id",)
    search_fields = ("=match__id", "match__players__user__username")
    list_select_related = ("match", "moderator")
    fields = readonly_fields = (
        "match_link",
        "number",
        "kind",
        "who",
        "shown_text",
        "undoes",
        "at",
        "thinking",
        "time_left",
        "submission",
        "moderator",
        "reason",
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[LogEntry]:
        """Read the players along; the list names them."""
        return super().get_queryset(request).prefetch_related("match__players__user")

    @admin.display(description="match", ordering="match_id")
    def match_link(self, entry: LogEntry) -> str:
        """Link to the match."""
        address = reverse("admin:match_match_change", args=[entry.match_id])
        return format_html('<a href="{}">match {}</a>', address, entry.match_id)

    @admin.display(description="player")
    def who(self, entry: LogEntry) -> str:
        """Name whoever sits in the seat."""
        seats = {player.seat: player.user.username for player in entry.match.players.all()}
        return seats.get(Seat(entry.seat), "") if entry.seat is not None else ""

    @admin.display(description="move")
    def shown_text(self, entry: LogEntry) -> str:
        """Show the notation, but not that of a running match with hidden cards."""
        title = MatchSnapshot(entry.match, ()).known_title
        hides = entry.match.is_running and (title is None or title.meta.has_secrets)
        return HIDDEN if hides and entry.text else entry.text


@admin.register(SetAside)
class SetAsideAdmin(ReadOnly):
    """The matches that cannot be read: their clocks are stopped until they can."""

    list_display = ("match", "part", "since")


@admin.register(Outage)
class OutageAdmin(ReadOnly):
    """The times the site was down, given back to every running clock."""

    list_display = ("began", "ended", "length", "cause", "settled")
