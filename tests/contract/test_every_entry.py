"""Move entry of every game: what is offered, listed, typed and accepted is the same."""

import json
import random
import re
import string
import sys
from functools import cache
from itertools import islice

import pytest

from games.kernel.dice import CommittedDice
from games.kernel.errors import IllegalMove, MalformedMove
from games.kernel.options import Choice
from games.kernel.svg import marks_of
from tests.contract.random_play import FEW, continuations, matches, walk
from tests.sampling import rest_thorough

pytestmark = pytest.mark.usefixtures("_in_one_language")

HOSTILE = (
    *("", " ", "\x00", "?", "-1", "0", "a0", "z99", "c", "place", "+", ",", "pass pass", "None"),
    *(
        "c4;c5",
        "<script>",
        "ａ１",
        "١٢",
        "ĸ4",
        "İ1",
        "c4\n",
        "\tc4",
        "é",
        "🎲",
        "a" * 5_000,
        "9" * 5_000,
    ),
)


def positions(title, count):
    """Yield some positions of some matches with the seats that may move there."""
    for record in matches(title.meta.slug):
        for _, moment in record.some_moments(count):
            for seat in title.actors(moment.state):
                yield moment.state, seat


def legal_texts(title, state, seat):
    """Return all legal moves as texts; ``None`` where they are too many to list."""
    texts = [str(move) for move in islice(title.moves(state, seat), FEW)]
    return texts if len(texts) < FEW else None


def accepts(title, state, seat, text):
    """Whether the rules accept a text; refused ones must change nothing and say why."""
    before = title.dump(state)
    said = said_to(title, state, seat, text)
    assert title.dump(state) == before
    assert said != ""
    return said is None


def said_to(title, state, seat, text):
    """Return the sentence with which a text is refused; ``None`` if it is accepted."""
    return refusal(lambda: title.play(state, seat, title.parse(text), CommittedDice(b"entry")))


def refusal(call):
    """Return the sentence with which a call is refused; ``None`` if it is not."""
    try:
        call()
    except (MalformedMove, IllegalMove) as error:
        return str(error)
    return None


@pytest.mark.slow
def test_texts_and_moves_both_ways(title):
    for state, seat in positions(title, 10):
        for move in islice(title.moves(state, seat), FEW):
            assert title.parse(str(move)) == move


def test_parsing_forgives_case_and_blanks(title):
    rng = random.Random(3)
    for record in matches(title.meta.slug):
        for step in record.steps:
            if step.kind == "play":
                sloppy = rng.choice((step.text.upper(), step.text.lower(), step.text))
                sloppy = f"  {sloppy.replace(' ', '   ')} "
                assert str(title.parse(sloppy)) == step.text


def test_no_number_is_read_across_a_blank(title):
    rng, count = random.Random(9), 0
    for state, seat in positions(title, 20):
        text = walk(title, state, seat, rng)
        count += 1
        for pair in re.finditer("(?<=[0-9])(?=[0-9])", text):
            torn = f"{text[: pair.start()]} {text[pair.start() :]}"
            assert refusal(lambda torn=torn: title.parse(torn)), torn
            assert not is_offered(title, state, seat, torn), torn
    assert count


@pytest.mark.slow
@pytest.mark.parametrize("steps", rest_thorough((5, 20)))
def test_letters_beyond_ascii_are_no_letters_of_moves(title, steps):
    assert ("\N{KELVIN SIGN}", "k") in likenesses()
    for record in matches(title.meta.slug):
        for step in record.steps[:steps]:
            for letter, plain in likenesses():
                if step.text and plain in step.text.lower():
                    text = step.text.lower().replace(plain, letter)
                    assert refusal(lambda text=text: title.parse(text)), text


@cache
def likenesses():
    """Return the letters beyond ASCII of which Python makes an ASCII letter, with that letter."""
    beyond = {letter: small_ascii(letter) for letter in map(chr, range(128, sys.maxunicode + 1))}
    return [(letter, plain) for letter, plain in beyond.items() if plain]


def small_ascii(letter):
    """Return the one ASCII letter that Python makes of another; empty if it makes none."""
    if not letter.isalpha():
        return ""
    made = {letter.lower(), letter.casefold(), letter.upper().lower()}
    return next((one for one in made if len(one) == 1 and one.isascii()), "")


@pytest.mark.slow
def test_every_listed_move_is_listed_once_and_accepted(title):
    for state, seat in positions(title, 10):
        texts = legal_texts(title, state, seat)
        if texts is not None:
            assert len(set(texts)) == len(texts)
            before = title.dump(state)
            assert not [text for text in texts if said_to(title, state, seat, text) is not None]
            assert title.dump(state) == before


@pytest.mark.slow
@pytest.mark.parametrize("count", rest_thorough((4, 6)))
def test_options_lead_to_every_move_and_to_no_other(title, count):
    for state, seat in positions(title, count):
        texts = legal_texts(title, state, seat)
        if texts is not None:
            found = {str(title.parse(text)) for text in all_walks(title, state, seat)}
            assert found == set(texts)


