"""Positions that differ only in what a viewer may not know, for every game with secrets.

``<folder of the game>.py`` holds what :class:`~tests.contract.scenarios.Twins` asks for:

``twin(position, viewer, chance)`` gives another possible position of the same match, in which
everything hidden from ``viewer`` (``None``: a spectator) has been dealt again by ``chance``, and
nothing else. It is the measure of what is hidden: views are tested against it, so it must not be
made with their help.

``REVEALS`` are the types of events that tell everybody what no view shows for long: dice thrown on
the table, cards turned up. Where they tell different things, two worlds part for good reason.
"""
