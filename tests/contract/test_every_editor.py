"""Editors of positions: they rebuild what matches reached, and refuse what none can reach."""

import pytest

from games.kernel.editing import Number, with_fields
from games.kernel.errors import BrokenPosition, GameError
from tests.contract.random_play import matches

POSITIONS = 12
"""How many positions of each match are rebuilt."""


def edited(title, position, spaces, values):
    return title.with_spaces(with_fields(position, title.editor(position), values), spaces)


def checked(title, record, position, spaces, values):
    changed = edited(title, position, spaces, values)
    return title.read_position(changed, record.seats, record.params)


def goldens(title):
    """Yield golden matches, each with some of its positions in which somebody is to move."""
    for record in matches(title.meta.slug):
        states = [state for state in record.states if title.actors(state)]
        step = max(1, len(states) // POSITIONS)
        if states:
            yield record, [title.dump(state) for state in states[::step]]


def values_of(editor, position):
    return {one.key: one.read(position) for one in editor.fields}


def test_the_positions_of_golden_matches_are_rebuilt_from_the_start(title):
    for record, positions in goldens(title):
        first = positions[0]
        for position in positions:
            there = title.editor(position)
            values = values_of(title.editor(first), position)
            rebuilt = edited(title, first, there.spaces, values)
            assert rebuilt == position
            assert title.read_position(rebuilt, record.seats, record.params) is not None


def test_every_space_is_a_mark_of_the_drawing(title):
    for record, positions in goldens(title):
        state = title.load(positions[0], record.seats, record.params)
        marks = {mark.name for mark in title.draw(title.open_view(state), ()).marks}
        assert set(title.editor(positions[0]).spaces) <= marks


def test_numbers_out_of_range_and_strange_texts_are_refused(title):
    for record, positions in goldens(title):
        position = positions[-1]
        for one in title.editor(position).fields:
            for text in ("", "[", "x" * 50, "9" * 30, str(getattr(one, "low", 0) - 1), "\ud800"):
                try:
                    changed = edited(
                        title, position, title.editor(position).spaces, {one.key: text}
                    )
                    title.read_position(changed, record.seats, record.params)
                except GameError:
                    continue
                assert not isinstance(one, Number)
        break


def test_strange_pieces_are_refused(title):
    for record, positions in goldens(title):
        editor = title.editor(positions[0])
        for space in [*editor.spaces][:2]:
            for text in ("?", "x1 x1", "r" * 90, "-1", "\u0663"):
                with pytest.raises(BrokenPosition):
                    checked(title, record, positions[0], {**editor.spaces, space: text}, {})
        break


def test_what_no_match_can_reach_is_refused(title):
    """All spaces hold the first piece of the tray, or nothing at all after many moves."""
    for record, positions in goldens(title):
        editor = title.editor(positions[-1])
        if not editor.tray:
            continue
        piece = editor.tray[0]
        code = piece.code + (str(piece.numbers[1]) if piece.numbers else "")
        with pytest.raises(BrokenPosition):
            checked(title, record, positions[-1], dict.fromkeys(editor.spaces, code), {})
