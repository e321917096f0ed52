"""A step being carried out. After the last one of a turn all pieces age."""

from games.kernel import transition as kernel
from games.kernel.contract import Ended, TurnEnded
from games.titles.grim_reaper import squares
from games.titles.grim_reaper.events import Aged
from games.titles.grim_reaper.squares import Square, Squares
from games.titles.grim_reaper.state import AGED, LAST_STEP, Piece, Sex, State, winner


class Transition(kernel.Transition[State]):
    def add(self, square: Square, piece: Piece) -> None:
        state = self.state
        sides = list(state.sides)
        added = squares.bit(square)
        sides[piece.seat] |= added
        self.change(
            sides=tuple(sides),
            females=state.females | added if piece.sex is Sex.FEMALE else state.females,
            lives=state.lives[:square] + bytes([piece.life]) + state.lives[square + 1 :],
        )

    def remove(self, gone: Squares) -> None:
        lives = bytearray(self.state.lives)
        for square in squares.each(gone):
            lives[square] = 0
        red, blue = self.state.sides
        self.change(
            sides=(red & ~gone, blue & ~gone),
            females=self.state.females & ~gone,
            lives=bytes(lives),
        )

    def end_step(self) -> None:
        """End the step of the mover. After the last one of a turn all pieces age."""
        self.emit(TurnEnded(self.state.mover))
        if self.state.step < LAST_STEP:
            self.change(step=self.state.step + 1)
        else:
            self._age()

    def _age(self) -> None:
        """Begin the next turn: all pieces age, some die, and a seat may win."""
        state = self.state
        dying = self.state.dying
        dead = {str(square): str(state.piece(square)) for square in squares.each(dying)}
        self.emit(Aged(turn=state.turn_number, dead=dead))
        self.remove(dying)
        lives = self.state.lives.translate(AGED)
        self.change(lives=lives, turn_number=state.turn_number + 1, step=0, born=0, rip=dying)
        if decided := winner(self.state):
            ending, ranks = decided
            self.change(ranks=ranks)
            self.emit(Ended(ending=ending, ranks=ranks))
