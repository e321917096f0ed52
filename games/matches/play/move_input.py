"""Move entry: what a seat has typed so far, how it may continue, and its effects.

Pages and the API enter moves through here: pages by words chosen one at a time or by a whole text,
the API by texts.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import islice, pairwise
from typing import Any

from games.kernel.completion import folded
from games.kernel.contract import Seat
from games.kernel.errors import MalformedMove, NotYourTurn, RulesError
from games.kernel.language import gettext as _
from games.kernel.options import Choice, FieldGroup, Options, Requirement, Span
from games.kernel.options import fill as fill_group
from games.kernel.random_move import random_move
from games.kernel.views import View
from games.matches.errors import TOO_EARLY, Refused
from games.matches.preview import Preview, preview
from games.matches.table import Table

MAX_MOVE_LENGTH = 1000
"""Maximum length of the text of a move, in characters."""

MAX_SHOWN_WORDS = 8
"""Maximum number of words of a move shown on the board. The latest count."""

NOTHING = Options(complete=False, next=())

MAX_MOVES = 20
"""Maximum number of moves in a submission."""


@dataclass(frozen=True)
class EntryStage:
    """Move entry after some ``words``, with the options at that time."""

    words: tuple[str, ...]
    options: Options


@dataclass(frozen=True)
class MoveInput:
    """A submission being entered: whole ``moves``, then the ``words`` of one more.

    ``offered`` is what may follow ``stem``: the next word, or, if the move is ``final``,
    replacements of its last word. ``prompt`` asks for it. ``forms`` are groups of fields for
    several words at once. ``preview`` is that of the whole move, ``None`` while it is unfinished.
    ``goes_on`` says that another move of the same seat may follow it. ``standing`` is the view
    before the words, ``stages`` are the stages before each of the latest words, and ``view`` is the
    position as an unfinished move would leave it, ``None`` if it isn't shown. ``reached`` is
    the same, but also for a whole move. ``requirements`` are what the turn asks for. ``forecast``
    says what is known of the outcome of a whole move. ``phrases`` are the whole ``moves`` in words.
    ``mark_prompt`` asks which of the choices that share a mark is meant. ``follow`` returns the
    options after a text.
    """

    moves: tuple[str, ...]
    words: tuple[str, ...]
    stem: tuple[str, ...]
    offered: tuple[Choice | Span, ...]
    prompt: str
    standing: View
    stages: tuple[EntryStage, ...]
    follow: Callable[[str], Options]
    forms: tuple[FieldGroup, ...] = ()
    final: bool = False
    preview: Preview | None = None
    goes_on: bool = False
    view: View | None = None
    reached: View | None = None
    requirements: tuple[Requirement, ...] = ()
    forecast: str = ""
    phrases: tuple[str, ...] = ()
    mark_prompt: str = ""

    @property
    def typed(self) -> str:
        """The words as one text."""
        return "".join(self.words)

    @property
    def texts(self) -> tuple[str, ...]:
        """All moves of the submission in canonical form, once it is whole."""
        return (*self.moves, self.preview.text) if self.preview else self.moves

    @property
    def notation(self) -> str:
        """All moves of the submission as they are written."""
        return ", ".join(self.texts)

    @property
    def said(self) -> str:
        """:attr:`texts` in words: ``Place a stone on c4, then end your turn``."""
        last = (self.preview.phrase,) if self.preview else ()
        first, *others = (*self.phrases, *last) or ("",)
        # Phrases begin with a verb, which is small inside a sentence in all languages.
        return in_order([first, *(text[:1].lower() + text[1:] for text in others)])

    @property
    def chosen(self) -> tuple[str, ...]:
        """The marks of the board for the words of a move. Empty if a preview shows it.

        If ``view`` shows the words as done, or the outcome of a whole move isn't known, only the
        marks of the last word.
        """
        if self.preview and self.preview.state is not None:
            return ()
        stages = self.stages[-1:] if self.view or self.preview else self.stages
        pairs = zip(stages, self.words[-len(stages) :], strict=False)
        return tuple(mark for stage, word in pairs for mark in _marks(stage.options, word))

    @property
    def earlier(self) -> Iterator[EntryStage]:
        """The stages to which the player may go back to choose another word, the latest first.

        Empty after a whole move, where a click adds a move. None before the last change of the
        view, where the marks of the board meant something else.
        """
        if self.preview and not self.final:
            return
        for stage in reversed(self.stages):
            if stage.options.complete or not self._same(stage.options.view, self.view):
                return
            if len(stage.words) < len(self.stem):
                yield stage

    @cached_property
    def without(self) -> Mapping[str, tuple[str, ...]]:
        """By mark that a word stands for the words that stay if a click takes that word back.

        A word that names the mark, or that has changed the position by itself, can go if it is the
        last one, or if those after it make sense without it. The last word of a whole move can go
        by any mark.
        """
        kept = {}
        for stage in self.stages:
            for mark in _marks(stage.options, self.words[len(stage.words)]):
                words = self._without(len(stage.words), mark)
                if words is not None:
                    kept[mark] = words
        return kept

    def _without(self, at: int, mark: str) -> tuple[str, ...] | None:
        """Return the words without one; what it says before its mark is said of the next word.

        Without b2, ``walls a1 b2 c3`` becomes ``walls a1 c3``, and without a1 ``walls b2 c3``.
        """
        before, word, after = self.words[:at], self.words[at], self.words[at + 1 :]
        start, named, _rest = word.rpartition(mark)
        may_go = named or self._has_changed(at)
        if not after:
            return self.before_last_step if may_go or self.final else None
        if not may_go:
            return None
        words = (*before, start + after[0].lstrip(), *after[1:]) if named else (*before, *after)
        try:
            left = self.follow("".join(words))
        except RulesError:
            return None
        return words if left.complete or left.next else None

    def _has_changed(self, at: int) -> bool:
        """Whether a word has changed the position by itself, as a turn of a fan does."""
        views = {len(stage.words): stage.options.view for stage in self.stages}
        views[len(self.words)] = self.reached
        return not self._same(views[at], views[at + 1])

    @property
    def before_last_step(self) -> tuple[str, ...]:
        """The words before the last step.

        A step is the last word and, if that has changed the position, the words before it that only
        selected what to change, such as a piece.
        """
        views = {len(stage.words): stage.options.view for stage in self.stages}
        kept = len(self.words) - 1
        if self.reached is None or self._same(self.reached, views.get(kept)):
            return self.words[:kept]
        while kept - 1 in views and self._same(views[kept], views[kept - 1]):
            kept -= 1
        return self.words[:kept]

    def _same(self, one: View | None, other: View | None) -> bool:
        """Whether the views of two stages show the same position. ``None`` is that before them.

        Only the fields of the title's own view count, not those that only the drawing uses.
        """
        one = one or self.standing
        other = other or self.standing
        names = self.standing.__struct_fields__
        return all(getattr(one, name) == getattr(other, name) for name in names)


def in_order(moves: Sequence[str]) -> str:
    """Return moves one after the other, as in ``c4, then e5``."""
    first, *others = moves
    for move in others:
        # Translators: two or more moves, one after the other.
        first = _("{moves}, then {next}").format(moves=first, next=move)
    return first


def enter(
    table: Table, seat: Seat, moves: Sequence[str] = (), words: Sequence[str] = ()
) -> MoveInput:
    """Return move entry after the whole ``moves`` and the ``words`` of one more.

    :raises RulesError: this can't be entered. The message says why.
    :raises Refused: one of ``moves`` has an outcome that isn't known in advance.
    """
    words, typed = tuple(words), "".join(words)
    check((*moves, typed))
    _check_blanks(words)
    played, state = _play_out(table, seat, moves)
    offered = _options(table, state, seat, typed)
    follow = partial(table.options, state, seat)
    stages = _stages(follow, words)
    standing = table.view(seat, state)
    texts = tuple(one.text for one in played)
    entered = MoveInput(texts, words, words, offered.next, offered.prompt, standing, stages, follow)
    entered = replace(entered, view=offered.view, reached=offered.view, forms=offered.forms)
    entered = replace(entered, requirements=offered.requirements, forecast=offered.forecast)
    phrases = tuple(one.phrase for one in played)
    entered = replace(entered, phrases=phrases, mark_prompt=offered.mark_prompt)
    if words and offered.complete:
        entered = _whole(entered, table, seat, state)
    return entered


def _whole(entered: MoveInput, table: Table, seat: Seat, state: Any) -> MoveInput:
    """Return move entry with the preview of its move, and replacements of a final word."""
    word = entered.words[-1]
    before = entered.stages[-1].options if entered.stages else NOTHING
    previewed = _as_typed(table, preview(table, seat, entered.typed, state), entered.view)
    goes_on = previewed.state is not None and seat in table.title.actors(previewed.state)
    entered = replace(entered, preview=previewed, goes_on=goes_on, view=None)
    if not _is_final(word, entered.offered, before.next):
        return entered
    return replace(
        entered, final=True, stem=entered.words[:-1], offered=before.next, forms=before.forms
    )


def _as_typed(table: Table, shown: Preview, view: View | None) -> Preview:
    """Return a preview that draws the view of move entry if the outcome isn't known."""
    if shown.state is not None or view is None:
        return shown
    return replace(shown, drawing=table.title.draw(view, ()))


