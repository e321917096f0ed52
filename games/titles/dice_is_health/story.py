"""Events, moves and their consequences in words, and the numbers that decide.

Lines are short, so that most turns take one or two lines of the log. They omit what the strips
count, and a fight names only the roll that decided it.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from games.kernel.contract import Ended, Event, Seat, Tally
from games.kernel.formatting import listed, with_full_stop
from games.kernel.language import gettext, ngettext, npgettext
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
    names = Names(META.colours, viewer)
    if tell := _DESCRIPTIONS.get(type(event)):
        return tell(names, event)
    brief = _SENTENCES.get(type(event))
    return with_full_stop(brief(names, event)) if brief else ""


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
            return gettext("{player} moves monster {number} to {space}.").format(
                player=name_of(movement.seat), number=event.monster, space=spoken(event.at)
            )
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
    brief = _HEADLINES.get(type(event)) or _SENTENCES.get(type(event))
    return brief(Names(META.colours, viewer), event) if brief else ""


def ending_reason(event: Ended, viewer: Seat | None) -> str:
    """Return why a match ended by the rules. Empty if it didn't."""
    if event.ending == BACK:
        return Names(META.colours, viewer).tell(
            event.ranks.index(1),
            # Translators: after a colon, as in "You win: you are back in the middle …".
            gettext("you are back in the middle with three dice and a trinket"),
            gettext("{player} is back in the middle with three dice and a trinket"),
        )
    # Translators: after a colon, as in "The match is a draw: the last round is over."
    return gettext("the last round is over") if event.ending == ROUNDS_UP else ""


# --- Movement and payments ----------------------------------------------------------------------


def _describe_roll(names: Names, event: events.Rolled) -> str:
    low, median, high = event.dice
    return names.tell(
        event.seat,
        gettext("You roll {steps}; monsters {monsters}, fan {fan}."),
        gettext("{player} rolls {steps}; monsters {monsters}, fan {fan}."),
        steps=high,
        monsters=low,
        fan=median,
    )


def _describe_movement(names: Names, event: events.Moved) -> str:
    return names.tell(
        event.seat,
        # Translators: {ways} is a list such as "to outer 3, monster 1 back to inner 4", {turn} as
        # in "2 sectors clockwise".
        gettext("You walk {ways}; fan {turn}."),
        gettext("{player} walks {ways}; fan {turn}."),
        ways=", ".join((_way(event.path), *_monsters_ways(event))),
        turn=turned(event.fan),
    )


def _movement_headline(_names: Names, event: events.Moved) -> str:
    own = gettext("Back to {space}") if _is_back(event.path) else gettext("To {space}")
    first = own.format(space=spoken(event.path[-1]))
    return gettext("{ways}; fan {turn}").format(
        ways=", ".join((first, *_monsters_ways(event))), turn=turned(event.fan)
    )


def _way(path: Sequence[str]) -> str:
    # Translators: a way, as in "You walk to outer 3".
    way = gettext("back to {space}") if _is_back(path) else gettext("to {space}")
    return way.format(space=spoken(path[-1]))


def _monsters_ways(event: events.Moved) -> list[str]:
    """Return the way of each monster that moved."""
    ways = []
    for number, path in event.monsters.items():
        to, back = (
            # Translators: one of several ways, after a comma.
            gettext("monster {number} to {space}"),
            # Translators: one of several ways, after a comma.
            gettext("monster {number} back to {space}"),
        )
        way = back if _is_back(path) else to
        ways.append(way.format(number=number, space=spoken(path[-1])))
    return ways


def _is_back(path: Sequence[str]) -> bool:
    return path[0] == path[-1]


def turned(fan: Sequence[int]) -> str:
    """Return the total turn in a series of the fan's positions, as in ``2 sectors clockwise``."""
    turns = unwound(fan)
    return _turn(turns[-1] - turns[0])


def _turn(by: int) -> str:
    count = abs(by)
    if by > 0:
        turn = ngettext("{count} sector clockwise", "{count} sectors clockwise", count)
    else:
        turn = ngettext("{count} sector anticlockwise", "{count} sectors anticlockwise", count)
    return turn.format(count=count)


