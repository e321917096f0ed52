"""The style sheets: contrast in both themes, and the colours that boards share with exports."""

import re
from pathlib import Path

import pytest
from django.conf import settings

from games.kernel import svg
from games.kernel.palettes import PALETTES, ROLES

ROOT = Path(settings.BASE_DIR)
CSS = ROOT / "static" / "css"
BUILT = ("seat-", "hue-", "flash-")
"""How classes begin whose names templates put together."""
TOKENS = (CSS / "tokens.css").read_text()
TOKEN = re.compile(r"(--[\w-]+): ([^;]+);")
BOTH = re.compile(r"light-dark\((.+), (.+)\)")
THEMES = {"light": 1, "dark": 2}


def colours(theme):
    """Every token of the first block, as a theme has it."""
    found = {}
    for name, value in TOKEN.findall(TOKENS.partition("@media")[0]):
        pair = BOTH.fullmatch(value)
        found[name] = pair[THEMES[theme]] if pair else value
    return found


def plain(theme, name):
    """A colour of a theme, followed through other tokens."""
    known = colours(theme)
    value = known[name]
    while reference := re.fullmatch(r"var\((--[\w-]+)\)", value):
        value = known[reference[1]]
    return value


def luminance(colour):
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


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
    *((f"--c-{hue}", "--c-cell") for hue in ("red", "blue", "green", "purple")),
]


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(("text", "ground"), READ)
def test_text_can_be_read(theme, text, ground):
    assert contrast(theme, text, ground) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(("shape", "ground"), SEEN)
def test_what_has_a_meaning_can_be_seen(theme, shape, ground):
    assert contrast(theme, shape, ground) >= 3


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("role", ROLES, ids=lambda role: role.name)
def test_pages_and_exports_have_the_same_colours(theme, role):
    assert plain(theme, f"--c-{role.name}") == PALETTES[theme][role]


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
