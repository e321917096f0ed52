"""The schemas of stream events, for the reference and the OpenAPI document."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from drf_spectacular.utils import PolymorphicProxySerializer
from rest_framework import serializers

from games.api.challenge_serializers import ChallengeSerializer
from games.api.serializers import LineSerializer, MatchSerializer, text_list


class EventKind(NamedTuple):
    type: str
    meaning: str


CHALLENGE_EVENTS = (
    EventKind(
        "challenge", "The caller has received a challenge, or a challenge received has changed."
    ),
    EventKind(
        "challenge-accepted", "Somebody has accepted a challenge in which the caller has a seat."
    ),
    EventKind(
        "challenge-declined", "Somebody has declined a challenge in which the caller has a seat."
    ),
    EventKind("challenge-withdrawn", "A challenge was withdrawn by its creator."),
    EventKind("challenge-expired", "A challenge has expired."),
    EventKind("challenge-revealing", "A challenge with strict dice waits for the nonces."),
    EventKind("challenge-open", "A challenge in which the caller has a seat waits for players."),
)
OWN_MATCH_EVENTS = (
    EventKind("started", "A match has started."),
    EventKind("turn", "The caller is to move in a match."),
    EventKind("match", "A match in which the caller is not to move, when the stream begins."),
    EventKind("changed", "Something else has changed in a match: others moved, or made an offer."),
    EventKind("ended", "A match has ended."),
)
MATCH_EVENTS = (EventKind("match", "The match at the start of the stream, and after each change."),)
UNREADABLE_EVENTS = (EventKind("unreadable", "The site cannot read a match at present."),)
OWN_SIGNALS = (
    EventKind("ready", "Everything that was waiting when the stream began has been sent."),
    EventKind("beat", "The stream is still open. Sent after 15 seconds without another event."),
    EventKind("signed-out", "The token was revoked, or the account was closed. The stream ends."),
)
MATCH_SIGNALS = OWN_SIGNALS[1:]

OWN_KINDS = (*CHALLENGE_EVENTS, *OWN_MATCH_EVENTS, *UNREADABLE_EVENTS, *OWN_SIGNALS)
MATCH_KINDS = (*MATCH_EVENTS, *MATCH_SIGNALS)


def _type(kinds: Sequence[EventKind]) -> serializers.ChoiceField:
    return serializers.ChoiceField(choices=[kind.type for kind in kinds])


class _StateSerializer(serializers.Serializer[Any]):
    """A match as the listener may see it, with the legal moves."""

    match = MatchSerializer()
    moves = text_list(
        required=False, help_text="If the listener is to move: up to 200 of the legal moves."
    )
    more = serializers.BooleanField(
        required=False, help_text="Whether there are more legal moves; `options/` leads to all."
    )
    random_move = serializers.CharField(
        required=False,
        help_text="If the listener is to move and the stream was opened with a `seed`:"
        " a move drawn from all legal moves.",
    )


class ChallengeEventSerializer(serializers.Serializer[Any]):
    """An event about a challenge."""

    type = _type(CHALLENGE_EVENTS)
    challenge = ChallengeSerializer()
    by = serializers.CharField(
        required=False, help_text="The player who accepted or declined the challenge."
    )


class OwnMatchEventSerializer(_StateSerializer):
    """An event about a match of the listener’s."""

    type = _type(OWN_MATCH_EVENTS)
    challenge = ChallengeSerializer(
        required=False, allow_null=True, help_text="The challenge that the match comes from."
    )


class MatchEventSerializer(_StateSerializer):
    """The match that the stream is about, and the entries of the log since the event before."""

    type = _type(MATCH_EVENTS)
    log = LineSerializer(many=True)


class UnreadableEventSerializer(serializers.Serializer[Any]):
    """An event about a match that cannot be read at present."""

    type = _type(UNREADABLE_EVENTS)
    id = serializers.IntegerField(help_text="The id of the match.")


class SignalSerializer(serializers.Serializer[Any]):
    """An event about the stream itself."""

    type = _type(OWN_SIGNALS)


def _one_of(name: str, shapes: Mapping[Any, Sequence[EventKind]]) -> PolymorphicProxySerializer:
    """Return a schema for several shapes of event, with ``type`` as discriminator."""
    by_type = {kind.type: shape for shape, kinds in shapes.items() for kind in kinds}
    return PolymorphicProxySerializer(name, by_type, "type")


OWN_EVENT = _one_of(
    "OwnEvent",
    {
        ChallengeEventSerializer: CHALLENGE_EVENTS,
        OwnMatchEventSerializer: OWN_MATCH_EVENTS,
        UnreadableEventSerializer: UNREADABLE_EVENTS,
        SignalSerializer: OWN_SIGNALS,
    },
)
MATCH_EVENT = _one_of(
    "MatchStreamEvent", {MatchEventSerializer: MATCH_EVENTS, SignalSerializer: MATCH_SIGNALS}
)

_ADA = {
    "seat": 0,
    "name": "ada",
    "deadline": "2026-11-27T09:30:00Z",
    "time_left": 259200.0,
    "stands_still": [],
    "agrees_to_close": False,
    "agrees_to": "",
    "dropped": "",
    "rank": None,
    "rating": 1612,
    "rating_provisional": False,
    "colour": "red",
}
_BRUNO = {**_ADA, "seat": 1, "name": "bruno", "deadline": None, "colour": "blue"}
_CLOCK = {"start": 259200, "increment": 86400, "cap": 604800}
_MATCH = {
    "id": 42,
    "title": "some-game",
    "rules_version": 1,
    "params": {"size": 3},
    "clock": _CLOCK,
    "rated": False,
    "status": "running",
    "ending": "",
    "version": 2,
    "started": "2026-11-24T09:00:00Z",
    "changed": "2026-11-24T09:30:00Z",
    "ended": None,
    "seat": 0,
    "to_move": [0],
    "players": [_ADA, _BRUNO],
    "result": None,
    "view": {"rows": ["b..", "....", "..r..", "....", "..."]},
}
_INVITATION = {"has_revealed": False, "seat": None, "nonce_commitment": None}
_CHALLENGE = {
    "id": 7,
    "title": "some-game",
    "params": {"size": 3},
    "clock": _CLOCK,
    "seats": 2,
    "creator": "ada",
    "audience": "named",
    "seating": "random",
    "message": "",
    "commitment": "25ab8553de866d335298ef554d0c81a4055ad09e24a76f80fd2de380501ae80a",
    "strict_dice": False,
    "rated": False,
    "lowest_rating": None,
    "highest_rating": None,
    "status": "open",
    "version": 1,
    "created": "2026-11-24T08:00:00Z",
    "expires": "2026-12-01T08:00:00Z",
    "match": None,
    "invitations": [
        {"name": "ada", "state": "taken", **_INVITATION},
        {"name": "bruno", "state": "invited", **_INVITATION},
    ],
    "link": None,
}
_LINE = {
    "number": 2,
    "kind": "play",
    "seat": 1,
    "text": "a1",
    "sentences": ["Blue places a stone on a1."],
    "taken_back": False,
    "undoes": None,
    "at": "2026-11-24T09:30:00Z",
    "thinking": 1800.0,
}

OWN_EXAMPLES: tuple[dict[str, Any], ...] = (
    {"type": "challenge", "challenge": _CHALLENGE},
    {"type": "turn", "match": _MATCH, "moves": ["b1", "b2", "d4"], "more": False},
    {"type": "beat"},
)
MATCH_EXAMPLES: tuple[dict[str, Any], ...] = (
    {"type": "match", "match": {**_MATCH, "seat": None}, "log": [_LINE]},
)
"""Examples of events of the two streams; a test validates them."""