def _describe_pick_up(names: Names, event: events.PickedUp) -> str:
    return names.tell(
        event.seat, gettext("You pick up the die."), gettext("{player} picks up the die.")
    )


def _describe_payment(names: Names, event: events.Paid) -> str:
    if event.what == events.WALL:
        own = gettext("You spend a die on walls.")
        others = gettext("{player} spends a die on walls.")
    else:
        own = gettext("You spend a die on a monster.")
        others = gettext("{player} spends a die on a monster.")
    return names.tell(event.seat, own, others)


def _payment_headline(_names: Names, event: events.Paid) -> str:
    if event.what == events.WALL:
        return gettext("A die spent on walls")
    return gettext("A die spent on a monster")


def _describe_spawning(_names: Names, event: events.Spawned) -> str:
    message = gettext("A new die appears on {space}, the farthest space without a die.")
    return message.format(space=spoken(event.at))


def _describe_building(names: Names, event: events.MayBuild) -> str:
    roll = event.roll
    return names.tell(
        event.seat,
        ngettext(
            "You roll {count}: up to {count} wall.", "You roll {count}: up to {count} walls.", roll
        ),
        ngettext(
            "{player} rolls {count}: up to {count} wall.",
            "{player} rolls {count}: up to {count} walls.",
            roll,
        ),
        count=roll,
    )


def _describe_walls(names: Names, event: events.Built) -> str:
    sentences = []
    if not event.spaces:
        own, others = gettext("You put up no walls"), gettext("{player} puts up no walls")
        sentences.append(names.tell(event.seat, own, others))
    if new := [space for space in event.spaces if space not in event.taken]:
        count = len(new)
        own = ngettext("You put up a wall on {spaces}", "You put up walls on {spaces}", count)
        others = ngettext(
            "{player} puts up a wall on {spaces}", "{player} puts up walls on {spaces}", count
        )
        sentences.append(names.tell(event.seat, own, others, spaces=_spoken_all(new)))
    owners = sorted(set(event.taken.values()))
    sentences += [_taken(names, event, owner) for owner in owners]
    return " ".join(map(with_full_stop, sentences))


def _taken(names: Names, event: events.Built, owner: int) -> str:
    """Return that a seat takes over the walls of another, without a full stop."""
    spaces = [space for space, by in event.taken.items() if by == owner]
    count = len(spaces)
    return names.tell_of_two(
        event.seat,
        owner,
        ngettext(
            "You take over {other}’s wall on {spaces}",
            "You take over {other}’s walls on {spaces}",
            count,
        ),
        ngettext(
            "{player} takes over your wall on {spaces}",
            "{player} takes over your walls on {spaces}",
            count,
        ),
        ngettext(
            "{player} takes over {other}’s wall on {spaces}",
            "{player} takes over {other}’s walls on {spaces}",
            count,
        ),
        spaces=_spoken_all(spaces),
    )


def _walls_headline(names: Names, event: events.Built) -> str:
    """Return which walls a seat has now, or which of the viewer's own it took over."""
    if names.viewer is not None and names.viewer in event.taken.values():
        return _taken(names, event, names.viewer)
    if not event.spaces:
        return gettext("No walls")
    message = ngettext("Wall on {spaces}", "Walls on {spaces}", len(event.spaces))
    return message.format(spaces=_spoken_all(event.spaces))


def _spoken_all(spaces: Sequence[str]) -> str:
    return listed(list(map(spoken, spaces)))


# --- Fights -----------------------------------------------------------------------------------


def _describe_fight(names: Names, event: events.Fought) -> str:
    if event.won:
        rounds = [(r.player, r.monster) for r in event.rounds]
        own = gettext("You beat monster {number}: {rolls}.")
        others = gettext("{player} beats monster {number}: {rolls}.")
    else:
        rounds = [(r.monster, r.player) for r in event.rounds]
        own = gettext("Monster {number} beats you: {rolls}.")
        others = gettext("Monster {number} beats {player}: {rolls}.")
    rolls = _thrown(rounds) or _no_dice(names, event.seat)
    return names.tell(event.seat, own, others, number=event.monster, rolls=rolls)


