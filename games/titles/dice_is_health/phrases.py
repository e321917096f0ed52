"""Words that the drawing and the log have in common."""

from collections.abc import Mapping, Sequence

from games.kernel.views import Json
from games.titles.dice_is_health.events import name_of
from games.titles.dice_is_health.position import (
    CHALLENGE,
    FIGHT,
    GO,
    MOVE,
    RAMPAGE,
    SPEND,
    STRIP,
    WALLS,
)

_ASKED = {
    MOVE: "{name} moves",
    SPEND: "{name} may spend dice",
    WALLS: "{name} may set {count}",
    FIGHT: "{name} may fight monsters",
    GO: "{name} sends {piece} away",
    RAMPAGE: "{name} may send monster {monster} on",
    CHALLENGE: "{name} may challenge",
    STRIP: "{name} strips {count} off {loser}",
}


def counted(count: int, noun: str) -> str:
    """Return a number of things, as in ``2 walls``."""
    return f"{count} {noun if count == 1 else noun + 's'}"


def dice(count: int) -> str:
    """Return a number of dice, as in ``no dice`` or ``1 die``."""
    return f"{count or 'no'} {'die' if count == 1 else 'dice'}"


def trinkets(count: int) -> str:
    """Return a number of trinkets, as in ``no trinket`` or ``2 trinkets``."""
    return counted(count, "trinket") if count else "no trinket"


def listed(names: Sequence[str]) -> str:
    """Return names as in ``o1, o4 and i2``."""
    head, tail = names[:-1], "".join(names[-1:])
    return f"{', '.join(head)} and {tail}" if head else tail


def round_of(view: Mapping[str, Json]) -> str:
    """Return which round it is, as in ``Round 3 of 100``."""
    return f"Round {view['round']}" + (f" of {view['rounds']}" if view["rounds"] else "")


def asked(view: Mapping[str, Json], actor: int) -> str:
    """Return what is asked of a seat, in a few words."""
    pending = view["pending"] or {}
    piece = pending.get("piece")
    if piece == actor:
        return f"{name_of(actor)} steps away"
    return _ASKED[view["phase"]].format(
        name=name_of(actor),
        count=counted(pending.get("count", 0), "wall"),
        monster=pending.get("monster"),
        piece="" if piece is None else name_of(piece),
        loser=name_of(pending.get("loser", 0)),
    )


def outcome(ranks: Sequence[int]) -> str:
    """Return how a match came out, as in ``Blue wins``."""
    winners = [name_of(seat) for seat, rank in enumerate(ranks) if rank == 1]
    return f"{listed(winners)} {'wins' if len(winners) == 1 else 'tie'}"


def added(dice: Sequence[int]) -> str:
    """Return dice with their sum, as in ``3 + 4 = 7``."""
    total = str(sum(dice))
    return total if len(dice) == 1 else f"{' + '.join(map(str, dice))} = {total}"
