"""The log: what happened, in words."""

from collections.abc import Callable, Mapping

from games.kernel.contract import ENDED, Event
from games.kernel.formatting import listed
from games.kernel.views import Json
from games.titles.precary_ice.meta import (
    BONUS,
    DIE,
    FALL,
    INCIDENT,
    LEAVE,
    PLACE,
    PLAYED_OUT,
    ROUND,
    STAND,
    name_of,
)
from games.titles.precary_ice.moves import distance_text
from games.titles.precary_ice.pieces import NAMES

END_TEXTS = {
    PLAYED_OUT: "All rounds have been played. {points}: {names} {wins}.",
    "closed": "{points}: {names} {wins}.",
    "dropped": "{names} is the last to stay, and wins.",
}


def describe(event: Event) -> str:
    """Return a line of the log; empty for what needs no telling."""
    if event.type == ENDED:
        return _describe_end(event.data)
    if event.type == ROUND:
        return _describe_round(event.data)
    if event.seat is None or event.type not in _DESCRIBED_BY:
        return ""
    return _DESCRIBED_BY[event.type](name_of(event.seat), event.data)


def _describe_placement(who: str, data: Mapping[str, Json]) -> str:
    shake, turn = data["tremor"]
    piece = NAMES[data["piece"]]
    held = f"{who} holds the {piece} {distance_text(data['at'])}, {_tilted(data['tilt'])}"
    return f"{held}; tremor {_signed(shake)} mm, {_signed(turn)}°."


def _describe_stand(_who: str, data: Mapping[str, Json]) -> str:
    return f"The tower stands: {data['total']} points."


def _describe_fall(who: str, data: Mapping[str, Json]) -> str:
    seconds = f"{data['ms'] / 1000:.2f} s"
    if data["written"]:
        return f"{who}’s tower falls, after {seconds}: time to write {data['total']}."
    return f"{who}’s tower falls, after {seconds}: the sheet still says {data['total']}."


def _describe_bonus(who: str, data: Mapping[str, Json]) -> str:
    return f"All {len(data['pieces'])} pieces stand! {who} has {data['total']} points."


def _describe_incident(who: str, data: Mapping[str, Json]) -> str:
    return f"A cat knocks {who}’s tower over. It is rebuilt, and the turn is lost."


def _describe_die(who: str, data: Mapping[str, Json]) -> str:
    piece = NAMES[data["piece"]]
    if data["die"] is None:
        return f"{who} has only {piece}s left."
    return f"{who} rolls {data['die']}: a {piece} comes next."


def _describe_drop(who: str, data: Mapping[str, Json]) -> str:
    return f"{who} leaves the match; the tower is taken away."


def _tilted(degrees: float) -> str:
    """Return a tilt, as in ``tilted 3° to the left``; to the left is positive."""
    if degrees == 0:
        return "upright"
    return f"tilted {abs(degrees):.0f}° to the {'left' if degrees > 0 else 'right'}"


def _signed(number: float) -> str:
    """Return a number with its sign, as in ``−0.4``."""
    return f"{number:+.1f}".replace("-", "−")


_DESCRIBED_BY: Mapping[str, Callable[[str, Mapping[str, Json]], str]] = {
    PLACE: _describe_placement,
    STAND: _describe_stand,
    FALL: _describe_fall,
    BONUS: _describe_bonus,
    INCIDENT: _describe_incident,
    DIE: _describe_die,
    LEAVE: _describe_drop,
}


def _describe_round(data: Mapping[str, Json]) -> str:
    scored = [
        f"{name_of(seat)} {score}" for seat, score in enumerate(data["scores"]) if score is not None
    ]
    told = f"Round {data['round']} is over: {listed(scored)}."
    if data["starter"] is None:
        return told
    return f"{told} {name_of(data['starter'])} begins round {data['round'] + 1}."


def _describe_end(data: Mapping[str, Json]) -> str:
    winners = [name_of(seat) for seat, rank in enumerate(data["ranks"]) if rank == 1]
    points = listed([f"{name_of(s)} {total}" for s, total in enumerate(data["sums"])])
    wins = "wins" if len(winners) == 1 else "share the victory"
    return END_TEXTS[data["ending"]].format(names=listed(winners), wins=wins, points=points)
