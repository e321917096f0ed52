"""What every game tells its players: moves in words, numbers on their strips, and how it ended."""

import re

from games.kernel import registry
from games.kernel.contract import Ended
from tests.contract.game_modules import policy_of
from tests.contract.random_play import matches, stopped_matches

PROGRAM_WORDS = r"None|\?\?"
"""What only programs say."""

MOST_WORDS = 320
"""Of the rules in brief."""

LONGEST = 160
"""Characters of a phrase: two lines of a phone."""


def notation_of(title):
    """Return a pattern of what no player should read: names that only the notation has.

    A game adds its own as ``NOTATION`` in ``policy.py`` of its tests.
    """
    own = getattr(policy_of(title.meta.slug), "NOTATION", "")
    return re.compile("|".join(filter(None, (PROGRAM_WORDS, own))))


def _some_steps(record, count=12):
    for number, moment in record.some_moments(count):
        if number and record.steps[number - 1].kind == "play":
            yield record.moments[number - 1].state, record.steps[number - 1], moment


def test_moves_are_told_in_words_before_they_are_played(title):
    for record in matches(title.meta.slug):
        for before, step, _ in _some_steps(record):
            view = title.view(before, step.seat)
            phrase = title.phrase(title.parse(step.text), view, step.seat, step.seat)
            assert phrase[0].isupper(), phrase
            assert not phrase.endswith((".", "?")), phrase
            assert len(phrase) <= LONGEST, phrase
            assert not notation_of(title).search(phrase), phrase
            view = title.open_view(before)
            for_others = title.phrase(title.parse(step.text), view, step.seat, None)
            assert not re.search(r"\byour?\b", for_others, re.IGNORECASE), for_others


def test_forecasts_are_sentences(title):
    for record in matches(title.meta.slug):
        for before, step, _ in _some_steps(record, 6):
            found = title.options(before, step.seat, step.text)
            assert found.forecast == "" or found.forecast.endswith((".", "!"))


def test_strips_have_a_few_numbers_for_every_viewer(title):
    for record in matches(title.meta.slug):
        for _, moment in record.some_moments(6):
            for viewer in record.viewers:
                view = title.view(moment.state, viewer)
                for seat in range(record.seats):
                    tallies = title.tallies(view, seat)
                    assert len(tallies) <= 3
                    assert all(tally.value >= 0 and tally.label for tally in tallies)


def test_the_log_calls_its_reader_you_and_others_by_their_colours(title):
    names = [colour.name for colour in title.meta.colours]
    for record in matches(title.meta.slug)[:2]:
        for _, step, moment in _some_steps(record, 20):
            for event in moment.events:
                own = title.describe(event.seen_by(step.seat), step.seat)
                assert not re.search(rf"\b{names[step.seat]}\b(?! (piece|group))", own), own
                assert not notation_of(title).search(own), own


def test_headlines_are_shorter_than_the_lines_of_the_log(title):
    for record in matches(title.meta.slug):
        for _, _, moment in _some_steps(record, 20):
            for viewer in record.viewers:
                for event in (event.seen_by(viewer) for event in moment.events):
                    line, brief = title.describe(event, viewer), title.headline(event, viewer)
                    assert len(brief) < max(len(line), 1) or not brief, (brief, line)
                    assert not brief.endswith((".", "!")), brief
                    assert not notation_of(title).search(brief), brief


def test_what_happens_to_a_seat_is_told_from_its_side(title):
    for record in (*matches(title.meta.slug), *stopped_matches(title.meta.slug)):
        for _, _, moment in _some_steps(record, 40):
            for seat in range(record.seats):
                for event in (event.seen_by(seat) for event in moment.events):
                    if title.befalls(event, seat):
                        for told in (title.describe(event, seat), title.headline(event, seat)):
                            assert re.search(r"\byou(rs?)?\b", told, re.IGNORECASE), told


def test_the_end_has_a_reason_where_the_rules_gave_one(title):
    for record in (*matches(title.meta.slug), *stopped_matches(title.meta.slug)):
        for event in record.moments[-1].events:
            if isinstance(event, Ended):
                for viewer in record.viewers:
                    reason = title.ending_reason(event.seen_by(viewer, over=True), viewer)
                    assert bool(reason) or event.ending not in title.meta.endings
                    assert not reason.endswith(".")


def test_what_the_setup_drew_is_told_if_anything_was(title):
    for record in matches(title.meta.slug):
        first = record.moments[0]
        if record.start is None and first.drawn:
            view = title.view(first.state, None)
            assert title.describe_setup(view, None).endswith(".")


def test_the_rules_in_brief_fill_one_screen_and_have_the_section_of_every_phase(title):
    text = (registry.folder(title.meta.slug) / "brief.md").read_text(encoding="utf-8")
    assert len(text.split()) <= MOST_WORDS
    headings = re.findall(r"^## (.+)$", text, re.MULTILINE)
    assert headings
    for record in matches(title.meta.slug):
        for _, moment in record.some_moments(20):
            for viewer in record.viewers:
                section = title.brief_section(title.view(moment.state, viewer))
                assert section in ("", *headings)
