"""Events, moves and their consequences in words, and the numbers that decide.

Lines are short, so that most turns take one or two lines of the log. They omit what the strips
count, and a fight names only the roll that decided it.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from games.kernel.contract import Ended, Event, Seat, Tally
from games.kernel.formatting import counted, listed, sentence
from games.kernel.narration import Names
from games.titles.dice_is_health import events
from games.titles.dice_is_health.board import spoken, unwound
from games.titles.dice_is_health.events import dice, trinkets
from games.titles.dice_is_health.meta import BACK, META, ROUNDS_UP, name_of
from games.titles.dice_is_health.moves import (
    Attack,
    Challenge,
    Fight,
    Go,
    Move,
    Movement,
    Strip,
    Summon,
    Turn,
    Wall,
    Walls,
)
from games.titles.dice_is_health.state import FightPart, PhaseName, State

NO_MORE: Mapping[str, tuple[str, str]] = {
    PhaseName.SPEND: ("spend", "no more dice"),
    PhaseName.FIGHT: ("leave", "the monsters alone"),
    PhaseName.RAMPAGE: ("hold", "the monster back"),
    PhaseName.CHALLENGE: ("fight", "nobody else"),
}
"""By phase, what a player does who ends it."""

NO_MORE_HEADLINES = {
    PhaseName.SPEND: "No more dice spent",
    PhaseName.FIGHT: "Monsters left alone",
    PhaseName.RAMPAGE: "Monster held back",
    PhaseName.CHALLENGE: "Nobody else fought",
}
"""The same as headlines."""

FATES = (
    events.Fought,
    events.LostDie,
    events.WentHome,
    events.GainedTrinket,
    events.LostTrinket,
)
"""Events that happen to their own seat."""

SECTIONS = {
    PhaseName.MOVE: "Moving",
    PhaseName.SPEND: "Spending dice",
    PhaseName.WALLS: "Spending dice",
    PhaseName.FIGHT: "Fighting monsters",
    PhaseName.RAMPAGE: "Fighting monsters",
    PhaseName.CHALLENGE: "Fighting players",
    PhaseName.STRIP: "Fighting players",
}
"""By phase, the heading of the rules in brief."""


def describe(event: Event, viewer: Seat | None) -> str:
    """Return a line of the log. Empty for events without one."""
    tell = _DESCRIPTIONS.get(type(event))
    return tell(Names(META.colours, viewer), event) if tell else ""


def befalls(event: Event, seat: Seat) -> bool:
    """Whether a seat fights, loses or gets something, or is sent away."""
    if isinstance(event, events.Duelled):
        return seat in (event.seat, event.other)
    if isinstance(event, events.Stripped):
        return event.loser == seat
    if isinstance(event, events.Built):
        return seat in event.taken.values()
    if isinstance(event, events.SteppedAway):
        return event.seat == seat != event.chooser
    return isinstance(event, FATES) and event.seat == seat


def cause(seen: Sequence[Event], viewer: Seat) -> str:
    """Return who moved a monster onto the viewer's space, if the viewer then fought it there."""
    movement: events.Moved | None = None
    for event in seen:
        if isinstance(event, events.Moved):
            movement = event
        elif movement and isinstance(event, events.Fought) and _is_led_to(movement, event, viewer):
            mover = Names(META.colours, viewer).does(movement.seat, "move")
            return f"{mover} monster {event.monster} to {spoken(event.at)}."
    return ""


def _is_led_to(movement: events.Moved, fight: events.Fought, seat: Seat) -> bool:
    """Whether another player's movement brought the monster to a seat's fight."""
    path = movement.monsters.get(str(fight.monster), ())
    is_forced = fight.by == events.BY_SPACE and path[-1:] == (fight.at,)
    return is_forced and fight.seat == seat != movement.seat


def headline(event: Event, viewer: Seat | None) -> str:
    """Return an event in a few words.

    The name of the player to move, which may be "You", stands above them, so that player's actions
    have no verb. Events of others are whole sentences, and a fight says who wins. The dice of a
    fight and of the next turn, new dice and counts are on the board.
    """
    brief = _HEADLINES.get(type(event))
    if brief is None:
        return describe(event, viewer).removesuffix(".")
    return brief(Names(META.colours, viewer), event)


def ending_reason(event: Ended, viewer: Seat | None) -> str:
    """Return why a match ended by the rules. Empty if it didn't."""
    names = Names(META.colours, viewer)
    if event.ending == BACK:
        winner = event.ranks.index(1)
        is_back = f"{names.clause(winner, 'are')} back in the middle"
        return f"{is_back} with three dice and a trinket"
    return "the last round is over" if event.ending == ROUNDS_UP else ""


