"""Events and moves in words, and the numbers that decide.

Hidden cards are never named.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from games.kernel.contract import Die, Event, Seat, Tally
from games.kernel.formatting import listed, with_full_stop
from games.kernel.language import gettext, gettext_noop, ngettext, npgettext, pgettext
from games.kernel.narration import Names
from games.kernel.views import HIDDEN
from games.titles.simple_life_or_death import components, events
from games.titles.simple_life_or_death.components import HAND, Card, Direction, Piece, Role
from games.titles.simple_life_or_death.entry import on_square, stop_on
from games.titles.simple_life_or_death.meta import ALL_GONE, LAST_LEFT, META, ROUNDS_UP
from games.titles.simple_life_or_death.moves import Attack, Defend, Go, Land, Move, Place
from games.titles.simple_life_or_death.state import ACT, LAND, PLACE, SeatView

MAX_NAMED_PIECES = 4
"""More pieces than this are counted rather than named."""

PAIR = 2
"""Number of dice in a fight if each side rolls one."""

WHY = {
    # Translators: after a colon, as in "Red wins: the last round has been played, …".
    ALL_GONE: gettext_noop("the last pieces are gone together, and trophies decide"),
    ROUNDS_UP: gettext_noop("the last round has been played, and trophies decide"),
}

# Translators: after a colon, as in "Red wins: trophies decide."
STOPPED = {"closed": gettext_noop("trophies decide")}
"""Why a match that the rules didn't end has this result."""


def describe(event: Event, viewer: Seat | None) -> str:
    """Return a line of the log. Empty for events without one."""
    names = Names(META.colours, viewer)
    if tell := _DESCRIPTIONS.get(type(event)):
        return tell(names, event)
    brief = _SENTENCES.get(type(event))
    return with_full_stop(brief(names, event)) if brief else ""


def joined(seen: Sequence[Event]) -> Sequence[Event]:
    """Return events without the attacks whose fights follow: these say the same and the outcome."""
    kept: list[Event] = []
    fought: list[tuple[Piece, Piece]] = []
    for event in reversed(seen):
        if isinstance(event, events.Fought):
            fought.append((event.attacker, event.target))
        elif isinstance(event, events.Attacked) and (event.attacker, event.target) in fought:
            fought.remove((event.attacker, event.target))
            continue
        kept.append(event)
    return kept[::-1]


def befalls(event: Event, seat: Seat) -> bool:
    """Whether a seat fights, is attacked, or gets another's piece on top of its own."""
    match event:
        case events.Fought():
            return seat in (event.attacker.seat, event.target.seat)
        case events.Placed() | events.Landed():
            return event.seat != seat and any(piece.seat == seat for piece in event.on[-1:])
    return False


def headline(event: Event, viewer: Seat | None) -> str:
    """Return an event in a few words. Events of others keep their sentence."""
    brief = _HEADLINES.get(type(event)) or _SENTENCES.get(type(event))
    return brief(Names(META.colours, viewer), event) if brief else ""


def ending_reason(event: events.Ended, viewer: Seat | None) -> str:
    """Return why a match ended by the rules. Empty if it didn't."""
    if event.ending == LAST_LEFT:
        winner = event.ranks.index(1)
        return Names(META.colours, viewer).tell(
            winner,
            # Translators: after a colon, as in "You win: you are the only player …".
            gettext("you are the only player with pieces left"),
            gettext("{player} is the only player with pieces left"),
        )
    return gettext(WHY.get(event.ending, ""))


def dice(event: Event) -> Sequence[Die]:
    """Return the dice of a move or of a fight, without drawn cards."""
    match event:
        case events.Rolled():
            return list(zip(event.dice, event.rolls, strict=True))
        case events.Fought(attack=tuple(attack), defence=tuple(defence)):
            rolls = (*attack, *defence)
            return [(12 if len(rolls) == PAIR else 6, face) for face in rolls]
    return ()


def _describe_placement(names: Names, event: events.Placed) -> str:
    piece = event.piece.size.piece(Role.OBJECT)
    if not event.on:
        return names.tell(
            event.seat,
            gettext("You place {piece} on {square}."),
            gettext("{player} places {piece} on {square}."),
            piece=piece,
            square=event.square,
        )
    return names.tell(
        event.seat,
        gettext("You place {piece} on {square}, on top of {other}."),
        gettext("{player} places {piece} on {square}, on top of {other}."),
        piece=piece,
        square=event.square,
        other=_top(names, event.on),
    )


