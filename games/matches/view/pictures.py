"""Boards as picture files: SVG documents with literal colours, PNG and animated GIF."""

import io
import subprocess
import sys
from collections.abc import Iterable

from django.conf import settings
from PIL import Image

from games.kernel import svg, svg_writer
from games.kernel.palettes import PALETTES
from games.kernel.svg import Drawing
from games.matches.view import rasterizer

WIDTH = 720
"""Width of a PNG in pixels."""

GIF_WIDTH = 480
"""Width of a GIF in pixels."""

FRAME_TIME = 800
"""Milliseconds for which a frame of a GIF is shown."""

LAST_FRAME_TIME = 3_000
"""Milliseconds for which the last one is shown."""

GIF_COLOURS = 64
"""Colours per frame: boards have few, and smooth edges take the rest."""

FONT = settings.BASE_DIR / "static" / "fonts" / "hanken-grotesk.ttf"
"""The font of PNGs, shipped with the site, since a server may lack fonts."""


TIMEOUT = 20.0
"""Seconds that a PNG may take. Usually it takes 0.1."""


def svg_document(drawing: Drawing, theme: str) -> str:
    """Return an SVG document in the colours of a theme, ``light`` or ``dark``."""
    return svg_writer.render(drawing, PALETTES[theme], marks=False)


def png(drawing: Drawing, theme: str, *, width: int = WIDTH) -> bytes:
    """Return a drawing as a PNG ``width`` pixels wide, on a transparent background.

    Another process draws it. The library holds the interpreter lock for a tenth of a second or
    more, during which a web process would serve nobody.

    :raises TimeoutError: it took longer than ``TIMEOUT``.
    """
    command = [sys.executable, "-I", rasterizer.__file__, str(width), str(FONT)]
    document = svg_document(drawing, theme).encode()
    try:
        done = subprocess.run(  # noqa: S603 - a program of ours
            command, input=document, capture_output=True, check=True, timeout=TIMEOUT
        )
    except subprocess.TimeoutExpired as error:
        raise TimeoutError(f"A picture took longer than {TIMEOUT} s.") from error
    return done.stdout


def gif(drawings: Iterable[Drawing], theme: str) -> bytes:
    """Return drawings, at least one, as the frames of an animated GIF.

    All frames are as high as the highest. Call it in a worker, since this process draws them.
    """
    frames = [_frame(drawing, theme) for drawing in drawings]
    height = max(frame.height for frame in frames)
    first, *others = (_padded(frame, height) for frame in frames)
    file = io.BytesIO()
    first.save(
        file,
        "GIF",
        save_all=True,
        append_images=others,
        duration=[*([FRAME_TIME] * len(others)), LAST_FRAME_TIME],
        loop=0,
    )
    return file.getvalue()


def _frame(drawing: Drawing, theme: str) -> Image.Image:
    drawn = rasterizer.draw(svg_document(drawing, theme), GIF_WIDTH, str(FONT))
    picture = Image.open(io.BytesIO(drawn)).convert("RGBA")
    ground = Image.new("RGBA", picture.size, PALETTES[theme][svg.BOARD])
    return Image.alpha_composite(ground, picture).convert("RGB").quantize(GIF_COLOURS)


def _padded(frame: Image.Image, height: int) -> Image.Image:
    """Pad a frame to the height of the others, with the colour of its corner."""
    if frame.height == height:
        return frame
    corner = frame.getpixel((0, frame.height - 1))
    higher = Image.new("P", (frame.width, height), corner)
    higher.putpalette(frame.getpalette() or [])
    higher.paste(frame, (0, 0))
    return higher