# --- Movement and payments ----------------------------------------------------------------------


def _describe_roll(names: Names, event: events.Rolled) -> str:
    low, median, high = event.dice
    return f"{names.does(event.seat, 'roll')} {high}; monsters {low}, fan {median}."


def _describe_movement(names: Names, event: events.Moved) -> str:
    return f"{names.does(event.seat, 'walk')} {_moves(event)}."


def _moves(event: events.Moved) -> str:
    """Return the final spaces of a movement's pieces, and the turn of the fan."""
    monsters = [f"monster {number} {_walked(path)}" for number, path in event.monsters.items()]
    return f"{', '.join([_walked(event.path), *monsters])}; fan {turned(event.fan)}"


def _walked(path: Sequence[str]) -> str:
    return f"{'back ' if path[0] == path[-1] else ''}to {spoken(path[-1])}"


def turned(fan: Sequence[int]) -> str:
    """Return the total turn in a series of the fan's positions, as in ``2 sectors clockwise``."""
    turns = unwound(fan)
    by = turns[-1] - turns[0]
    return _turn(by)


def _turn(by: int) -> str:
    return f"{counted(abs(by), 'sector')} {'clockwise' if by > 0 else 'anticlockwise'}"


def _describe_pick_up(names: Names, event: events.PickedUp) -> str:
    return f"{names.does(event.seat, 'pick')} up the die."


_BOUGHT = {events.WALL: "walls", events.SUMMON: "a monster"}


def _describe_payment(names: Names, event: events.Paid) -> str:
    return f"{names.does(event.seat, 'spend')} a die on {_BOUGHT[event.what]}."


def _describe_building(names: Names, event: events.MayBuild) -> str:
    return f"{names.does(event.seat, 'roll')} {event.roll}: up to {counted(event.roll, 'wall')}."


def _describe_walls(names: Names, event: events.Built) -> str:
    taken = event.taken
    new = [space for space in event.spaces if space not in taken]
    deeds = [f"{names.verb(event.seat, 'put')} up {walls(new)}"] if new else []
    for owner in sorted(set(taken.values())):
        own = [space for space, by in taken.items() if by == owner]
        whose = names.possessive(owner)
        deeds.append(f"{names.verb(event.seat, 'take')} over {whose} {walls(own, article='')}")
    nothing = f"{names.verb(event.seat, 'put')} up no walls"
    return f"{names.first(event.seat)} {listed(deeds) or nothing}."


def walls(spaces: Sequence[str], article: str = "a ") -> str:
    """``walls on outer 1 and inner 2``."""
    noun = f"{article}wall" if len(spaces) == 1 else "walls"
    return f"{noun} on {listed([spoken(space) for space in spaces])}"


# --- Fights -----------------------------------------------------------------------------------


def _describe_fight(names: Names, event: events.Fought) -> str:
    rounds = [(r.player, r.monster) for r in event.rounds]
    if not event.won:
        rounds = [(other, own) for own, other in rounds]
    rolled = _thrown(rounds) or _no_dice(names, event.seat)
    return f"{_fight_outcome(names, event)}: {rolled}."


def _fight_outcome(names: Names, event: events.Fought) -> str:
    monster = f"monster {event.monster}"
    if event.won:
        return f"{names.does(event.seat, 'beat')} {monster}"
    return f"{sentence(monster)} beats {names.of(event.seat)}"


def _describe_duel(names: Names, event: events.Duelled) -> str:
    outcome = _duel_outcome(names, event)
    if event.winner is None:
        return f"{outcome}: nobody wins."
    rounds = [(r.mover, r.other) for r in event.rounds]
    if event.winner == event.other:
        rounds = [(others, own) for own, others in rounds]
    return f"{outcome}: {_thrown(rounds) or _no_dice(names, _loser(event))}."


def _duel_outcome(names: Names, event: events.Duelled) -> str:
    if event.winner is None:
        return f"{sentence(names.together((event.seat, event.other)))} fight without dice"
    return f"{names.does(event.winner, 'beat')} {names.of(_loser(event))}"


def _loser(event: events.Duelled) -> int:
    return event.seat if event.winner == event.other else event.other


def _no_dice(names: Names, seat: int) -> str:
    return f"{names.clause(seat, 'have')} no dice"


def _thrown(rounds: Sequence[tuple[Sequence[int], Sequence[int]]]) -> str:
    """Describe the rolls of a fight, the winner's first. Empty if nothing was rolled.

    All rounds except the last were ties.
    """
    if not rounds:
        return ""
    own, others = rounds[-1]
    ties = len(rounds) - 1
    after = f", after {counted(ties, 'tie')}" if ties else ""
    return f"{_added(own)} against {_added(others)}{after}"