def _stages(follow: Callable[[str], Options], words: tuple[str, ...]) -> tuple[EntryStage, ...]:
    """Return the stages before each of the latest words.

    Words before one that the title doesn't know as a beginning are left out.
    """
    stages: list[EntryStage] = []
    for count in range(max(0, len(words) - MAX_SHOWN_WORDS), len(words)):
        before = words[:count]
        try:
            stages.append(EntryStage(before, follow("".join(before))))
        except MalformedMove:
            stages.clear()
    return tuple(stages)


def _marks(offered: Options, word: str) -> tuple[str, ...]:
    """Return the marks of the choice with the text of a word. Empty without one."""
    named = (choice for choice in offered.next if isinstance(choice, Choice))
    same = (choice.marks for choice in named if folded(choice.text) == folded(word))
    return next(same, ())


def _is_final(
    word: str, following: Sequence[Choice | Span], alternatives: Sequence[Choice | Span]
) -> bool:
    """Whether nothing can follow a word except the rest of longer words among its alternatives.

    ``c1`` is final on a board that has ``c10``, although ``0`` could follow it.
    """
    longer = {folded(choice.text) for choice in alternatives if isinstance(choice, Choice)}
    rest = (choice.text if isinstance(choice, Choice) else None for choice in following)
    return all(text is not None and folded(word + text) in longer for text in rest)


