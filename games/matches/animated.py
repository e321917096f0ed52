"""Drawings one after another as an animated GIF."""

import io
from collections.abc import Iterable

from PIL import Image

from games.kernel import svg
from games.kernel.palettes import PALETTES
from games.kernel.svg import Drawing
from games.matches import pictures

WIDTH = 480
"""Pixels across."""

STEP, LAST = 800, 3_000
"""Milliseconds that a frame is seen, and the last one."""

COLOURS = 64
"""Colours of a frame: boards are drawn in few, and smooth edges take the others."""


def gif(drawings: Iterable[Drawing], theme: str) -> bytes:
    """Return drawings, at least one, as an animated GIF in the colours of a theme.

    All frames are as high as the highest.
    """
    frames = [_frame(drawing, theme) for drawing in drawings]
    height = max(frame.height for frame in frames)
    first, *others = (_padded(frame, height) for frame in frames)
    made = io.BytesIO()
    first.save(
        made,
        "GIF",
        save_all=True,
        append_images=others,
        duration=[*([STEP] * len(others)), LAST],
        loop=0,
    )
    return made.getvalue()


def _frame(drawing: Drawing, theme: str) -> Image.Image:
    png = pictures.png(drawing, theme, width=WIDTH)
    picture = Image.open(io.BytesIO(png)).convert("RGBA")
    ground = Image.new("RGBA", picture.size, PALETTES[theme][svg.BOARD])
    return Image.alpha_composite(ground, picture).convert("RGB").quantize(COLOURS)


def _padded(frame: Image.Image, height: int) -> Image.Image:
    """Return a frame as high as the others, with the colour of its corner below it."""
    if frame.height == height:
        return frame
    corner = frame.getpixel((0, frame.height - 1))
    higher = Image.new("P", (frame.width, height), corner)
    higher.putpalette(frame.getpalette() or [])
    higher.paste(frame, (0, 0))
    return higher
