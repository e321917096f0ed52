"""The process that thinks: ``python -m games.bots.process``.

It reads a question a line and writes its answer as a line, until its input ends. It knows neither
the database nor any secret. Pages go first, and extras (``config.celery``) come last.
"""

import os
import sys

import msgspec

from games.bots.appraising import appraise
from games.bots.questions import Question, read
from games.bots.search import think

LOW_PRIORITY = 15


def main() -> None:
    """Answer questions until there are no more."""
    os.nice(LOW_PRIORITY)
    for line in sys.stdin.buffer:
        try:
            asked = read(line)
            answer = think(asked) if isinstance(asked, Question) else appraise(asked)
        except Exception as error:  # noqa: BLE001
            # Its message may hold a card.
            sys.exit(f"A bot cannot think: {type(error).__name__}")
        sys.stdout.buffer.write(msgspec.json.encode(answer) + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