def _fight_headline(names: Names, event: events.Fought) -> str:
    if event.won:
        own = gettext("You beat monster {number}")
        others = gettext("{player} beats monster {number}")
    else:
        own = gettext("Monster {number} beats you")
        others = gettext("Monster {number} beats {player}")
    return names.tell(event.seat, own, others, number=event.monster)


def _describe_duel(names: Names, event: events.Duelled) -> str:
    if event.winner is None:
        return names.tell_of_two(
            event.seat,
            event.other,
            gettext("You and {other} fight without dice: nobody wins."),
            gettext("You and {player} fight without dice: nobody wins."),
            gettext("{player} and {other} fight without dice: nobody wins."),
        )
    rounds = [(r.mover, r.other) for r in event.rounds]
    if event.winner == event.other:
        rounds = [(others, own) for own, others in rounds]
    return names.tell_of_two(
        event.winner,
        _loser(event),
        gettext("You beat {other}: {rolls}."),
        gettext("{player} beats you: {rolls}."),
        gettext("{player} beats {other}: {rolls}."),
        rolls=_thrown(rounds) or _no_dice(names, _loser(event)),
    )


def _duel_headline(names: Names, event: events.Duelled) -> str:
    if event.winner is None:
        return names.tell_of_two(
            event.seat,
            event.other,
            gettext("You and {other} fight without dice"),
            gettext("You and {player} fight without dice"),
            gettext("{player} and {other} fight without dice"),
        )
    return names.tell_of_two(
        event.winner,
        _loser(event),
        gettext("You beat {other}"),
        gettext("{player} beats you"),
        gettext("{player} beats {other}"),
    )


def _loser(event: events.Duelled) -> int:
    return event.seat if event.winner == event.other else event.other


def _no_dice(names: Names, seat: int) -> str:
    # Translators: after a colon, as in "Red beats you: you have no dice."
    return names.tell(seat, gettext("you have no dice"), gettext("{player} has no dice"))


def _thrown(rounds: Sequence[tuple[Sequence[int], Sequence[int]]]) -> str:
    """Describe the rolls of a fight, the winner's first. Empty if nothing was rolled.

    All rounds except the last were ties.
    """
    if not rounds:
        return ""
    own, others = map(_added, rounds[-1])
    ties = len(rounds) - 1
    # Translators: after a colon, as in “You beat Red: 3 + 4 = 7 against 5, after 1 tie”
    message = gettext("{own} against {others}")
    if ties:
        message = ngettext(
            "{own} against {others}, after {count} tie",
            "{own} against {others}, after {count} ties",
            ties,
        )
    return message.format(own=own, others=others, count=ties)


def _added(faces: Sequence[int]) -> str:
    """``3 + 4 = 7``."""
    total = str(sum(faces))
    return total if len(faces) == 1 else f"{' + '.join(map(str, faces))} = {total}"


def _tell_loss(names: Names, event: events.LostDie) -> str:
    return names.tell(event.seat, gettext("You lose a die"), gettext("{player} loses a die"))


def _describe_home(names: Names, event: events.WentHome) -> str:
    if event.start == event.to:
        return with_full_stop(_home_headline(names, event))
    own, others = gettext("You go home to {space}."), gettext("{player} goes home to {space}.")
    return names.tell(event.seat, own, others, space=spoken(event.to))


def _home_headline(names: Names, event: events.WentHome) -> str:
    if event.start == event.to:
        own, others = gettext("You stay at home"), gettext("{player} stays at home")
    else:
        own, others = gettext("You go home"), gettext("{player} goes home")
    return names.tell(event.seat, own, others)


def _tell_trinket(names: Names, event: events.GainedTrinket) -> str:
    if event.of is None:
        own, others = gettext("You get a trinket"), gettext("{player} gets a trinket")
        return names.tell(event.seat, own, others)
    return names.tell_of_two(
        event.seat,
        event.of,
        gettext("You get a trinket from {other}"),
        gettext("{player} gets a trinket from you"),
        gettext("{player} gets a trinket from {other}"),
    )


