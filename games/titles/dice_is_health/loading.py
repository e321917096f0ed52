"""Positions from JSON, checked: whatever no match can have come to is refused."""

from collections.abc import Callable, Mapping

from games.kernel.contract import Json, Params, Ranks, Seat
from games.kernel.errors import BrokenPosition
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
    table = _object("A position", data)
    if _whole("rounds", table, 0) != params["rounds"]:
        raise BrokenPosition(f"rounds is {params['rounds']} here, not {table['rounds']}.")
    phase = _word("phase", table, PHASES)
    state = State(
        rounds=params["rounds"],
        round=_whole("round", table, 1),
        fan=_whole("fan", table, 0, SECTORS - 1),
        players=tuple(map(_player, _list("players", table, seats))),
        dropped=tuple(_seat(given, seats) for given in _list("dropped", table)),
        monsters=tuple(map(_space, _list("monsters", table))),
        pickups=_pickups(_list("pickups", table)),
        walls=_walls(_object("walls", table.get("walls")), seats),
        turn=_seat(table.get("turn"), seats),
        phase=phase,
        roll=_roll(table.get("roll")),
        pending=_pending(phase, table.get("pending"), seats),
        fought=_fought(_list("fought", table)),
        ranks=_ranks(table, seats),
    )
    soundness.check(state)
    return state


# --- Plain values -------------------------------------------------------------------------------


def _object(what: str, given: Json) -> Mapping[str, Json]:
    if not isinstance(given, Mapping):
        raise BrokenPosition(f"{what} is an object, not {given!r}.")
    return given


def _list(name: str, table: Mapping[str, Json], length: int | None = None) -> list[Json]:
    given = table.get(name)
    if not isinstance(given, list) or length not in (None, len(given)):
        wanted = "a list" if length is None else f"a list of {length}"
        raise BrokenPosition(f"{name} is {wanted}, not {given!r}.")
    return given


def _number(what: str, given: Json, least: int, most: int | None = None) -> int:
    if type(given) is not int or given < least or (most is not None and given > most):
        wanted = f"from {least}" + ("" if most is None else f" to {most}")
        raise BrokenPosition(f"{what} is a whole number {wanted}, not {given!r}.")
    return given


def _whole(name: str, table: Mapping[str, Json], least: int, most: int | None = None) -> int:
    return _number(name, table.get(name), least, most)


def _word(name: str, table: Mapping[str, Json], words: tuple[str, ...]) -> str:
    given = table.get(name)
    if given not in words:
        raise BrokenPosition(f"{name} is one of {', '.join(words)}, not {given!r}.")
    return str(given)


def _seat(given: Json, seats: int) -> Seat:
    return Seat(_number("A seat", given, 0, seats - 1))


def _space(given: Json) -> Space:
    try:
        return Space.read(given)
    except (ValueError, TypeError) as error:
        raise BrokenPosition(f"{given!r} is no space.") from error


# --- The parts of a position --------------------------------------------------------------------


def _player(given: Json) -> Player:
    table = _object("A player", given)
    is_in, at = table.get("in"), table.get("at")
    if not isinstance(is_in, bool) or is_in != (at is not None):
        raise BrokenPosition(f"A player is in and somewhere, or neither: not so {given!r}.")
    return Player(
        at=_space(at) if is_in else None,
        home=_space(table.get("home")),
        dice=_whole("dice", table, 0, MOST_DICE),
        trinkets=_whole("trinkets", table, 0, MOST_TRINKETS),
    )


def _pickups(given: list[Json]) -> frozenset[Space]:
    spaces = list(map(_space, given))
    if sorted(set(spaces)) != spaces:
        raise BrokenPosition("pickups are spaces in order, each once.")
    return frozenset(spaces)


def _walls(given: Mapping[str, Json], seats: int) -> Mapping[Space, Seat]:
    return {_space(name): _seat(owner, seats) for name, owner in given.items()}


def _roll(given: Json) -> Roll | None:
    if given is None:
        return None
    low, median, high = (_number("roll", die, 1, DIE) for die in _list("roll", {"roll": given}, 3))
    if not low <= median <= high:
        raise BrokenPosition(f"roll is sorted, not {given!r}.")
    return low, median, high


def _fought(given: list[Json]) -> frozenset[tuple[int, int]]:
    pairs = [_pair(one) for one in given]
    if sorted(set(pairs)) != pairs:
        raise BrokenPosition(f"fought is sorted, each pair once; not so {given!r}.")
    return frozenset(pairs)


def _pair(given: Json) -> tuple[int, int]:
    one, other = (_number("fought", number, 0) for number in _list("pair", {"pair": given}, 2))
    return one, other


def _ranks(table: Mapping[str, Json], seats: int) -> Ranks | None:
    if table.get("result") is None:
        return None
    return tuple(_number("A rank", rank, 1, seats) for rank in _list("result", table, seats))


# --- What is pending ----------------------------------------------------------------------------


def _pending(phase: str, given: Json, seats: int) -> Pending:
    read = _PENDING.get(phase)
    if read:
        return read(_object("pending", given), seats)
    if given is not None:
        raise BrokenPosition(f"Nothing is pending in the phase {phase}.")
    return None


def _building(table: Mapping[str, Json], _seats: int) -> Pending:
    return Building(_whole("count", table, 1, DIE))


def _parting(table: Mapping[str, Json], seats: int) -> Pending:
    monster = table.get("monster")
    return Parting(
        chooser=_seat(table.get("chooser"), seats),
        piece=_seat(table.get("piece"), seats),
        part=_word("part", table, (MONSTERS, PLAYERS)),
        monster=None if monster is None else _whole("monster", table, 1, MOST_MONSTERS),
    )


def _rampage(table: Mapping[str, Json], _seats: int) -> Pending:
    return Rampage(_whole("monster", table, 1, MOST_MONSTERS))


def _stripping(table: Mapping[str, Json], seats: int) -> Pending:
    winner, loser = _seat(table.get("winner"), seats), _seat(table.get("loser"), seats)
    return Stripping(winner, loser, _whole("count", table, 1, DIE))


_PENDING: Mapping[str, Callable[[Mapping[str, Json], int], Pending]] = {
    WALLS: _building,
    GO: _parting,
    RAMPAGE: _rampage,
    STRIP: _stripping,
}
