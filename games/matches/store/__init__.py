"""Reading and writing matches by hand-written SQL.

Each function returns a :class:`Statement`, which runs in a thread (:func:`run`) or in a loop
(:func:`run_in_loop`).
"""

from config.postgresql.loop_pool import close as close_pool
from games.matches.store.driver import (
    Statement,
    at_once,
    in_thread,
    is_postgresql,
    run,
    run_in_loop,
)
from games.matches.store.reading import (
    MatchWithPlayers,
    match_with_log,
    match_with_players,
    outages,
    players_and_last_entries,
    read_players,
    secret,
    waiting,
    was_sent,
)
from games.matches.store.writing import (
    MATCH_FIELDS,
    PLAYER_FIELDS,
    NotPermitted,
    PendingChange,
    Permit,
    commit_all,
    is_permitted,
    write,
)

__all__ = [
    "MATCH_FIELDS",
    "PLAYER_FIELDS",
    "MatchWithPlayers",
    "NotPermitted",
    "PendingChange",
    "Permit",
    "Statement",
    "at_once",
    "close_pool",
    "commit_all",
    "in_thread",
    "is_permitted",
    "is_postgresql",
    "match_with_log",
    "match_with_players",
    "outages",
    "players_and_last_entries",
    "read_players",
    "run",
    "run_in_loop",
    "secret",
    "waiting",
    "was_sent",
    "write",
]
