"""Dice Is Health, Strength, and Money once more, slowly, with plain lists and names."""

from itertools import combinations, count

from tests.contract.reference import Sample

SAMPLES = [
    Sample(2, {"rounds": 73}, matches=1, plies=40),
    Sample(2, {"rounds": 3}, matches=1),
    Sample(3, {"rounds": 43}, matches=1, plies=36),
    Sample(4, {"rounds": 33}, matches=1, plies=36),
]
"""With these numbers of rounds, chance leads to rampages, fights of players, and steps away."""

COLOURS = ["red", "blue", "green", "yellow"]
OUTER = [f"o{n}" for n in range(18)]
INNER = [f"i{n}" for n in range(18)]
MARKED = [f"o{n}" for n in range(18) if n % 3 == 1] + ["i2", "i8", "i14"]
PLAIN = [space for space in OUTER if space not in MARKED]


class Reference:
    """A match; a player is a dictionary, ``None`` once it has dropped out."""

    def __init__(self, seats, params, chance):
        self.chance = list(chance)
        self.n = seats
        self.rounds = params["rounds"]
        self.round = 1
        self.fan = self.die() - 1
        self.monsters = [f"o{self.die() - 1}"]
        self.homes = [f"i{18 * k // seats}" for k in range(seats)]
        self.players = [{"at": home, "dice": 0, "trinkets": 0} for home in self.homes]
        self.dropped = []
        self.pickups = list(PLAIN)
        self.walls = {}
        self.ranks = None
        self.start_turn(0)
        assert not self.chance

    def stand(self, position):
        """Go on from a position as the rules file writes it."""
        for seat, player in enumerate(position["players"]):
            self.players[seat] = {key: player[key] for key in ("at", "dice", "trinkets")}
        self.monsters = list(position["monsters"])
        self.pickups = list(position["pickups"])
        self.walls = dict(position["walls"])
        self.turn, self.phase = position["turn"], position["phase"]
        self.roll, self.pending = position["roll"], position["pending"]
        self.fought = list(position["fought"])

    def die(self):
        return self.chance.pop(0)

    # --- asked by the tests -----------------------------------------------------------------

    def actors(self):
        if self.ranks:
            return []
        if self.phase == "go":
            return [self.pending["chooser"]]
        return [self.pending["winner"] if self.phase == "strip" else self.turn]

    def moves(self, seat):
        if self.actors() != [seat]:
            return []
        return getattr(self, "list_" + self.phase)()

    def play(self, seat, text, chance):
        self.chance = list(chance)
        verb, *words = text.split()
        if ">" in verb or verb in ("F+", "F-"):
            self.movement(text.split())
        else:
            getattr(self, "do_" + verb)(*words)
        if not self.ranks:
            self.go_on()
        assert not self.chance

    def drop(self, seat, chance):
        """With two the other wins; of more the seat leaves with all that it has."""
        self.chance = list(chance)
        if self.n == 2:
            self.finish([2, 1] if seat == 0 else [1, 2])
            return
        waited = self.phase in ("go", "strip") and seat in self.actors()
        robbed = self.phase == "strip" and seat == self.pending["loser"]
        self.players[seat] = None
        self.dropped.append(seat)
        self.walls = {at: owner for at, owner in self.walls.items() if owner != seat}
        if len(self.seats_in()) == 1:
            self.tie()
        elif seat == self.turn:
            self.pass_on()
        else:
            if waited or robbed:
                self.behind()
            self.go_on()
        assert not self.chance

    def close(self):
        self.tie()

    def position(self):
        players = []
        for seat, player in enumerate(self.players):
            held = player or {"at": None, "dice": 0, "trinkets": 0}
            players.append({**held, "home": self.homes[seat], "in": player is not None})
        return {
            "rounds": self.rounds,
            "round": self.round,
            "fan": self.fan,
            "players": players,
            "dropped": self.dropped,
            "monsters": self.monsters,
            "pickups": [space for space in OUTER if space in self.pickups],
            "walls": self.walls,
            "turn": self.turn,
            "phase": self.phase,
            "roll": self.roll,
            "pending": self.pending,
            "fought": sorted(self.fought),
            "result": self.ranks,
        }

    # --- looking ----------------------------------------------------------------------------

    def seats_in(self):
        """All who are in, the mover first."""
        order = [(self.turn + k) % self.n for k in range(self.n)]
        return [seat for seat in order if self.players[seat]]

    def at(self, seat):
        return self.players[seat]["at"]

    def beside(self, space, fan=None):
        """Neighbours on the ring, and the other end of a bridge."""
        ring, number = space[0], int(space[1:])
        found = [f"{ring}{(number + 1) % 18}", f"{ring}{(number - 1) % 18}"]
        if number % 6 == (self.fan if fan is None else fan):
            found.append(("o" if ring == "i" else "i") + str(number))
        return found

    def in_order(self, spaces):
        return sorted(spaces, key=(OUTER + INNER).index)

    # --- the movement -----------------------------------------------------------------------

    def list_move(self):
        """All orders of all steps; a piece is a space and the one it came from."""
        pieces = {"P": (self.at(self.turn), None)}
        for number, space in enumerate(self.monsters, 1):
            pieces[f"M{number}"] = (space, None)
        low, median, high = self.roll
        return self.spell(pieces, self.fan, (low, median, high), "F+ F-", [])

    def spell(self, pieces, fan, left, ways, words):
        low, median, high = left
        if not (low or median or high):
            yield " ".join(words)
        for way in ways.split() if median else []:
            turned = (fan + (1 if way == "F+" else 5)) % 6
            yield from self.spell(pieces, turned, (low, median - 1, high), way, [*words, way])
        for name, (space, origin) in pieces.items():
            rest = (low, median, high - 1) if name == "P" else (low - 1, median, high)
            if min(rest) < 0:
                continue
            near = [s for s in self.beside(space, fan) if self.may_enter(name, s)]
            for there in [s for s in near if s != origin] or near:
                moved = {**pieces, name: (there, space)}
                yield from self.spell(moved, fan, rest, ways, [*words, f"{name}>{there}"])

    def may_enter(self, name, space):
        """Only the player who controls a wall may go to the space it is on."""
        owners = [self.turn] if name == "P" else []
        return space not in self.walls or self.walls[space] in owners

    def movement(self, words):
        for word in words:
            name, _, space = word.partition(">")
            if name == "P":
                self.players[self.turn]["at"] = space
            elif name[0] == "M":
                self.monsters[int(name[1:]) - 1] = space
            else:
                self.fan = (self.fan + (1 if name == "F+" else 5)) % 6
        mover = self.players[self.turn]
        if mover["at"] in self.pickups and mover["dice"] < 3:
            self.pickups.remove(mover["at"])
            mover["dice"] += 1
        self.phase, self.roll = "spend", None
        self.look_for_winner()

    # --- dice sacrifices --------------------------------------------------------------------

    def list_spend(self):
        free = OUTER + INNER if len(self.monsters) < 8 else []
        taken = [self.at(seat) for seat in self.seats_in()] + list(self.walls)
        return ["done", "wall"] + [f"summon {space}" for space in free if space not in taken]

    def do_wall(self):
        self.lose_die(self.turn)
        self.phase, self.pending = "walls", {"count": self.die()}

    def wall_sites(self):
        """On marked wall spaces: new ones, or those of other players."""
        others = [self.at(seat) for seat in self.seats_in()[1:]]
        own = [space for space in self.walls if self.walls[space] == self.turn]
        return [s for s in MARKED if s not in others and s not in self.monsters and s not in own]

    def list_walls(self):
        sizes = range(self.pending["count"] + 1)
        chosen = [some for size in sizes for some in combinations(self.wall_sites(), size)]
        return [" ".join(["walls", *some]) for some in chosen]

    def do_walls(self, *spaces):
        for space in spaces:
            self.walls[space] = self.turn
        self.phase, self.pending = "spend", None

    def do_summon(self, space):
        self.lose_die(self.turn)
        self.monsters.append(space)

    def lose_die(self, seat):
        """A pickup spawns on the farthest away non-wall space on the outer ring."""
        self.players[seat]["dice"] -= 1
        start, far = self.at(seat), {}
        todo = [(start, 0)]
        for space, steps in todo:
            if space not in far:
                far[space] = steps
                todo += [(near, steps + 1) for near in self.beside(space)]
        number = int(start[1:])
        upward = [f"o{(number + k) % 18}" for k in range(18)]
        free = [space for space in upward if space in PLAIN and space not in self.pickups]
        self.pickups.append(max(free, key=lambda space: far[space]))

    # --- against monsters -------------------------------------------------------------------

    def list_fight(self):
        near = self.beside(self.at(self.turn))
        return ["done"] + [
            f"fight M{number}"
            for number, space in enumerate(self.monsters, 1)
            if space in near and [self.turn, number] not in self.fought
        ]

    def do_fight(self, word):
        if word[0] == "M":
            self.meet_monster(self.turn, int(word[1:]))
        else:
            self.meet_player(COLOURS.index(word))

    def meet_monster(self, seat, number):
        """Monster rolls 3 dice, player however many; both reroll if tied."""
        self.fought.append([seat, number])
        player = self.players[seat]
        shares = player["at"] == self.monsters[number - 1]
        lead = -1
        if player["dice"]:
            for _ in count():
                beast = sum(self.die() for _ in range(3))
                lead = sum(self.die() for _ in range(player["dice"])) - beast
                if lead:
                    break
        if lead > 0:
            self.beat_monster(seat, shares)
        else:
            self.fall_to_monster(seat, number)

    def beat_monster(self, seat, shares):
        """Get a trinket; max 2 in circulation."""
        if sum(self.players[other]["trinkets"] for other in self.seats_in()) < 2:
            self.players[seat]["trinkets"] += 1
            if self.look_for_winner():
                return
        self.phase, self.pending = "fight", None
        if shares:
            self.phase = "go"
            self.pending = {"chooser": seat, "piece": seat, "part": "monsters", "monster": None}

    def fall_to_monster(self, seat, number):
        """Lose a die, or go back to the middle; lose a trinket; choose where to go."""
        player = self.players[seat]
        self.phase, self.pending = "rampage", {"monster": number}
        if player["dice"]:
            self.lose_die(seat)
            self.phase = "go"
            self.pending = {"chooser": seat, "piece": seat, "part": "monsters", "monster": number}
        else:
            player["at"] = self.homes[seat]
        player["trinkets"] = max(0, player["trinkets"] - 1)

    def list_go(self):
        piece = self.pending["piece"]
        taken = [self.at(seat) for seat in self.seats_in()] + self.monsters
        near = [space for space in self.beside(self.at(piece)) if space not in taken]
        return [f"go {s}" for s in near if self.walls.get(s, piece) == piece]

    def do_go(self, space):
        self.players[self.pending["piece"]]["at"] = space
        if not self.look_for_winner():
            self.behind()

    def behind(self):
        """What comes after a step away, or instead of it."""
        if self.phase == "strip" or self.pending["part"] == "players":
            self.phase, self.pending = "challenge", None
        elif self.pending["monster"] is None:
            self.phase, self.pending = "fight", None
        else:
            self.phase, self.pending = "rampage", {"monster": self.pending["monster"]}

    def list_rampage(self):
        """Monster may attack another player if adjacent."""
        number = self.pending["monster"]
        den = self.monsters[number - 1]
        near = [den, *self.beside(den)]
        return ["done"] + [
            f"attack {COLOURS[seat]}"
            for seat in self.seats_in()
            if self.at(seat) in near and [seat, number] not in self.fought
        ]

    def do_attack(self, colour):
        self.meet_monster(COLOURS.index(colour), self.pending["monster"])

    # --- against players --------------------------------------------------------------------

    def list_challenge(self):
        near = self.beside(self.at(self.turn))
        return ["done"] + [
            f"fight {COLOURS[seat]}"
            for seat in self.seats_in()[1:]
            if self.at(seat) in near and [self.turn, seat] not in self.fought
        ]

    def meet_player(self, other):
        """The winner steals a trinket, and takes a die roll's amount of walls."""
        self.fought.append([self.turn, other])
        mine, theirs = (self.players[seat]["dice"] for seat in (self.turn, other))
        lead = mine - theirs
        while mine and theirs:
            own = sum(self.die() for _ in range(mine))
            lead = own - sum(self.die() for _ in range(theirs))
            if lead:
                break
        if not lead:
            self.part(other, self.turn)
            return
        winner, loser = (self.turn, other) if lead > 0 else (other, self.turn)
        if self.players[loser]["dice"]:
            self.lose_die(loser)
        else:
            self.players[loser]["at"] = self.homes[loser]
        if self.players[loser]["trinkets"]:
            self.players[loser]["trinkets"] -= 1
            self.players[winner]["trinkets"] += 1
            if self.look_for_winner():
                return
        if loser in self.walls.values():
            self.phase = "strip"
            self.pending = {"winner": winner, "loser": loser, "count": self.die()}
        else:
            self.part(other, winner)

    def list_strip(self):
        return [
            " ".join(["strip", *some])
            for some in combinations(self.losers_walls(), self.pending["count"])
        ]

    def losers_walls(self):
        loser = self.pending["loser"]
        return self.in_order(space for space in self.walls if self.walls[space] == loser)

    def do_strip(self, *spaces):
        for space in spaces:
            del self.walls[space]
        winner, loser = self.pending["winner"], self.pending["loser"]
        self.part(loser if winner == self.turn else winner, winner)

    def part(self, other, chooser):
        """Whoever moved must move away; the winner decides where to."""
        self.phase, self.pending = "challenge", None
        if self.at(self.turn) == self.at(other):
            self.phase = "go"
            piece = {"chooser": chooser, "piece": self.turn}
            self.pending = {**piece, "part": "players", "monster": None}

    # --- what follows -----------------------------------------------------------------------

    def go_on(self):
        """Whatever has one answer is answered."""
        while not self.ranks and self.phase != "move" and self.answer_alone():
            pass

    def answer_alone(self):
        if self.phase == "spend":
            if self.players[self.turn]["dice"]:
                return False
            self.phase = "fight"
        elif self.phase == "walls":
            if self.wall_sites():
                return False
            self.do_walls()
        elif self.phase == "go":
            return self.step_alone()
        elif self.phase == "strip":
            walls = self.losers_walls()
            if self.pending["count"] < len(walls):
                return False
            self.do_strip(*walls)
        else:
            return self.meet_alone()
        return True

    def step_alone(self):
        together = [
            seat
            for seat in self.seats_in()[1:]
            if [self.turn, seat] in self.fought and self.at(seat) == self.at(self.turn)
        ]
        ways = self.list_go()
        if self.pending["part"] == "players" and not together:
            self.behind()
        elif len(ways) > 1:
            return False
        elif ways:
            self.do_go(ways[0].split()[1])
        else:
            self.behind()
        return True

    def meet_alone(self):
        """Whoever shares a space must fight."""
        if self.phase == "fight":
            for seat in self.seats_in():
                for number, space in enumerate(self.monsters, 1):
                    if space == self.at(seat) and [seat, number] not in self.fought:
                        self.meet_monster(seat, number)
                        return True
        if self.phase == "challenge":
            for seat in self.seats_in()[1:]:
                if self.at(seat) == self.at(self.turn) and [self.turn, seat] not in self.fought:
                    self.meet_player(seat)
                    return True
        if len(self.moves(self.actors()[0])) > 1:
            return False
        self.do_done()
        return True

    def do_done(self):
        if self.phase == "challenge":
            self.pass_on()
        elif self.phase == "fight":
            self.phase, self.fought = "challenge", []
        else:
            self.phase, self.pending = "fight", None

    def pass_on(self):
        seat = self.turn
        while True:
            seat = (seat + 1) % self.n
            self.round += seat == 0
            if self.rounds and self.round > self.rounds:
                self.round = self.rounds
                self.tie()
                return
            if self.players[seat]:
                self.start_turn(seat)
                return

    def start_turn(self, seat):
        self.turn, self.phase, self.pending, self.fought = seat, "move", None, []
        self.roll = sorted([self.die(), self.die(), self.die()])

    def look_for_winner(self):
        """First player to get back to the middle with the trinket and 3 dice wins."""
        for seat in self.seats_in():
            player = self.players[seat]
            if player["at"] in INNER and player["trinkets"] and player["dice"] == 3:
                self.finish(self.rank([seat]))
                return True
        return False

    def tie(self):
        self.finish(self.rank(self.seats_in()))

    def rank(self, best):
        ranks = [1 if seat in best else len(best) + 1 for seat in range(self.n)]
        for place, seat in enumerate(self.dropped):
            ranks[seat] = self.n - place
        return ranks

    def finish(self, ranks):
        self.ranks, self.phase = ranks, "over"
        self.roll, self.pending, self.fought = None, None, []
