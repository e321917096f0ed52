"""The literal colours of mails and exports, by role. The style sheet of the pages has the same."""

from collections.abc import Mapping
from types import MappingProxyType

from games.kernel import svg
from games.kernel.svg import Palette

_SURFACES = (svg.BOARD, svg.BOARD_EDGE, svg.CELL, svg.CELL_ALT, svg.CELL_EDGE)
_WRITING = (svg.INK, svg.INK_SOFT)
_SIGNS = (svg.ACCENT, svg.LAST, svg.TARGET, svg.DANGER, svg.SHADOW, svg.SHINE)
_PLAIN = (*_SURFACES, *_WRITING, *_SIGNS)


def _palette(plain: str, hues: str, on_hues: str) -> Palette:
    palette = dict(zip(_PLAIN, plain.split(), strict=True))
    named = zip(svg.HUES, hues.split(), on_hues.split(), strict=True)
    for seat, (hue, own, on) in enumerate(named):
        palette |= {svg.hue_role(hue): own, svg.on_hue_role(hue): on}
        palette |= {svg.seat_role(seat): own, svg.on_seat_role(seat): on}
    return MappingProxyType(palette)


PALETTES: Mapping[str, Palette] = MappingProxyType(
    {
        "light": _palette(
            "#d3d8d0 #b4bbb1 #f7f7f2 #e9ebe4 #a3aaa0"
            " #1b1a18 #5b5e57 #8f3b13 #1b1a18 #2c7a4b #a81f17 #1b1a18 #ffffff",
            "#b32916 #33569c #2f7d4c #eabc26 #e27a1e #592a6a",
            "#ffffff #ffffff #ffffff #1b1a18 #1b1a18 #ffffff",
        ),
        "dark": _palette(
            "#262b29 #3c4340 #313735 #3a413e #555d59"
            " #ebe9e3 #b2b5ad #eaa37a #ffffff #7fd3a2 #ff8066 #000000 #ffffff",
            "#e2634a #87a5ec #58b27c #fcd660 #ee9440 #b77fb2",
            "#140b08 #08101a #08130c #16120d #16120d #120a18",
        ),
    }
)
"""By theme, the colour of every role."""