def fill(entered: MoveInput, index: int, values: Sequence[str]) -> str:
    """Return the values of a form of move entry as one word.

    :raises MalformedMove: there is no such form, or the values are invalid.
    """
    if not 0 <= index < len(entered.forms):
        raise MalformedMove(_("No number is asked for here."))
    return fill_group(entered.forms[index], values)


def options(table: Table, seat: Seat, typed: str) -> Options:
    """Return how the typed words of a seat may continue.

    :raises NotYourTurn: the seat isn't to move.
    :raises RulesError: no move begins like this, or the rules forbid it here.
    """
    check((typed,))
    _check_turn(table, seat)
    return _options(table, table.state, seat, typed)


def all_moves(
    table: Table, seat: Seat, moves: Sequence[str] = (), *, most: int
) -> tuple[list[str], bool]:
    """Return the texts of all moves that may follow others, and whether the list was cut.

    A list that was cut still has the moves of a single word, such as a pass.

    :raises RulesError: the moves before them can't be entered.
    :raises Refused: one of those has an outcome that isn't known in advance.
    """
    state = _play_out(table, seat, moves)[1]
    texts = list(map(str, islice(table.title.moves(state, seat), most + 1)))
    if len(texts) <= most:
        return texts, False
    follow = partial(table.options, state, seat)
    unmarked = (o for o in follow("").next if isinstance(o, Choice) and not o.marks)
    words = [choice.text for choice in unmarked if follow(choice.text).complete]
    return [*texts[: most - len(words)], *words], True


def explain(table: Table, seat: Seat, moves: Sequence[str], words: Sequence[str], mark: str) -> str:
    """Say in a sentence why a mark of the board leads nowhere after the typed words.

    The mark would follow a word, or replace a final one.

    :raises RulesError: the typed words can't be entered, or the seat isn't to move.
    :raises Refused: one of ``moves`` has an outcome that isn't known in advance.
    """
    entered = enter(table, seat, moves, words)
    state = _play_out(table, seat, moves)[1]
    return table.title.explain(state, seat, "".join(entered.stem), mark)


def draw_move(table: Table, seat: Seat, seed: str) -> str:
    """Return a random legal move, determined by the seed, the match and its version.

    :raises NotYourTurn: the seat isn't to move.
    """
    _check_turn(table, seat)
    mixed = f"{seed}:{table.match.pk}:{table.match.version}"
    return random_move(table.title, table.state, seat, mixed)


def check(texts: Sequence[str]) -> None:
    """Check the number and the length of the texts of a submission.

    :raises MalformedMove: there are more than ``MAX_MOVES``, or one has more than
        ``MAX_MOVE_LENGTH`` characters.
    """
    if len(texts) > MAX_MOVES:
        raise MalformedMove(
            _("More than {most} moves cannot be sent at once.").format(most=MAX_MOVES)
        )
    if any(len(text) > MAX_MOVE_LENGTH for text in texts):
        raise MalformedMove(
            _("A move is not longer than {most} characters.").format(most=MAX_MOVE_LENGTH)
        )


def _check_blanks(words: Sequence[str]) -> None:
    """Check that each word adds something to those before it, since completing each costs as much.

    :raises MalformedMove: one is a blank where nothing can end.
    """
    if any(word.isspace() and before[-1:].isspace() for before, word in pairwise((" ", *words))):
        raise MalformedMove(_("One of the words is blank."))


def _check_turn(table: Table, seat: Seat) -> None:
    if seat not in table.actors:
        raise NotYourTurn(_("It is not your turn."))


def _play_out(table: Table, seat: Seat, moves: Sequence[str]) -> tuple[list[Preview], Any]:
    """Return the previews of moves and the position that they lead to."""
    _check_turn(table, seat)
    played = []
    state = table.state
    for text in moves:
        previewed = preview(table, seat, text, state)
        if previewed.state is None:
            raise Refused(_(TOO_EARLY))
        played.append(previewed)
        state = previewed.state
    return played, state


def _options(table: Table, state: Any, seat: Seat, typed: str) -> Options:
    """Return how a text may continue.

    A text that the title doesn't know as a beginning may still be a move in another spelling.

    :raises RulesError: it isn't, or the rules forbid it here.
    """
    try:
        offered = table.options(state, seat, typed)
    except MalformedMove:
        offered = Options(complete=False, next=())
    if offered.complete or offered.next:
        return offered
    preview(table, seat, typed, state)
    return Options(complete=True, next=())
