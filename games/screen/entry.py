"""Move entry on the page of a match: the input, and the address of each choice."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count, takewhile
from urllib.parse import quote_plus, urlencode

from django.http import QueryDict

from games.kernel import options
from games.kernel.contract import Seat
from games.kernel.language import gettext, ngettext
from games.kernel.options import Choice, ChoiceField, Field, Span
from games.matches.play import move_input
from games.matches.table import Table

MAX_OPEN_BUTTONS = 8
"""Maximum number of choices that are buttons at once. Further ones are collapsed."""

MAX_ANSWERS = 4
"""Maximum number of answers that are all buttons, including those that the board shows."""

MAX_BUTTONS = 40
"""Maximum number of choices that are buttons at all. Otherwise there is a list."""

MAX_LISTED_MOVES = 1000
"""Maximum number of moves in the list of all moves."""

ABBREVIATED = 2
"""Words of at most this many letters are abbreviations, such as those of directions."""

DIGITS = 3
"""Maximum number of digits of the index of a form."""


@dataclass(frozen=True)
class Typed:
    """The input of an unfinished move, from an address or a form.

    ``filled`` is the index of a form and its values, to follow the words, ``None`` if no form was
    sent. ``mark`` is a mark of the board that stands for several choices. ``kind`` is the first
    word of all choices to show. ``wants_all`` asks for the list of all moves, ``asked`` names an
    action to confirm, ``queue`` is the text of a queue and ``line`` that of a line of a plan.
    """

    moves: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    filled: tuple[int, tuple[str, ...]] | None = None
    mark: str = ""
    kind: str = ""
    wants_all: bool = False
    asked: str = ""
    queue: str = ""
    line: str = ""

    @classmethod
    def read(cls, query: QueryDict) -> "Typed":
        """Parse a query. A text in the field replaces all words."""
        whole = query.get("typed", "").strip()
        return cls(
            moves=tuple(query.getlist("move")),
            words=(whole,) if whole else tuple(filter(None, query.getlist("word"))),
            filled=_filled(query),
            mark=query.get("at", ""),
            kind=query.get("kind", ""),
            wants_all=query.get("list") == "all",
            asked=query.get("ask", ""),
            queue=query.get("queue", ""),
            line=query.get("line", ""),
        )

    @property
    def text(self) -> str:
        """The words as one text."""
        return "".join(self.words)


NOTHING_TYPED = Typed()


def _filled(query: QueryDict) -> tuple[int, tuple[str, ...]] | None:
    names = takewhile(query.__contains__, (f"blank-{number}" for number in count()))
    values = tuple(query.get(name, "") for name in names)
    row = query.get("row", "0")
    is_index = row.isdecimal() and len(row) <= DIGITS
    return (int(row) if is_index else -1, values) if values else None


def address(page: str, moves: Iterable[str], words: Iterable[str], **more: str) -> str:
    """Return the address of a match's page, given by its path, with an unfinished move."""
    entered = [("move", text) for text in moves] + [("word", word) for word in words]
    query = urlencode([*entered, *more.items()])
    return f"{page}?{query}" if query else page


@dataclass(frozen=True, slots=True)
class ChoiceGroup:
    """Choices that begin with the same word, behind one button."""

    label: str
    link: str
    is_chosen: bool = False


def _kind(choice: Choice) -> str:
    return choice.text.partition(" ")[0]


