"""Precary-Ice once more: plain, slow, written from the sheet and the rulings. Chance is passed in.

The outcome of a placement is passed in too: physics has no second implementation.
"""

from tests.contract.reference import Sample

SAMPLES = [
    Sample(2, {"rounds": 2, "incidents": True}, matches=1),
    Sample(2, {"rounds": 1, "pace": "free", "hand": "steady"}, matches=1),
    Sample(6, {"rounds": 1, "hand": "shaky"}, matches=1),
]
"""Few: whatever is played or tried out in these matches falls once more."""

POINTS = {"P": 1, "D": 2, "Q": 3}
HEIGHTS = {"P": 25.4, "D": 34.9, "Q": 44.45}
BASES = {"P": 14.3, "D": 19.8, "Q": 25.4}
NO_TOWER = {
    "pieces": [],
    "left": [0, 0, 0],
    "sheet": [],
    "die": None,
    "next": None,
    "done": True,
    "fallen": False,
}


def frustum(low, high, height):
    """Return the volume of a square frustum and the height of its centre, by the school formula."""
    volume = height / 3 * (low * low + low * high + high * high)
    above = height / 4 * (low * low + 2 * low * high + 3 * high * high)
    return volume, above / (low * low + low * high + high * high)


def levels(size):
    """Return how high flat tip, ceiling and centre of mass of a piece are."""
    narrowing = BASES[size] / HEIGHTS[size]
    top = HEIGHTS[size] - 3.0 / narrowing
    ceiling = top - 7.0
    solid, middle = frustum(BASES[size], 3.0, top)
    hollow, gap = frustum(4.24 + ceiling * narrowing, 4.24, ceiling)
    return top, ceiling, (solid * middle - hollow * gap) / (solid - hollow)


def on_the_axis(sizes):
    pieces, tip = [], None
    for size in sizes:
        top, ceiling, centre = levels(size)
        base = 0.0 if tip is None else tip - ceiling
        pieces.append([size, 0.0, round(base + centre, 6), 0.0])
        tip = base + top
    return pieces


