"""The editor of positions: a form that starts a board from a position that people put together."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_http_methods

from games.kernel import svg_writer
from games.kernel.contract import AnyGame, Meta, Position
from games.kernel.editing import Aim, Editor, Field, Spaces, TrayPiece, with_fields
from games.kernel.errors import BrokenPosition, GameError, quoted
from games.kernel.svg import Drawing
from games.matches.errors import NOT_READABLE
from games.study.addresses import pack, unpack
from games.study.errors import BrokenBoard, TooLong
from games.study.replaying import moment_of, start_of
from games.study.tree import Start, Tree
from games.web.study.page import BoardPage
from games.web.study.views import broken, spend, to_address
from games.web.titles import title_or_404

PART = "editor"
"""The part that scripts request after each change."""

SPACES = "spaces"
"""The form field with what stands on the board: a line for each space that isn't empty."""

PUT = "put"
"""The action that puts the chosen piece on a space."""

SPACE, PIECE, NUMBER, AIM = "space", "piece", "number", "aim"
"""The form fields of that: the space, the code and number of the piece, and how it is dropped."""

MAX_SPACES_LENGTH = 20_000
MAX_VALUE_LENGTH = 4_000
MAX_NUMBER_LENGTH = 10
"""Maximum lengths of the texts of the form, in characters."""

SIGNED = re.compile(r"-?[0-9]{1,4}(\.[0-9]{1,4})?")
"""A number of the form that says how a piece is dropped."""

UNDRAWABLE = (*NOT_READABLE, RecursionError, ArithmeticError)

READY = gettext_noop("A match can reach this position.")


@dataclass(frozen=True)
class Draft:
    """A position as it is being edited. ``sent`` is the form, ``None`` before the first change.

    ``base`` is the position that the editor was opened with.
    """

    tree: Tree
    base: Position
    sent: QueryDict | None = field(default=None)

    @property
    def title(self) -> AnyGame:
        return self.tree.title

    @property
    def meta(self) -> Meta:
        return self.title.meta

    @cached_property
    def editor(self) -> Editor:
        return self.title.editor(self.base)

    @property
    def numbers(self) -> tuple[int, int] | None:
        """The range of the numbers that pieces of the tray have. ``None`` without any."""
        return next((piece.numbers for piece in self.editor.tray if piece.numbers), None)

    @cached_property
    def spaces_text(self) -> str:
        """What stands on the board, as it is typed, with the piece that is put."""
        if self.sent is None:
            return text_of(self.editor.spaces)
        typed = str(self.sent.get(SPACES, ""))[:MAX_SPACES_LENGTH]
        return self._with_put(typed) if self.put else typed

    @property
    def put(self) -> str:
        """The space on which the chosen piece is put. Empty without one."""
        if self.sent is None or self.sent.get("action") != PUT:
            return ""
        name = str(self.sent.get(SPACE, ""))
        return name if name in self.editor.spaces else ""

    @cached_property
    def piece(self) -> TrayPiece | None:
        """The chosen piece of the tray, at first the first. ``None`` to empty a space."""
        code = None if self.sent is None else self.sent.get(PIECE)
        if code is None:
            return next(iter(self.editor.tray), None)
        return next((piece for piece in self.editor.tray if piece.code == code), None)

    @property
    def number(self) -> str:
        """The number of the piece, as it is typed."""
        lowest = str(self.numbers[0]) if self.numbers else ""
        return str(self.sent.get(NUMBER, lowest))[:MAX_NUMBER_LENGTH] if self.sent else lowest

    @property
    def aims(self) -> list[tuple[Aim, str]]:
        """How a piece is dropped: each number as it is typed, or 0."""
        typed = self.sent.getlist(AIM) if self.sent else []
        texts = [text if SIGNED.fullmatch(text) else "0" for text in typed]
        return list(zip(self.editor.aims, [*texts, *("0" for _ in self.editor.aims)], strict=False))

    def _with_put(self, typed: str) -> str:
        """Return what stands on the board after the piece was put."""
        piece = self.piece
        code = piece.code if piece else ""
        if piece and piece.numbers:
            code += self.number.strip()
        if piece and piece.is_aimed:
            code += "".join(aim.code_of(float(text)) for aim, text in self.aims)
        lines = [line.split() for line in typed.splitlines() if line.strip()]
        there = next((pieces for name, *pieces in lines if name == self.put), [])
        if self.editor.aims:
            there = [*there, code]
        elif self.editor.stacks and code:
            there = [one for one in there if one != code] if code in there else [*there, code]
        else:
            there = [code] if code else []
        others = [line for line in lines if line[0] != self.put]
        changed = [*others, [self.put, *there]] if there else others
        return "\n".join(map(" ".join, changed))

    @property
    def _before(self) -> "Draft":
        """The draft before the piece was put."""
        sent = self.sent.copy() if self.sent else QueryDict(mutable=True)
        sent["action"] = "show"
        return replace(self, sent=sent)

    @cached_property
    def shown_text(self) -> str:
        """What stands on the board. Dropped pieces are at rest, one that can't be is gone again."""
        if not self.editor.aims:
            return self.spaces_text
        try:
            return text_of(self.title.editor(self.position).spaces)
        except UNDRAWABLE:
            return self._before.shown_text if self.put else self.spaces_text

    @property
    def fields(self) -> list[tuple[Field, str]]:
        """The fields, each with its text."""
        return [(one, self._text_of(one)) for one in self.editor.fields]

    def _text_of(self, one: Field) -> str:
        if self.sent is None or one.key not in self.sent:
            return one.read(self.base)
        return str(self.sent[one.key])[:MAX_VALUE_LENGTH]

    @cached_property
    def position(self) -> Position:
        """The edited position, unchecked.

        :raises BrokenPosition: something can't be read.
        """
        values = {one.key: text for one, text in self.fields}
        spaces = {**dict.fromkeys(self.editor.spaces, ""), **self._spaces()}
        return self.title.with_spaces(with_fields(self.base, self.editor, values), spaces)

    def _spaces(self) -> Mapping[str, str]:
        """Return what stands on the spaces that aren't empty.

        :raises BrokenPosition: a line names no space, or one that another line names.
        """
        spaces: dict[str, str] = {}
        for line in filter(str.strip, self.spaces_text.splitlines()):
            name, *pieces = line.split()
            if name not in self.editor.spaces:
                text = _("{space} is no space of this board.")
                raise BrokenPosition(text.format(space=quoted(name)))
            if name in spaces:
                raise BrokenPosition(_("{space} is there twice.").format(space=name))
            spaces[name] = " ".join(pieces)
        return spaces

    @cached_property
    def made(self) -> Tree:
        """The board that starts from the edited position.

        :raises GameError: no match can reach it.
        """
        tree = self.tree.without_nodes()
        made = Tree(tree.game, tree.rules, tree.seats, tree.params, Start(position=self.position))
        return made.standing_alone(self.title.dump(start_of(made)))

    @cached_property
    def refusal(self) -> str:
        """Why no match can reach the position. Empty if one can."""
        try:
            state = start_of(self.made)
        except GameError as error:
            return str(error)
        except UNDRAWABLE:
            return _("This is no position of this game.")
        return "" if self.title.actors(state) else _("The match is over in this position.")

    @property
    def verdict(self) -> str:
        return self.refusal or _(READY)

    def board(self) -> SafeString:
        """Return the board as HTML. One that can't be drawn looks as it did at first."""
        # Links lead to the field with the pieces; scripts put a piece there instead.
        links = dict.fromkeys(self.editor.spaces, "#spaces")
        text = svg_writer.render(self._drawing(), ids="e-", links=links)
        return mark_safe(text)  # noqa: S308 - elements escape what they are given

    def _drawing(self) -> Drawing:
        try:
            return self._drawn(self.position)
        except UNDRAWABLE:
            if self.put and self.editor.aims:
                return self._before._drawing()
            return self._drawn(self.base)

    def _drawn(self, position: Any) -> Drawing:
        state = self.title.load(position, self.tree.seats, self.tree.params)
        return self.title.draw(self.title.open_view(state), ())


