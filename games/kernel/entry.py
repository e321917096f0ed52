"""Move entry as a tree of words: a typed text follows the tree, and the words after it are offered.

A word leads to the words after it. So a game writes down once which words follow which, with their
labels and marks, and :func:`follow` completes every beginning of a move.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import KW_ONLY, dataclass
from itertools import chain
from typing import NamedTuple, TypeAlias

from games.kernel.completion import folded, rest_of
from games.kernel.options import Choice, FieldGroup, NumberField, Options, Span
from games.kernel.views import View


@dataclass(frozen=True, slots=True)
class Word:
    """A word that may come next; a blank at its end separates it from the next word.

    ``more`` gets what is typed behind the word, and returns the words after it: those at least
    that go on from there. The last word of a move has none, and its ``forecast`` says what is known
    of the outcome. ``prompt`` asks for the next word; without one, the question before it stays.
    ``show`` returns what the board shows once the word is typed. ``forms`` may be filled in instead
    of the next words. A word that is not ``is_offered`` may be typed all the same.
    """

    text: str
    label: str = ""
    marks: tuple[str, ...] = ()
    more: "Callable[[str], Words] | None" = None
    prompt: str = ""
    _: KW_ONLY
    show: Callable[[], View] | None = None
    forms: tuple[FieldGroup, ...] = ()
    forecast: str = ""
    is_offered: bool = True


Words: TypeAlias = Iterable[Word | Span]
"""Words that may come next; a span offers numbers, and the words that they are follow unoffered."""


def follow(words: Words, typed: str, prompt: str, *, is_complete: bool) -> Options:
    """Return how a text may go on, by the words with which a move may begin.

    ``prompt`` asks for the first word. ``is_complete`` says that the text is a legal move. Blanks
    and case do not matter, but for a blank between digits. A text that can be read in several ways
    goes on in each. A whole number is not made longer where it leads anywhere as it is.
    """
    start = Word("", prompt=prompt)
    readings = list(_read((start,), words, folded(typed), has_blank=typed[-1:].isspace()))
    likely = next((r for r in readings if r.offers or (is_complete and r.final)), readings[-1])
    offers = tuple(chain.from_iterable(reading.offers for reading in readings))
    if typed[-1:].isdigit():
        others = tuple(offer for offer in offers if not _begins_with_digit(offer))
        offers = others if others or is_complete else offers
    last = likely.final or likely.path[-1]
    return Options(
        is_complete,
        offers,
        likely.prompt if offers else "",
        last.show() if last.show else None,
        forms=tuple(chain.from_iterable(reading.forms for reading in readings)),
        forecast=last.forecast if is_complete else "",
    )


class _Reading(NamedTuple):
    """One way to read a text: whole words, and how it goes on after them."""

    path: tuple[Word, ...]
    offers: tuple[Choice | Span, ...]
    final: Word | None
    """The word with which the text ends."""

    @property
    def prompt(self) -> str:
        """The last question of the words."""
        return next((word.prompt for word in reversed(self.path) if word.prompt), "")

    @property
    def forms(self) -> Iterator[FieldGroup]:
        """The forms that may be filled in instead of the words that are offered."""
        if self.offers:
            yield from self.path[-1].forms
        yield from ((NumberField(span),) for span in self.offers if isinstance(span, Span))


def _read(
    path: tuple[Word, ...], words: Words, typed: str, *, has_blank: bool
) -> Iterator[_Reading]:
    """Yield all ways to read a folded text that begins with ``words``, the longest words first."""
    offers: list[Choice | Span] = []
    final = None if typed else path[-1]
    for word in words:
        if isinstance(word, Span):
            offers += [] if typed else [word]
        elif typed and word.more and typed.startswith(folded(word.text)):
            rest = typed[len(folded(word.text)) :].lstrip()
            yield from _read((*path, word), word.more(rest), rest, has_blank=has_blank)
        else:
            final = word if typed and typed == folded(word.text) else final
            offers += _offers(path[-1], word, typed, has_blank=has_blank)
    yield _Reading(path, tuple(offers), final)


def _offers(last: Word, word: Word, typed: str, *, has_blank: bool) -> Iterator[Choice]:
    """Yield what makes a word of what is typed of it behind the last whole word."""
    if not typed and not word.is_offered:
        return
    is_apart = has_blank or typed or not last.text.endswith(" ")
    rest = rest_of(word.text, typed, typed + " " * has_blank)
    if rest:
        yield Choice(rest if is_apart else f" {rest}", word.label, word.marks)


def _begins_with_digit(offer: Choice | Span) -> bool:
    return isinstance(offer, Choice) and offer.text[0].isdigit()