@dataclass(frozen=True)
class EntryPanel:
    """Move entry on the page at ``path``: links on the board, choices, forms for numbers."""

    table: Table
    entry: move_input.MoveInput
    seat: Seat
    path: str
    typed: Typed = NOTHING_TYPED

    @property
    def prompt(self) -> str:
        """The question for the next word, or which choice of a clicked mark is meant."""
        if self.typed.mark and len(self.choices) > 1 and self.entry.mark_prompt:
            return self.entry.mark_prompt.format(self.typed.mark)
        return self.entry.prompt

    # --- What may be chosen -----------------------------------------------------------------------

    @cached_property
    def choices(self) -> list[Choice]:
        """The choices of the list: all, or those of the clicked mark."""
        if self.all_moves:
            return [Choice(text, text) for text in self.all_moves]
        if self.typed.mark:
            return [choice for choice in self._of_kind if self.typed.mark in choice.marks]
        return [choice for choice in self._of_kind if choice not in self._in_forms]

    @cached_property
    def _offered(self) -> list[Choice]:
        return [option for option in self.entry.offered if isinstance(option, Choice)]

    @cached_property
    def _of_kind(self) -> list[Choice]:
        """The choices of the chosen kind. All if no kind is chosen."""
        kind = self.typed.kind
        return [choice for choice in self._offered if not kind or _kind(choice) == kind]

    @property
    def kinds(self) -> list[ChoiceGroup]:
        """The kinds of choices, by their verbs, if many choices are of few kinds."""
        by_kind: dict[str, list[Choice]] = {}
        for choice in self._offered:
            by_kind.setdefault(_kind(choice), []).append(choice)
        are_few = len(self._offered) > MAX_OPEN_BUTTONS and 1 < len(by_kind) <= MAX_OPEN_BUTTONS
        if not are_few or not all(map(str.isalpha, by_kind)):
            return []
        return [self._kind(*item) for item in by_kind.items()]

    def _kind(self, word: str, choices: Sequence[Choice]) -> ChoiceGroup:
        if len(choices) == 1:
            return ChoiceGroup(choices[0].label, self._to((*self.entry.stem, choices[0].text)))
        is_chosen = word == self.typed.kind
        link = self._to(self.entry.stem, **({} if is_chosen else {"kind": word}))
        label = word.upper() if len(word) <= ABBREVIATED else gettext(word.capitalize())
        return ChoiceGroup(label, link, is_chosen)

    @cached_property
    def chips(self) -> list[tuple[Choice, str]]:
        """The choices that need buttons, with their addresses. Empty if there are very many.

        These are the choices without a mark on the board, those of the clicked mark, a single
        remaining one, or the few answers of which one has a button.
        """
        before = self._before_a_word(self.entry.stem)
        needed = [choice for choice in self.choices if self._needs_button(choice)]
        if needed and not self.entry.words and len(self.choices) <= MAX_ANSWERS:
            needed = self.choices
        if len(needed) > MAX_BUTTONS:
            return []
        return [(choice, before + quote_plus(choice.text)) for choice in needed]

    def _needs_button(self, choice: Choice) -> bool:
        is_left = len(self.entry.offered) == 1 and not self.entry.final
        return is_left or bool(self.typed.mark) or not choice.marks

    @property
    def few(self) -> list[tuple[Choice, str]]:
        """The buttons that are always shown."""
        return self.chips[:MAX_OPEN_BUTTONS]

    @property
    def rest(self) -> list[tuple[Choice, str]]:
        """The buttons that are shown on demand."""
        return self.chips[MAX_OPEN_BUTTONS:]

    @property
    def forms(self) -> list[list[tuple[Field, str]]]:
        """The forms for several words at once: each field with its value."""
        filled = (
            zip(group, options.values(group, self.chosen), strict=True)
            for group in self.entry.forms
        )
        return list(map(list, filled))

    @property
    def _in_forms(self) -> set[Choice]:
        picks = (row[0] for row in self.entry.forms if isinstance(row[0], ChoiceField))
        return {choice for pick in picks for choice in pick.choices}

    @property
    def chosen(self) -> str:
        """The last word, if the list offers replacements. Otherwise empty."""
        return self.entry.words[-1] if len(self.entry.words) > len(self.entry.stem) else ""

    @cached_property
    def _listed(self) -> tuple[list[str], bool]:
        if self.entry.words or not self.typed.wants_all:
            return [], False
        return move_input.all_moves(self.table, self.seat, self.entry.moves, most=MAX_LISTED_MOVES)

    @property
    def all_moves(self) -> list[str]:
        """The texts of all moves, if the list was requested."""
        return self._listed[0]

    @property
    def has_more(self) -> bool:
        """Whether that list was cut."""
        return self._listed[1]

    @property
    def choices_counted(self) -> str:
        """The number of choices in the list, as its first line says it."""
        count = len(self.choices)
        if self.has_more:
            text = ngettext("the first {count} move", "the first {count} moves", count)
        elif self.all_moves:
            text = ngettext("{count} move", "{count} moves", count)
        else:
            text = ngettext("{count} choice", "{count} choices", count)
        return text.format(count=count)

    @property
    def listing(self) -> str:
        """The address of the list of all moves. Empty after a word, or for a single choice."""
        is_one = len(self.entry.offered) == 1
        return "" if self.entry.words or is_one else self._to((), list="all")

    # --- Addresses --------------------------------------------------------------------------------

    @cached_property
    def targets(self) -> dict[str, str]:
        """The address of a click on each mark of the board for a next word."""
        links = self._links(self.entry.stem, self._of_kind)
        gone = self.entry.without if self.entry.final else ()
        return {mark: link for mark, link in links.items() if mark not in gone}

    @property
    def marked(self) -> tuple[str, ...]:
        """The marks shown as chosen: those of the words, and the clicked one."""
        is_open = self.typed.mark in self.targets
        chosen = (*self.entry.chosen, *self._taken_back)
        return (*chosen, self.typed.mark) if is_open else chosen

    @property
    def signs(self) -> dict[str, str]:
        """The text of the dot on the first mark of each choice. "" for choices without a sign.

        If some choices have signs, the others get no dot.
        """
        signs = {one.marks[0]: one.sign for one in self._of_kind if one.marks}
        return {mark: sign for mark, sign in signs.items() if sign} or signs

    @cached_property
    def alternatives(self) -> dict[str, str]:
        """The address of a click on each mark that replaces an earlier word, or removes one."""
        links: dict[str, str] = {}
        for stage in self.entry.earlier:
            spoken = self.entry.words[len(stage.words)]
            links = self._links(stage.words, stage.options.next, spoken) | links
        links = self._taken_back | links
        return {mark: link for mark, link in links.items() if mark not in self.targets}

    @cached_property
    def _taken_back(self) -> dict[str, str]:
        """The address of a click on each mark that stands for a word, which it takes back."""
        kept = self.entry.without.items()
        return {mark: self._to(words) for mark, words in kept if mark not in self.targets}

    def _links(
        self, words: tuple[str, ...], offered: Iterable[Choice | Span], spoken: str = ""
    ) -> dict[str, str]:
        """Return the address of each mark after some words. ``spoken`` is removed by its mark."""
        by_mark: dict[str, list[str]] = {}
        for choice in offered:
            if isinstance(choice, Choice):
                for mark in choice.marks:
                    by_mark.setdefault(mark, []).append(choice.text)
        links = {}
        before = self._before_a_word(words)
        for mark, texts in by_mark.items():
            if texts == [spoken]:
                links[mark] = self._to(words)
            elif len(texts) == 1:
                links[mark] = before + quote_plus(texts[0])
            else:
                # The first click lists the choices of a mark, the next one closes the list.
                kind = {"kind": self.typed.kind} if self.typed.kind else {}
                listed = {} if mark == self.typed.mark else {"at": mark, **kind}
                links[mark] = self._to(words, **listed)
        return links

    def _before_a_word(self, words: Sequence[str]) -> str:
        return self._to((*words, ""))

    @property
    def undo(self) -> str:
        """The address without the last step or the last move. Empty if there is neither."""
        moves = self.entry.moves
        if self.entry.words:
            return self._to(self.entry.before_last_step)
        return self._to((), moves=moves[:-1]) if moves else ""

    @property
    def start_over(self) -> str:
        """The address without any input."""
        return self._to((), moves=())

    @property
    def onward(self) -> str:
        """The address that adds another move to the submission."""
        return self._to((), moves=self.entry.texts)

    @property
    def stepwise(self) -> str:
        """The address that enters moves word by word again."""
        return self._to(())

    def _to(self, spoken: Sequence[str], moves: Sequence[str] | None = None, **more: str) -> str:
        settled = self.entry.moves if moves is None else moves
        return address(self.path, settled, spoken, **more)
