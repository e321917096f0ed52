"""Rate limits for forms, moves over sockets and moves by email; bounds of reading a replica."""

# Limits per account or, for visitors, network address; for all accounts at one network address;
# towards the same other person; and for everybody together, where work begins (accounts.limits).
# Programs have their own (DEFAULT_THROTTLE_RATES in rest.py), and each socket has BURST and
# REFILL_PER_SECOND (games.live.consumers).
FORM_LIMITS: dict[str, dict[str, list[str]]] = {
    "move": {"account": ["120/m"]},
    "preview": {"account": ["600/m"]},
    "plan": {"account": ["60/m"]},
    "board": {"account": ["120/m"]},
    "puzzle-run": {"account": ["20/m", "300/d"]},
    "end": {"account": ["30/m"]},
    "offer": {"account": ["20/m"], "pair": ["20/h"]},
    "reply": {"account": ["30/m"], "pair": ["60/h"]},
    "take-back": {"account": ["30/m"], "pair": ["60/h"]},
    "rematch": {"account": ["20/m"], "pair": ["10/h", "30/d"]},
    "challenge": {"account": ["30/m"]},
    "tournament": {"account": ["20/h"]},
    "enter": {"account": ["30/m"]},
    # Acts of organisers; those that write to others have limits of their own.
    "organise": {"account": ["30/m", "200/h"]},
    "write-to-players": {"account": ["10/h", "20/d"]},
    "invite-to-event": {"account": ["60/h", "200/d"]},
    "found-club": {"account": ["20/h"]},
    "join-club": {"account": ["30/m", "100/h"]},
    "lead-club": {"account": ["60/m"]},
    "club-invite": {"account": ["30/h", "60/d"], "pair": ["5/d"]},
    "club-message": {"account": ["20/h"]},
    "challenge-club": {"account": ["20/h", "60/d"]},
    "team-match": {"account": ["60/m"]},
    "board-topic": {"account": ["10/h", "30/d"]},
    "board-post": {"account": ["10/m", "100/h"]},
    "board-follow": {"account": ["60/m"]},
    "guest": {"account": ["20/m", "200/d"]},
    "join-without-work": {"account": ["5/h"], "site": ["60/h"]},
    "invite": {"account": ["60/h"], "pair": ["10/h", "30/d"]},
    "answer": {"account": ["30/m"], "pair": ["30/h"]},
    "profile": {"account": ["20/m"]},
    "chat": {"account": ["20/m", "200/h"], "pair": ["100/h"]},
    "chat-read": {"account": ["120/m"]},
    "note": {"account": ["30/m"]},
    "report": {"account": ["10/h", "30/d"]},
    "own-data": {"account": ["5/h"]},
    "delete": {"account": ["3/d"]},
    "notifications": {"account": ["60/m"]},
    "test-notification": {"account": ["5/m", "20/d"]},
    "token": {"account": ["20/m"]},
    "records": {"account": ["10/h"]},
    "animation": {"account": ["20/h"], "address": ["40/h", "120/d"], "site": ["120/h"]},
    "review": {"account": ["20/h"], "address": ["40/h"], "site": ["200/h"]},
    # Questions to the expert, each of which takes some seconds of a core.
    "expert": {"account": ["6/m", "40/d"], "address": ["120/d"], "site": ["900/h"]},
    "bookmark": {"account": ["60/m"]},
    "import": {"account": ["20/h", "60/d"], "address": ["60/h"]},
    "unsubscribe": {"account": ["120/m"]},
    # Moves by mail; more are deferred.
    "mail-reply": {"account": ["60/h"]},
    "picture": {"account": ["120/m"]},
}

# Streams of the API that may be open at one web process: each takes a thread and memory of it.
OPEN_STREAMS = {"account": 20, "address": 40}
# The part of a core that all streams of one caller may take at a process, and the seconds of a core
# that they may take before it counts. Further lines come later.
STREAM_WORK = {"share": 0.25, "burst": 2.0}

# Hundredths of a second of processor time for steps of move entry, boards and plans, in their
# requests and over sockets: per account or, for visitors, network address; and for all guests at
# a network address together.
WORK_LIMITS: dict[str, list[str]] = {"account": ["600/m"], "guests": ["1800/m"]}

REPLICA_LAG = 0.1
"""Seconds that a page waits for a connection to the replica, and for it to catch up."""

REPLICA_PAUSE = 2.0
"""Seconds for which a process doesn't ask a replica that is away or late."""

PUZZLE_RUN_MINUTES = 5
PUZZLE_RUN_LIVES = 3
