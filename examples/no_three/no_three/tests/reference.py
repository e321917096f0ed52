"""No Three once more, slowly: a dictionary of stones by coordinates."""

from tests.contract.reference import Sample

SAMPLES = [
    Sample(2, {}, matches=3),
    Sample(2, {"size": 2}, matches=4),
    Sample(3, {}, matches=6),
    Sample(3, {"size": 5}, matches=1),
]


class Reference:
    """A match; ``stones`` has the seat for each cell that is taken."""

    def __init__(self, seats, params, chance):
        self.seats, self.size = seats, params["size"]
        self.stones, self.out, self.dropped = {}, [], []
        self.turn, self.ranks = 0, None
        far = self.size - 1
        every = range(-far, far + 1)
        # Axial coordinates around the middle: q to the right, r up and to the right.
        self.cells = [(q, r) for r in every for q in every if abs(q + r) <= far]

    def name(self, cell):
        q, r = cell
        far = self.size - 1
        first = max(-far, -far - r)
        return "abcdefghi"[r + far] + str(q - first + 1)

    def still_in(self):
        return [s for s in range(self.seats) if s not in self.out and s not in self.dropped]

    def actors(self):
        return [] if self.ranks else [self.turn]

    def moves(self, seat):
        if seat not in self.actors():
            return []
        return [self.name(cell) for cell in self.cells if cell not in self.stones]

    def play(self, seat, text, chance):
        cell = next(cell for cell in self.cells if self.name(cell) == text)
        self.stones[cell] = seat
        for dq, dr in ((1, 0), (0, 1), (1, -1)):
            row = [self.stones.get((cell[0] + k * dq, cell[1] + k * dr)) for k in range(-2, 3)]
            if any(row[k : k + 3] == [seat] * 3 for k in range(3)) and seat not in self.out:
                self.out.append(seat)
        self.pass_on()
        if len(self.still_in()) == 1 or len(self.stones) == len(self.cells):
            self.close()

    def pass_on(self):
        left = self.still_in()
        while True:
            self.turn = (self.turn + 1) % self.seats
            if self.turn in left:
                return

    def drop(self, seat, chance):
        if self.seats == 2:
            self.ranks = [2, 1] if seat == 0 else [1, 2]
            return
        self.dropped.append(seat)
        if len(self.still_in()) == 1:
            self.close()
        elif seat == self.turn:
            self.pass_on()

    def close(self):
        """Rank from the first to the last: all in, who went out last, who dropped out last."""
        groups = [self.still_in()]
        groups += [[seat] for seat in reversed(self.out) if seat not in self.dropped]
        groups += [[seat] for seat in reversed(self.dropped)]
        self.ranks, place = [0] * self.seats, 1
        for group in groups:
            for seat in group:
                self.ranks[seat] = place
            place += len(group)

    def position(self):
        rows = {}
        for cell in self.cells:
            letter = ".rbg"[1 + self.stones.get(cell, -1)]
            rows.setdefault(cell[1], []).append((cell[0], letter))
        return {
            "seats": self.seats,
            "mover": self.turn,
            "out": self.out,
            "dropped": self.dropped,
            "result": self.ranks,
            "size": self.size,
            "rows": ["".join(letter for _, letter in sorted(rows[r])) for r in sorted(rows)[::-1]],
        }