def _added(faces: Sequence[int]) -> str:
    """``3 + 4 = 7``."""
    total = str(sum(faces))
    return total if len(faces) == 1 else f"{' + '.join(map(str, faces))} = {total}"


def _describe_loss(names: Names, event: events.LostDie) -> str:
    return f"{names.does(event.seat, 'lose')} a die."


def _describe_home(names: Names, event: events.WentHome) -> str:
    if event.start == event.to:
        return f"{names.does(event.seat, 'stay')} at home."
    return f"{names.does(event.seat, 'go')} home to {spoken(event.to)}."


def _describe_trinket(names: Names, event: events.GainedTrinket) -> str:
    source = "" if event.of is None else f" from {names.of(event.of)}"
    return f"{names.does(event.seat, 'get')} a trinket{source}."


def _describe_no_trinket(names: Names, event: events.NoTrinket) -> str:
    return f"{names.does(event.seat, 'get')} no trinket: two are in play already."


def _describe_stripping(names: Names, event: events.MayStrip) -> str:
    most = counted(event.roll, "wall")
    rolls = f"{names.does(event.seat, 'roll')} {event.roll}"
    return f"{rolls} and may take down up to {most} of {names.of(event.loser)}."


def _describe_stripped(names: Names, event: events.Stripped) -> str:
    those = walls(event.spaces, article="")
    return f"{names.does(event.seat, 'take')} {names.possessive(event.loser)} {those} down."


def _describe_step(names: Names, event: events.SteppedAway) -> str:
    chooser = event.chooser
    if chooser == event.seat:
        return f"{names.does(event.seat, 'step')} away to {spoken(event.to)}."
    return f"{names.does(chooser, 'send')} {names.of(event.seat)} away to {spoken(event.to)}."


def _describe_stay(names: Names, event: events.Stayed) -> str:
    stays = names.does(event.seat, "stay")
    return f"{stays} on {spoken(event.at)}: there is no free space to step away to."


# --- The rest ---------------------------------------------------------------------------------


def _describe_end_of_phase(names: Names, event: events.Declined) -> str:
    verb, what = NO_MORE[event.phase]
    return f"{names.does(event.seat, verb)} {what}."


def _describe_summons(_names: Names, event: events.Summoned) -> str:
    return f"Monster {event.monster} comes to {spoken(event.at)}."


def _describe_sending(names: Names, event: events.Sent) -> str:
    target = event.target
    if target == event.seat:
        return f"{names.does(event.seat, 'let')} monster {event.monster} attack again."
    return f"{names.does(event.seat, 'let')} monster {event.monster} attack {names.of(target)}."


def _describe_leaving(names: Names, event: events.Left) -> str:
    goods = [dice(event.dice)] if event.dice else []
    goods += [trinkets(event.trinkets)] if event.trinkets else []
    goods += [counted(len(event.walls), "wall")] if event.walls else []
    return f"{names.does(event.seat, 'leave')} the match{' with ' if goods else ''}{listed(goods)}."


def _describe_end(names: Names, event: Ended) -> str:
    return names.outcome(event.ranks, ending_reason(event, names.viewer))


_DESCRIPTIONS: Mapping[type[Event], Callable[[Names, Any], str]] = {
    events.Rolled: _describe_roll,
    events.Moved: _describe_movement,
    events.PickedUp: _describe_pick_up,
    events.Paid: _describe_payment,
    events.Spawned: lambda _names, event: (
        f"A new die appears on {spoken(event.at)}, the farthest space without a die."
    ),
    events.MayBuild: _describe_building,
    events.Built: _describe_walls,
    events.Summoned: _describe_summons,
    events.Fought: _describe_fight,
    events.Duelled: _describe_duel,
    events.LostDie: _describe_loss,
    events.WentHome: _describe_home,
    events.GainedTrinket: _describe_trinket,
    events.NoTrinket: _describe_no_trinket,
    events.LostTrinket: lambda names, event: (
        f"{names.does(event.seat, 'lose')} a trinket to the monster."
    ),
    events.MayStrip: _describe_stripping,
    events.Stripped: _describe_stripped,
    events.SteppedAway: _describe_step,
    events.Stayed: _describe_stay,
    events.Declined: _describe_end_of_phase,
    events.Sent: _describe_sending,
    events.Left: _describe_leaving,
    Ended: _describe_end,
}


# --- The same in a few words --------------------------------------------------------------------


def _home_headline(names: Names, event: events.WentHome) -> str:
    if event.start == event.to:
        return f"{names.does(event.seat, 'stay')} at home"
    return f"{names.does(event.seat, 'go')} home"


