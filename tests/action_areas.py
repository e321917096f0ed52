"""The action areas that golden matches and lessons reach, as HTML, without a database."""

import re
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Any

from django.utils import timezone, translation
from msgspec import structs

from games.kernel import playthrough, registry
from games.kernel.contract import AnyGame, Seat
from games.kernel.errors import GameError, IllegalMove
from games.kernel.options import Choice
from games.kernel.params import complete
from games.matches.models import ConditionalMoves
from games.matches.pauses import PlayerPause, Reason
from games.matches.play.offers import Offer
from games.matches.table import OVER, Participant
from games.matches.view.match_view import MatchView
from games.ratings.selectors import DisplayedRating, Effect, RatingDifference
from games.screen import match_parts, part_templates
from games.screen.entry import Typed
from games.screen.page import MatchPage
from games.screen.rematch import Rematch
from games.study.lessons import Lesson, attempt, lessons, seats_of
from games.study.tree import ROOT, Start, Tree
from games.web.study.lessons import LESSONS, LessonPage
from games.web.study.page import BoardPage
from tests.golden_pages import pages

REFUSAL = IllegalMove("The piece can’t reach this space. Choose another one, or another piece.")
HALTED = "Blue played something else than you had planned for."

Area = Callable[[], str]
"""Renders an action area."""

_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?")
_TEXT = re.compile(r">[^<]+")
_ELEMENT = re.compile(r'<(\w+(?: class="[^"]*")?)(?! type="hidden")')
_ADDRESS = re.compile(r'(?:href|value|id|for|action|aria-label|title)="[^"]*"')


class EndedPage(MatchPage):
    """A page of a rated match that has ended, and that asks no database."""

    rating_effect = Effect(
        is_known=True,
        changes=[
            (
                0,
                RatingDifference(
                    "ada",
                    DisplayedRating(1500, 350, True, "beginner"),
                    DisplayedRating(1592, 290, True, ""),
                ),
            ),
            (
                1,
                RatingDifference(
                    "bruno",
                    DisplayedRating(1500, 350, True, "beginner"),
                    DisplayedRating(1408, 290, True, ""),
                ),
            ),
        ],
    )
    rematch = Rematch(None, None, is_own=False, decliner=None)
    rematch_refusal = ""
    rematch_dice = None
    next_level = None


def of_match(slug: str, name: str) -> Iterator[Area]:
    """Yield the action areas of a golden match, for all its viewers."""
    title = registry.get(slug)
    golden = playthrough.playthroughs(registry.folder(slug))[name]
    for number, seen in enumerate(pages(slug, name)):
        step = golden.steps[number]
        for viewer, page in seen.items():
            yield from _with_company(page)
            if page.my_turn and step.kind == "play" and viewer == step.seat:
                for typed in _entered(title, page.view.table.state, viewer, step.text):
                    entered = replace(page, typed=typed)
                    yield from _with_company(entered)
                if entered.entered.panel.entry.goes_on:
                    yield from _with_company(replace(page, typed=Typed(moves=(step.text,))))
    for viewer in seen:
        if viewer is not None:
            yield partial(_area, "entry", _ended(seen[viewer]))


def of_lessons(slug: str) -> Iterator[Area]:
    """Yield the action areas of all lessons of a game: each move entered, and what it leads to."""
    title = registry.get(slug)
    for lesson in lessons(slug):
        for count, text in enumerate(lesson.solution):
            page = _lesson_page(title, lesson, lesson.solution[:count])
            yield partial(_area, "study_entry", page)
            yield partial(_area, "study_entry", replace(page, refusal=REFUSAL))
            for typed in _entered(title, page.tried.state, Seat(lesson.seat), text):
                yield partial(_area, "study_entry", replace(page, typed=typed))
        for texts in (lesson.solution, *_wrong(lesson)):
            with suppress(GameError):  # a mark that leads nowhere is answered at once
                yield partial(_area, "study_entry", _lesson_page(title, lesson, texts))


def distinct(areas: Iterable[Area]) -> list[str]:
    """Return one area of each structure: that with the longest texts."""
    return list(_longest(areas, lambda area: _ADDRESS.sub("", _TEXT.sub(">", area))).values())


def translated(areas: Callable[[], Iterable[Area]], codes: Iterable[str]) -> dict[str, list[str]]:
    """Return one area of each kind in some languages: that with the longest English texts.

    A kind is a set of elements, however many of each there are.
    """
    numbers = _longest(areas(), lambda area: frozenset(_ELEMENT.findall(area)))
    found = {}
    for code in codes:
        with translation.override(code):
            found[code] = [render() for at, render in enumerate(areas()) if at in numbers]
    return found