def _tell_no_trinket(names: Names, event: events.NoTrinket) -> str:
    return names.tell(
        event.seat,
        gettext("You get no trinket: two are in play already"),
        gettext("{player} gets no trinket: two are in play already"),
    )


def _tell_lost_trinket(names: Names, event: events.LostTrinket) -> str:
    return names.tell(
        event.seat,
        gettext("You lose a trinket to the monster"),
        gettext("{player} loses a trinket to the monster"),
    )


def _tell_stripping(names: Names, event: events.MayStrip) -> str:
    roll = event.roll
    return names.tell_of_two(
        event.seat,
        event.loser,
        ngettext(
            "You roll {count} and may take down up to {count} wall of {other}",
            "You roll {count} and may take down up to {count} walls of {other}",
            roll,
        ),
        ngettext(
            "{player} rolls {count} and may take down up to {count} wall of you",
            "{player} rolls {count} and may take down up to {count} walls of you",
            roll,
        ),
        ngettext(
            "{player} rolls {count} and may take down up to {count} wall of {other}",
            "{player} rolls {count} and may take down up to {count} walls of {other}",
            roll,
        ),
        count=roll,
    )


def _tell_stripped(names: Names, event: events.Stripped) -> str:
    count = len(event.spaces)
    return names.tell_of_two(
        event.seat,
        event.loser,
        ngettext(
            "You take {other}’s wall on {spaces} down",
            "You take {other}’s walls on {spaces} down",
            count,
        ),
        ngettext(
            "{player} takes your wall on {spaces} down",
            "{player} takes your walls on {spaces} down",
            count,
        ),
        ngettext(
            "{player} takes {other}’s wall on {spaces} down",
            "{player} takes {other}’s walls on {spaces} down",
            count,
        ),
        spaces=_spoken_all(event.spaces),
    )


def _describe_step(names: Names, event: events.SteppedAway) -> str:
    if event.chooser != event.seat:
        return with_full_stop(_tell_sending_away(names, event))
    return names.tell(
        event.seat,
        gettext("You step away to {space}."),
        gettext("{player} steps away to {space}."),
        space=spoken(event.to),
    )


def _step_headline(names: Names, event: events.SteppedAway) -> str:
    if event.chooser == event.seat:
        return gettext("Away to {space}").format(space=spoken(event.to))
    return _tell_sending_away(names, event)


def _tell_sending_away(names: Names, event: events.SteppedAway) -> str:
    return names.tell_of_two(
        event.chooser,
        event.seat,
        gettext("You send {other} away to {space}"),
        gettext("{player} sends you away to {space}"),
        gettext("{player} sends {other} away to {space}"),
        space=spoken(event.to),
    )


def _tell_stay(names: Names, event: events.Stayed) -> str:
    return names.tell(
        event.seat,
        gettext("You stay on {space}: there is no free space to step away to"),
        gettext("{player} stays on {space}: there is no free space to step away to"),
        space=spoken(event.at),
    )


# --- The rest ---------------------------------------------------------------------------------


def _describe_end_of_phase(names: Names, event: events.Declined) -> str:
    own, others = {
        PhaseName.SPEND: (
            gettext("You spend no more dice."),
            gettext("{player} spends no more dice."),
        ),
        PhaseName.FIGHT: (
            gettext("You leave the monsters alone."),
            gettext("{player} leaves the monsters alone."),
        ),
        PhaseName.RAMPAGE: (
            gettext("You hold the monster back."),
            gettext("{player} holds the monster back."),
        ),
        PhaseName.CHALLENGE: (
            gettext("You fight nobody else."),
            gettext("{player} fights nobody else."),
        ),
    }[PhaseName(event.phase)]
    return names.tell(event.seat, own, others)


def _end_of_phase_headline(_names: Names, event: events.Declined) -> str:
    return {
        PhaseName.SPEND: gettext("No more dice spent"),
        PhaseName.FIGHT: gettext("Monsters left alone"),
        PhaseName.RAMPAGE: gettext("Monster held back"),
        PhaseName.CHALLENGE: gettext("Nobody else fought"),
    }[PhaseName(event.phase)]


