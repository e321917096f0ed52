"""``docs/attributes.md`` names the data attributes that scripts read, and each means one thing."""

import re
from itertools import chain
from pathlib import Path

from django.conf import settings

BASE = Path(settings.BASE_DIR)
ROW = re.compile(r"^\| `data-([a-z-]+)` \|", re.MULTILINE)
COMMENT = re.compile(r"/\*.*?\*/|(?<!:)//[^\n]*", re.DOTALL)
ATTRIBUTE = re.compile(r"\bdata-([a-z]+(?:-[a-z]+)*)")
PROPERTY = re.compile(r"\bdataset\.([a-zA-Z]+)|\"(\w+)\" in [\w.]*dataset")
KEYWORD = re.compile(r"\bdata_([a-z_]+)")


def files(*patterns):
    found = chain.from_iterable(BASE.glob(pattern) for pattern in patterns)
    return [path.read_text() for path in found if "tests" not in path.relative_to(BASE).parts]


def kebab(name):
    return re.sub(r"([A-Z])", r"-\1", name).lower()


def scripts():
    return [COMMENT.sub("", text) for text in files("static/js/**/*.js")]


def listed():
    return ROW.findall((BASE / "docs" / "attributes.md").read_text())


def test_each_attribute_is_listed_once():
    assert len(listed()) == len(set(listed()))


def test_all_attributes_of_scripts_are_listed():
    named = {name for text in scripts() for name in ATTRIBUTE.findall(text)}
    read = {kebab(one or other) for text in scripts() for one, other in PROPERTY.findall(text)}
    assert not (named | read) - set(listed())


def test_scripts_read_all_that_are_listed():
    words = {kebab(word) for text in scripts() for word in re.findall(r"[\w-]+", text)}
    unread = {name for name in listed() if name not in words and f"data-{name}" not in words}
    assert not unread


def test_something_writes_all_that_are_listed():
    sources = files("templates/**/*.html", "games/**/*.py", "accounts/**/*.py")
    written = {name for text in sources for name in ATTRIBUTE.findall(text)}
    written |= {name.replace("_", "-") for text in sources for name in KEYWORD.findall(text)}
    by_scripts = {
        kebab(name) for text in scripts() for name in re.findall(r"dataset\.(\w+) =", text)
    }
    assert not set(listed()) - written - by_scripts


def test_templates_write_nothing_that_is_not_read():
    found = re.compile(rf"(?<=[ }}]){ATTRIBUTE.pattern}")
    written = {name for text in files("templates/**/*.html") for name in found.findall(text)}
    styled = {name for text in files("static/css/**/*.css") for name in ATTRIBUTE.findall(text)}
    assert not written - set(listed()) - styled