def _longest(areas: Iterable[Area], shape_of: Callable[[str], Hashable]) -> dict[int, str]:
    """Return one area of each shape, that with the longest texts, by its place."""
    longest: dict[Hashable, tuple[int, int, str]] = {}
    for number, render in enumerate(areas):
        area = render()
        shape = shape_of(area)
        length = sum(map(len, _TEXT.findall(area)))
        longest[shape] = max(longest.get(shape, (-1, 0, "")), (length, number, area))
    return {number: area for _, number, area in longest.values()}


def _with_company(page: MatchPage) -> Iterator[Area]:
    """Yield an area alone, and with all that may come along with it."""
    yield partial(_area, "entry", page)
    own = page.view.own
    if own is None:
        return
    if page.my_turn:
        yield partial(_area, "entry", replace(page, refusal=REFUSAL))
    other = next(player for player in page.view.players if player is not own)
    for player in (own, other):
        yield partial(_area, "entry", _with_players(page, player, agrees_to=Offer.TAKE_BACK))
    now = timezone.now()
    agreed = PlayerPause(Reason.AGREEMENT, now, now + timedelta(days=30))
    yield partial(_area, "entry", _with_players(page, own, pauses=[agreed.dump()]))
    for halted in (HALTED, "") if page.private else ():
        planned = replace(page)
        planned.private.__dict__["plan"] = ConditionalMoves(nodes=[], halted=halted)
        planned.private.__dict__["moves"] = ["c4 c5", "d4-d5"]
        planned.private.__dict__["next_move"] = "c4 c5"
        yield partial(_area, "entry", planned)
    if not page.my_turn:
        thinking = _with_players(page, *page.view.awaited, is_bot=True)
        yield partial(_area, "entry", replace(thinking, queue_is_long=True))
        guest = structs.replace(own.user, is_guest=True)
        yield partial(_area, "entry", _with_players(page, own, user=guest))


def _with_players(page: MatchPage, *changed: Participant, **fields: Any) -> MatchPage:
    """Return the page with other fields of some players."""
    table = page.view.table
    players = [structs.replace(one, **fields) if one in changed else one for one in table.players]
    return replace(page, view=replace(page.view, table=replace(table, players=players)))


def _ended(page: MatchPage) -> MatchPage:
    table = page.view.table
    match = structs.replace(
        table.match, status=OVER, ending="resigned", rated=True, ended=table.match.changed
    )
    players = [
        structs.replace(one, match=match, rank=one.seat + 1, to_move=False) for one in table.players
    ]
    over = replace(table, match=match, players=players)
    view = MatchView(over, page.view.viewer, page.view.log)
    return EndedPage(page.snapshot, view, page.user, page.typed)


def _lesson_page(title: AnyGame, lesson: Lesson, texts: tuple[str, ...]) -> LessonPage:
    meta = title.meta
    params = dict(complete(meta, lesson.params))
    start = Start(position=lesson.position)
    tree = Tree(meta.slug, meta.rules_version, seats_of(title, lesson), params, start)
    return LessonPage(
        tree,
        ROOT,
        Typed(),
        series=LESSONS,
        lesson=lesson,
        texts=texts,
        tried=attempt(title, lesson, texts),
        solved=frozenset(),
    )


def _wrong(lesson: Lesson) -> Iterator[tuple[str, ...]]:
    for wrong in lesson.wrong:
        yield (*lesson.solution[: wrong.after], wrong.move)


def _entered(title: AnyGame, state, seat: Seat, text: str) -> Iterator[Typed]:
    """Yield what is typed of a move, choice by choice; the last is the whole move."""
    words: tuple[str, ...] = ()
    while (typed := "".join(words)) != text:
        rest = text[len(typed) :]
        offered = title.options(state, seat, typed).next
        choices = [one for one in offered if isinstance(one, Choice) and rest.startswith(one.text)]
        if choices:
            choice = max(choices, key=lambda one: len(one.text))
            word = choice.text
            for mark in choice.marks[:1]:
                yield Typed(words=words, mark=mark)
        else:
            number = _NUMBER.match(rest)
            word = rest[: number.end()] if number and number.end() else rest
        words = (*words, word)
        yield Typed(words=words)


def _area(template: str, page: MatchPage | BoardPage) -> str:
    context = {
        "page": page,
        "view": page.view,
        "user": getattr(page, "user", None),
        "request": None,
        "is_part": True,
        "csrf_token": match_parts.TOKEN,
        "fields": match_parts.FIELDS,
    }
    return part_templates.render(template, context)
