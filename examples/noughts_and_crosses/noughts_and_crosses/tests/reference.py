"""Noughts and Crosses once more, slowly: a dictionary of cells."""

from tests.contract.reference import Sample

SAMPLES = [Sample(2, {}, matches=20)]

NAMES = ["a1", "a2", "a3", "b1", "b2", "b3", "c1", "c2", "c3"]
LINES = [
    "a1 a2 a3", "b1 b2 b3", "c1 c2 c3",
    "a1 b1 c1", "a2 b2 c2", "a3 b3 c3",
    "a1 b2 c3", "a3 b2 c1",
]  # fmt: skip


class Reference:
    """A match; ``board`` has the letter of every cell that is taken."""

    def __init__(self, seats, params, chance):
        self.board = {}
        self.ranks = None

    def actors(self):
        return [] if self.ranks else [len(self.board) % 2]

    def moves(self, seat):
        return [name for name in NAMES if name not in self.board] if seat in self.actors() else []

    def play(self, seat, text, chance):
        self.board[text] = "xo"[seat]
        for line in LINES:
            if [self.board.get(name) for name in line.split()] == ["xo"[seat]] * 3:
                self.ranks = [1, 2] if seat == 0 else [2, 1]
        if len(self.board) == 9 and not self.ranks:
            self.ranks = [1, 1]

    def drop(self, seat, chance):
        self.ranks = [2, 1] if seat == 0 else [1, 2]

    def close(self):
        self.ranks = [1, 1]

    def position(self):
        cells = "".join(self.board.get(name, ".") for name in NAMES)
        return {"cells": cells, "result": self.ranks}