def _describe_summons(_names: Names, event: events.Summoned) -> str:
    message = gettext("Monster {number} comes to {space}.")
    return message.format(number=event.monster, space=spoken(event.at))


def _summons_headline(_names: Names, event: events.Summoned) -> str:
    message = gettext("Monster {number} on {space}")
    return message.format(number=event.monster, space=spoken(event.at))


def _describe_sending(names: Names, event: events.Sent) -> str:
    number = event.monster
    if event.target == event.seat:
        return names.tell(
            event.seat,
            gettext("You let monster {number} attack again."),
            gettext("{player} lets monster {number} attack again."),
            number=number,
        )
    return names.tell_of_two(
        event.seat,
        event.target,
        gettext("You let monster {number} attack {other}."),
        gettext("{player} lets monster {number} attack you."),
        gettext("{player} lets monster {number} attack {other}."),
        number=number,
    )


def _sending_headline(names: Names, event: events.Sent) -> str:
    if event.target == event.seat:
        return gettext("Monster {number} attacks again").format(number=event.monster)
    own, others = (
        gettext("Monster {number} attacks you"),
        gettext("Monster {number} attacks {player}"),
    )
    return names.tell(event.target, own, others, number=event.monster)


def _tell_leaving(names: Names, event: events.Left) -> str:
    walls = len(event.walls)
    goods = [dice(event.dice)] if event.dice else []
    goods += [trinkets(event.trinkets)] if event.trinkets else []
    goods += [ngettext("{count} wall", "{count} walls", walls).format(count=walls)] if walls else []
    if not goods:
        own, others = gettext("You leave the match"), gettext("{player} leaves the match")
        return names.tell(event.seat, own, others)
    return names.tell(
        event.seat,
        # Translators: {goods} is a list such as "2 dice, 1 trinket and 3 walls".
        gettext("You leave the match with {goods}"),
        gettext("{player} leaves the match with {goods}"),
        goods=listed(goods),
    )


def _describe_end(names: Names, event: Ended) -> str:
    return names.outcome(event.ranks, ending_reason(event, names.viewer))


_DESCRIPTIONS: Mapping[type[Event], Callable[[Names, Any], str]] = {
    events.Rolled: _describe_roll,
    events.Moved: _describe_movement,
    events.PickedUp: _describe_pick_up,
    events.Paid: _describe_payment,
    events.Spawned: _describe_spawning,
    events.MayBuild: _describe_building,
    events.Built: _describe_walls,
    events.Summoned: _describe_summons,
    events.Fought: _describe_fight,
    events.Duelled: _describe_duel,
    events.WentHome: _describe_home,
    events.SteppedAway: _describe_step,
    events.Declined: _describe_end_of_phase,
    events.Sent: _describe_sending,
    Ended: _describe_end,
}

_SENTENCES: Mapping[type[Event], Callable[[Names, Any], str]] = {
    events.LostDie: _tell_loss,
    events.GainedTrinket: _tell_trinket,
    events.NoTrinket: _tell_no_trinket,
    events.LostTrinket: _tell_lost_trinket,
    events.MayStrip: _tell_stripping,
    events.Stripped: _tell_stripped,
    events.Stayed: _tell_stay,
    events.Left: _tell_leaving,
}
"""Sentences without a full stop, which are lines of the log and headlines."""

_HEADLINES: Mapping[type[Event], Callable[[Names, Any], str]] = {
    events.Moved: _movement_headline,
    events.PickedUp: lambda *_: gettext("A die picked up"),
    events.Paid: _payment_headline,
    events.Built: _walls_headline,
    events.Summoned: _summons_headline,
    events.Fought: _fight_headline,
    events.Duelled: _duel_headline,
    events.WentHome: _home_headline,
    events.SteppedAway: _step_headline,
    events.Sent: _sending_headline,
    events.Declined: _end_of_phase_headline,
}


# --- What a move does -------------------------------------------------------------------------


def phrase(move: Move, view: State, seat: Seat, viewer: Seat | None) -> str:
    """Return a move as its player is asked to confirm it."""
    for kind, tell in _PHRASES.items():
        if isinstance(move, kind):
            return tell(Names(META.colours, viewer), move, view)
    return {
        PhaseName.SPEND: gettext("Spend no more dice"),
        PhaseName.FIGHT: gettext("Leave the monsters alone"),
        PhaseName.RAMPAGE: gettext("Hold the monster back"),
        PhaseName.CHALLENGE: gettext("Fight nobody else"),
    }[view.phase]


