"""What is hidden in a game stays hidden, in its own words and at every interface of the site.

For every game with secrets: stretches of random matches, and for each viewer a second world that
differs only in what the viewer may not know (``scenarios.py``). Whatever the viewer gets must be
the same in both, to the byte.
"""

import random

import pytest

from games.kernel import registry
from games.kernel.canonical import canonical
from tests.contract.equivalence import differences
from tests.contract.interfaces import House
from tests.contract.scenarios import pairs, records, some_pairs, twins_of
from tests.sampling import rest_thorough

SECRETIVE = [title for title in registry.titles().values() if title.meta.has_secrets]
SLUGS = [title.meta.slug for title in SECRETIVE]

every_secretive = pytest.mark.parametrize("keeper", SECRETIVE, ids=SLUGS)


@every_secretive
def test_a_game_with_secrets_says_what_they_are(keeper):
    indistinguishable, chance = twins_of(keeper.meta.slug), random.Random(1)
    assert isinstance(indistinguishable.REVEALS, frozenset)
    for record in records(keeper):
        for viewer in record.viewers:
            scenarios = [
                (position, indistinguishable.indistinguishable(position, viewer, chance))
                for position in map(keeper.dump, record.states[:-1:7])
            ]
            assert any(here != there for here, there in scenarios)
            for _, there in scenarios:
                loaded = keeper.load(there, record.seats, record.params)
                assert keeper.dump(loaded) == there


@every_secretive
def test_the_explorer_knows_a_position_by_what_all_see(keeper):
    """Its key and the names of its images are the same in both worlds of a spectator."""
    twins, chance, compared = twins_of(keeper.meta.slug), random.Random(3), 0
    for record in records(keeper):
        for state in record.states[:-1:7]:
            here = keeper.dump(state)
            there = twins.indistinguishable(here, None, chance)
            twin = keeper.load(there, record.seats, record.params)
            found, other = (
                canonical(keeper, record.seats, record.params, world) for world in (state, twin)
            )
            assert (found.key, found.images) == (other.key, other.images)
            compared += here != there
    assert compared


@pytest.mark.slow
@pytest.mark.usefixtures("_in_one_language")
@every_secretive
def test_two_worlds_look_alike_by_the_rules(keeper):
    chance = random.Random(2)
    for record in records(keeper):
        for pair in pairs(record, twins_of(keeper.meta.slug), chance, most=6, length=5):
            assert not list(differences(pair)), (pair.viewer, pair.scenarios)


@pytest.mark.slow
@pytest.mark.xdist_group("pairs")
@every_secretive
def test_worlds_are_not_the_same_and_go_on_for_a_while(keeper):
    """A harness that compares nothing finds nothing."""
    found = some_pairs(keeper.meta.slug)
    assert all(pair.scenarios[0] != pair.scenarios[1] for pair in found[::3])
    assert sum(len(pair.scenarios[0].steps) for pair in found) > len(found) / 2
    assert any(
        here.text != there.text or here.chance != there.chance
        for pair in found
        for here, there in zip(*(world.steps for world in pair.scenarios), strict=True)
    )


@pytest.mark.slow
@every_secretive
@pytest.mark.parametrize("turn", rest_thorough(range(4)))
def test_two_worlds_look_alike_at_every_door(keeper, turn, db, monkeypatch):
    chance, found = random.Random(turn), records(keeper)
    record = found[turn * len(found) // 4]
    house = House(keeper, monkeypatch)
    for pair in pairs(record, twins_of(keeper.meta.slug), chance, most=1, length=4):
        assert not house.differences(pair), (pair.viewer, pair.scenarios)
