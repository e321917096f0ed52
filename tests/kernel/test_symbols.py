"""Symbols of SVG files: colours become roles, and nothing else than a drawing may hold."""

import pytest

from games.kernel.svg import INK, Element
from games.kernel.symbols import read_symbols

ROOT = '<svg xmlns="http://www.w3.org/2000/svg">{}</svg>'


@pytest.fixture
def read(tmp_path):
    def read(content):
        file = tmp_path / "symbols.svg"
        file.write_text(ROOT.format(content))
        return read_symbols(file)

    return read


def test_a_symbol_is_its_elements_by_its_id(read):
    found = read('<symbol id="tomb"><path d="M0 0H1"/><g><text x="1">RIP</text></g></symbol>')
    path = Element("path", (("d", "M0 0H1"),))
    words = Element("g", (), (Element("text", (("x", "1"),), ("RIP",)),))
    assert found == {"tomb": (path, words)}


def test_a_colour_is_a_role(read):
    found = read('<symbol id="a"><path fill="var(--c-ink)" stroke="none"/></symbol>')
    assert found == {"a": (Element("path", (("fill", INK), ("stroke", "none"))),)}


def test_comments_and_what_stands_beside_symbols_are_left_out(read):
    found = read('<style>path {}</style><symbol id="a"><!-- a line --><path/></symbol>')
    assert found == {"a": (Element("path"),)}


@pytest.mark.parametrize(
    "content", ["<script/>", '<path onclick="go()"/>', '<use href="https://example.org/#a"/>']
)
def test_what_has_no_place_in_a_drawing_is_refused(read, content):
    with pytest.raises(ValueError, match="has no place in a drawing"):
        read(f'<symbol id="a">{content}</symbol>')
