"""What a request may cost: bounds are checked before the work, and none holds up the process."""

import io

import pytest
from PIL import Image

from games.matches.view import pictures, rasterizer
from games.web.example_positions import example_drawing
from tests.match_driver import fresh_cache

__all__ = ["fresh_cache"]


def test_a_picture_is_drawn_by_another_process(monkeypatch):
    """The library holds the interpreter for up to 0.3 s: no page and no move would go on."""

    def refuse(*_):
        raise AssertionError("drawn by this process")

    monkeypatch.setattr(rasterizer, "draw", refuse)
    data = pictures.png(example_drawing("die"), "light", width=100)
    with Image.open(io.BytesIO(data)) as picture:
        assert (picture.format, picture.width) == ("PNG", 100)


def test_a_picture_that_takes_too_long_is_given_up(monkeypatch):
    monkeypatch.setattr(pictures, "TIMEOUT", 0.0)
    with pytest.raises(TimeoutError):
        pictures.png(example_drawing("die"), "light")