def all_walks(title, state, seat):
    """Yield every whole move that options lead to."""
    todo, found = {""}, {""}
    while todo:
        typed = todo.pop()
        options = title.options(state, seat, typed)
        if options.complete:
            yield typed
        # Several ways lead to the same beginning of a move.
        more = {typed + text for text in continuations(options)} - found
        found |= more
        todo |= more


@pytest.mark.slow
def test_random_walks_down_the_options_end_in_moves_that_are_accepted(title):
    rng = random.Random(4)
    for state, seat in positions(title, 10):
        for _ in range(5):
            assert accepts(title, state, seat, walk(title, state, seat, rng))


@pytest.mark.slow
def test_mutated_texts_are_accepted_only_if_they_are_options(title):
    rng = random.Random(5)
    letters = string.ascii_letters + string.digits + " +-,>"
    for state, seat in positions(title, 6):
        for _ in range(20):
            text = mutated(walk(title, state, seat, rng), letters, rng)
            assert accepts(title, state, seat, text) == is_offered(title, state, seat, text)


@pytest.mark.slow
def test_moves_of_other_positions_are_accepted_only_if_they_are_options(title):
    rng = random.Random(6)
    for record in matches(title.meta.slug):
        pool = [step.text for step in record.steps if step.text]
        for _, moment in record.some_moments(8):
            for seat in title.actors(moment.state):
                for text in rng.sample(pool, min(20, len(pool))):
                    offered = is_offered(title, moment.state, seat, text)
                    assert accepts(title, moment.state, seat, text) == offered


def is_offered(title, state, seat, text):
    try:
        return title.options(state, seat, text).complete
    except MalformedMove:
        return False


def mutated(text, letters, rng):
    """Return a text with a letter changed, left out, doubled or put in."""
    at = rng.randrange(len(text))
    new = rng.choice(("", text[at] * 2, rng.choice(letters), text[at] + rng.choice(letters)))
    return text[:at] + new + text[at + 1 :]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_texts_are_refused_in_words(title, text):
    state, seat = next(positions(title, 2))
    assert refusal(lambda: title.parse(text)) != ""
    assert refusal(lambda: title.options(state, seat, text)) != ""
    assert accepts(title, state, seat, text) == is_offered(title, state, seat, text)


def test_refusals_repeat_at_most_eighty_characters(title):
    state, seat = next(positions(title, 2))
    for call in (title.parse, lambda text: title.options(state, seat, text)):
        said = refusal(lambda call=call: call("+xy" * 300))
        assert said.count("+xy") < 30, said


def test_options_are_labelled_and_stand_on_the_board(title):
    rng = random.Random(7)
    for state, seat in positions(title, 8):
        bare = title.view(state, seat)
        typed = walk(title, state, seat, rng)
        for cut in {0, len(typed) // 2}:
            options = options_or_none(title, state, seat, typed[:cut])
            shown = bare if options is None or options.view is None else options.view
            marks = dict(marks_of(title.draw(shown, ())))
            for offer in options.next if options else ():
                assert offer.label
                assert set(offer.marks) <= marks.keys()
                assert not isinstance(offer, Choice) or offer.text
        assert title.options(state, seat, "").prompt


def test_the_board_shows_the_last_move_until_something_is_said(title):
    for state, seat in positions(title, 20):
        assert title.options(state, seat, "").view is None


@pytest.mark.slow
def test_what_options_show_draws_with_every_mark_on_offer(title):
    rng = random.Random(8)
    for state, seat in positions(title, 6):
        typed = walk(title, state, seat, rng)
        for cut in range(len(typed) + 1):
            options = options_or_none(title, state, seat, typed[:cut])
            if options and options.view is not None:
                written = options.view.dump()
                assert json.loads(json.dumps(written)) == written
                marks = dict(marks_of(title.draw(options.view, ())))
                assert {name for offer in options.next for name in offer.marks} <= marks.keys()


def options_or_none(title, state, seat, typed):
    try:
        return title.options(state, seat, typed)
    except MalformedMove:
        return None


def test_who_is_not_to_move_has_no_options(title):
    for record in matches(title.meta.slug):
        for _, moment in record.some_moments(6):
            for seat in set(range(record.seats)) - set(title.actors(moment.state)):
                options = title.options(moment.state, seat, "")
                assert (options.complete, options.next) == (False, ())


@pytest.mark.slow
def test_a_mark_that_leads_nowhere_is_explained_in_a_sentence(title):
    rng = random.Random(10)
    for state, seat in positions(title, 6):
        typed = walk(title, state, seat, rng)
        before = title.dump(state)
        for cut in {0, len(typed) // 2}:
            options = options_or_none(title, state, seat, typed[:cut])
            if options and options.next:
                shown = options.view or title.view(state, seat)
                for name, _ in marks_of(title.draw(shown, ()), hidden=False):
                    said = title.explain(state, seat, typed[:cut], name)
                    assert said.endswith((".", "?", ")")), (typed[:cut], name, said)
                    assert not said.startswith("Not "), said
                for name in ("no mark", *HOSTILE):
                    assert title.explain(state, seat, typed[:cut], name)
        assert title.dump(state) == before
