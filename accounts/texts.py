"""Texts that people write and others read, cleaned of invisible characters.

Model fields clean when a row is written, whatever interface it comes from. Form fields clean before
they check, so that a text of invisible characters counts as empty.
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
"""Control characters, direction overrides, surrogates, and private ones."""

NUL = "\0"
"""A character that no column can hold. Cleaning keeps it, since forms and boards refuse it."""

UNSEEN = re.compile("[\u115f\u1160\u2065\u3164\uffa0\ufff0-\ufff8\U000e0000-\U000e00ff]")
"""Invisible characters of other categories: fillers of Hangul, and reserved ones."""


def lines(text: str) -> str:
    """Strip invisible characters and surrounding space.

    Line breaks stay. The text is empty if nothing in it is visible.
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
    """Whether a character is visible by itself, unlike a mark above a letter."""
    is_blank = character.isspace() or character in JOINERS + BLANK_BRAILLE + NUL
    return not is_blank and not unicodedata.category(character).startswith("M")


class TextInput(forms.CharField):
    """A form field for a text that others read.

    It has one line, or several with a ``Textarea``.
    """

    def to_python(self, value: Any) -> Any:
        text = super().to_python(value)
        clean = lines if isinstance(self.widget, forms.Textarea) else one_line
        return clean(text) if text else text

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        """Let the text decide the writing direction."""
        return {**super().widget_attrs(widget), "dir": "auto"}


class _Cleaned(models.Field[str, str]):
    """The base of model fields for texts that others read."""

    of_django = ""
    """The field that migrations name, since cleaning doesn't change the table."""

    has_lines = True

    def _clean(self, value: Any) -> Any:
        if not isinstance(value, str):
            return value
        text = value.replace(NUL, "")
        return lines(text) if self.has_lines else one_line(text)

    def get_prep_value(self, value: Any) -> Any:
        return self._clean(super().get_prep_value(value))

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:  # noqa: FBT001 - Django's
        """Clean the value of a saved row, also on the instance, since callers go on using it."""
        value = self._clean(super().pre_save(model_instance, add))
        setattr(model_instance, self.attname, value)
        return value

    def formfield(self, *args: Any, **kwargs: Any) -> Any:
        return super().formfield(*args, **{"form_class": TextInput, **kwargs})

    def deconstruct(self) -> Any:
        name, _, args, kwargs = super().deconstruct()
        return name, f"django.db.models.{self.of_django}", args, kwargs


class LinesField(_Cleaned, models.TextField[str, str]):
    of_django = "TextField"


class ShortLinesField(_Cleaned, models.CharField[str, str]):
    """A text of several lines whose length the table limits."""

    of_django = "CharField"


class LineField(_Cleaned, models.CharField[str, str]):
    of_django = "CharField"
    has_lines = False
