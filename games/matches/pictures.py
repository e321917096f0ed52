"""Boards as picture files: SVG documents with literal colours, and PNG."""

import resvg_py
from django.conf import settings

from games.kernel import svg_writer
from games.kernel.palettes import PALETTES
from games.kernel.svg import Drawing

WIDTH = 720
"""Pixels across a PNG."""

FONT = settings.BASE_DIR / "static" / "fonts" / "hanken-grotesk.ttf"
"""The font of PNGs, shipped with the site: a server need not have one installed."""


def svg_document(drawing: Drawing, theme: str) -> str:
    """Return a drawing as an SVG document in the colours of a theme, ``light`` or ``dark``."""
    return svg_writer.render(drawing, PALETTES[theme], marks=False)


def png(drawing: Drawing, theme: str, *, width: int = WIDTH) -> bytes:
    """Return a drawing as a PNG ``width`` pixels across, on a transparent background."""
    text, fonts = svg_document(drawing, theme), [str(FONT)]
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=text, width=width, font_files=fonts, skip_system_fonts=True
        )
    )
