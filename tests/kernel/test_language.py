"""Messages of games in the reader's language."""

from gettext import NullTranslations

import pytest

from games.kernel import language
from games.kernel.language import Language, cached, code, gettext, looked_up


class Shouted(NullTranslations):
    def gettext(self, message):
        return message.upper()


@pytest.fixture
def asked(monkeypatch):
    """The languages of the reader, the next one last; each is taken when somebody asks."""
    languages = [Language("de", NullTranslations()), Language("fr", Shouted())]
    monkeypatch.setattr(language._Source, "language", languages.pop)
    return languages


def test_within_a_block_the_language_is_looked_up_once(asked):
    shown = cached(None)(lambda text: f"{code()}: {gettext(text)}")
    with looked_up():
        assert shown("a stone") == "fr: A STONE"
        assert (code(), gettext("a cell")) == ("fr", "A CELL")
        assert len(asked) == 1
    assert gettext("a stone") == "a stone"
    assert not asked


def test_a_block_ends_with_its_error(asked):
    with pytest.raises(LookupError), looked_up():
        raise LookupError
    assert code() == "de"
