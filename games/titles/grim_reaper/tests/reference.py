"""Grim Reaper once more, slowly and from the rule sheet: a dictionary of squares, no sets of bits.

Births are tried mother by mother; chains are walked piece by piece.
"""

from itertools import product

from tests.contract.reference import Sample

SAMPLES = [
    Sample(2, {"male_span": 3, "female_span": 4}, matches=8),
    Sample(2, {"male_span": 3, "female_span": 3, "random_life": True}, matches=4),
    Sample(2, {"male_span": 6, "female_span": 6, "reserve": 2}, matches=3),
    Sample(2, {"random_life": True, "reserve": 3}, matches=2, plies=160),
    Sample(2, {}, matches=2, plies=200),
    Sample(2, {"size": 8, "male_span": 30, "female_span": 5}, matches=1, plies=120),
]

KING = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0)]
SIDEWAYS = [(1, 0), (-1, 0), (0, 1), (0, -1)]


class Reference:
    """A match; ``pieces`` maps a square's name to [seat, sex, life turns]."""

    def __init__(self, seats, params, chance):
        self.size = params["size"]
        self.spans = {"M": params["male_span"], "F": params["female_span"]}
        self.random_life = params["random_life"]
        doubled = params["reserve"] * (self.spans["M"] + self.spans["F"])
        self.reserve = [doubled // 2 + doubled % 2] * 2
        self.squares = [
            f"{'abcdefgh'[x]}{y + 1}" for x in range(self.size) for y in range(self.size)
        ]
        self.pieces = {}
        self.turn, self.step = 1, 0
        self.born, self.rip = [], []
        self.ranks = None

    def stand(self, position):
        """Go on from a position as the rules file writes it."""
        self.reserve = list(position["reserve"])
        self.turn, self.step = position["turn"], position["step"]
        self.born, self.rip = list(position["born"]), list(position["rip"])
        for at, text in position["pieces"].items():
            self.pieces[at] = ["rb".index(text[0]), text[1], int(text[2:])]

    def mover(self):
        """Turn 1: Red, Blue, then Blue gives birth, Red gives birth; turn 2 the other way."""
        order = [0, 1, 1, 0] if self.turn % 2 == 1 else [1, 0, 0, 1]
        return order[self.step]

    def actors(self):
        return [] if self.ranks else [self.mover()]

    def moves(self, seat):
        if self.actors() != [seat]:
            return []
        if self.step >= 2:
            return ["pass", *self.birth_texts(seat)]
        return self.placements(seat) + self.walks(seat) or ["pass"]

    def placements(self, seat):
        lives = range(1, self.reserve[seat] + 1)
        return [f"{sex}{life}{at}" for at in self.vacant() for sex in "MF" for life in lives]

    def walks(self, seat):
        found = set()
        for origin, (owner, _, _) in self.pieces.items():
            if owner == seat:
                for halfway in self.free_neighbours(origin):
                    found.add(f"{origin}-{halfway}")
                    found |= {f"{origin}-{end}" for end in self.free_neighbours(halfway)}
        return sorted(found)

    def birth_texts(self, seat):
        mothers = {at: self.mothers(seat, at) for at in self.vacant()}
        allowed = [at for at in mothers if mothers[at] and not self.mothers(1 - seat, at)]
        for squares in self.birth_squares([], allowed, mothers):
            for sexes in product("MF", repeat=len(squares)):
                pairs = zip(sexes, squares, strict=True)
                yield "+" + ",".join(sex + at for sex, at in pairs)

    def birth_squares(self, chosen, rest, mothers):
        """Every set of squares that includes ``chosen`` and has a mother for each."""
        for number, at in enumerate(rest):
            more = [*chosen, at]
            if self.can_all_bear([mothers[child] for child in more], set()):
                yield more
                yield from self.birth_squares(more, rest[number + 1 :], mothers)

    def can_all_bear(self, wanted, busy):
        """Whether each child gets a mother who bears no other."""
        if not wanted:
            return True
        return any(self.can_all_bear(wanted[1:], busy | {mother}) for mother in wanted[0] - busy)

    def mothers(self, seat, at):
        """Females with a male of the same side just opposite; newborns are too young."""
        found = set()
        for dx, dy in KING:
            one, other = self.beside(at, dx, dy), self.beside(at, -dx, -dy)
            if self.is_adult(one, seat, "F") and self.is_adult(other, seat, "M"):
                found.add(one)
        return found

    def is_adult(self, at, seat, sex):
        return at in self.pieces and self.pieces[at][:2] == [seat, sex] and at not in self.born

    def play(self, seat, text, chance):
        outcomes = list(chance)
        if text.startswith("+"):
            for child in text[1:].split(","):
                self.bear(seat, child[0], child[1:], outcomes)
            newborn = [child[1:] for child in text[1:].split(",")]
        else:
            newborn = []
            self.act(seat, text)
        self.born = newborn if self.step == 2 else []
        self.step += 1
        if self.step == 4:
            self.age_and_die()

    def bear(self, seat, sex, at, outcomes):
        span = self.spans[sex]
        self.pieces[at] = [seat, sex, 1 + outcomes.pop(0) if self.random_life else span]

    def act(self, seat, text):
        if "-" in text:
            origin, target = text.split("-")
            self.pieces[target] = self.pieces.pop(origin)
        elif text != "pass":
            sex, life, at = text[0], int(text[1:-2]), text[-2:]
            self.pieces[at] = [seat, sex, life]
            self.reserve[seat] -= life

    def age_and_die(self):
        for piece in self.pieces.values():
            piece[2] -= 1
        self.rip = sorted(at for at, piece in self.pieces.items() if piece[2] == 0)
        for at in self.rip:
            del self.pieces[at]
        self.turn, self.step = self.turn + 1, 0
        self.ranks = self.outcome()

    def outcome(self):
        alive = [
            self.reserve[s] > 0 or any(p[0] == s for p in self.pieces.values()) for s in (0, 1)
        ]
        if alive == [False, False]:
            return [1, 1]
        if alive == [True, False] or (all(alive) and self.connects(0)):
            return [1, 2]
        return [2, 1] if alive == [False, True] or self.connects(1) else None

    def connects(self, seat):
        """Red joins the bottom row and the top one, Blue the left column and the right one."""
        axis, ends = (
            (1, ("1", str(self.size))) if seat == 0 else (0, "a" + "abcdefgh"[self.size - 1])
        )
        own = {at for at, piece in self.pieces.items() if piece[0] == seat}
        todo = [at for at in own if at[axis] == ends[0]]
        seen = set(todo)
        while todo:
            at = todo.pop()
            if at[axis] == ends[1]:
                return True
            for dx, dy in SIDEWAYS:
                other = self.beside(at, dx, dy)
                if other in own - seen:
                    seen.add(other)
                    todo.append(other)
        return False

    def drop(self, seat, chance):
        self.ranks = [2, 1] if seat == 0 else [1, 2]

    def close(self):
        self.ranks = [1, 1]

    def position(self):
        pieces = self.pieces.items()
        return {
            "size": self.size,
            "turn": self.turn,
            "step": self.step,
            "reserve": self.reserve,
            "pieces": {at: f"{'rb'[seat]}{sex}{life}" for at, (seat, sex, life) in pieces},
            "born": sorted(self.born),
            "rip": self.rip,
            "male_span": self.spans["M"],
            "female_span": self.spans["F"],
            "random_life": self.random_life,
            "result": self.ranks,
        }

    def vacant(self):
        return [at for at in self.squares if at not in self.pieces]

    def beside(self, at, dx, dy):
        return chr(ord(at[0]) + dx) + chr(ord(at[1]) + dy)

    def free_neighbours(self, at):
        around = [self.beside(at, dx, dy) for dx, dy in KING]
        return [other for other in around if other in self.squares and other not in self.pieces]
