"""The log: what happened, in words; fights are told round by round, with both sums."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from games.kernel.contract import ENDED, Event, Seat
from games.kernel.views import Json
from games.titles.dice_is_health import phrases
from games.titles.dice_is_health.actions import WALL
from games.titles.dice_is_health.events import (
    BUILT,
    BY_CHOICE,
    BY_SPACE,
    DONE,
    DUELLED,
    FOUGHT,
    GAINED,
    LEFT,
    LOST_DIE,
    LOST_TRINKET,
    MAY_BUILD,
    MAY_STRIP,
    MOVED,
    NO_TRINKET,
    PAID,
    PICKED_UP,
    ROLLED,
    SENT,
    SPAWNED,
    STAYED,
    STEPPED,
    STRIPPED,
    SUMMONED,
    WENT_HOME,
    name_of,
)
from games.titles.dice_is_health.meta import BACK, ROUNDS_UP
from games.titles.dice_is_health.position import CHALLENGE, FIGHT, RAMPAGE, SPEND
from games.titles.dice_is_health.ways import unwound

Data = Mapping[str, Json]

HOW = {
    BACK: "{names} is back in the middle with three dice and a trinket, and wins.",
    ROUNDS_UP: "The last round has been played: {names} tie.",
    "closed": "{names} tie.",
    "dropped": "{names} is the last to stay, and wins.",
}

NO_MORE = {
    SPEND: "{who} spends no more dice.",
    FIGHT: "{who} leaves the monsters alone.",
    RAMPAGE: "{who} holds the monster back.",
    CHALLENGE: "{who} challenges nobody else.",
}


def tell(event: Event, viewer: Seat | None) -> str:
    """Return a line of the log; empty for what needs no telling."""
    if event.type == ENDED:
        return _tell_end(event.data)
    if event.seat is None or event.type not in _DEEDS:
        return ""
    return _DEEDS[event.type](name_of(event.seat), event.data)


def _tell_end(data: Data) -> str:
    winners = [name_of(seat) for seat, rank in enumerate(data["ranks"]) if rank == 1]
    return HOW[data["ending"]].format(names=phrases.listed(winners))


# --- Movement and payments ----------------------------------------------------------------------


def _tell_roll(who: str, data: Data) -> str:
    low, median, high = data["dice"]
    return f"{who} rolls {low} for the monsters, {median} for the fan and {high} to walk."


def _tell_movement(who: str, data: Data) -> str:
    parts = [_walked(who, data["path"])]
    parts += [_walked(f"monster {number}", way) for number, way in data["monsters"].items()]
    return f"{phrases.listed([*parts, _turned(data['fan'])])}."


def _walked(who: str, way: Sequence[str]) -> str:
    if way[0] == way[-1]:
        return f"{who} walks about and back to {way[-1]}"
    return f"{who} walks from {way[0]} to {way[-1]}"


def _turned(fan: Sequence[int]) -> str:
    turns = unwound(fan)
    by = turns[-1] - turns[0]
    return f"the fan turns {phrases.counted(abs(by), 'sector')} {'up' if by > 0 else 'down'}"


def _tell_pick_up(who: str, data: Data) -> str:
    return f"{who} picks up the die on {data['at']} and now has {phrases.dice(data['dice'])}."


def _tell_payment(who: str, data: Data) -> str:
    what = "walls" if data["what"] == WALL else "a monster"
    return f"{who} gives a die for {what} and has {phrases.dice(data['dice'])} left."


def _tell_building(who: str, data: Data) -> str:
    return f"A roll of {data['roll']} allows {who} up to {phrases.counted(data['roll'], 'wall')}."


def _tell_walls(who: str, data: Data) -> str:
    taken: Mapping[str, int] = data["taken"]
    new = [space for space in data["spaces"] if space not in taken]
    deeds = [f"puts up {_walls(new)}"] if new else []
    for owner in sorted(set(taken.values())):
        own = [space for space, seat in taken.items() if seat == owner]
        deeds.append(f"takes over {name_of(owner)}’s {_walls(own, article='')}")
    return f"{who} {phrases.listed(deeds) or 'puts up no wall'}."


def _walls(spaces: Sequence[str], article: str = "a ") -> str:
    noun = f"{article}wall" if len(spaces) == 1 else "walls"
    return f"{noun} on {phrases.listed(spaces)}"


# --- Fights -----------------------------------------------------------------------------------


def _tell_fight(who: str, data: Data) -> str:
    monster = f"monster {data['monster']}"
    rounds = [(r["player"], r["monster"]) for r in data["rounds"]]
    story = _rounds(who, monster, rounds) or f"{who} has no dice, and loses."
    if data["by"] == BY_SPACE:
        return f"{who} and {monster} meet on {data['at']} and must fight. {story}"
    if data["by"] == BY_CHOICE:
        return f"{who} attacks {monster} on {data['from']}. {story}"
    return story


def _tell_duel(who: str, data: Data) -> str:
    other = name_of(data["other"])
    rounds = [(r["mover"], r["other"]) for r in data["rounds"]]
    story = _rounds(who, other, rounds) or _without_dice(who, other, data["winner"])
    if data["by"] == BY_SPACE:
        return f"{who} and {other} meet on {data['at']} and must fight. {story}"
    return f"{who} challenges {other} on {data['from']}. {story}"


def _without_dice(who: str, other: str, winner: int | None) -> str:
    if winner is None:
        return "Neither has dice, so nobody wins."
    return f"{other if name_of(winner) == who else who} has no dice, and loses."


def _rounds(who: str, other: str, rounds: Sequence[tuple[Sequence[int], Sequence[int]]]) -> str:
    """Tell the throws of a fight, ties first; empty if nothing was thrown."""
    return " ".join(_throws(who, other, rounds))


def _throws(
    who: str, other: str, rounds: Sequence[tuple[Sequence[int], Sequence[int]]]
) -> Iterator[str]:
    for own, others in rounds:
        thrown = f"{phrases.added(own)} against {phrases.added(others)}"
        if sum(own) == sum(others):
            yield f"{thrown}: a tie, they roll again."
        else:
            winner = who if sum(own) > sum(others) else other
            yield f"{thrown}: {winner} wins."


def _tell_home(who: str, data: Data) -> str:
    if data["from"] == data["to"]:
        return f"{who} has no die to lose, and is at home on {data['to']} already."
    return f"{who} has no die to lose, and goes home from {data['from']} to {data['to']}."


def _tell_trinket(who: str, data: Data) -> str:
    source = "" if data["of"] is None else f" from {name_of(data['of'])}"
    return f"{who} gets a trinket{source} and now has {phrases.trinkets(data['trinkets'])}."


def _tell_stripping(who: str, data: Data) -> str:
    count = phrases.counted(data["roll"], "wall")
    return f"A roll of {data['roll']} lets {who} take up to {count} from {name_of(data['loser'])}."


def _tell_stripped(who: str, data: Data) -> str:
    walls = _walls(data["spaces"], article="")
    return f"{who} takes {name_of(data['loser'])}’s {walls} down."


def _tell_step(who: str, data: Data) -> str:
    chooser = name_of(data["chooser"])
    if chooser == who:
        return f"{who} steps away to {data['to']}."
    return f"{chooser} sends {who} away to {data['to']}."


# --- The rest ---------------------------------------------------------------------------------


def _tell_leaving(who: str, data: Data) -> str:
    goods = [phrases.dice(data["dice"])] if data["dice"] else []
    goods += [phrases.trinkets(data["trinkets"])] if data["trinkets"] else []
    goods += [phrases.counted(len(data["walls"]), "wall")] if data["walls"] else []
    return f"{who} leaves the match{' with ' if goods else ''}{phrases.listed(goods)}."


_DEEDS: Mapping[str, Callable[[str, Data], str]] = {
    ROLLED: _tell_roll,
    MOVED: _tell_movement,
    PICKED_UP: _tell_pick_up,
    PAID: _tell_payment,
    SPAWNED: lambda _, data: f"A die comes to lie on {data['at']}.",
    MAY_BUILD: _tell_building,
    BUILT: _tell_walls,
    SUMMONED: lambda who, data: f"{who} summons monster {data['monster']} on {data['at']}.",
    FOUGHT: _tell_fight,
    DUELLED: _tell_duel,
    LOST_DIE: lambda who, data: f"{who} loses a die and has {phrases.dice(data['dice'])} left.",
    WENT_HOME: _tell_home,
    GAINED: _tell_trinket,
    NO_TRINKET: lambda who, _: f"Two trinkets circulate already, so {who} gets none.",
    LOST_TRINKET: lambda who, _: f"{who} loses a trinket to the monster.",
    MAY_STRIP: _tell_stripping,
    STRIPPED: _tell_stripped,
    STEPPED: _tell_step,
    STAYED: lambda who, data: f"{who} has nowhere to step away to and stays on {data['at']}.",
    DONE: lambda who, data: NO_MORE[data["phase"]].format(who=who),
    SENT: lambda who, d: f"{who} sends monster {d['monster']} on at {name_of(d['target'])}.",
    LEFT: _tell_leaving,
}
