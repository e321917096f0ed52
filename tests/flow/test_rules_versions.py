"""A match is played to its end by the rules that it was begun under."""

import json
from dataclasses import replace

import pytest
from django.test import Client

from games.kernel import registry
from games.matches import selectors, services
from games.matches.log.verify import verify
from games.records import record
from games.records.dice_check import Check, read
from tests.example_games.heap import META, TITLE, Heap

BIG = 8
"""Sides of the die by the second version of the rules; by the first it has six."""


class BigDice:
    """Dice that roll a d8 where a d6 is asked for."""

    def __init__(self, dice):
        self.dice = dice

    def roll(self, sides):
        return self.dice.roll(BIG if sides == 6 else sides)


class NewHeap(Heap):
    meta = replace(META, rules_version=2)
    older = (TITLE,)

    def play(self, state, seat, move, dice):
        return super().play(state, seat, move, BigDice(dice))


@pytest.fixture
def upgrade(monkeypatch):
    """Install the second version of the rules beside the first."""
    return lambda: monkeypatch.setattr(registry, "titles", lambda: {META.slug: NewHeap()})


def sides(play):
    return [entry.sides for entry in selectors.log(play.match) if entry.sides]


def exported(play):
    return json.dumps(record.export(play.snapshot, selectors.log(play.match))).encode()


def finish(play):
    while play.snapshot.actors:
        play.move(play.snapshot.actors[0], "roll")


@pytest.mark.slow
def test_a_match_begun_under_version_1_is_played_to_its_end_after_version_2_has_come(
    start, upgrade
):
    old = start(heap=60)
    old.move(0, "roll")
    upgrade()
    new = start(heap=60)
    assert (old.match.rules_version, new.match.rules_version) == (1, 2)
    old.move(1, "1")
    old.act(services.take_back, 1)
    for play in (old, new):
        finish(play)
        assert play.match.status == "over"
        assert verify(play.id) == []
        check = Check(read(exported(play)))
        assert (list(check.trouble), check.remark) == ([], "")
        for path in ("", "1/", "export.json", "export.txt"):
            assert Client().get(f"/matches/{play.id}/{path}").status_code == 200
    assert {die for found in sides(old) for die in found} == {6}
    assert {die for found in sides(new) for die in found} == {BIG}


def test_a_version_that_has_gone_is_named(play, upgrade, monkeypatch):
    file = exported(play)
    monkeypatch.setattr(NewHeap, "older", ())
    upgrade()
    found = verify(play.id)
    assert [(one.kind, one.is_fault) for one in found] == [("rules-version", True)]
    assert "Played by version 1 of the rules, known here is 2" in Check(read(file)).remark