def _describe_roll(names: Names, event: events.Rolled) -> str:
    if len(event.dice) == 1:
        own = gettext("You roll {sum} on a {die}: {piece} goes {direction} from {square}.")
        others = gettext("{player} rolls {sum} on a {die}: {piece} goes {direction} from {square}.")
    else:
        own = gettext("You roll {sum} on {count} {die}: {piece} goes {direction} from {square}.")
        others = gettext(
            "{player} rolls {sum} on {count} {die}: {piece} goes {direction} from {square}."
        )
    text = names.tell(
        event.seat,
        own,
        others,
        sum=_sum(event.rolls),
        count=len(event.dice),
        die=f"d{event.dice[0]}",
        piece=event.piece.size.piece(Role.SUBJECT),
        direction=_direction(event),
        square=event.at,
    )
    if len(event.ends) == 1:
        return text
    # Translators: {squares} is a list such as "e4, e6 or off the board".
    message = gettext("It may stop on {squares}.")
    ends = list(map(components.end_in_words, event.ends))
    return f"{text} {message.format(squares=listed(ends, 'or'))}"


def _direction(event: events.Rolled) -> str:
    return Direction[event.direction.upper()].described


def _describe_landing(names: Names, event: events.Landed) -> str:
    parts = {"piece": event.piece.owned(names.viewer, Role.FIRST), "square": event.to}
    if event.to == components.OFF:
        if not event.carried:
            return gettext("{piece} leaves the board and is out of play.").format(**parts)
        # Translators: {load} is a list of pieces, or their number.
        message = gettext("{piece} and {load} on it leave the board and are out of play.")
        return message.format(**parts, load=_load(names, event, Role.SUBJECT))
    if event.carried:
        load = _load(names, event, Role.AFTER)
        if not event.on:
            # Translators: {load} is a list of pieces, or their number.
            message = gettext("{piece}, with {load} on it, stops on {square}.")
            return message.format(**parts, load=load)
        message = gettext("{piece}, with {load} on it, stops on {square}, on top of {other}.")
        return message.format(**parts, load=load, other=_top(names, event.on))
    if not event.on:
        return gettext("{piece} stops on {square}.").format(**parts)
    message = gettext("{piece} stops on {square}, on top of {other}.")
    return message.format(**parts, other=_top(names, event.on))


def _load(names: Names, event: events.Landed, role: Role) -> str:
    """Return the pieces that a piece carries, or their number if there are many."""
    count = len(event.carried)
    if count > MAX_NAMED_PIECES:
        return ngettext("{count} piece", "{count} pieces", count).format(count=count)
    return listed([one.owned(names.viewer, role) for one in event.carried])


def _top(names: Names, stack: Sequence[Piece]) -> str:
    """Return the top piece of a stack, as in "on top of your small piece"."""
    return stack[-1].owned(names.viewer, Role.AFTER)


def _describe_attack(names: Names, event: events.Attacked) -> str:
    if event.card is None:
        own = gettext("You attack {target} with {piece}.")
        others = gettext("{player} attacks {target} with {piece}.")
    elif event.card == HIDDEN:
        own = gettext("You attack {target} with {piece} and a hidden card.")
        others = gettext("{player} attacks {target} with {piece} and a hidden card.")
    else:
        own = gettext("You attack {target} with {piece} and {card}.")
        others = gettext("{player} attacks {target} with {piece} and {card}.")
    return names.tell(
        event.seat,
        own,
        others,
        target=on_square(event.target.owned(names.viewer, Role.OBJECT), event.at),
        piece=event.attacker.size.piece(Role.AFTER),
        card=event.card.sign if event.card and event.card != HIDDEN else "",
    )


def _describe_fight(names: Names, event: events.Fought) -> str:
    message = gettext("{attacker} attacks {target} on {square} and fails: {values}.")
    if event.won:
        # Translators: {values} as in "K♠ against 7♥" or "K♠, and Red has no red card".
        message = gettext("{attacker} captures {target} on {square}: {values}.")
    return message.format(
        attacker=event.attacker.owned(names.viewer, Role.FIRST),
        target=event.target.owned(names.viewer, Role.OBJECT),
        square=event.at,
        values=_values(names, event),
    )


