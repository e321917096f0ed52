"""The changes that forms of a board ask for: a move, another order of lines, a name, a note."""

from collections.abc import Callable

from django.http import QueryDict
from django.utils.translation import gettext as _

from accounts import texts
from games.kernel.contract import Seat
from games.kernel.errors import GameError, MatchOver
from games.kernel.tree import ROOT
from games.matches.play import move_input
from games.screen.entry import Typed
from games.study import shapes
from games.study.replaying import moment_of, played
from games.study.services import Edit
from games.study.tables import drawing_of
from games.study.tree import MAX_NAME_LENGTH, MAX_NOTE_LENGTH, Tree

MAX_DICE = 50
"""Maximum number of dice that can be chosen for a move."""

DIGITS = 6
"""Maximum number of digits of one of them."""


def edit_of(form: QueryDict, number: int) -> Edit:
    """Return the change that a form asks for at a node."""
    actions: dict[str, Callable[[Tree, int, QueryDict], tuple[Tree, int]]] = {
        "promote": _promote,
        "delete": _delete,
        "note": _note,
        "draw": _draw,
        "wipe": _wipe,
    }
    act = actions.get(form.get("action", ""), _play)

    def edit(tree: Tree) -> tuple[Tree, int]:
        tree.check_has(number)
        return act(tree, number, form)

    return edit


def _play(tree: Tree, number: int, form: QueryDict) -> tuple[Tree, int]:
    seat, texts = turn_of(tree, number, form)
    made, at = played(tree, number, seat, texts, dice_of(form.get("dice", "")))
    return forgotten(made, at) if "forget" in form else (made, at)


def turn_of(tree: Tree, number: int, form: QueryDict) -> tuple[Seat, list[str]]:
    """Return the seat to move after a node, and the moves in a form.

    :raises GameError: nobody is to move, or the form has no move.
    """
    typed = Typed.read(form)
    texts = [*typed.moves, *filter(None, [typed.text])]
    move_input.check(texts)
    actors = tree.title.actors(moment_of(tree, number).state)
    if not actors:
        raise MatchOver(_("The game is over here. Go back to try something else."))
    if not texts:
        raise GameError(_("Choose a move first."))
    return actors[0], texts


def forgotten(tree: Tree, number: int) -> tuple[Tree, int]:
    """Return a tree that starts from the position after a node and has no moves."""
    position = tree.title.dump(moment_of(tree, number).state)
    alone = tree.standing_alone(position).without_nodes()
    return alone.with_shapes(ROOT, tree.shapes_at(number)), ROOT


def dice_of(text: str) -> tuple[int, ...]:
    """Return the chosen dice. Empty for random ones.

    :raises GameError: the text isn't a few numbers.
    """
    words = text.replace(",", " ").split()
    if len(words) > MAX_DICE or not all(w.isdecimal() and len(w) <= DIGITS for w in words):
        raise GameError(_("Write the dice as numbers with spaces between them: 3 5."))
    return tuple(map(int, words))


def _promote(tree: Tree, number: int, _: QueryDict) -> tuple[Tree, int]:
    return tree.promoted(number), number


def _delete(tree: Tree, number: int, _: QueryDict) -> tuple[Tree, int]:
    line = tree.line(number)
    return (tree.without(number), line[-1].parent) if line else (tree, number)


def _note(tree: Tree, number: int, form: QueryDict) -> tuple[Tree, int]:
    name = texts.one_line(form.get("name", ""))
    note = texts.lines(form.get("note", ""))
    if len(name) > MAX_NAME_LENGTH or len(note) > MAX_NOTE_LENGTH:
        raise GameError(
            _("A name has at most {name} characters, a note {note}.").format(
                name=MAX_NAME_LENGTH, note=MAX_NOTE_LENGTH
            )
        )
    return tree.replaced(number, name=name, note=note), number


def _draw(tree: Tree, number: int, form: QueryDict) -> tuple[Tree, int]:
    colour, start, end = (form.get(name, "") for name in ("colour", "from", "to"))
    board = drawing_of(tree, moment_of(tree, number))
    made = shapes.drawn(tree.shapes_at(number), colour, start, end, board)
    return tree.with_shapes(number, made), number


def _wipe(tree: Tree, number: int, _: QueryDict) -> tuple[Tree, int]:
    return tree.with_shapes(number, ()), number
