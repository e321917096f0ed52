"""Matches for moderators, who can read everything except hidden cards and dice, and edit nothing.

They act through the desk, which asks for a reason and logs it.
"""

from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlencode

from django.contrib import admin
from django.db.models import OuterRef, QuerySet, Subquery
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from games.kernel import registry
from games.kernel.contract import Seat
from games.matches import formatting
from games.matches.models import LogEntry, Match, Outage, Player, SetAside, Vacation
from games.matches.play.unreadable import HIDDEN
from games.matches.selectors import MatchSnapshot


def _in_words(span: timedelta | None) -> str:
    return "-" if span is None else formatting.left(span)


class ReadOnly(admin.ModelAdmin[Any]):
    """A model that can be viewed, but not edited.

    ``searchable`` names the fields by which a query string may filter the list, besides filters.
    """

    searchable: tuple[str, ...] = ()

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        """Refuse lookups by fields that aren't shown, since the rows found would reveal them.

        Django allows all fields of the model, such as the position with the hidden cards.
        """
        offered = (getattr(item, "parameter_name", item) for item in self.list_filter)
        field = lookup.partition("__")[0]
        return lookup.removesuffix("__exact") in self.searchable or field in offered

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class PlayerInline(admin.TabularInline[Player, Match]):
    model = Player
    extra = 0
    can_delete = False
    fields = readonly_fields = (
        "seat",
        "user",
        "to_move",
        "left",
        "deadline",
        "pauses",
        "agrees_to_close",
        "dropped",
        "rank",
    )
    show_change_link = False

    @admin.display(description="time left")
    def left(self, player: Player) -> str:
        return _in_words(player.time_left)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Seats are taken in the lobby."""
        return False


class TitleFilter(admin.SimpleListFilter):
    title = "game"
    parameter_name = "title"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(slug, title.meta.name) for slug, title in registry.titles().items()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(title=self.value()) if self.value() else queryset


@admin.register(Match)
class MatchAdmin(ReadOnly):
    list_display = (
        "id",
        "game",
        "who",
        "status",
        "ending",
        "deadline",
        "version",
        "created",
        "changed",
    )
    list_filter = ("status", TitleFilter, "ending", "created")
    search_fields = ("=id", "players__user__username")
    date_hierarchy = "created"
    inlines = (PlayerInline,)
    fields = readonly_fields = (
        "page",
        "log_link",
        "desk_links",
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
        """Prefetch the players and annotate the next deadline, since the list shows them."""
        due = Player.objects.filter(match=OuterRef("pk"), deadline__isnull=False)
        earliest = Subquery(due.order_by("deadline").values("deadline")[:1])
        matches: QuerySet[Match] = super().get_queryset(request).annotate(next_deadline=earliest)
        return matches.prefetch_related("players__user")

    @admin.display(description="game")
    def game(self, match: Match) -> str:
        title = registry.titles().get(match.title)
        return title.meta.name if title else match.title

    @admin.display(description="next deadline", ordering="next_deadline")
    def deadline(self, match: Match) -> datetime | None:
        """Return the deadline of the first player to move. ``None`` while clocks are stopped."""
        deadline: datetime | None = vars(match)["next_deadline"]
        return deadline

    @admin.display(description="players")
    def who(self, match: Match) -> str:
        return " – ".join(player.user.username for player in match.players.all())

    @admin.display(description="clock")
    def clock_words(self, match: Match) -> str:
        return formatting.clock(match.time_control)

    @admin.display(description="on the site")
    def page(self, match: Match) -> str:
        return format_html('<a href="{}">match {}</a>', match.get_absolute_url(), match.pk)

    @admin.display(description="log")
    def log_link(self, match: Match) -> str:
        address = reverse("admin:match_logentry_changelist")
        return format_html(
            '<a href="{}?match__id__exact={}">{}</a>',
            address,
            match.pk,
            "1 entry" if match.version == 1 else f"{match.version} entries",
        )

    @admin.display(description="on the desk")
    def desk_links(self, match: Match) -> SafeString:
        """Link to the form that opens a case about one of the players."""
        people = [player.user for player in match.players.all() if not player.is_bot]
        address = reverse("desk")
        return format_html_join(
            " · ",
            '<a href="{}?{}#open">{}</a>',
            (
                (address, urlencode({"player": user.username}), f"a case about {user.shown_name}")
                for user in people
            ),
        )


@admin.register(LogEntry)
class LogEntryAdmin(ReadOnly):
    """The log of all matches, to search. Outcomes of chance are shown only after the end."""

    list_display = ("match_link", "number", "kind", "who", "shown_text", "at", "thought")
    list_display_links = ("number",)  # the first column is a link already
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
        "thought",
        "left",
        "submission",
        "moderator",
        "reason",
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[LogEntry]:
        """Prefetch the players, since the list names them."""
        return super().get_queryset(request).prefetch_related("match__players__user")

    @admin.display(description="thinking", ordering="thinking")
    def thought(self, entry: LogEntry) -> str:
        return _in_words(entry.thinking)

    @admin.display(description="time left")
    def left(self, entry: LogEntry) -> str:
        return _in_words(entry.time_left)

    @admin.display(description="match", ordering="match_id")
    def match_link(self, entry: LogEntry) -> str:
        address = reverse("admin:match_match_change", args=[entry.match_id])
        return format_html('<a href="{}">match {}</a>', address, entry.match_id)

    @admin.display(description="player")
    def who(self, entry: LogEntry) -> str:
        seats = {player.seat: player.user.username for player in entry.match.players.all()}
        return seats.get(Seat(entry.seat), "") if entry.seat is not None else ""

    @admin.display(description="move")
    def shown_text(self, entry: LogEntry) -> str:
        """Return the notation, except that of a running match with hidden cards."""
        title = MatchSnapshot(entry.match, ()).table.known_title
        hides = entry.match.is_running and (title is None or title.meta.has_secrets)
        return HIDDEN if hides and entry.text else entry.text


@admin.register(SetAside)
class SetAsideAdmin(ReadOnly):
    """Unreadable matches. Their clocks are stopped until they can be read."""

    list_display = ("match", "part", "since")


@admin.register(Vacation)
class VacationAdmin(ReadOnly):
    list_display = ("user", "begin", "end", "automatic", "shows_end")
    list_filter = ("automatic", "begin")
    search_fields = ("user__username",)


@admin.register(Outage)
class OutageAdmin(ReadOnly):
    """The times the site was down, which were given back to all running clocks."""

    list_display = ("began", "ended", "length", "cause", "settled")
