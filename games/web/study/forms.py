"""The forms of boards: another start, and the name and visibility of a saved board."""

import json
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts import texts
from games.kernel.contract import AnyGame
from games.kernel.errors import GameError, quoted
from games.study import services
from games.study import text as text_format
from games.study.errors import BrokenBoard
from games.study.models import Study
from games.study.replaying import set_up, start_of, with_positions
from games.study.tree import Start, Tree, checked
from games.web import parameters
from games.web.study.edits import dice_of

MAX_SEAT_NAME_LENGTH = 20
"""Maximum length of the name of a seat."""

MAX_DICE_LENGTH = 100
"""Maximum length of the dice chosen for a setup."""

MAX_POSITION_LENGTH = 500_000
"""Maximum length of a position, or of an exported board."""


class SettingsForm(forms.Form):
    """The number of players and the parameters."""

    def __init__(self, data: QueryDict | None = None, *, title: AnyGame) -> None:
        super().__init__(data)
        self.title = title
        self.tree: Tree | None = None
        low, high = title.meta.seats
        if low < high:
            numbers = [(count, str(count)) for count in range(low, high + 1)]
            self.fields["seats"] = forms.TypedChoiceField(
                label=_("Players"),
                choices=numbers,
                coerce=int,
                initial=low,
                widget=forms.RadioSelect,
            )
        self.fields |= parameters.fields(title.meta)

    def standard(self) -> Tree:
        """Return a tree with these settings and without a move.

        :raises BrokenBoard: the game doesn't offer them.
        """
        params = parameters.params(self.cleaned_data)
        return standard(self.title, self.cleaned_data.get("seats"), params)


class StartForm(SettingsForm):
    """Where a board starts: the setup of the game, a position, or an exported board."""

    position = forms.CharField(
        label=gettext_lazy("Position"),
        required=False,
        strip=True,
        max_length=MAX_POSITION_LENGTH,
        widget=forms.Textarea(
            attrs={"rows": 5, "spellcheck": "false", "autocapitalize": "off", "autocomplete": "off"}
        ),
        help_text=gettext_lazy(
            "Paste a position as JSON, of a match with the settings above, or a board that was"
            " exported here, as JSON or as text. Leave it empty to start from the beginning."
        ),
    )

    def __init__(self, data: QueryDict | None = None, *, title: AnyGame) -> None:
        super().__init__(data, title=title)
        position = self.fields.pop("position")
        if set_up(standard(title)).start.setup:
            self.fields["dice"] = forms.CharField(
                label=_("Dice"),
                required=False,
                max_length=MAX_DICE_LENGTH,
                widget=forms.TextInput(
                    attrs={
                        "inputmode": "numeric",
                        "autocomplete": "off",
                        "placeholder": _("random"),
                    }
                ),
                help_text=_(
                    "The numbers that are rolled to set up the game, in order, such as 3 5. If you"
                    " give fewer, the rest are random."
                ),
            )
        self.fields["position"] = position

    def clean(self) -> dict[str, Any]:
        """Parse the start, as ``tree``."""
        cleaned = super().clean() or self.cleaned_data
        if not self.errors:
            try:
                self.tree = self._read(cleaned)
            except GameError as refusal:
                self.add_error(self._field_of(cleaned), str(refusal))
        return cleaned

    @staticmethod
    def _field_of(cleaned: dict[str, Any]) -> str | None:
        """Return the field whose content a refusal is about."""
        return next((name for name in ("position", "dice") if cleaned.get(name)), None)

    def _read(self, cleaned: dict[str, Any]) -> Tree:
        text = cleaned["position"]
        tree = self.standard()
        if not text:
            return set_up(tree, dice_of(cleaned.get("dice", "")))
        if text_format.FORMAT_TAG in text or text[0] not in "{[":
            return self._checked(text_format.read(text))
        pasted = _parsed(text)
        if isinstance(pasted, dict) and {"game", "start"} <= pasted.keys():
            tree = self._checked(services.read(text))
            with_positions(tree)
            return tree
        tree = checked(tree.standing_alone(pasted))
        return tree.standing_alone(self.title.dump(start_of(tree)))

    def _checked(self, tree: Tree) -> Tree:
        """Return an exported board of this game, which can be read without a record."""
        if tree.game != self.title.meta.slug:
            raise BrokenBoard(_("This board is of another game."))
        if tree.start.match or tree.start.imported:
            raise BrokenBoard(_("An exported board starts with a setup or a position."))
        return tree


def _parsed(text: str) -> Any:
    """:raises BrokenBoard: a text isn't JSON. The message says where it goes wrong."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        line = text.split("\n", error.lineno)[error.lineno - 1].strip()
        raise BrokenBoard(
            _("Line {number}, {line}, is not JSON: {error} at column {column}.").format(
                number=error.lineno, line=quoted(line), error=error.msg, column=error.colno
            )
        ) from None
    except RecursionError:
        raise BrokenBoard(_("This JSON is too deep.")) from None
    except ValueError:
        raise BrokenBoard(_("This JSON holds a number with too many digits.")) from None


class PlayForm(SettingsForm):
    """A match on one device: its settings, and its players."""

    def __init__(self, data: QueryDict | None = None, *, title: AnyGame) -> None:
        super().__init__(data, title=title)
        low, high = title.meta.seats
        for seat, colour in enumerate(title.meta.colours[:high]):
            label = _("Name of {colour}")
            if seat >= low:
                label = _("Name of {colour}, if {count} play")
            self.fields[f"name-{seat}"] = texts.TextInput(
                label=label.format(colour=colour.shown_name, count=seat + 1),
                required=False,
                max_length=MAX_SEAT_NAME_LENGTH,
                widget=forms.TextInput(
                    attrs={"placeholder": colour.shown_name, "autocomplete": "off"}
                ),
            )
        self.names: list[str] = []

    def clean(self) -> dict[str, Any]:
        """Parse the settings as ``tree``, and the players as ``names``."""
        cleaned = super().clean() or self.cleaned_data
        if not self.errors:
            try:
                self.tree = set_up(self.standard())
                self.names = self._read_names(self.tree.seats)
            except GameError as refusal:
                self.add_error(None, str(refusal))
        return cleaned

    def _read_names(self, seats: int) -> list[str]:
        colours = self.title.meta.colours[:seats]
        names = [
            self.cleaned_data[f"name-{seat}"] or colour.shown_name
            for seat, colour in enumerate(colours)
        ]
        if len({name.casefold() for name in names}) < seats:
            raise GameError(_("Give each player another name."))
        return names


def standard(title: AnyGame, seats: int | None = None, params: Any = None) -> Tree:
    """Return a tree of a game without a move, by default with its standard settings.

    :raises BrokenBoard: the game doesn't offer these settings.
    """
    meta = title.meta
    count = seats or meta.seats[0]
    return checked(Tree(meta.slug, meta.rules_version, count, params or {}, Start(setup=())))


class StudyForm(forms.ModelForm[Study]):
    """The name of a board, and who can see it."""

    class Meta:
        model = Study
        fields = ("name", "visibility")
        widgets = {"visibility": forms.RadioSelect}
