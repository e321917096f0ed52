"""The possible actions on a case: one entry of :data:`ACTIONS` for each."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from accounts.models import User
from accounts.sanctions.models import Sanction
from games.moderation import actions, substitutes
from games.moderation.models import Case

MAX_REASON_LENGTH = 1000
"""Maximum length of the reason of an action, in characters."""


@dataclass(frozen=True)
class Action:
    """An action, and how the desk offers it.

    ``button`` may contain ``{}`` for the name of the suspect. ``permission`` is one of those of
    :class:`~games.moderation.models.Case`. ``required`` and ``optional`` name fields of
    ``ActionForm``, besides the reason. ``run`` is called with the case, the values of these fields
    in this order, and the keywords ``moderator``, ``reason`` and ``now``.
    """

    label: str
    button: str
    permission: str
    run: Callable[..., object]
    required: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()


def _sanction(kind: Sanction.Kind) -> Callable[..., Sanction]:
    def impose(case: Case, until: datetime | None = None, **how: Any) -> Sanction:
        return actions.sanction(case, kind, until=until, **how)

    return impose


def _ask_substitute(case: Case, match_id: int, name: str, **how: Any) -> None:
    substitutes.ask(case, match_id, User.objects.named(name), **how)


ACTIONS = {
    "warning": Action("Warn", "Warn {}", "warn_player", _sanction(Sanction.Kind.WARNING)),
    "mute": Action(
        "Mute until", "Mute {}", "mute_player", _sanction(Sanction.Kind.MUTE), ("until",)
    ),
    "hide-line": Action(
        "Hide a line of chat",
        "Hide the line",
        "mute_player",
        partial(actions.hide_line, restores=False),
        ("line",),
    ),
    "restore-line": Action(
        "Show a hidden line again",
        "Show the line again",
        "mute_player",
        partial(actions.hide_line, restores=True),
        ("line",),
    ),
    "hide-post": Action(
        "Hide a post of a noticeboard",
        "Hide the post",
        "mute_player",
        partial(actions.hide_post, restores=False),
        ("post",),
    ),
    "restore-post": Action(
        "Show a hidden post again",
        "Show the post again",
        "mute_player",
        partial(actions.hide_post, restores=True),
        ("post",),
    ),
    "suspension": Action(
        "Suspend until",
        "Suspend {}",
        "suspend_player",
        _sanction(Sanction.Kind.SUSPENSION),
        ("until",),
    ),
    "ban": Action("Ban", "Ban {}", "ban_player", _sanction(Sanction.Kind.BAN)),
    "rename": Action("Rename", "Rename {}", "rename_player", actions.rename, ("name",)),
    "withdraw": Action(
        "Withdraw all open challenges",
        "Withdraw all challenges of {}",
        "end_matches",
        actions.withdraw_challenges,
    ),
    "clear-events": Action(
        "Cancel open tournaments, and erase the texts of all",
        "Cancel the tournaments of {}",
        "end_matches",
        actions.clear_tournaments,
    ),
    "close-club": Action(
        "Close a club", "Close the club", "end_matches", actions.close_club, ("club",)
    ),
    "clear-club": Action(
        "Erase the name, text and messages of a club",
        "Erase the texts of the club",
        "end_matches",
        actions.clear_club,
        ("club",),
    ),
    "cancel-team-match": Action(
        "Cancel a team match that hasn’t begun",
        "Cancel the team match",
        "end_matches",
        actions.cancel_team_match,
        ("team_match",),
    ),
    "abandon": Action(
        "Call a seat abandoned, and let the opponents choose",
        "Call the seat of {} abandoned",
        "end_matches",
        actions.abandon,
        ("match",),
    ),
    "substitute": Action(
        "Ask a substitute into a match",
        "Ask the substitute",
        "end_matches",
        _ask_substitute,
        ("match", "substitute"),
    ),
    "remove": Action(
        "Take out of a match",
        "Take {} out of the match",
        "end_matches",
        actions.remove,
        ("match",),
    ),
    "end": Action(
        "End a match as it stands",
        "End the match",
        "end_matches",
        partial(actions.end_match, annul=False),
        ("match",),
    ),
    "annul": Action(
        "Annul a match",
        "Annul the match",
        "end_matches",
        partial(actions.end_match, annul=True),
        ("match",),
    ),
    "unrate": Action(
        "Take a match out of the ratings",
        "Take the match out of the ratings",
        "end_matches",
        actions.unrate,
        ("match",),
    ),
    "give-time": Action(
        "Give the opponents more time in a match",
        "Give more time",
        "give_time",
        actions.give_time,
        ("match",),
        optional=("hours",),
    ),
    "stop-clocks": Action(
        "Stop the clocks of a match",
        "Stop the clocks",
        "give_time",
        actions.stop_clocks,
        ("match",),
        optional=("until",),
    ),
    "run-clocks": Action(
        "Let the clocks of a match run on",
        "Let the clocks run on",
        "give_time",
        actions.run_clocks,
        ("match",),
    ),
}
"""The actions on a case, in the order of the desk."""
