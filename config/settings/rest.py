"""Settings of the REST API and its documentation."""

from typing import Any

REST_FRAMEWORK: dict[str, Any] = {
    # The first one is named in responses with 401.
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "games.api.authentication.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["games.api.parsing.Json"],
    "DEFAULT_SCHEMA_CLASS": "games.api.openapi.Schema",
    "EXCEPTION_HANDLER": "games.api.errors.answer",
    # The server has set the client's address from the proxies' headers (config.server.clients).
    "NUM_PROXIES": 0,
    "DEFAULT_THROTTLE_RATES": {
        "anon": "120/min",
        "user": "600/min",
        "change": "60/min",
        "move": "1500/min",
    },
}
SPECTACULAR_SETTINGS: dict[str, Any] = {
    "TITLE": "Turnstone",
    "DESCRIPTION": "Board games a move at a time: read, play and challenge by program.",
    "VERSION": "1",
    "LICENSE": {"name": "MIT", "identifier": "MIT"},
    "OAS_VERSION": "3.1.1",
    "SCHEMA_PATH_PREFIX": "/api/v1/",
    "COMPONENT_SPLIT_REQUEST": True,
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "ENUM_NAME_OVERRIDES": {
        "MatchStatusEnum": "games.matches.models.Match.Status",
        "ChallengeStatusEnum": "games.lobby.models.Challenge.Status",
        "TournamentStatusEnum": "games.events.models.Tournament.Status",
        "PuzzleRunKindEnum": "games.study.models.PuzzleRun.Kind",
    },
}
