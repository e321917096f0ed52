"""The log: what happened, in words; fights round by round, with both sums."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from games.kernel.contract import ENDED, Event
from games.kernel.formatting import counted, listed
from games.kernel.views import Json
from games.titles.dice_is_health import events
from games.titles.dice_is_health.events import dice, trinkets
from games.titles.dice_is_health.meta import BACK, ROUNDS_UP, name_of
from games.titles.dice_is_health.position import PhaseName, unwound

Data = Mapping[str, Json]

HOW = {
    BACK: "{names} is back in the middle with three dice and a trinket, and wins.",
    ROUNDS_UP: "The last round has been played: {names} tie.",
    "closed": "{names} tie.",
    "dropped": "{names} is the last to stay, and wins.",
}

NO_MORE = {
    PhaseName.SPEND: "{who} spends no more dice.",
    PhaseName.FIGHT: "{who} leaves the monsters alone.",
    PhaseName.RAMPAGE: "{who} holds the monster back.",
    PhaseName.CHALLENGE: "{who} challenges nobody else.",
}


def describe(event: Event) -> str:
    """Return a line of the log; empty for what needs no telling."""
    if event.type == ENDED:
        return _describe_end(event.data)
    if event.seat is None or event.type not in _DESCRIPTIONS:
        return ""
    return _DESCRIPTIONS[event.type](name_of(event.seat), event.data)


def _describe_end(data: Data) -> str:
    winners = [name_of(seat) for seat, rank in enumerate(data["ranks"]) if rank == 1]
    return HOW[data["ending"]].format(names=listed(winners))


# --- Movement and payments ----------------------------------------------------------------------


def _describe_roll(who: str, data: Data) -> str:
    low, median, high = data["dice"]
    return f"{who} rolls {low} for the monsters, {median} for the fan and {high} to walk."


def _describe_movement(who: str, data: Data) -> str:
    parts = [_walked(who, data["path"])]
    parts += [_walked(f"monster {number}", path) for number, path in data["monsters"].items()]
    return f"{listed([*parts, _turned(data['fan'])])}."


def _walked(who: str, path: Sequence[str]) -> str:
    if path[0] == path[-1]:
        return f"{who} walks about and back to {path[-1]}"
    return f"{who} walks from {path[0]} to {path[-1]}"


def _turned(fan: Sequence[int]) -> str:
    turns = unwound(fan)
    by = turns[-1] - turns[0]
    return f"the fan turns {counted(abs(by), 'sector')} {'up' if by > 0 else 'down'}"


def _describe_pick_up(who: str, data: Data) -> str:
    return f"{who} picks up the die on {data['at']} and now has {dice(data['dice'])}."


def _describe_payment(who: str, data: Data) -> str:
    what = "walls" if data["what"] == events.WALL else "a monster"
    return f"{who} gives a die for {what} and has {dice(data['dice'])} left."


def _describe_building(who: str, data: Data) -> str:
    return f"A roll of {data['roll']} allows {who} up to {counted(data['roll'], 'wall')}."


def _describe_walls(who: str, data: Data) -> str:
    taken: Mapping[str, int] = data["taken"]
    new = [space for space in data["spaces"] if space not in taken]
    deeds = [f"puts up {_walls(new)}"] if new else []
    for owner in sorted(set(taken.values())):
        own = [space for space, seat in taken.items() if seat == owner]
        deeds.append(f"takes over {name_of(owner)}’s {_walls(own, article='')}")
    return f"{who} {listed(deeds) or 'puts up no wall'}."


def _walls(spaces: Sequence[str], article: str = "a ") -> str:
    noun = f"{article}wall" if len(spaces) == 1 else "walls"
    return f"{noun} on {listed(spaces)}"


# --- Fights -----------------------------------------------------------------------------------


def _describe_fight(who: str, data: Data) -> str:
    monster = f"monster {data['monster']}"
    rounds = [(r["player"], r["monster"]) for r in data["rounds"]]
    story = _rounds(who, monster, rounds) or f"{who} has no dice, and loses."
    if data["by"] == events.BY_SPACE:
        return f"{who} and {monster} meet on {data['at']} and must fight. {story}"
    if data["by"] == events.BY_CHOICE:
        return f"{who} attacks {monster} on {data['from']}. {story}"
    return story


def _describe_duel(who: str, data: Data) -> str:
    other = name_of(data["other"])
    rounds = [(r["mover"], r["other"]) for r in data["rounds"]]
    story = _rounds(who, other, rounds) or _without_dice(who, other, data["winner"])
    if data["by"] == events.BY_SPACE:
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
        thrown = f"{_added(own)} against {_added(others)}"
        if sum(own) == sum(others):
            yield f"{thrown}: a tie, they roll again."
        else:
            winner = who if sum(own) > sum(others) else other
            yield f"{thrown}: {winner} wins."


def _added(dice: Sequence[int]) -> str:
    """Return dice with their sum, as in ``3 + 4 = 7``."""
    total = str(sum(dice))
    return total if len(dice) == 1 else f"{' + '.join(map(str, dice))} = {total}"


def _describe_home(who: str, data: Data) -> str:
    if data["from"] == data["to"]:
        return f"{who} has no die to lose, and is at home on {data['to']} already."
    return f"{who} has no die to lose, and goes home from {data['from']} to {data['to']}."


def _describe_trinket(who: str, data: Data) -> str:
    source = "" if data["of"] is None else f" from {name_of(data['of'])}"
    return f"{who} gets a trinket{source} and now has {trinkets(data['trinkets'])}."


def _describe_stripping(who: str, data: Data) -> str:
    count = counted(data["roll"], "wall")
    return f"A roll of {data['roll']} lets {who} take up to {count} from {name_of(data['loser'])}."


def _describe_stripped(who: str, data: Data) -> str:
    walls = _walls(data["spaces"], article="")
    return f"{who} takes {name_of(data['loser'])}’s {walls} down."


def _describe_step(who: str, data: Data) -> str:
    chooser = name_of(data["chooser"])
    if chooser == who:
        return f"{who} steps away to {data['to']}."
    return f"{chooser} sends {who} away to {data['to']}."


# --- The rest ---------------------------------------------------------------------------------


def _describe_leaving(who: str, data: Data) -> str:
    goods = [dice(data["dice"])] if data["dice"] else []
    goods += [trinkets(data["trinkets"])] if data["trinkets"] else []
    goods += [counted(len(data["walls"]), "wall")] if data["walls"] else []
    return f"{who} leaves the match{' with ' if goods else ''}{listed(goods)}."


_DESCRIPTIONS: Mapping[str, Callable[[str, Data], str]] = {
    events.ROLLED: _describe_roll,
    events.MOVED: _describe_movement,
    events.PICKED_UP: _describe_pick_up,
    events.PAID: _describe_payment,
    events.SPAWNED: lambda _, data: f"A die comes to lie on {data['at']}.",
    events.MAY_BUILD: _describe_building,
    events.BUILT: _describe_walls,
    events.SUMMONED: lambda who, data: f"{who} summons monster {data['monster']} on {data['at']}.",
    events.FOUGHT: _describe_fight,
    events.DUELLED: _describe_duel,
    events.LOST_DIE: lambda who, data: f"{who} loses a die and has {dice(data['dice'])} left.",
    events.WENT_HOME: _describe_home,
    events.GAINED: _describe_trinket,
    events.NO_TRINKET: lambda who, _: f"Two trinkets circulate already, so {who} gets none.",
    events.LOST_TRINKET: lambda who, _: f"{who} loses a trinket to the monster.",
    events.MAY_STRIP: _describe_stripping,
    events.STRIPPED: _describe_stripped,
    events.STEPPED: _describe_step,
    events.STAYED: lambda who, data: (
        f"{who} has nowhere to step away to and stays on {data['at']}."
    ),
    events.DONE: lambda who, data: NO_MORE[data["phase"]].format(who=who),
    events.SENT: lambda who, d: f"{who} sends monster {d['monster']} on at {name_of(d['target'])}.",
    events.LEFT: _describe_leaving,
}
