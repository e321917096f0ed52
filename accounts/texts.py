"""Texts that people write and others read: they lose what can't be seen.

Model fields clean when a row is written, whatever interface it comes from. Form fields clean before
they check, so that a text in which nothing can be seen counts as empty.
"""

import re
import unicodedata
from typing import Any

from django import forms
from django.db import models

JOINERS = "\u200c\u200d"
"""Characters that join letters or emoji: the only ones of category Cf that are kept."""

BLANK_BRAILLE = "\u2800"
"""The Braille pattern without dots, a space in pictures made of Braille."""

UNSEEN_CATEGORIES = ("Cc", "Cf", "Cs", "Co")
"""Control characters, those that turn the direction of others, surrogates, and private ones."""

NUL = "\0"
"""What no column can hold. Cleaning keeps it, as forms and boards refuse it; columns drop it."""

UNSEEN = re.compile("[\u115f\u1160\u2065\u3164\uffa0\ufff0-\ufff8\U000e0000-\U000e00ff]")
"""Characters of other categories that show nothing: fillers of Hangul, and reserved ones."""


def lines(text: str) -> str:
    """Return a text without what can't be seen, and without space around it.

    Line breaks stay. The text is empty if nothing in it can be seen.
    """
    return _trimmed("\n".join(map(_shown, text.splitlines())))


def one_line(text: str) -> str:
    """Return :func:`lines` on a single line, with single spaces."""
    return _trimmed(" ".join(_shown(" ".join(text.split())).split()))


def _shown(line: str) -> str:
    return "".join(filter(_is_shown, line))


def _is_shown(character: str) -> bool:
    unseen = unicodedata.category(character) in UNSEEN_CATEGORIES or UNSEEN.match(character)
    return character in JOINERS + NUL or not unseen


def _trimmed(text: str) -> str:
    while (shorter := text.strip().strip(JOINERS + BLANK_BRAILLE)) != text:
        text = shorter
    return text if any(map(_has_shape, text)) else ""


def _has_shape(character: str) -> bool:
    """Whether a character shows something by itself, as a mark above letters doesn't."""
    is_blank = character.isspace() or character in JOINERS + BLANK_BRAILLE + NUL
    return not is_blank and not unicodedata.category(character).startswith("M")


class TextInput(forms.CharField):
    """A field of a form for a text that others read.

    It has one line, or as many as its ``Textarea``.
    """

    def to_python(self, value: Any) -> Any:
        """Return the cleaned text."""
        text = super().to_python(value)
        clean = lines if isinstance(self.widget, forms.Textarea) else one_line
        return clean(text) if text else text

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        """Let the text decide in which direction it is written."""
        return {**super().widget_attrs(widget), "dir": "auto"}


class _Cleaned(models.Field[str, str]):
    """The base of model fields for texts that others read."""

    of_django = ""
    """The field that migrations name: cleaning doesn't concern the table."""

    has_lines = True

    def _clean(self, value: Any) -> Any:
        if not isinstance(value, str):
            return value
        text = value.replace(NUL, "")
        return lines(text) if self.has_lines else one_line(text)

    def get_prep_value(self, value: Any) -> Any:
        """Clean a value for a query."""
        return self._clean(super().get_prep_value(value))

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:  # noqa: FBT001 - Django's
        """Clean the value of a row that is saved, also for who goes on with the row."""
        value = self._clean(super().pre_save(model_instance, add))
        setattr(model_instance, self.attname, value)
        return value

    def formfield(self, *args: Any, **kwargs: Any) -> Any:
        """Return a field of a form that cleans, too."""
        return super().formfield(*args, **{"form_class": TextInput, **kwargs})

    def deconstruct(self) -> Any:
        """Describe the field to migrations."""
        name, _, args, kwargs = super().deconstruct()
        return name, f"django.db.models.{self.of_django}", args, kwargs


class LinesField(_Cleaned, models.TextField[str, str]):
    """A text of several lines."""

    of_django = "TextField"


class ShortLinesField(_Cleaned, models.CharField[str, str]):
    """A text of several lines whose length the table limits."""

    of_django = "CharField"


class LineField(_Cleaned, models.CharField[str, str]):
    """A text on one line."""

    of_django = "CharField"
    has_lines = False