def _step_headline(names: Names, event: events.SteppedAway) -> str:
    if event.seat == event.chooser:
        return f"Away to {spoken(event.to)}"
    return _describe_step(names, event).removesuffix(".")


def _sending_headline(names: Names, event: events.Sent) -> str:
    whom = "again" if event.target == event.seat else names.of(event.target)
    return f"Monster {event.monster} attacks {whom}"


def _walls_headline(names: Names, event: events.Built) -> str:
    if names.viewer in event.taken.values():
        return _describe_walls(names, event).removesuffix(".")
    return sentence(walls(event.spaces, article="")) if event.spaces else "No walls"


def _no_headline(_names: Names, _event: Event) -> str:
    return ""


_HEADLINES: Mapping[type[Event], Callable[[Names, Any], str]] = {
    events.Moved: lambda _names, event: sentence(_moves(event)),
    events.PickedUp: lambda *_: "A die picked up",
    events.Paid: lambda _names, event: f"A die spent on {_BOUGHT[event.what]}",
    events.Built: _walls_headline,
    events.Summoned: lambda _names, event: f"Monster {event.monster} on {spoken(event.at)}",
    events.Fought: _fight_outcome,
    events.Duelled: _duel_outcome,
    events.WentHome: _home_headline,
    events.SteppedAway: _step_headline,
    events.Sent: _sending_headline,
    events.Declined: lambda _names, event: NO_MORE_HEADLINES[event.phase],
    events.Rolled: _no_headline,
    events.Spawned: _no_headline,
    events.MayBuild: _no_headline,
    Ended: _no_headline,
}


# --- What a move does -------------------------------------------------------------------------


def phrase(move: Move, view: State, seat: Seat, viewer: Seat | None) -> str:
    """Return a move as its player is asked to confirm it."""
    if isinstance(move, Movement):
        return _movement_phrase(move)
    if isinstance(move, Go):
        is_own = view.pending.piece == view.pending.chooser
        who = "Step" if is_own else f"Send {name_of(view.pending.piece)}"
        return f"{who} away to {spoken(move.space)}"
    if isinstance(move, Attack):
        target = Names(META.colours, viewer).of(move.seat)
        return f"Let monster {view.pending.monster} attack {target}"
    for kind, tell in _PHRASES.items():
        if isinstance(move, kind):
            return tell(move, view)
    return sentence(" ".join(NO_MORE[view.phase]))


def _movement_phrase(move: Movement) -> str:
    ends = {step.monster: step.to for step in move.steps if not isinstance(step, Turn)}
    monsters = [f"monster {number} to {spoken(ends[number])}" for number in sorted(ends) if number]
    by = sum(step.by for step in move.steps if isinstance(step, Turn))
    return f"Walk to {', '.join([spoken(ends[0]), *monsters])}; fan {_turn(by)}"


def _strip_phrase(move: Strip, view: State) -> str:
    whose = f"{name_of(view.pending.loser)}’s"
    return f"Take down {whose} {walls(move.spaces, article='')}"


_PHRASES: Mapping[type, Callable[[Any, State], str]] = {
    Wall: lambda _move, _view: "Spend a die on walls",
    Walls: lambda move, _: f"Put up {walls(move.spaces)}" if move.spaces else "Put up no walls",
    Summon: lambda move, _: f"Spend a die and summon a monster on {spoken(move.space)}",
    Fight: lambda move, _: f"Fight monster {move.monster}",
    Challenge: lambda move, _: f"Fight {name_of(move.seat)}",
    Strip: _strip_phrase,
}


# --- How a match stands -----------------------------------------------------------------------


def tallies(view: State, seat: Seat) -> Sequence[Tally]:
    """Return the dice and trinkets of a seat, and its walls if it has any."""
    player = view.players[seat]
    walls = len(view.walls_of(seat))
    goods = (
        Tally(player.dice, "die" if player.dice == 1 else "dice"),
        Tally(player.trinkets, "trinket" if player.trinkets == 1 else "trinkets"),
    )
    return (*goods, Tally(walls, "wall" if walls == 1 else "walls")) if walls else goods


def describe_setup(view: State, viewer: Seat | None) -> str:
    """Describe the places of the fan and the monster, and the first roll."""
    start = f"The monster starts on {spoken(view.monsters[0])}."
    rolled = events.Rolled(view.turn, view.roll or (0, 0, 0))
    return f"{start} {describe(rolled, viewer)}"


def brief_section(view: State) -> str:
    if view.phase == PhaseName.GO:
        is_monsters = view.pending.part == FightPart.MONSTERS
        return "Fighting monsters" if is_monsters else "Fighting players"
    return SECTIONS.get(view.phase, "")