def _movement_phrase(_names: Names, move: Movement, _view: State) -> str:
    ends = {step.monster: step.to for step in move.steps if not isinstance(step, Turn)}
    ways = [gettext("to {space}").format(space=spoken(ends[0]))]
    for number in sorted(ends):
        if number:
            way = gettext("monster {number} to {space}")
            ways.append(way.format(number=number, space=spoken(ends[number])))
    by = sum(step.by for step in move.steps if isinstance(step, Turn))
    # Translators: as in "Walk to outer 3, monster 1 to inner 4; fan 2 sectors clockwise".
    return gettext("Walk {ways}; fan {turn}").format(ways=", ".join(ways), turn=_turn(by))


def _go_phrase(_names: Names, move: Go, view: State) -> str:
    space = spoken(move.space)
    if view.pending.piece == view.pending.chooser:
        return gettext("Step away to {space}").format(space=space)
    message = gettext("Send {player} away to {space}")
    return message.format(player=name_of(view.pending.piece), space=space)


def _attack_phrase(names: Names, move: Attack, view: State) -> str:
    own = gettext("Let monster {number} attack you")
    others = gettext("Let monster {number} attack {player}")
    return names.tell(move.seat, own, others, number=view.pending.monster)


def _walls_phrase(_names: Names, move: Walls, _view: State) -> str:
    if not move.spaces:
        return gettext("Put up no walls")
    message = ngettext("Put up a wall on {spaces}", "Put up walls on {spaces}", len(move.spaces))
    return message.format(spaces=_spoken_all(move.spaces))


def _summon_phrase(_names: Names, move: Summon, _view: State) -> str:
    message = gettext("Spend a die and summon a monster on {space}")
    return message.format(space=spoken(move.space))


def _strip_phrase(_names: Names, move: Strip, view: State) -> str:
    message = ngettext(
        "Take down {player}’s wall on {spaces}",
        "Take down {player}’s walls on {spaces}",
        len(move.spaces),
    )
    return message.format(player=name_of(view.pending.loser), spaces=_spoken_all(move.spaces))


_PHRASES: Mapping[type, Callable[[Names, Any, State], str]] = {
    Movement: _movement_phrase,
    Wall: lambda *_: gettext("Spend a die on walls"),
    Walls: _walls_phrase,
    Summon: _summon_phrase,
    Fight: lambda _names, move, _: gettext("Fight monster {number}").format(number=move.monster),
    Challenge: lambda _names, move, _: gettext("Fight {player}").format(player=name_of(move.seat)),
    Attack: _attack_phrase,
    Go: _go_phrase,
    Strip: _strip_phrase,
}


# --- How a match stands -----------------------------------------------------------------------


def tallies(view: State, seat: Seat) -> Sequence[Tally]:
    """Return the dice and trinkets of a seat, and its walls if it has any."""
    player = view.players[seat]
    walls = len(view.walls_of(seat))
    goods = (
        Tally(player.dice, npgettext("after its number", "die", "dice", player.dice)),
        Tally(
            player.trinkets, npgettext("after its number", "trinket", "trinkets", player.trinkets)
        ),
    )
    if not walls:
        return goods
    return (*goods, Tally(walls, npgettext("after its number", "wall", "walls", walls)))


def describe_setup(view: State, viewer: Seat | None) -> str:
    """Describe the places of the fan and the monster, and the first roll."""
    start = gettext("The monster starts on {space}.").format(space=spoken(view.monsters[0]))
    rolled = events.Rolled(view.turn, view.roll or (0, 0, 0))
    return f"{start} {describe(rolled, viewer)}"


def brief_section(view: State) -> str:
    if view.phase == PhaseName.GO:
        is_monsters = view.pending.part == FightPart.MONSTERS
        return "Fighting monsters" if is_monsters else "Fighting players"
    return SECTIONS.get(view.phase, "")
