"""A match of three on the site's pages without script: word by word, to the end of its rounds."""

import random
import re
from html import unescape

import pytest

from games.matches.log.verify import verify
from games.matches.models import Match
from tests.match_driver import begin

FORM = re.compile(r'<form class="action-confirm".*?</form>', re.DOTALL)
INPUT = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)"')
MOST_MOVES = 60


def words_of(at, chance):
    """Choose among the options at random until a move is whole; return its words."""
    seat, words = at.actors[0], []
    while True:
        found = at.title.options(at.state, seat, "".join(words))
        if found.complete and (not found.next or chance.random() < 0.5):
            return words
        words.append(chance.choice(found.next).text)


def confirm(match_driver, seat, words):
    """Open the page with the words chosen, and send the form that it shows."""
    client = match_driver.client(seat)
    page = client.get(match_driver.page, {"word": words}).content.decode()
    form = [(name, unescape(value)) for name, value in INPUT.findall(FORM.search(page)[0])]
    sent = {name: [value for key, value in form if key == name] for name, _ in form}
    assert sent["word"] == words
    assert client.post(f"{match_driver.page}moves/", sent).status_code == 303


@pytest.mark.slow
def test_three_play_to_the_end_without_script(people):
    match_driver, chance = begin("dice-is-health", people, seats=3, rounds=3), random.Random(5)
    for _ in range(MOST_MOVES):
        at = match_driver.snapshot
        if not at.actors:
            break
        version = at.match.version
        confirm(match_driver, at.actors[0], words_of(at, chance))
        assert match_driver.match.version == version + 1
    assert match_driver.match.status == Match.Status.OVER
    assert match_driver.match.ending == "rounds-up"
    assert verify(match_driver.id) == []
    page = match_driver.client(None).get(match_driver.page).content.decode()
    assert " draw." in page
