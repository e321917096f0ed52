"""What every game can be achieved in: each achievement has a worked example that earns it."""

import re

from games.kernel import registry
from games.kernel.achievements import earned, examples, faults, record_of
from tests.contract.random_play import matches

FEWEST = 12
"""Achievements of a game that has any."""


def test_each_has_a_worked_example(title):
    assert list(faults(title, registry.folder(title.meta.slug))) == []


def test_there_are_some_worth_telling_or_none(title):
    found = title.achievements
    assert not found or len(found) >= FEWEST
    for one in found:
        assert re.fullmatch("[a-z][a-z-]{1,39}", one.key)
        assert re.fullmatch(r"[A-Z][^.]{2,39}", one.name)
        assert re.fullmatch(r"[A-Z].+\.", one.sentence)
        assert len(one.sentence) <= 110
    assert len({one.name for one in found}) == len({one.sentence for one in found}) == len(found)


def test_any_match_can_be_looked_at_however_it_ended(title):
    for match in matches(title.meta.slug):
        moments = match.moments
        ranks = title.result(moments[-1].state)
        if match.start is None and ranks:
            record = record_of(match.seats, match.params, match.steps, moments, ranks)
            assert earned(title, record) == earned(title, record)


def test_no_achievement_comes_with_every_match(title):
    records = [record for record, _ in examples(title, registry.folder(title.meta.slug))]
    for one in title.achievements:
        seats = [one.earned(feats) for record in records for feats in title.feats_of(record)]
        assert not all(seats)