def _values(names: Names, event: events.Fought) -> str:
    """Return the cards or rolls of a fight."""
    attack = _cast(event.attack)
    if event.defence is None:
        return names.tell(
            event.target.seat,
            # Translators: after a colon; {attack} is a card such as "K♠".
            gettext("{attack}, and you have no red card"),
            gettext("{attack}, and {player} has no red card"),
            attack=attack,
        )
    # Translators: after a colon, as in "K♠ against 7♥" or "3 + 4 = 7 against 2".
    message = gettext("{attack} against {defence}")
    return message.format(attack=attack, defence=_cast(event.defence))


def _tell_void(names: Names, event: events.Voided) -> str:
    message = gettext("The attack on {piece} is off; {card} is discarded")
    target = event.target.owned(names.viewer, Role.AFTER)
    return message.format(piece=target, card=event.card.sign)


def _describe_draw(names: Names, event: events.Drew) -> str:
    if event.card == HIDDEN:
        return names.tell(
            event.seat, gettext("You draw a card."), gettext("{player} draws a card.")
        )
    return with_full_stop(_draw_headline(names, event))


def _draw_headline(names: Names, event: events.Drew) -> str:
    """Return the card. Empty if it is hidden."""
    if event.card == HIDDEN:
        return ""
    own, others = gettext("You draw {card}"), gettext("{player} draws {card}")
    return names.tell(event.seat, own, others, card=event.card.sign)


def _tell_refill(_names: Names, event: events.Refilled) -> str:
    return ngettext(
        "The draw pile is empty: {count} discarded card shuffled into a new one",
        "The draw pile is empty: {count} discarded cards shuffled into a new one",
        event.cards,
    ).format(count=event.cards)


def _describe_out(names: Names, event: events.WentOut) -> str:
    if not event.cards:
        own, others = (
            gettext("You are out: no pieces left."),
            gettext("{player} is out: no pieces left."),
        )
        return names.tell(event.seat, own, others)
    count = len(event.cards)
    return names.tell(
        event.seat,
        ngettext(
            "You are out: no pieces left and discard {count} card.",
            "You are out: no pieces left and discard {count} cards.",
            count,
        ),
        ngettext(
            "{player} is out: no pieces left and discards {count} card.",
            "{player} is out: no pieces left and discards {count} cards.",
            count,
        ),
        count=count,
    )


def _out_headline(names: Names, event: events.WentOut) -> str:
    return names.tell(event.seat, gettext("You are out"), gettext("{player} is out"))


def _tell_leaving(names: Names, event: events.Left) -> str:
    count = len(event.pieces)
    if not event.stock:
        own = ngettext(
            "You leave the match: {count} piece from the board is out of play",
            "You leave the match: {count} pieces from the board are out of play",
            count,
        )
        others = ngettext(
            "{player} leaves the match: {count} piece from the board is out of play",
            "{player} leaves the match: {count} pieces from the board are out of play",
            count,
        )
        return names.tell(event.seat, own, others, count=count)
    return names.tell(
        event.seat,
        ngettext(
            "You leave the match: {count} piece from the board and {stock} from the stock are out"
            " of play",
            "You leave the match: {count} pieces from the board and {stock} from the stock are out"
            " of play",
            count,
        ),
        ngettext(
            "{player} leaves the match: {count} piece from the board and {stock} from the stock"
            " are out of play",
            "{player} leaves the match: {count} pieces from the board and {stock} from the stock"
            " are out of play",
            count,
        ),
        count=count,
        stock=event.stock,
    )


def _describe_end(names: Names, event: events.Ended) -> str:
    why = ending_reason(event, names.viewer) or gettext(STOPPED.get(event.ending, ""))
    return names.outcome(event.ranks, why)


_DESCRIPTIONS: Mapping[type[Event], Callable[[Names, Any], str]] = {
    events.Placed: _describe_placement,
    events.Rolled: _describe_roll,
    events.Landed: _describe_landing,
    events.Attacked: _describe_attack,
    events.Fought: _describe_fight,
    events.Drew: _describe_draw,
    events.WentOut: _describe_out,
    events.Ended: _describe_end,
}

