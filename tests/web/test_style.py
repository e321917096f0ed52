"""The style sheets: contrast in both themes, and the colours that boards share with exports."""

import math
import re
from itertools import combinations
from pathlib import Path

import pytest
from django.conf import settings

from games.kernel import svg
from games.kernel.palettes import PALETTES

ROOT = Path(settings.BASE_DIR)
CSS = ROOT / "static" / "css"
BUILT = ("seat-", "hue-", "flash-", "drawn-")
"""How classes begin whose names templates and pictures put together."""
TOKENS = (CSS / "tokens.css").read_text()
TOKEN = re.compile(r"(--[\w-]+): ([^;]+);")
BOTH = re.compile(r"light-dark\((.+), (.+)\)")
THEMES = {"light": 1, "dark": 2}


def colours(theme, *, contrast=False):
    """Every token of the first block, as a theme has it, or as those see it who want contrast."""
    found = {}
    more = TOKENS.partition("(prefers-contrast: more)")[2] if contrast else ""
    for name, value in TOKEN.findall(TOKENS.partition("@media")[0] + more):
        pair = BOTH.fullmatch(value)
        found[name] = pair[THEMES[theme]] if pair else value
    return found


def plain(theme, name, *, contrast=False):
    """A colour of a theme, followed through other tokens."""
    known = colours(theme, contrast=contrast)
    value = known[name]
    while reference := re.fullmatch(r"var\((--[\w-]+)\)", value):
        value = known[reference[1]]
    return value


def linear(colour):
    """Red, green and blue of a colour as light, 0 to 1."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    return [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]


def times(matrix, values):
    return [sum(map(math.prod, zip(row, values, strict=True))) for row in matrix]


def luminance(colour):
    return times([(0.2126, 0.7152, 0.0722)], linear(colour))[0]


def contrast(theme, one, other):
    light, dark = sorted((luminance(plain(theme, n)) for n in (one, other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_the_measure_is_right():
    assert round(21 * (0 + 0.05) / 1.05, 2) == 1
    assert round((luminance("#ffffff") + 0.05) / (luminance("#000000") + 0.05), 1) == 21
    assert round((luminance("#ffffff") + 0.05) / (luminance("#767676") + 0.05), 2) == 4.54


GROUNDS = ("--ground", "--surface", "--sunken")
TEXTS = ("--ink", "--ink-soft", "--color-link", "--color-link-deep", "--bad")
READ = [
    *((text, ground) for text in TEXTS for ground in GROUNDS),
    ("--color-on-header", "--color-header"),
    ("--color-on-header-soft", "--color-header"),
    ("--color-on-turn", "--color-turn"),
    ("--color-turn-text", "--ground"),
    ("--color-turn-text", "--surface"),
    ("--ink", "--color-turn-wash"),
    ("--ink", "--color-info-wash"),
    ("--ink", "--good-wash"),
    ("--ink", "--bad-wash"),
    ("--color-info", "--color-info-wash"),
    ("--good", "--good-wash"),
    ("--good", "--ground"),
    ("--bad", "--bad-wash"),
    ("--on-button", "--button"),
    ("--on-button", "--button-hover"),
    *((f"--c-on-seat-{seat}", f"--c-seat-{seat}") for seat in range(len(svg.HUES))),
    ("--c-ink", "--c-board"),
    ("--c-ink", "--c-cell"),
    ("--c-ink-soft", "--c-board"),
]
SEEN = [
    *(("--line-strong", ground) for ground in GROUNDS),
    *(("--color-info", ground) for ground in GROUNDS),
    ("--color-turn", "--color-header"),
    ("--c-target", "--c-cell"),
    ("--c-danger", "--c-cell"),
    ("--c-last", "--c-cell"),
    ("--c-last", "--c-fresh"),
    *((f"--c-{hue}", "--c-cell") for hue in ("red", "blue", "green", "purple")),
]


@pytest.mark.parametrize("theme", THEMES)
def test_text_can_be_read(theme):
    found = {pair: contrast(theme, *pair) for pair in READ}
    assert not {pair: ratio for pair, ratio in found.items() if ratio < 4.5}


@pytest.mark.parametrize("theme", THEMES)
def test_what_has_a_meaning_can_be_seen(theme):
    found = {pair: contrast(theme, *pair) for pair in SEEN}
    assert not {pair: ratio for pair, ratio in found.items() if ratio < 3}


# --- Colour blindness -------------------------------------------------------------------------

EYES = {
    "none": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
"""What each kind of eye makes of red, green and blue light, at its full strength.

