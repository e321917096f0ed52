"""The log: what happened, in words."""

from collections.abc import Callable, Mapping

from games.kernel.contract import ENDED, Event, Seat
from games.kernel.views import Json
from games.titles.precary_ice import words
from games.titles.precary_ice.events import BONUS, DIE, FALL, INCIDENT, LEAVE, PLACE, ROUND, STAND
from games.titles.precary_ice.meta import PLAYED_OUT
from games.titles.precary_ice.pieces import NAMES

HOW = {
    PLAYED_OUT: "All rounds have been played. {points}: {names} {wins}.",
    "closed": "{points}: {names} {wins}.",
    "dropped": "{names} is the last to stay, and wins.",
}


def tell(event: Event, viewer: Seat | None) -> str:
    """Return a line of the log; empty for what needs no telling."""
    if event.type == ENDED:
        return _tell_end(event.data)
    if event.type == ROUND:
        return _tell_round(event.data)
    if event.seat is None or event.type not in _DEEDS:
        return ""
    return _DEEDS[event.type](words.name_of(event.seat), event.data)


def _tell_placement(who: str, data: Mapping[str, Json]) -> str:
    shake, turn = data["tremor"]
    piece = NAMES[data["piece"]]
    held = f"{who} holds the {piece} {words.off(data['at'])}, {words.tilted(data['tilt'])}"
    return f"{held}; tremor {words.signed(shake)} mm, {words.signed(turn)}°."


def _tell_stand(_who: str, data: Mapping[str, Json]) -> str:
    return f"The tower stands: {data['total']} points."


def _tell_fall(who: str, data: Mapping[str, Json]) -> str:
    seconds = f"{data['ms'] / 1000:.2f} s"
    if data["written"]:
        return f"{who}’s tower falls, after {seconds}: time to write {data['total']}."
    return f"{who}’s tower falls, after {seconds}: the sheet still says {data['total']}."


def _tell_bonus(who: str, data: Mapping[str, Json]) -> str:
    return f"All {len(data['pieces'])} pieces stand! {who} has {data['total']} points."


def _tell_incident(who: str, data: Mapping[str, Json]) -> str:
    return f"A cat knocks {who}’s tower over. It is rebuilt, and the turn is lost."


def _tell_die(who: str, data: Mapping[str, Json]) -> str:
    piece = NAMES[data["piece"]]
    if data["die"] is None:
        return f"{who} has only {piece}s left."
    return f"{who} rolls {data['die']}: a {piece} comes next."


def _tell_leaving(who: str, data: Mapping[str, Json]) -> str:
    return f"{who} leaves the match; the tower is taken away."


_DEEDS: Mapping[str, Callable[[str, Mapping[str, Json]], str]] = {
    PLACE: _tell_placement,
    STAND: _tell_stand,
    FALL: _tell_fall,
    BONUS: _tell_bonus,
    INCIDENT: _tell_incident,
    DIE: _tell_die,
    LEAVE: _tell_leaving,
}


def _tell_round(data: Mapping[str, Json]) -> str:
    scored = [
        f"{words.name_of(seat)} {score}"
        for seat, score in enumerate(data["scores"])
        if score is not None
    ]
    told = f"Round {data['round']} is over: {words.listed(scored)}."
    if data["starter"] is None:
        return told
    return f"{told} {words.name_of(data['starter'])} begins round {data['round'] + 1}."


def _tell_end(data: Mapping[str, Json]) -> str:
    winners = [words.name_of(seat) for seat, rank in enumerate(data["ranks"]) if rank == 1]
    points = words.listed([f"{words.name_of(s)} {total}" for s, total in enumerate(data["sums"])])
    wins = "wins" if len(winners) == 1 else "share the victory"
    return HOW[data["ending"]].format(names=words.listed(winners), wins=wins, points=points)
