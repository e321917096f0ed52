"""Second implementations of the rules of every game: plain, slow, written from the rule sheet.

``<folder of the game>.py`` holds a class ``Reference`` as in :mod:`.protocol`, and ``SAMPLES``:
how the game is wandered through by the contract tests.
"""
