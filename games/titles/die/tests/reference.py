"""DIE once more, slowly and from the rule sheet: cells in cube coordinates, one at a time."""

from tests.contract.reference import Sample

SAMPLES = [
    Sample(2, {"size": 3}, matches=40),
    Sample(2, {"size": 4}, matches=10),
    Sample(2, {"size": 5}, matches=4),
    Sample(2, {"size": 12}, matches=1),
]

STEPS = [(1, 0), (-1, 0), (0, 1), (0, -1), (-1, 1), (1, -1)]


class Reference:
    """A match of DIE; ``board`` maps (x, y) to "r", "b" or "."; y counts rows from the middle."""

    def __init__(self, seats, params, chance):
        self.size = params["size"]
        self.ply = 0
        self.ranks = None
        span = range(1 - self.size, self.size)
        inside = [(x, y) for y in span for x in span if abs(x + y) < self.size]
        self.board = dict.fromkeys(inside, ".")
        self.names = {}
        for y in span:
            row = sorted(x for x, other in inside if other == y)
            for number, x in enumerate(row, 1):
                self.names[x, y] = "abcdefghijklmnopqrstuvw"[y + self.size - 1] + str(number)
        self.cells = {name: cell for cell, name in self.names.items()}

    def actors(self):
        return [] if self.ranks else [self.ply % 2]

    def moves(self, seat):
        """You must place next to a friendly stone or where a clear path leads from one, with the
        fewest possible friendly neighbours.
        """
        if self.actors() != [seat]:
            return []
        mine = "rb"[seat]
        free = self.stones(".")
        if self.stones(mine):
            spaces = self.groups(".")
            free = [c for space in spaces if self.sees_friend(space, mine) for c in space]
        fewest = min(self.friends(cell, mine) for cell in free)
        return [self.names[cell] for cell in free if self.friends(cell, mine) == fewest]

    def play(self, seat, text, chance):
        mine, theirs = "rb"[seat], "br"[seat]
        cell = self.cells[text]
        self.board[cell] = mine
        own = self.group(cell)
        if self.is_bounded(own):
            self.remove(own)
        else:
            for bounded in [group for group in self.groups(theirs) if self.is_bounded(group)]:
                self.remove(bounded)
        self.ply += 1
        if self.ply > 1:
            if not self.stones("r"):
                self.ranks = [1, 2]
            elif not self.stones("b"):
                self.ranks = [2, 1]

    def drop(self, seat, chance):
        self.ranks = [2, 1] if seat == 0 else [1, 2]

    def close(self):
        self.ranks = [1, 1]

    def position(self):
        rows = []
        for y in range(self.size - 1, -self.size, -1):
            row = sorted(cell for cell in self.board if cell[1] == y)
            rows.append("".join(self.board[cell] for cell in row))
        return {
            "size": self.size,
            "rows": rows,
            "ply": self.ply,
            "mover": self.ply % 2,
            "result": self.ranks,
        }

    def neighbours(self, cell):
        around = [(cell[0] + dx, cell[1] + dy) for dx, dy in STEPS]
        return [other for other in around if other in self.board]

    def friends(self, cell, colour):
        return sum(self.board[other] == colour for other in self.neighbours(cell))

    def group(self, cell):
        """All cells that steps to cells of the same kind lead to: a group, or a space."""
        found, todo = {cell}, [cell]
        while todo:
            for other in self.neighbours(todo.pop()):
                if other not in found and self.board[other] == self.board[cell]:
                    found.add(other)
                    todo.append(other)
        return found

    def stones(self, kind):
        return [cell for cell in self.board if self.board[cell] == kind]

    def groups(self, kind):
        """All groups of stones of a colour, or all spaces of empty cells."""
        found = []
        for cell in self.stones(kind):
            if not any(cell in group for group in found):
                found.append(self.group(cell))
        return found

    def sees_friend(self, space, colour):
        return any(self.friends(cell, colour) for cell in space)

    def is_bounded(self, group):
        return not any(self.friends(stone, ".") for stone in group)

    def remove(self, group):
        for stone in group:
            self.board[stone] = "."
