"""Simple Life or Death once more, slowly: pieces, squares and cards are their names."""

from tests.contract.reference import Sample

SAMPLES = [
    Sample(2, {}, matches=3),
    Sample(2, {"combat": "2d6", "movement": "d6", "width": 16, "height": 20}, matches=2),
    Sample(2, {"rounds": 6, "width": 19}, matches=1),
    Sample(3, {"order": "counterclockwise", "combat": "1d12", "movement": "d12"}, matches=2),
    Sample(3, {"order": "counterclockwise", "rounds": 4}, matches=1),
    Sample(4, {"movement": "d8"}, matches=1),
    Sample(5, {"width": 17, "height": 42, "rounds": 12}, matches=1),
    Sample(6, {"width": 18}, matches=1),
]
"""No match of these goes on for longer than 1,000 moves."""

LETTERS = "roygbp"
COLUMNS = [*"abcdefghijklmnopqrstuvwxyz", *("a" + letter for letter in "abcdefghijklmnopqrstuv")]
WAYS = {
    "n": (0, 1),
    "ne": (1, 1),
    "e": (1, 0),
    "se": (1, -1),
    "s": (0, -1),
    "sw": (-1, -1),
    "w": (-1, 0),
    "nw": (-1, 1),
}
PACK = [rank + suit for suit in "CDHS" for rank in "23456789TJQKA"]
DICE = {"S": [" d4", " d6"], "M": [" d8", " d10"], "L": [" d12", " d20"]}


