"""Twins of the toy: all cards that the viewer does not see are dealt again."""

from copy import deepcopy

REVEALS = frozenset({"turn-up", "drop"})


def indistinguishable(position, viewer, chance):
    dealt = deepcopy(position)
    seats = [seat for seat in range(len(dealt["hands"])) if seat not in dealt["out"]]
    layer = seats[(dealt["laid"] - 1) % len(seats)] if seats else None
    boxes = [hand for seat, hand in enumerate(dealt["hands"]) if seat != viewer]
    places = [(box, at) for box in (*boxes, dealt["pile"]) for at in range(len(box))]
    if dealt["down"] is not None and layer != viewer:
        places.append((dealt, "down"))
    cards = [box[at] for box, at in places]
    chance.shuffle(cards)
    for (box, at), card in zip(places, cards, strict=True):
        box[at] = card
    for box in (*dealt["hands"], dealt["pile"]):
        box.sort()
    return dealt