Source: Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color
Vision Deficiency", 2009.
"""

XYZ = (
    (0.4124564, 0.3575761, 0.1804375),
    (0.2126729, 0.7151522, 0.0721750),
    (0.0193339, 0.1191920, 0.9503041),
)
WHITE = (0.95047, 1, 1.08883)

LEAST = 15
"""The least distance in CIELAB of two colours that have to be told apart: six times what can just
be noticed side by side."""

HUES = [f"--c-{hue}" for hue in svg.HUES]
APART = [
    *combinations(HUES, 2),
    *((hue, ground) for hue in HUES for ground in ("--c-board", "--c-cell", "--c-cell-alt")),
    *combinations(("--c-last", "--c-target", "--c-danger", "--c-cell"), 2),
    ("--good", "--bad"),
    ("--color-turn", "--color-info"),
]


def lab(colour, eyes):
    """A colour in CIELAB, as eyes of a kind see it."""
    seen = [min(max(part, 0), 1) for part in times(EYES[eyes], linear(colour))]
    x, y, z = (
        (t ** (1 / 3) if t > 216 / 24389 else (24389 / 27 * t + 16) / 116)
        for t in map(float.__truediv__, times(XYZ, seen), map(float, WHITE))
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def test_the_measure_of_distances_is_right():
    assert lab("#ffffff", "none") == pytest.approx((100, 0, 0), abs=0.01)
    assert lab("#ff0000", "none") == pytest.approx((53.24, 80.09, 67.20), abs=0.02)
    grey = lab("#808080", "none")
    assert all(lab("#808080", eyes) == pytest.approx(grey, abs=0.1) for eyes in EYES)
    red, green = (lab(colour, "deuteranopia") for colour in ("#d05050", "#7f8a48"))
    assert math.dist(red, green) < math.dist(lab("#d05050", "none"), lab("#7f8a48", "none")) / 2


@pytest.mark.parametrize("contrast", [False, True], ids=["", "contrast"])
@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("eyes", EYES)
def test_every_eye_tells_colours_with_a_meaning_apart(eyes, theme, contrast):
    near = {}
    for pair in APART:
        seen = [lab(plain(theme, name, contrast=contrast), eyes) for name in pair]
        if (distance := math.dist(*seen)) < LEAST:
            near[pair] = round(distance, 1)
    assert not near


@pytest.mark.parametrize("theme", THEMES)
def test_pages_and_exports_have_the_same_colours(theme):
    assert PALETTES[theme].keys() == PALETTES["light"].keys()
    pages = {role: plain(theme, f"--c-{role.name}") for role in PALETTES[theme]}
    assert pages == PALETTES[theme]


def test_no_colour_is_written_outside_the_tokens():
    loose = re.compile(r"#[0-9a-f]{3,8}\b|rgb\(|hsl\(", re.IGNORECASE)
    for sheet in CSS.rglob("*.css"):
        if sheet.name != "tokens.css":
            assert not loose.findall(sheet.read_text()), sheet.name


def test_every_token_that_is_used_exists():
    known = set(dict(TOKEN.findall(TOKENS)))
    for sheet in CSS.rglob("*.css"):
        text = sheet.read_text()
        own = set(dict(TOKEN.findall(text)))
        assert set(re.findall(r"var\((--[\w-]+)", text)) <= known | own, sheet.name


def sheets():
    """Every style sheet of the site and its games, without comments."""
    files = [*CSS.rglob("*.css"), *ROOT.glob("games/titles/*/static/*/*.css")]
    return {file: re.sub(r"/\*.*?\*/", "", file.read_text(), flags=re.DOTALL) for file in files}


def test_every_class_that_has_a_style_is_used():
    users = [
        *ROOT.glob("templates/**/*.html"),
        *ROOT.glob("static/js/**/*.js"),
        *ROOT.glob("games/**/*.py"),
        *ROOT.glob("games/titles/*/static/**/*.js"),
    ]
    used = {word for file in users for word in re.findall(r"[\w-]+", file.read_text())}
    for sheet, text in sheets().items():
        selectors = re.findall(r"(?:^|[{}])([^{}@]+)\{", text)
        styled = {name for found in selectors for name in re.findall(r"\.([a-zA-Z][\w-]*)", found)}
        unused = {name for name in styled - used if not name.startswith(BUILT)}
        assert not unused, sheet.name


def test_every_sheet_is_imported_once_into_a_layer_of_the_order():
    text = "".join((CSS / name).read_text() for name in ("site.css", "match.css"))
    imported = re.findall(r'@import url\("([^"]+)"\) layer\((\w+)\)', text)
    order = re.search(r"@layer ([\w, ]+);", text)[1].split(", ")
    assert order == ["reset", "tokens", "base", "components", "pages", "utilities", "print"]
    assert {layer for _, layer in imported} == set(order)
    names = [sheet.relative_to(CSS).as_posix() for sheet in CSS.rglob("*.css")]
    assert sorted(name for name, _ in imported) == sorted(set(names) - {"site.css", "match.css"})


def test_fonts_are_small_and_come_with_their_licences():
    fonts = CSS.parent / "fonts"
    files = list(fonts.glob("*.woff2"))
    assert files
    assert sum(file.stat().st_size for file in files) < 200_000
    for family in ("hanken-grotesk", "young-serif"):
        assert "SIL Open Font License" in (fonts / f"{family}.OFL.txt").read_text()
