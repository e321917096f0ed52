"""Matches for moderators, who read everything but hidden cards and dice, and edit nothing.

They can end matches and stop their clocks, with a reason that the players read.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

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
from games.matches import formatting, services, standstill
from games.matches.models import LogEntry, Match, Outage, Player, SetAside, Vacation
from games.matches.selectors import MatchSnapshot
from games.matches.unreadable import HIDDEN
from games.matches.update import Outcome


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
        "pauses",
        "agrees_to_close",
        "dropped",
        "rank",
    )
    show_change_link = False

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Seats are taken in the lobby."""
        return False


class EndingForm(forms.Form):
    """Why matches are ended or their clocks stopped, in a sentence that the players will read."""

    reason = forms.CharField(
        widget=forms.Textarea(attrs={"rows": 3, "cols": 60}),
        max_length=500,
        help_text="The players read this, and it stays in the record.",
    )


class Deed(NamedTuple):
    """What moderators do with matches: a service, its heading, what is said before and after."""

    service: Callable[..., Outcome]
    heading: str
    warning: str
    done: str


FOR_GOOD, HAS_ENDED = "These matches will end for good.", "Match {} has ended."
DEEDS = {
    "end_as_agreed": Deed(services.close, "End matches", FOR_GOOD, HAS_ENDED),
    "annul": Deed(services.annul, "Annul matches", FOR_GOOD, HAS_ENDED),
    "stop_clocks": Deed(
        standstill.stand_still,
        "Stop clocks",
        "The clocks of these matches stand still until a moderator lets them run on.",
        "The clocks of match {} stand still.",
    ),
    "let_clocks_run": Deed(
        standstill.run_on,
        "Let clocks run on",
        "The clocks of these matches run on, unless they stand still for another reason.",
        "The clocks of match {} run on.",
    ),
}
"""Each deed by the name of its action."""


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
    actions = ("end_as_agreed", "annul", "stop_clocks", "let_clocks_run")
    fields = readonly_fields = (
        "page",
        "log_link",
        "game",
        "params",
        "rules_version",
        "clock_words",
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

    def _described(self, match: Match) -> str:
        return f"{self.game(match)}, {self.who(match)} (match {match.pk})"

    @admin.display(description="clock")
    def clock_words(self, match: Match) -> str:
        """Say how the clocks run."""
        return formatting.clock(match.time_control)

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
        return self._with_reason(request, queryset, "end_as_agreed")

    @admin.action(description="Annul: no result…", permissions=["end"])
    def annul(self, request: HttpRequest, queryset: QuerySet[Match]) -> HttpResponse | None:
        """Annul matches, after asking for the reason."""
        return self._with_reason(request, queryset, "annul")

    @admin.action(description="Stop the clocks…", permissions=["end"])
    def stop_clocks(self, request: HttpRequest, queryset: QuerySet[Match]) -> HttpResponse | None:
        """Let the clocks of running matches stand still, after asking for the reason."""
        return self._with_reason(request, queryset, "stop_clocks")

    @admin.action(description="Let the clocks run on…", permissions=["end"])
    def let_clocks_run(
        self, request: HttpRequest, queryset: QuerySet[Match]
    ) -> HttpResponse | None:
        """Let clocks run on that a moderator has stopped, after asking for the reason."""
        return self._with_reason(request, queryset, "let_clocks_run")

    def _with_reason(
        self, request: HttpRequest, queryset: QuerySet[Match], action: str
    ) -> HttpResponse | None:
        form = EndingForm(request.POST if "reason" in request.POST else None)
        if form.is_valid():
            self._carry_out(request, queryset, action, form.cleaned_data["reason"])
            return None
        context = {
            **self.admin_site.each_context(request),
            "title": DEEDS[action].heading,
            "warning": DEEDS[action].warning,
            "matches": [(match, self._described(match)) for match in queryset],
            "form": form,
            "action": action,
            "checkbox": helpers.ACTION_CHECKBOX_NAME,
            "opts": self.model._meta,
        }
        return TemplateResponse(request, "admin/match/match/ending.html", context)

    def _carry_out(
        self, request: HttpRequest, queryset: QuerySet[Match], action: str, reason: str
    ) -> None:
        deed = DEEDS[action]
        for match in queryset:
            try:
                deed.service(
                    match_id=match.pk, moderator=request.user, reason=reason, now=timezone.now()
                )
            except GameError as error:
                self.message_user(request, f"{self._described(match)}: {error}", messages.ERROR)
            else:
                self.log_change(request, match, f"{action.replace('_', ' ')}: {reason}")
                self.message_user(
                    request,
                    f"{deed.done.format(match.pk)} {self._described(match)}",
                    messages.SUCCESS,
                )


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


@admin.register(Vacation)
class VacationAdmin(ReadOnly):
    """When players are, were or will be on vacation."""

    list_display = ("user", "begin", "end", "automatic", "shows_end")
    list_filter = ("automatic", "begin")
    search_fields = ("user__username",)


@admin.register(Outage)
class OutageAdmin(ReadOnly):
    """The times the site was down, given back to every running clock."""

    list_display = ("began", "ended", "length", "cause", "settled")
