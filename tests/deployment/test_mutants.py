"""The command that alters rules: where it does so, and that it does."""

import json
import random

import pytest

from tools import mutants

pytestmark = pytest.mark.thorough

SLUGS = mutants.slugs()


@pytest.mark.parametrize("slug", SLUGS)
def test_rules_and_second_implementation_are_found(slug):
    files = mutants.modules(slug)
    assert files[-1] == mutants.reference(slug)
    assert mutants.TITLES / slug / "rules.py" in files
    assert not [file for file in files if file.stem in {"meta", "drawing", "story", "options"}]
    assert sum(len(mutants.spots(slug, file)) for file in files) > 100


@pytest.mark.parametrize("slug", SLUGS)
def test_every_spot_changes_what_python_reads(slug):
    for file in mutants.modules(slug):
        found = mutants.spots(slug, file)
        for spot in random.Random(slug).sample(found, min(5, len(found))):
            before, after = mutants.altered(file.read_text(encoding="utf-8"), spot)
            assert mutants.change_of(before, after), spot
            compile(after, str(file), "exec")


def test_the_same_seed_draws_the_same_spots_and_every_game_has_some():
    first, again, other = (mutants.drawn(SLUGS, 20, random.Random(seed)) for seed in "112")
    assert first == again != other
    assert {spot.slug for spot in first} == set(SLUGS)


def test_every_known_change_is_one_that_a_spot_makes():
    known = json.loads(mutants.EQUIVALENT.read_text(encoding="utf-8"))
    assert known
    assert mutants.stale(list(known)) == []


def test_a_known_change_that_no_spot_makes_is_refused(tmp_path, monkeypatch):
    known = json.loads(mutants.EQUIVALENT.read_text(encoding="utf-8"))
    line_gone = "-    return gone\n+    return not gone"
    change_gone = f"{next(iter(known)).partition(chr(10))[0]}\n+    pass"
    listed = tmp_path / "equivalent.json"
    listed.write_text(json.dumps({**known, line_gone: "", change_gone: ""}), encoding="utf-8")
    monkeypatch.setattr(mutants, "EQUIVALENT", listed)
    with pytest.raises(SystemExit) as refused:
        mutants.main(["--spots", "0"])
    assert str(refused.value).endswith(f"\n{line_gone}\n{change_gone}")


def test_tests_that_fail_without_an_alteration_are_an_error(monkeypatch):
    monkeypatch.setattr(mutants, "LEFT_OUT", (*mutants.LEFT_OUT, "config"))
    with pytest.raises(SystemExit, match="The tests of die fail without any alteration"):
        mutants.main(["--spots", "1", "--title", "die"])


@pytest.mark.parametrize("slug", SLUGS)
def test_every_game_passes_in_a_copy_without_an_alteration(slug, tmp_path):
    mutants.Copies(tmp_path, 1, until=0).check(slug)


def test_too_few_noticed_is_an_error():
    spot = mutants.drawn(SLUGS, 1, random.Random(1))[0]
    outcomes = [*["noticed"] * 8, "survived", "equivalent"]
    verdicts = [mutants.Verdict(spot, outcome, "", 0.0) for outcome in outcomes]
    assert mutants.summary(verdicts, 90, 1.0) == 1
    assert mutants.summary(verdicts, 88, 1.0) == 0
