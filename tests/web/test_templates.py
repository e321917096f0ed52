"""The templates of the site's own pages, and the frame that Django's engine borrows from them."""

import pytest
from django.template import engines
from jinja2 import UndefinedError, nodes


@pytest.fixture
def environment():
    return engines["jinja2"].env


def written(source, **context):
    return engines["jinja2"].from_string(source).render(context)


def names(environment):
    return environment.list_templates(filter_func=lambda name: not name.startswith("django/"))


def test_a_missing_name_is_found():
    with pytest.raises(UndefinedError, match="colour"):
        written("{{ page.colour }}", page={})


def test_a_function_that_is_not_called_is_found():
    with pytest.raises(TypeError, match="which it should call"):
        written("{{ name.upper }}", name="ada")
    assert written("{{ name.upper() }}", name="ada") == "ADA"


def test_templates_call_only_what_there_is(environment):
    """A branch that no other test reaches would fail only when somebody reads the page."""
    for name in names(environment):
        tree = environment.parse(environment.loader.get_source(environment, name)[0])
        imported = {
            one if isinstance(one, str) else one[-1]
            for found in tree.find_all(nodes.FromImport)
            for one in found.names
        }
        known = imported | {macro.name for macro in tree.find_all(nodes.Macro)}
        known |= environment.globals.keys() | {"super", "self", "caller"}
        called = {
            call.node.name
            for call in tree.find_all(nodes.Call)
            if isinstance(call.node, nodes.Name)
        }
        assert called <= known, name
        assert {one.name for one in tree.find_all(nodes.Filter)} <= environment.filters.keys(), name
        assert {one.name for one in tree.find_all(nodes.Test)} <= environment.tests.keys(), name


def test_nothing_hides_a_function_of_the_templates(environment):
    functions = {name for name, one in environment.globals.items() if callable(one)}
    for name in names(environment):
        tree = environment.parse(environment.loader.get_source(environment, name)[0])
        stored = {one.name for one in tree.find_all(nodes.Name) if one.ctx == "store"}
        assert not stored & functions, name


def test_a_page_of_allauth_without_a_template_here_has_the_frame_of_the_site(rf):
    source = '{% extends "allauth/layouts/base.html" %}{% block content %}<p>&lt;</p>{% endblock %}'
    page = engines["django"].from_string(source).render({}, rf.get("/account/"))
    assert "<title>Account · Turnstone</title>" in page
    assert "<p>&lt;</p>" in page
    assert 'class="site-foot"' in page