def text_of(spaces: Spaces) -> str:
    """Return what stands on spaces, a line for each that isn't empty."""
    return "\n".join(f"{name} {text}" for name, text in spaces.items() if text)


def edit_address(page: BoardPage) -> str:
    """Return the address of the editor of a board's position. Empty if it is too large for one."""
    tree = page.tree
    position = tree.title.dump(page.moment.state)
    try:
        packed, _ = pack(tree.standing_alone(position).without_nodes().with_shapes(0, ()))
    except TooLong:
        return ""
    return reverse("board-edit", args=[tree.game, packed, 0])


@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(private=True, no_cache=True)
def edit(request: HttpRequest, slug: str, packed: str, number: int) -> HttpResponse:
    """The form that edits a position. A POST shows it, or starts a board from it."""
    title_or_404(slug)
    spend(request)
    try:
        tree = unpack(slug, packed)
        tree.check_has(number)
        base = tree.title.dump(moment_of(tree, number).state)
    except BrokenBoard as error:
        return broken(request, slug, error)
    draft = Draft(tree, base, request.POST if request.method == "POST" else None)
    too_long = ""
    is_used = request.POST.get("action") == "use"
    if is_used and not draft.refusal:
        try:
            return to_address(request, draft.made)
        except TooLong as refusal:
            too_long = " ".join((str(refusal), _("Sign in to save it.")))
    is_part = request.GET.get("part") == PART
    return render(
        request,
        "study/editor_part.html" if is_part else "study/editor.html",
        {"draft": draft, "error": too_long, "meta": draft.meta},
        status=HTTPStatus.UNPROCESSABLE_ENTITY if is_used else HTTPStatus.OK,
    )
