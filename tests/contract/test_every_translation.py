"""Rules and lessons in other languages have the structure, figures and numbers of the English."""

import json
import re
from collections import Counter

import pytest
from django.utils import translation
from markdown_it import MarkdownIt

from games.kernel import registry
from games.screen import rules
from games.study import lessons

MARKDOWN = MarkdownIt("commonmark").enable("table")
NAMES = ("rules.md", "brief.md", "pictures.md")
FOLDERS = [registry.folder(slug) for slug in registry.titles()]
TEXTS = [
    (english, file)
    for folder in FOLDERS
    for english in (folder / name for name in NAMES)
    for file in sorted(folder.glob(f"{english.stem}.*.md"))
]
LESSONS = [
    (folder / lessons.FOLDER / file.name, file)
    for folder in FOLDERS
    for file in sorted((folder / lessons.FOLDER).glob("*/*.json"))
]
LANGUAGES = sorted({file.suffixes[0].removeprefix(".") for _, file in TEXTS})
# An installed game may have its rules in fewer languages, or in English only.
PAGES = [
    (slug, code)
    for slug in registry.titles()
    for code in LANGUAGES
    if (registry.folder(slug) / f"rules.{code}.md").exists()
]


def named(file):
    return f"{file.parent.name}-{file.name}"


def shape(source):
    """Return the blocks of a text in order, without words."""
    return [(token.type, token.tag, token.level) for token in MARKDOWN.parse(source)]


def figures(source):
    found = []
    for token in MARKDOWN.parse(source):
        if token.type == "fence":
            figure = json.loads(token.content)
            assert bool(figure.pop("caption", "")) == ("caption" in token.content)
            found.append(figure)
    return found


def spans(source):
    """Count what is set as code, and bold and italic passages."""
    inline = [child for token in MARKDOWN.parse(source) for child in token.children or ()]
    code = Counter(child.content for child in inline if child.type == "code_inline")
    opened = Counter(child.type for child in inline if child.type in ("strong_open", "em_open"))
    return code, opened["strong_open"]


def digits(text):
    # 4,000 may be written 4000, and 0.5 as 0,5.
    return Counter(re.findall(r"\d", text))


def test_there_are_translations():
    assert {"de", "es", "fr"} <= set(LANGUAGES)
    assert len(TEXTS) == len(LANGUAGES) * len(FOLDERS) * len(NAMES)
    english = sum(len(list((folder / lessons.FOLDER).glob("*.json"))) for folder in FOLDERS)
    assert len(LESSONS) == len(LANGUAGES) * english


@pytest.mark.parametrize(("english", "file"), TEXTS, ids=named)
def test_a_text_has_the_structure_of_the_english(english, file):
    before, after = english.read_text(encoding="utf-8"), file.read_text(encoding="utf-8")
    assert shape(after) == shape(before)
    assert figures(after) == figures(before)
    assert spans(after) == spans(before)
    assert digits(after) == digits(before)


@pytest.mark.parametrize(("english", "file"), LESSONS, ids=named)
def test_a_lesson_has_the_texts_of_the_english(english, file):
    lesson = lessons.read(english)
    there = lessons.translated(lesson, file)
    assert (there.position, there.solution) == (lesson.position, lesson.solution)
    for name in ("title", "text", "right", "otherwise", "hint", "closing"):
        text = getattr(there, name)
        assert text.strip() == text != "", name
        assert digits(text) == digits(getattr(lesson, name)), name


@pytest.mark.parametrize(("slug", "code"), PAGES)
def test_a_page_in_another_language_has_the_anchors_of_the_english(slug, code):
    english = rules.rules(slug)
    with translation.override(code):
        there = rules.rules(slug)
        assert rules.brief(slug)
        assert [lesson.key for lesson in lessons.lessons(slug)]
        assert lessons.lessons(slug)[0].title
    assert [anchor for anchor, _ in there.contents] == [anchor for anchor, _ in english.contents]
    assert there.contents != english.contents
    assert bool(there.rulings) == bool(english.rulings)
    assert rules.rules(slug) is english