class Reference:
    def __init__(self, seats, params, chance):
        self.seats = seats
        self.params = params
        self.rounds = params["rounds"] or seats + 1
        self.chance = list(chance)
        self.dropped = []
        self.scores = [[] for _ in range(seats)]
        self.turn = None
        self.ranks = None
        self.begin_round(1)

    # 2. Each player stacks queen, drone and pawn, and writes "6" on the sheet.
    def begin_round(self, number):
        self.round = number
        self.towers = [
            dict(NO_TOWER)
            if seat in self.dropped
            else {
                **NO_TOWER,
                "pieces": on_the_axis("QDP"),
                "left": [9, 9, 9],
                "sheet": [6],
                "done": False,
            }
            for seat in range(self.seats)
        ]
        order = [(number - 1 + step) % self.seats for step in range(self.seats)]
        order = [seat for seat in order if seat not in self.dropped]
        self.last_joiner = order[0]
        if self.params["pace"] == "turns":
            self.begin_turn(self.last_joiner)
        else:
            for seat in order:
                self.begin_own_turn(seat)

    def begin_turn(self, seat):
        while self.cat(seat):
            seat = self.behind(seat)
        self.turn = seat
        self.die(seat)

    def begin_own_turn(self, seat):
        while self.cat(seat):
            pass
        self.die(seat)

    def behind(self, seat):
        """Return the next seat that still builds."""
        while True:
            seat = (seat + 1) % self.seats
            if not self.towers[seat]["done"]:
                return seat

    # 6. If the stack falls over incidentally, reconstruct it from the sheet.
    def cat(self, seat):
        if not self.params["incidents"] or self.chance.pop(0) != 1:
            return False
        sizes, sheet = "QDP", self.towers[seat]["sheet"]
        for n in range(1, len(sheet)):
            sizes += " PDQ"[sheet[n] - sheet[n - 1]]
        self.towers[seat].update(pieces=on_the_axis(sizes), die=None, next=None)
        return True

    # 3. The die tells which pyramid is added.
    def die(self, seat):
        tower = self.towers[seat]
        sizes = [size for size, left in zip("PDQ", tower["left"], strict=True) if left > 0]
        if len(sizes) == 1:
            tower["die"], tower["next"] = None, sizes[0]
            return
        tower["die"] = self.chance.pop(0)
        if len(sizes) == 3:
            tower["next"] = {1: "P", 2: "P", 3: "D", 4: "D", 5: "Q", 6: "Q"}[tower["die"]]
        else:
            tower["next"] = sizes[0] if tower["die"] <= 3 else sizes[1]

    def actors(self):
        if self.ranks:
            return ()
        if self.params["pace"] == "turns":
            return (self.turn,)
        return [seat for seat in range(self.seats) if not self.towers[seat]["done"]]

    def moves(self, seat):
        if seat not in self.actors():
            return
        for tenths in range(-300, 301):
            for degrees in range(-20, 21):
                yield f"place {tenths / 10:+.1f} {degrees:+d}"

    def play(self, seat, text, chance):
        self.chance = list(chance)
        del self.chance[:2]  # the tremor, which the outcome has in it
        seen, tower = self.chance.pop(0), self.towers[seat]
        size = tower["next"]
        tower.update(pieces=seen["pieces"], die=None, next=None)
        tower["left"] = list(tower["left"])
        tower["left"]["PDQ".index(size)] -= 1
        total = tower["sheet"][-1] + POINTS[size]
        # 5. If it falls, what was written in time counts.
        if not seen["fallen"] or seen["ms"] >= 900:
            tower["sheet"] = [*tower["sheet"], total]
        if seen["fallen"]:
            tower["done"] = tower["fallen"] = True
        # 7. All 60 points: ten more.
        elif total == 60:
            tower["sheet"] = [*tower["sheet"], 70]
            tower["done"] = True
        self.go_on(seat)

    def go_on(self, seat):
        if all(tower["done"] for tower in self.towers):
            self.end_round()
        elif self.params["pace"] == "turns":
            self.begin_turn(self.behind(seat))
        elif not self.towers[seat]["done"]:
            self.begin_own_turn(seat)

    # 8. One round more than there are players.
    def end_round(self):
        for seat in range(self.seats):
            if seat not in self.dropped:
                self.scores[seat].append(self.towers[seat]["sheet"][-1])
        if self.round == self.rounds:
            self.rank()
        else:
            self.begin_round(self.round + 1)

    def rank(self):
        def worth(seat):
            """Dropped seats come behind all others, the first one last."""
            if seat in self.dropped:
                return (0, self.dropped.index(seat))
            running = len(self.scores[seat]) < self.round
            return (1, sum(self.scores[seat]) + self.towers[seat]["sheet"][-1] * running)

        worths = [worth(seat) for seat in range(self.seats)]
        self.ranks = [1 + sum(other > own for other in worths) for own in worths]

    def drop(self, seat, chance):
        if self.seats == 2:
            self.ranks = [2, 1] if seat == 0 else [1, 2]
            return
        self.chance = list(chance)
        was_to_move = seat in self.actors()
        self.dropped.append(seat)
        self.towers[seat] = dict(NO_TOWER)
        if len(self.dropped) == self.seats - 1:
            self.rank()
        elif was_to_move:
            self.go_on(seat)

    def close(self):
        self.rank()

    def position(self):
        return {
            **{name: self.params[name] for name in ("rounds", "pace", "hand", "incidents")},
            "round": self.round,
            "starter": self.last_joiner,
            "turn": self.turn,
            "towers": self.towers,
            "scores": self.scores,
            "in": [seat not in self.dropped for seat in range(self.seats)],
            "dropped": self.dropped,
            "result": self.ranks,
        }
