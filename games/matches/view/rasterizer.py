"""Draws SVG documents as PNGs; as a program, the one in its input (:mod:`.pictures` runs it)."""

import sys

import resvg_py


def draw(document: str, width: int, font: str) -> bytes:
    """Return an SVG document as a PNG ``width`` pixels wide, with the font in a file."""
    drawn = resvg_py.svg_to_bytes(
        svg_string=document, width=width, font_files=[font], skip_system_fonts=True
    )
    return bytes(drawn)


if __name__ == "__main__":
    sys.stdout.buffer.write(draw(sys.stdin.buffer.read().decode(), int(sys.argv[1]), sys.argv[2]))
