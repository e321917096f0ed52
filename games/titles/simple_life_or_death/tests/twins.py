"""Simple Life or Death: the hands of others, the draw pile, and a card that lies face down."""

from copy import deepcopy

LETTERS = "roygbp"
PACK = [rank + suit for suit in "CDHS" for rank in "23456789TJQKA"]
RED = ("D", "H")

REVEALS = frozenset({"roll", "fight", "void", "leave", "out"})


def indistinguishable(position, viewer, chance):
    """Deal again; whoever is asked to defend still holds a red card, and the attack is black.

    Now and then cards change places with their own colour only: then the two worlds go on alike
    for longer, for it shows who can answer an attack.
    """
    keeps_colours = chance.random() < 0.5
    for _ in range(1000):
        dealt = deepcopy(position)
        _deal(dealt, viewer, chance, keeps_colours=keeps_colours)
        if _is_possible(dealt):
            return dealt
    return position


def _deal(position, viewer, chance, *, keeps_colours):
    places = list(_hidden(position, viewer))
    for colour in (False, True) if keeps_colours else (None,):
        group = [(box, at) for box, at in places if colour in (None, box[at][1] in RED)]
        cards = [box[at] for box, at in group]
        chance.shuffle(cards)
        for (box, at), card in zip(group, cards, strict=True):
            box[at] = card
    for box in (*position["hands"], position["draw"]):
        box.sort(key=PACK.index)


def _hidden(position, viewer):
    """Yield where each card lies that the viewer does not see: a list or object, and the place."""
    hands = (hand for seat, hand in enumerate(position["hands"]) if seat != viewer)
    for box in (*hands, position["draw"]):
        yield from ((box, at) for at in range(len(box)))
    pending = _attack(position)
    if pending and LETTERS.index(pending["attacker"][0]) != viewer:
        yield pending, "card"


def _attack(position):
    pending = position["pending"]
    return pending if pending and pending["kind"] == "defend" else None


def _is_possible(position):
    pending = _attack(position)
    if pending is None:
        return True
    defender = position["hands"][LETTERS.index(pending["target"][0])]
    return pending["card"][1] not in RED and any(card[1] in RED for card in defender)
