"""Positions from JSON, checked: whatever no match can have come to is refused."""

from collections.abc import Callable, Mapping

from games.kernel.contract import Params, Seat
from games.kernel.errors import BrokenPosition
from games.kernel.reading import (
    check_terms,
    read_all,
    read_list,
    read_named,
    read_object,
    read_ranks,
    read_seat,
    read_seats,
    read_whole,
    read_word,
)
from games.kernel.views import Json
from games.titles.dice_is_health import soundness
from games.titles.dice_is_health.position import (
    CHALLENGE,
    FIGHT,
    GO,
    MONSTERS,
    MOST_DICE,
    MOST_MONSTERS,
    MOST_TRINKETS,
    MOVE,
    OVER,
    PLAYERS,
    RAMPAGE,
    SPEND,
    STRIP,
    WALLS,
    Building,
    Parting,
    Pending,
    Player,
    Rampage,
    Roll,
    State,
    Stripping,
)
from games.titles.dice_is_health.spaces import SECTORS, Space

PHASES = (MOVE, SPEND, WALLS, FIGHT, GO, RAMPAGE, CHALLENGE, STRIP, OVER)
DIE = 6


def load(data: Json, seats: int, params: Params) -> State:
    """Return the position that JSON describes.

    :raises BrokenPosition: no match of these seats and parameters can have come to it.
    """
    table = read_object("A position", data)
    check_terms(("rounds",), table, params)
    phase = read_word("phase", table.get("phase"), PHASES)
    state = State(
        rounds=params["rounds"],
        round=read_whole("round", table.get("round"), 1),
        fan=read_whole("fan", table.get("fan"), 0, SECTORS - 1),
        players=read_all("players", table.get("players"), _player, seats),
        dropped=read_seats("dropped", table.get("dropped"), seats),
        monsters=read_all("monsters", table.get("monsters"), _space),
        pickups=_pickups(table.get("pickups")),
        walls=_walls(table.get("walls"), seats),
        turn=read_seat("turn", table.get("turn"), seats),
        phase=phase,
        roll=_roll(table.get("roll")),
        pending=_pending(phase, table.get("pending"), seats),
        fought=_fought(table.get("fought")),
        ranks=read_ranks(table.get("result"), seats),
    )
    soundness.check(state)
    return state


# --- The parts of a position --------------------------------------------------------------------


def _space(given: Json) -> Space:
    return read_named("space", given, Space.read)


def _player(given: Json) -> Player:
    table = read_object("A player", given)
    is_in, at = table.get("in"), table.get("at")
    if not isinstance(is_in, bool) or is_in != (at is not None):
        raise BrokenPosition(f"A player is in and somewhere, or neither: not so {given!r}.")
    return Player(
        at=_space(at) if is_in else None,
        home=_space(table.get("home")),
        dice=read_whole("dice", table.get("dice"), 0, MOST_DICE),
        trinkets=read_whole("trinkets", table.get("trinkets"), 0, MOST_TRINKETS),
    )


def _pickups(given: Json) -> frozenset[Space]:
    spaces = read_all("pickups", given, _space)
    if tuple(sorted(set(spaces))) != spaces:
        raise BrokenPosition("pickups are spaces in order, each once.")
    return frozenset(spaces)


def _walls(given: Json, seats: int) -> Mapping[Space, Seat]:
    owners = read_object("walls", given)
    return {_space(at): read_seat("A wall's owner", owners[at], seats) for at in owners}


def _roll(given: Json) -> Roll | None:
    if given is None:
        return None
    low, median, high = (read_whole("A die", die, 1, DIE) for die in read_list("roll", given, 3))
    if not low <= median <= high:
        raise BrokenPosition(f"roll is sorted, not {given!r}.")
    return low, median, high


def _fought(given: Json) -> frozenset[tuple[int, int]]:
    pairs = read_all("fought", given, _pair)
    if tuple(sorted(set(pairs))) != pairs:
        raise BrokenPosition(f"fought is sorted, each pair once; not so {given!r}.")
    return frozenset(pairs)


def _pair(given: Json) -> tuple[int, int]:
    one, other = (read_whole("fought", number) for number in read_list("A pair", given, 2))
    return one, other


# --- What is pending ----------------------------------------------------------------------------


def _pending(phase: str, given: Json, seats: int) -> Pending:
    read = _PENDING.get(phase)
    if read:
        return read(read_object("pending", given), seats)
    if given is not None:
        raise BrokenPosition(f"Nothing is pending in the phase {phase}.")
    return None


def _building(table: Mapping[str, Json], _seats: int) -> Pending:
    return Building(read_whole("count", table.get("count"), 1, DIE))


def _parting(table: Mapping[str, Json], seats: int) -> Pending:
    return Parting(
        chooser=read_seat("chooser", table.get("chooser"), seats),
        piece=read_seat("piece", table.get("piece"), seats),
        part=read_word("part", table.get("part"), (MONSTERS, PLAYERS)),
        monster=None if table.get("monster") is None else _monster(table),
    )


def _rampage(table: Mapping[str, Json], _seats: int) -> Pending:
    return Rampage(_monster(table))


def _stripping(table: Mapping[str, Json], seats: int) -> Pending:
    return Stripping(
        winner=read_seat("winner", table.get("winner"), seats),
        loser=read_seat("loser", table.get("loser"), seats),
        count=read_whole("count", table.get("count"), 1, DIE),
    )


def _monster(table: Mapping[str, Json]) -> int:
    return read_whole("monster", table.get("monster"), 1, MOST_MONSTERS)


_PENDING: Mapping[str, Callable[[Mapping[str, Json], int], Pending]] = {
    WALLS: _building,
    GO: _parting,
    RAMPAGE: _rampage,
    STRIP: _stripping,
}
