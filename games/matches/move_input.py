"""Move entry: what a seat has typed so far, how it may go on, and what it would do.

Every door enters moves through here: the page by words chosen one at a time or a text typed
whole, the programming interface by texts.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import Any

from games.kernel.completion import folded
from games.kernel.contract import Seat
from games.kernel.errors import MalformedMove, NotYourTurn
from games.kernel.options import Choice, FieldGroup, Options, Requirement, Span
from games.kernel.options import fill as fill_group
from games.kernel.views import View
from games.matches.errors import TOO_EARLY, Refused
from games.matches.presentation import Preview, preview
from games.matches.selectors import MatchSnapshot

LONGEST = 1000
"""The longest text of a move, in characters."""

DEEPEST = 8
"""So many words of a move are looked for on the board."""

LISTED = 1000
"""The most moves of a list of all."""

NOTHING = Options(complete=False, next=())

MOST = 20
"""The most moves of one submission."""


@dataclass(frozen=True)
class Stage:
    """A point on the way to a move: the ``words`` that led to it, and how they could go on."""

    words: tuple[str, ...]
    options: Options


@dataclass(frozen=True)
class MoveInput:
    """A submission being entered: whole ``moves``, then the ``words`` of one more.

    ``offered`` is what may follow ``stem``: the next word, or, where the move is ``final``,
    what may stand in place of its last word; ``forms`` ask for several words at once.
    ``preview`` shows the move once it is whole; ``goes_on`` says that another move of the
    same seat may follow it. ``standing`` is the position before the words, ``stages`` are those by
    which the words were chosen, ``view`` the position as an unfinished move would leave it, where
    the title shows one; ``requirements`` are what the turn asks for.
    """

    moves: tuple[str, ...]
    words: tuple[str, ...]
    stem: tuple[str, ...]
    offered: tuple[Choice | Span, ...]
    prompt: str
    standing: View
    stages: tuple[Stage, ...]
    forms: tuple[FieldGroup, ...] = ()
    final: bool = False
    preview: Preview | None = None
    goes_on: bool = False
    view: View | None = None
    requirements: tuple[Requirement, ...] = ()

    @property
    def typed(self) -> str:
        """The words as one text."""
        return "".join(self.words)

    @property
    def texts(self) -> tuple[str, ...]:
        """All moves of the submission in canonical form, once it is whole."""
        return (*self.moves, self.preview.text) if self.preview else self.moves

    @property
    def chosen(self) -> tuple[str, ...]:
        """The marks of the board that the words of an unfinished move stand for.

        Where the board shows the words done, the last one alone.
        """
        if self.preview:
            return ()
        stages = self.stages[-1:] if self.view else self.stages
        pairs = zip(stages, self.words[-len(stages) :], strict=False)
        return tuple(mark for stage, word in pairs for mark in _marks(stage.options, word))

    @property
    def earlier(self) -> Iterator[Stage]:
        """The stages to which one may go back for another word, the latest first.

        Behind a whole move there are none: what follows it adds to it. Nor are there any before
        the position has changed: what the board shows now is where the move goes on.
        """
        if self.preview and not self.final:
            return
        for stage in reversed(self.stages):
            if stage.options.complete or not self._is_shown_by(stage.options.view):
                return
            if len(stage.words) < len(self.stem):
                yield stage

    def _is_shown_by(self, view: View | None) -> bool:
        """Whether the view of an earlier stage shows the same position, whatever is aimed at."""
        now = self.standing if self.view is None else self.view
        then = self.standing if view is None else view
        names = self.standing.__struct_fields__
        return all(getattr(now, name) == getattr(then, name) for name in names)


def enter(
    snapshot: MatchSnapshot, seat: Seat, moves: Sequence[str] = (), words: Sequence[str] = ()
) -> MoveInput:
    """Return move entry once ``words`` have followed the whole ``moves``.

    :raises RulesError: nothing like this can be entered; the sentence says why.
    :raises Refused: a move would follow one whose outcome nobody knows yet.
    """
    words, typed = tuple(words), "".join(words)
    check((*moves, typed))
    settled, state = _settle(snapshot, seat, moves)
    found = _options(snapshot, state, seat, typed)
    give = partial(snapshot.title.options, state, seat)
    stages = _stages(give, words)
    standing = snapshot.title.rules.view(state, seat)
    entered = MoveInput(settled, words, words, found.next, found.prompt, standing, stages)
    entered = replace(entered, view=found.view, requirements=found.requirements, forms=found.forms)
    if words and found.complete:
        entered = _whole(entered, snapshot, seat, state)
    return entered


def _whole(entered: MoveInput, snapshot: MatchSnapshot, seat: Seat, state: Any) -> MoveInput:
    """Return entry with the preview of its move, and what may stand in place of a final word."""
    word = entered.words[-1]
    before = entered.stages[-1].options if entered.stages else NOTHING
    shown = _as_typed(snapshot, preview(snapshot, seat, entered.typed, state), entered.view)
    goes_on = shown.state is not None and seat in snapshot.title.rules.actors(shown.state)
    entered = replace(entered, preview=shown, goes_on=goes_on, view=None)
    if not _is_final(word, entered.offered, before.next):
        return entered
    return replace(
        entered, final=True, stem=entered.words[:-1], offered=before.next, forms=before.forms
    )


def _as_typed(snapshot: MatchSnapshot, shown: Preview, view: View | None) -> Preview:
    """Return a preview that, where nobody knows what comes of the move, draws what is known."""
    if shown.state is not None or view is None:
        return shown
    return replace(shown, drawing=snapshot.title.draw(view, ()))


def _stages(give: Callable[[str], Options], words: tuple[str, ...]) -> tuple[Stage, ...]:
    """Return the stages before each of the latest words, those chosen one at a time."""
    found: list[Stage] = []
    for count in range(max(0, len(words) - DEEPEST), len(words)):
        before = words[:count]
        try:
            found.append(Stage(before, give("".join(before))))
        except MalformedMove:
            found.clear()
    return tuple(found)


def _marks(offered: Options, word: str) -> tuple[str, ...]:
    """Return the marks of the choice that is a word."""
    named = (choice for choice in offered.next if isinstance(choice, Choice))
    same = (choice.marks for choice in named if folded(choice.text) == folded(word))
    return next(same, ())


def _is_final(
    word: str, following: Sequence[Choice | Span], beside: Sequence[Choice | Span]
) -> bool:
    """Whether nothing follows a word but the rest of longer words that stand beside it.

    ``c1`` is final on a board that has ``c10``, although ``0`` could follow it.
    """
    longer = {folded(choice.text) for choice in beside if isinstance(choice, Choice)}
    rest = (choice.text if isinstance(choice, Choice) else None for choice in following)
    return all(text is not None and folded(word + text) in longer for text in rest)


def fill(entered: MoveInput, index: int, values: Sequence[str]) -> str:
    """Return as one word what was filled into one of the forms of move entry.

    :raises MalformedMove: there is no such form, or it cannot hold the values.
    """
    if not 0 <= index < len(entered.forms):
        raise MalformedMove("No number is asked for here.")
    return fill_group(entered.forms[index], values)


def options(snapshot: MatchSnapshot, seat: Seat, typed: str) -> Options:
    """Return how the words that a seat has typed may go on.

    :raises NotYourTurn: the seat is not to move.
    :raises RulesError: no move begins like this, or the rules forbid it here.
    """
    check((typed,))
    _check_turn(snapshot, seat)
    return _options(snapshot, snapshot.state, seat, typed)


def all_moves(
    snapshot: MatchSnapshot, seat: Seat, moves: Sequence[str] = ()
) -> tuple[list[str], bool]:
    """Return the texts of all moves that may follow others, and whether the list was cut.

    A cut list still has what is a move in a word, such as a pass.

    :raises RulesError: the moves before them cannot be entered.
    :raises Refused: nobody knows yet what comes of those.
    """
    _, state = _settle(snapshot, seat, moves)
    found = list(map(str, islice(snapshot.title.rules.moves(state, seat), LISTED + 1)))
    if len(found) <= LISTED:
        return found, False
    give = partial(snapshot.title.options, state, seat)
    unmarked = (o for o in give("").next if isinstance(o, Choice) and not o.marks)
    words = [choice.text for choice in unmarked if give(choice.text).complete]
    return [*found[: LISTED - len(words)], *words], True


def check(texts: Sequence[str]) -> None:
    """Check that a submission is no longer than any needs to be.

    :raises MalformedMove: it is.
    """
    if len(texts) > MOST:
        raise MalformedMove(f"More than {MOST} moves cannot be sent at once.")
    if any(len(text) > LONGEST for text in texts):
        raise MalformedMove(f"A move is not longer than {LONGEST} characters.")


def _check_turn(snapshot: MatchSnapshot, seat: Seat) -> None:
    if seat not in snapshot.actors:
        raise NotYourTurn("It is not your turn.")


def _settle(
    snapshot: MatchSnapshot, seat: Seat, moves: Sequence[str]
) -> tuple[tuple[str, ...], Any]:
    """Return moves in canonical form and the position that they lead to."""
    _check_turn(snapshot, seat)
    settled, state = [], snapshot.state
    for text in moves:
        shown = preview(snapshot, seat, text, state)
        if shown.state is None:
            raise Refused(TOO_EARLY)
        settled.append(shown.text)
        state = shown.state
    return tuple(settled), state


def _options(snapshot: MatchSnapshot, state: Any, seat: Seat, typed: str) -> Options:
    """Return how a text may go on.

    What the title does not know as a beginning may still be a move in another spelling, or one
    of which the rules say why not.
    """
    try:
        found = snapshot.title.options(state, seat, typed)
    except MalformedMove:
        found = Options(complete=False, next=())
    if found.complete or found.next:
        return found
    preview(snapshot, seat, typed, state)
    return Options(complete=True, next=())