class Reference:
    """A match; ``board`` maps names of squares to lists of names of pieces, bottom first."""

    def __init__(self, seats, params, chance):
        self.params = params
        self.n = seats
        self.chance = list(chance)
        self.stock = [[5, 5, 5] for _ in range(seats)]
        self.board = {}
        self.trophies = [[] for _ in range(seats)]
        self.hands = [[] for _ in range(seats)]
        self.pile = []
        self.discard = []
        self.dropped = []
        self.gone = set()
        self.round = 1
        self.attacked = set()
        self.pending = None
        self.ranks = None
        if params["combat"] == "cards":
            self.pile = sorted(PACK * ((seats + 1) // 2), key=PACK.index)
            for _ in range(10):
                for seat in range(seats):
                    self.draw(seat)
        rolling = list(range(seats))
        while len(rolling) > 1:
            rolled = [(self.chance.pop(0), seat) for seat in rolling]
            rolling = [seat for number, seat in rolled if number == max(rolled)[0]]
        self.first = self.turn = rolling[0]
        self.phase = "place"
        assert not self.chance

    # --- asked by the tests -----------------------------------------------------------------

    def actors(self):
        if self.ranks:
            return []
        if self.phase == "defend":
            return [self.owner(self.pending["target"])]
        return [self.turn]

    def moves(self, seat):
        if self.actors() != [seat]:
            return []
        if self.phase == "land":
            return ["land " + end for end in self.pending["ends"]]
        if self.phase == "defend":
            return ["defend " + card for card in set(self.hands[seat]) if card[1] in "HD"]
        found = ["end"] if self.phase == "free" else []
        if self.phase in ("place", "act"):
            for size, left in zip("SML", self.stock[seat], strict=True):
                found += [f"place {size} {square}" for square in self.squares() if left]
        if self.phase == "act":
            found += self.departures(seat)
        return found + self.attacks(seat)

    def departures(self, seat):
        fixed = self.params["movement"] != "polyhedral"
        return [
            f"move {piece} {way}{die}"
            for piece in self.pieces(seat)
            for way in WAYS
            for die in ([""] if fixed else DICE[piece[1]])
        ]

    def attacks(self, seat):
        cards = {" " + card for card in self.hands[seat] if card[1] in "CS"}
        if self.params["combat"] != "cards":
            cards = [""]
        return [f"attack {own} {other}{card}" for own, other in self.reachable() for card in cards]

    def play(self, seat, text, chance):
        self.chance = list(chance)
        verb, *words = text.split()
        getattr(self, verb)(*words)
        assert not self.chance

    def close(self):
        """The player who captured most has won."""
        self.finish(self.by_trophies([s for s in range(self.n) if s not in self.dropped]))

    def position(self):
        return {
            **{name: self.params[name] for name in self.params},
            "stock": self.stock,
            "board": self.board,
            "trophies": self.trophies,
            "hands": self.hands,
            "draw": self.pile,
            "discard": self.discard,
            "in": [seat not in self.gone for seat in range(self.n)],
            "dropped": self.dropped,
            "first": self.first,
            "turn": self.turn,
            "round": self.round,
            "phase": self.phase,
            "attacked": sorted(map(list, self.attacked)),
            "pending": self.pending,
            "result": self.ranks,
        }

    # --- moves ------------------------------------------------------------------------------

    def place(self, size, square):
        """They must place one piece; then move one, or place one more."""
        stock = self.stock[self.turn]
        number = 6 - stock["SML".index(size)]
        stock["SML".index(size)] -= 1
        self.board.setdefault(square, []).append(f"{LETTERS[self.turn]}{size}{number}")
        self.phase = {"place": "act", "act": "free"}[self.phase]
        self.go_on()

    def move(self, piece, way, die=None):
        """No turning; over the edge it is gone, on another colour it stops, on its own it may."""
        count = 1 if die else "SML".index(piece[1]) + 1
        total = sum(self.chance.pop(0) for _ in range(count))
        square, ends = self.square_of(piece), []
        for step in range(1, total + 1):
            square = self.next(square, way)
            if square is None:
                ends.append("off")
                break
            there = self.board.get(square, [])
            if step == total or any(other[0] != piece[0] for other in there):
                ends.append(square)
                break
            if there:
                ends.append(square)
        if len(ends) == 1:
            self.pending = {"piece": piece}
            self.land(ends[0])
        else:
            self.pending = {"kind": "land", "piece": piece, "ends": ends}
            self.phase = "land"

    def land(self, end):
        """Take all pieces above it in the stack with it."""
        piece = self.pending["piece"]
        start = self.square_of(piece)
        at = self.board[start].index(piece)
        lifted = self.board[start][at:]
        self.lose(lifted)
        if end != "off":
            self.board.setdefault(end, []).extend(lifted)
        else:
            self.forget(lifted)
        self.pending = None
        self.phase = "free"
        self.count_out()

    def attack(self, mine, theirs, card=None):
        """One attack for each piece on each target."""
        self.attacked.add((mine, theirs))
        defender = self.owner(theirs)
        if card is None:
            dice = 2 if self.params["combat"] == "2d6" else 1
            strong = sum(self.chance.pop(0) for _ in range(dice))
            firm = sum(self.chance.pop(0) for _ in range(dice))
            if strong > firm:
                self.capture(theirs)
            self.count_out()
            return
        self.hands[self.turn].remove(card)
        waiting = {"attacker": mine, "target": theirs, "card": card, "then": self.phase}
        self.pending = {"kind": "defend", **waiting}
        self.phase = "defend"
        if not any(other[1] in "HD" for other in self.hands[defender]):
            self.defend(None)

    def defend(self, card):
        """The greater card wins, a tie is the defender's; then both replace what they used."""
        fight, target = self.pending, self.pending["target"]
        self.pending, self.phase = None, fight["then"]
        value = "23456789TJQKA".index
        if card:
            self.hands[self.owner(target)].remove(card)
        if not card or value(fight["card"][0]) > value(card[0]):
            self.capture(target)
        self.discard.append(fight["card"])
        if card:
            self.discard.append(card)
        self.draw(self.turn)
        if card:
            self.draw(self.owner(target))
        self.count_out()

    def end(self):
        self.pass_on()

    def drop(self, seat, chance):
        """With two the other wins; of more the seat leaves with all that it has."""
        self.chance = list(chance)
        if self.n == 2:
            self.finish([2, 1] if seat == 0 else [1, 2])
            return
        self.dropped.append(seat)
        if seat in self.gone:
            return
        if self.phase == "defend":
            defender = self.owner(self.pending["target"])
            if seat in (self.turn, defender):
                self.discard.append(self.pending["card"])
                self.phase, self.pending = self.pending["then"], None
                if seat == defender:
                    self.draw(self.turn)
        pieces = self.pieces(seat)
        self.lose(pieces)
        self.forget(pieces)
        self.stock[seat] = [0, 0, 0]
        self.leave(seat)
        if self.n - len(self.gone) == 1:
            self.finish(self.by_trophies([s for s in range(self.n) if s not in self.gone]))
        else:
            self.go_on()
        assert not self.chance

    # --- what follows -----------------------------------------------------------------------

    def count_out(self):
        """Without pieces on the board and in stock one is out; the last one left has won."""
        out = [
            seat
            for seat in range(self.n)
            if seat not in self.gone and not self.pieces(seat) and self.stock[seat] == [0, 0, 0]
        ]
        for seat in out:
            self.leave(seat)
        left = [seat for seat in range(self.n) if seat not in self.gone]
        if len(left) < 2:
            self.finish(self.by_trophies(left or out))
        else:
            self.go_on()

    def go_on(self):
        if self.turn in self.gone or (self.phase == "free" and not self.reachable()):
            self.pass_on()

    def pass_on(self):
        seat, count = self.turn, self.round
        while seat == self.turn or seat in self.gone:
            seat = (seat + (1 if self.params["order"] == "clockwise" else -1)) % self.n
            if seat == self.first:
                count += 1
                if count == self.params["rounds"] + 1 and self.params["rounds"]:
                    self.close()
                    return
        self.turn, self.round = seat, count
        self.phase = "act" if self.stock[seat] == [0, 0, 0] else "place"
        self.pending, self.attacked = None, set()

    def finish(self, ranks):
        if self.phase == "defend":
            self.discard.append(self.pending["card"])
        self.ranks, self.phase, self.pending, self.attacked = ranks, "over", None, set()

    def by_trophies(self, best):
        """Rank ``best`` by trophies; behind them who went out, then who dropped, the last first."""
        order = sorted(best, key=lambda seat: -len(self.trophies[seat]))
        ranks = [None] * self.n
        for place, seat in enumerate(order):
            tied = place and len(self.trophies[order[place - 1]]) == len(self.trophies[seat])
            ranks[seat] = ranks[order[place - 1]] if tied else place + 1
        for place, seat in enumerate(self.dropped):
            ranks[seat] = self.n - place
        return [len(best) + 1 if rank is None else rank for rank in ranks]

    def leave(self, seat):
        self.gone.add(seat)
        self.discard += self.hands[seat]
        self.hands[seat] = []

    def capture(self, piece):
        self.lose([piece])
        self.forget([piece])
        self.trophies[self.turn].append(piece)

    def lose(self, pieces):
        """Take pieces off the board; those above drop."""
        stacks = {at: [p for p in stack if p not in pieces] for at, stack in self.board.items()}
        self.board = {at: stack for at, stack in stacks.items() if stack}

    def forget(self, pieces):
        self.attacked = {pair for pair in self.attacked if not set(pair) & set(pieces)}

    def draw(self, seat):
        if not self.pile:
            self.pile, self.discard = sorted(self.discard, key=PACK.index), []
        if self.pile:
            card = self.pile.pop(self.chance.pop(0) - 1)
            self.hands[seat] = sorted([*self.hands[seat], card], key=PACK.index)

    # --- looking ----------------------------------------------------------------------------

    def owner(self, piece):
        return LETTERS.index(piece[0])

    def pieces(self, seat):
        return [p for stack in self.board.values() for p in stack if p[0] == LETTERS[seat]]

    def square_of(self, piece):
        return next(square for square, stack in self.board.items() if piece in stack)

    def squares(self):
        rows = range(1, self.params["height"] + 1)
        return [f"{c}{row}" for c in COLUMNS[: self.params["width"]] for row in rows]

    def invitation_of(self, square):
        column = square.rstrip("0123456789")
        return COLUMNS.index(column), int(square[len(column) :])

    def next(self, square, way):
        x, y = self.invitation_of(square)
        x, y = x + WAYS[way][0], y + WAYS[way][1]
        if 0 <= x < self.params["width"] and 1 <= y <= self.params["height"]:
            return f"{COLUMNS[x]}{y}"
        return None

    def reachable(self):
        """Pairs of an own piece and another's, in the same or an adjacent square, unused."""
        found = []
        for mine in self.pieces(self.turn):
            x, y = self.invitation_of(self.square_of(mine))
            for square, stack in self.board.items():
                column, row = self.invitation_of(square)
                if abs(column - x) <= 1 and abs(row - y) <= 1:
                    found += [(mine, p) for p in stack if p[0] != mine[0]]
        return [pair for pair in found if pair not in self.attacked]
