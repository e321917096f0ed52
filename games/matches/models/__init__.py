"""The models of a match: the match itself, its players, its log, and their plans.

The log is append-only, and all fields of :class:`Match` and :class:`Player` that a move changes
follow from it. All changes of a match go through :mod:`games.matches.update`.
"""

from games.matches.models.log import AppendOnly, Checkpoint, Log, LogEntry, planned_submission
from games.matches.models.match import (
    MAX_SEATS,
    NO_DEADLINE,
    NO_TIME,
    FormerPlayer,
    Match,
    Player,
    WithoutSecrets,
)
from games.matches.models.pace import Pace
from games.matches.models.plans import ConditionalMoves, StandingOrder, note_plans
from games.matches.models.uptime import Outage, SetAside, Sweep
from games.matches.models.vacation import Vacation
from games.matches.models.watching import Watch

__all__ = [
    "MAX_SEATS",
    "NO_DEADLINE",
    "NO_TIME",
    "AppendOnly",
    "Checkpoint",
    "ConditionalMoves",
    "FormerPlayer",
    "Log",
    "LogEntry",
    "Match",
    "Outage",
    "Pace",
    "Player",
    "SetAside",
    "StandingOrder",
    "Sweep",
    "Vacation",
    "Watch",
    "WithoutSecrets",
    "note_plans",
    "planned_submission",
]