_SENTENCES: Mapping[type[Event], Callable[[Names, Any], str]] = {
    events.Voided: _tell_void,
    events.Refilled: _tell_refill,
    events.Left: _tell_leaving,
}
"""Sentences without a full stop, which are lines of the log and headlines."""


def _roll_headline(_names: Names, event: events.Rolled) -> str:
    # Translators: as in "Small e4, 3 north-east".
    return gettext("{size} {square}, {sum} {direction}").format(
        size=event.piece.size.headed,
        square=event.at,
        sum=sum(event.rolls),
        direction=_direction(event),
    )


def _placement_headline(names: Names, event: events.Placed) -> str:
    piece = event.piece.size.headed
    if not event.on:
        # Translators: as in "Small on e4".
        return gettext("{piece} on {square}").format(piece=piece, square=event.square)
    if _is_upon_reader(names, event):
        piece = event.piece.briefly(names.viewer, Role.FIRST)
    message = gettext("{piece} on {square}, on top of {other}")
    return message.format(piece=piece, square=event.square, other=_top(names, event.on))


def _landing_headline(names: Names, event: events.Landed) -> str:
    count = len(event.carried)
    if event.to == components.OFF:
        # Translators: {count} is a number of pieces.
        with_load = gettext("Out of play with {count} on it")
        return with_load.format(count=count) if count else gettext("Out of play")
    if _is_upon_reader(names, event):
        message = gettext("{piece} to {square}, on top of {other}")
        if count:
            message = gettext("{piece} to {square} with {count} on it, on top of {other}")
    elif event.on:
        message = gettext("To {square}, on top of {other}")
        if count:
            message = gettext("To {square} with {count} on it, on top of {other}")
    else:
        message = gettext("To {square} with {count} on it") if count else gettext("To {square}")
    return message.format(
        piece=event.piece.briefly(names.viewer, Role.FIRST),
        square=event.to,
        count=count,
        other=_top(names, event.on) if event.on else "",
    )


def _is_upon_reader(names: Names, event: events.Placed | events.Landed) -> bool:
    return names.viewer is not None and befalls(event, names.viewer)


def _attack_headline(_names: Names, event: events.Attacked) -> str:
    size = event.attacker.size.headed
    if event.card is None or event.card == HIDDEN:
        # Translators: as in "Small attacks e4".
        return gettext("{size} attacks {square}").format(size=size, square=event.at)
    message = gettext("{size} attacks {square}, {card}")
    return message.format(size=size, square=event.at, card=event.card.sign)


def _fight_headline(names: Names, event: events.Fought) -> str:
    """Return who captures what, or fails to, as the attacker sees it: the defender may answer."""
    attack = _cast(event.attack)
    attacker = event.attacker.briefly(names.viewer, Role.FIRST)
    if event.won:
        target = event.target.briefly(names.viewer, Role.OBJECT)
        message = gettext("{attacker} captures {target}: {attack} against {defence}")
        if event.defence is None:
            message = gettext("{attacker} captures {target}: {attack}, no red card")
    else:
        target = event.target.briefly(names.viewer, Role.AFTER)
        message = gettext("{attacker} fails against {target}: {attack} against {defence}")
    values = {"attack": attack, "defence": _cast(event.defence)}
    return message.format(attacker=attacker, target=target, **values)


_HEADLINES: Mapping[type[Event], Callable[[Names, Any], str]] = {
    events.Placed: _placement_headline,
    events.Rolled: _roll_headline,
    events.Landed: _landing_headline,
    events.Attacked: _attack_headline,
    events.Fought: _fight_headline,
    events.Drew: _draw_headline,
    events.WentOut: _out_headline,
}
"""Shorter texts of events beside the board. Hidden cards aren't mentioned."""


def _sum(rolls: Sequence[int]) -> str:
    total = str(sum(rolls))
    return total if len(rolls) == 1 else f"{' + '.join(map(str, rolls))} = {total}"


def _cast(value: str | Sequence[int] | None) -> str:
    """Return the card or the roll of a side. Empty without either."""
    return Card.parse(value).sign if isinstance(value, str) else _sum(value or ())


