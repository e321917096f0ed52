"""Grim Reaper, played for children: couples are made, and bear; some connect their sides."""

from tests.contract.reference import Sample

SAMPLES = [
    Sample(2, {}, matches=8, plies=160),
    Sample(2, {"male_span": 6, "female_span": 6, "reserve": 2}, matches=6, plies=160),
    Sample(2, {"random_life": True, "reserve": 3}, matches=5, plies=160),
    Sample(2, {"size": 8, "male_span": 30, "female_span": 5, "reserve": 3}, matches=3, plies=120),
]
SHORT = {"male_span": 3, "female_span": 3}
BEATS_RANDOM = 0.95
REACHES = {"born": 300, "pass": 200, "place": 80, "move": 300}


def choose(position, seat, texts, chance, **_):
    """Return a move of somebody who wants children, most of the time; chance has its say."""
    births = [text for text in texts if text.startswith("+")]
    if births and chance.random() < 0.85:
        return chance.choice(births)
    some = chance.sample(texts, min(len(texts), 80))
    if chance.random() < 0.25:
        return some[0]
    return max(some, key=lambda text: outlook(position, seat, text))


def outlook(position, seat, text):
    """Return how many couples a move makes, and then how long a life it gives, up to the half."""
    pieces = {at: piece[:2] for at, piece in position["pieces"].items()}
    life = 0
    if "-" in text:
        origin, target = text.split("-")
        pieces[target] = pieces.pop(origin)
    elif text[0] in "MF":
        life = min(int(text[1:-2]), position["reserve"][seat] // 2)
        pieces[text[-2:]] = "rb"[seat] + text[0]
    return couples(pieces, "rb"[seat]), life


def couples(pieces, colour):
    """Return how many males and females of a colour face each other across a vacant square."""
    males = [at for at, piece in pieces.items() if piece == colour + "M"]
    females = [at for at, piece in pieces.items() if piece == colour + "F"]
    return sum(is_couple(one, other, pieces) for one in males for other in females)


def is_couple(one, other, pieces):
    """Return whether two squares are opposite neighbours of a vacant one."""
    dx, dy = ord(other[0]) - ord(one[0]), ord(other[1]) - ord(one[1])
    if (abs(dx), abs(dy)) not in {(0, 2), (2, 0), (2, 2)}:
        return False
    return f"{chr(ord(one[0]) + dx // 2)}{chr(ord(one[1]) + dy // 2)}" not in pieces
