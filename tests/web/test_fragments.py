"""The parts of a match's page, read with those that they include in their places."""

import os

from games.web.match import fragments
from games.web.match.fragments import Inlined, environment


def test_no_fragment_includes_another_at_run_time():
    for name in environment.list_templates():
        source, _, _ = environment.loader.get_source(environment, name)
        assert "{% include" not in source


def test_a_change_of_what_is_included_is_noticed(tmp_path):
    (tmp_path / "outer.html").write_text('<p>{% include "inner.html" %}</p>')
    (tmp_path / "inner.html").write_text("{{ word }}")
    environment = fragments.environment.overlay(loader=Inlined(tmp_path), auto_reload=True)
    assert environment.get_template("outer.html").render(word="one") == "<p>one</p>"
    (tmp_path / "inner.html").write_text("<b>{{ word }}</b>")
    os.utime(tmp_path / "inner.html", (1, 1))
    assert environment.get_template("outer.html").render(word="<i>") == "<p><b>&lt;i&gt;</b></p>"
