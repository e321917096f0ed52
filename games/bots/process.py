"""The process that thinks: ``python -m games.bots.process``.

It reads one question per line and writes each answer as a line, until its input ends. Instead of an
answer it may write an error. It knows neither the database nor any secret. It runs at a lower
priority than pages, and extras (``config.celery``) at the lowest.
"""

import os
import sys

import msgspec

from games.bots.advising import advise
from games.bots.appraising import appraise
from games.bots.questions import (
    Advice,
    Answer,
    Appraisal,
    Appraised,
    Consultation,
    Question,
    read,
)
from games.bots.search import think

LOW_PRIORITY = 15


def main() -> None:
    os.nice(LOW_PRIORITY)
    for line in sys.stdin.buffer:
        try:
            asked = read(line)
            answer = _answer(asked)
        except Exception as error:  # noqa: BLE001
            # Its message may hold a card.
            _say(f"A bot cannot think: {type(error).__name__}")
            sys.exit(1)
        _say(answer)


def _answer(asked: Question | Appraisal) -> Answer | Appraised | Advice:
    if isinstance(asked, Question):
        return think(asked)
    return advise(asked) if isinstance(asked, Consultation) else appraise(asked)


def _say(answer: Answer | Appraised | Advice | str) -> None:
    try:
        sys.stdout.buffer.write(msgspec.json.encode(answer) + b"\n")
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        # The worker was killed. At a regular exit Python would flush again.
        os._exit(1)


if __name__ == "__main__":
    main()
