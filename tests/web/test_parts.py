"""The templates of the parts of a match's page, and their tags."""

import pytest
from django.template import Context, Template

from games.web.match import match_parts
from tests.golden_pages import golden_matches, pages, whole
from tests.strict_templates import strict_templates

__all__ = ["strict_templates"]

SEAT = "{% load parts %}<ol>{% part 'seat' number %}<li>{{ name }}</li>{% endpart %}</ol>"


def test_a_missing_name_is_found(strict_templates):
    with pytest.raises(AssertionError, match="writes page"):
        Template("{{ page.colour }}").render(Context({"page": {}}))


@pytest.mark.parametrize(("slug", "name"), golden_matches())
def test_no_part_of_a_match_writes_a_missing_name(slug, name, strict_templates):
    for at, seen in enumerate(pages(slug, name)):
        if at % 5 == 0:
            for page in seen.values():
                match_parts.render(page)
                whole(page)


def test_a_part_is_written_in_its_place_or_handed_on():
    page = {"name": "<b>", "number": 1}
    assert Template(SEAT).render(Context(page)) == "<ol><li>&lt;b&gt;</li></ol>"
    found = {}
    page["part"] = lambda name, html: found.update({name: html}) or "<!--seat-->"
    assert Template(SEAT).render(Context(page)) == "<ol><!--seat--></ol>"
    assert found == {"seat 1": "<li>&lt;b&gt;</li>"}
