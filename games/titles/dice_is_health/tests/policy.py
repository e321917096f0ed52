"""Dice Is Health, played boldly from the middle of a match: fights, walls, trinkets, strips."""

from games.titles.dice_is_health.tests.reference import INNER, MARKED, OUTER, PLAIN
from tests.contract.reference import Sample

SAMPLES = [
    Sample(2, {}, matches=20, plies=30),
    Sample(3, {"rounds": 12}, matches=20, plies=30),
    Sample(4, {}, matches=36, plies=30),
]
SHORT = {"rounds": 3}
REACHES = {"trinket": 10, "walls": 15, "strip": 12, "fight": 80, "duel": 10, "attack": 6}
NOTATION = r"[PM][1-8]?>|\bF[+-]"
MOST_MONSTERS = 8


def begin(position, chance):
    """Return a position with dice and trinkets held, walls built, and several monsters about."""
    players = [
        {
            **player,
            "at": chance.choice([player["home"], *OUTER]),
            "dice": chance.choice([0, 1, 2, 3, 3, 3]),
            "trinkets": 0,
        }
        for player in position["players"]
    ]
    for player in chance.sample(players, 2):
        has_won = player["at"] in INNER and player["dice"] == 3
        player["trinkets"] = 0 if has_won else chance.randrange(2)
    standing = [player["at"] for player in players]
    monsters = chance.sample(OUTER + INNER, chance.randrange(1, MOST_MONSTERS + 1))
    free = [space for space in MARKED if space not in {*standing, *monsters}]
    held = sum(player["dice"] for player in players)
    pickups = chance.sample(PLAIN, len(PLAIN) - held)
    seats = range(len(players))
    owners = [*seats, *[chance.choice(seats)] * len(seats) * 2]
    begun = {
        **position,
        "players": players,
        "monsters": monsters,
        "walls": {at: chance.choice(owners) for at in free if chance.random() < 0.7},
        "pickups": [space for space in OUTER if space in pickups],
    }
    return stripping(begun, chance) if chance.random() < 0.6 else begun


def stripping(position, chance):
    """Return the position while a player of many walls loses some; the same if there is none."""
    owned = list(position["walls"].values())
    loser = max(set(owned), key=owned.count, default=None)
    if loser is None or owned.count(loser) < 3:
        return position
    seats = range(len(position["players"]))
    winner = chance.choice([seat for seat in seats if seat != loser])
    turn, other = chance.sample([winner, loser], 2)
    count = chance.randrange(1, owned.count(loser))
    return {
        **position,
        "turn": turn,
        "phase": "strip",
        "roll": None,
        "pending": {"winner": winner, "loser": loser, "count": count},
        "fought": [[turn, other]],
    }


def choose(position, seat, texts, chance, **_):
    """Return a move towards dice, monsters, players or the middle; fight, and pay for walls."""
    phase = position["phase"]
    if chance.random() < 0.1:
        return chance.choice(texts)
    if phase == "move":
        return max(texts, key=lambda text: (prospect(position, seat, text), chance.random()))
    if phase == "spend":
        verb = chance.choice(["done", "done", "done", "done", "wall", "summon"])
        return chance.choice([text for text in texts if text.startswith(verb)] or texts)
    return chance.choice([text for text in texts if text not in {"done", "walls"}] or texts)


def prospect(position, seat, text):
    """Return how well a movement leaves the mover."""
    player = position["players"][seat]
    monsters, at = list(position["monsters"]), player["at"]
    for word in text.split():
        piece, _, space = word.partition(">")
        if piece == "P":
            at = space
        elif space:
            monsters[int(piece[1:]) - 1] = space
    rivals = [other["at"] for n, other in enumerate(position["players"]) if n != seat]
    takes = at in position["pickups"] and player["dice"] < 3
    if player["trinkets"] and player["dice"] + takes == 3 and at in INNER:
        return 5
    if takes:
        return 4
    return 3 * (at in monsters) or 2 * (at in rivals)