def redact(text: str, view: SeatView) -> str:
    """Return a move's text as it may be read beside a view of the position after it.

    A pending attack names its card only to the attacker.
    """
    attack = view.attack
    if attack is None or attack.card != HIDDEN:
        return text
    known = f"attack {attack.attacker} {attack.target} "
    return known + HIDDEN if text.startswith(known) else text


# --- What a move does -------------------------------------------------------------------------


def phrase(move: Move, view: SeatView, seat: Seat, viewer: Seat | None) -> str:
    """Return a move as its player is asked to confirm it."""
    names = Names(META.colours, viewer)
    if tell := _PHRASES.get(type(move)):
        return tell(names, move, view)
    return gettext("End your turn") if viewer == seat else gettext("End the turn")


def _go_phrase(names: Names, move: Go, view: SeatView) -> str:
    count = len(view.carried(move.piece))
    message = gettext("Move {piece} {direction}")
    with_load = ngettext(
        "Move {piece} and {count} piece on it {direction}",
        "Move {piece} and {count} pieces on it {direction}",
        count,
    )
    if move.die:
        message = gettext("Move {piece} {direction} with a {die}")
        with_load = ngettext(
            "Move {piece} and {count} piece on it {direction} with a {die}",
            "Move {piece} and {count} pieces on it {direction} with a {die}",
            count,
        )
    return (with_load if count else message).format(
        piece=on_square(move.piece.owned(names.viewer, Role.OBJECT), view.squares[move.piece]),
        count=count,
        direction=move.direction.described,
        die=move.die,
    )


def _placement_phrase(names: Names, move: Place, view: SeatView) -> str:
    piece = move.size.piece(Role.OBJECT)
    if not (stack := view.stacks.get(move.square)):
        return gettext("Place {piece} on {square}").format(piece=piece, square=move.square)
    message = gettext("Place {piece} on {square}, on top of {other}")
    return message.format(piece=piece, square=move.square, other=_top(names, stack))


def _attack_phrase(names: Names, move: Attack, view: SeatView) -> str:
    above = view.carried(move.target)
    if above:
        message = gettext("Attack {target}, under {other}, with {piece}")
        if move.card:
            message = gettext("Attack {target}, under {other}, with {piece} and {card}")
    else:
        message = gettext("Attack {target} with {piece}")
        if move.card:
            message = gettext("Attack {target} with {piece} and {card}")
    target = move.target.owned(names.viewer, Role.OBJECT)
    return message.format(
        target=on_square(target, view.squares[move.target]),
        other=above[0].owned(names.viewer, Role.AFTER) if above else "",
        piece=move.attacker.owned(names.viewer, Role.AFTER),
        card=move.card.sign if move.card else "",
    )


_PHRASES: Mapping[type, Callable[[Names, Any, SeatView], str]] = {
    Place: _placement_phrase,
    Go: _go_phrase,
    Land: lambda names, move, view: stop_on(view, move.end, names.viewer),
    Attack: _attack_phrase,
    Defend: lambda _names, move, _: gettext("Defend with {card}").format(card=move.card.sign),
}


# --- How a match stands -----------------------------------------------------------------------


def tallies(view: SeatView, seat: Seat) -> Sequence[Tally]:
    """Return a seat's pieces on the board, and its trophies. The stock is beside it."""
    # Translators: after a number of pieces.
    in_play = pgettext("pieces", "in play")
    trophies = len(view.trophies[seat])
    won = npgettext("pieces", "won", "won", trophies)
    return (Tally(len(view.pieces_of(seat)), in_play), Tally(trophies, won))


def describe_setup(view: SeatView, viewer: Seat | None) -> str:
    """Return the number of cards per player, and who goes first."""
    first = Names(META.colours, viewer).tell(
        view.first,
        gettext("You rolled highest and go first."),
        gettext("{player} rolled highest and goes first."),
    )
    if not view.has_cards:
        return first
    dealt = gettext("Each player is dealt {count} cards.").format(count=HAND)
    return f"{dealt} {first}"


def brief_section(view: SeatView) -> str:
    return {PLACE: "Placing", ACT: "Moving", LAND: "Moving"}.get(view.phase, "Attacking")
