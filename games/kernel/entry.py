"""Move entry as a tree of words: the typed text follows the tree, and the next words are offered.

A word leads to the words after it. So a game writes down once which words follow which, with their
labels and marks, and :func:`follow` completes every beginning of a move.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import KW_ONLY, dataclass
from itertools import chain
from typing import NamedTuple, TypeAlias

from games.kernel.completion import folded, rest_of, small
from games.kernel.options import Choice, FieldGroup, NumberField, Options, Span
from games.kernel.views import View


@dataclass(frozen=True, slots=True)
class Word:
    """A word that may come next. A blank at its end separates it from the next word.

    ``more`` gets the text typed after the word, and returns at least those next words that
    continue it. The last word of a move has none, and its ``forecast`` says what is known of the
    outcome. ``prompt`` asks for the next word; without one, the question before it stays. ``show``
    returns what the board shows once the word is typed. ``forms`` may be filled in instead of the
    next words. A word that isn't ``is_offered`` may still be typed. ``sign`` is that of its
    :class:`Choice`.
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
    sign: str = ""


Words: TypeAlias = Iterable[Word | Span]
"""Words that may come next. A span offers numbers, whose words then needn't be offered."""


def follow(words: Words, typed: str, prompt: str, *, is_complete: bool) -> Options:
    """Return how a text may continue, given the words with which a move may begin.

    ``prompt`` asks for the first word. ``is_complete`` says that the text is a legal move. Blanks
    and case are ignored, except for a blank between digits or after a word that ends with one. A
    text that can be read in several ways continues in each. A number at its end isn't made longer
    if it already leads anywhere, unless a blank can end it.
    """
    start = Word("", prompt=prompt)
    readings = list(_read((start,), words, folded(typed), has_blank=typed[-1:].isspace()))
    likely = next((r for r in readings if r.offers or (is_complete and r.final)), readings[-1])
    offers = _all_offers(readings, typed, is_complete=is_complete)
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
    """One way to read a text: whole words, and how it continues after them."""

    path: tuple[Word, ...]
    offers: tuple[Choice | Span, ...]
    final: Word | None

    @property
    def prompt(self) -> str:
        """The last question of the words."""
        return next((word.prompt for word in reversed(self.path) if word.prompt), "")

    @property
    def forms(self) -> Iterator[FieldGroup]:
        """The forms that may be filled in instead of the offered words."""
        if self.offers:
            yield from self.path[-1].forms
        yield from ((NumberField(span),) for span in self.offers if isinstance(span, Span))


def _read(
    path: tuple[Word, ...], words: Words, typed: str, *, has_blank: bool
) -> Iterator[_Reading]:
    """Yield all readings of a folded text that begins with ``words``, the longest words first."""
    offers: list[Choice | Span] = []
    final = None if typed else path[-1]
    for word in words:
        if isinstance(word, Span):
            if not typed:
                offers.append(word)
            continue
        if typed and small(word.text.lstrip()[:1]) != typed[0]:
            continue
        text = folded(word.text) if typed else word.text
        if typed == text:
            final = word
        if typed and word.more and typed.startswith(text):
            rest = typed[len(text) :].lstrip()
            yield from _read((*path, word), word.more(rest), rest, has_blank=has_blank)
        elif typed or word.is_offered:
            offers += _offers(path[-1], word, typed, has_blank=has_blank)
    is_ended = has_blank and final and final.text.endswith(" ")
    yield _Reading(path, () if typed and is_ended else tuple(offers), final)


def _offers(last: Word, word: Word, typed: str, *, has_blank: bool) -> Iterator[Choice]:
    """Yield the untyped rest of a word."""
    rest = rest_of(word.text, typed, typed + " " * has_blank)
    if rest:
        is_apart = has_blank or typed or not last.text.endswith(" ")
        yield Choice(rest if is_apart else f" {rest}", word.label, word.marks, word.sign)


def _all_offers(
    readings: Iterable[_Reading], typed: str, *, is_complete: bool
) -> tuple[Choice | Span, ...]:
    """Return what the readings offer, each text once. Numbers aren't made longer needlessly."""
    offers: dict[str | Span, Choice | Span] = {}
    for offer in chain.from_iterable(reading.offers for reading in readings):
        offers.setdefault(offer.text if isinstance(offer, Choice) else offer, offer)
    others = tuple(
        offer for offer in offers.values() if isinstance(offer, Span) or not offer.text[0].isdigit()
    )
    can_end = is_complete and " " in offers
    is_whole = typed[-1:].isdigit() and not can_end and (others or is_complete)
    return others if is_whole else tuple(offers.values())
