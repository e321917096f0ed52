"""What is written to the log when something goes wrong many times over."""

import logging

import pytest
import redis.exceptions

from config.logs import REPEAT_PERIOD, RepeatFilter, TextFormatter


class Watch:
    now = 1000.0

    def __call__(self):
        return self.now


@pytest.fixture
def watch():
    return Watch()


@pytest.fixture
def lines(watch):
    """What a logger with the filter has written."""
    written = []
    handler = logging.Handler()
    handler.emit = lambda record: written.append(record.getMessage() + record.more)
    handler.addFilter(RepeatFilter(watch))
    logger = logging.getLogger("trouble-of-a-test")
    logger.addHandler(handler)
    yield written
    logger.removeHandler(handler)


def say(level=logging.WARNING, number=0):
    logging.getLogger("trouble-of-a-test").log(level, "Redis is away: %s", number)


def test_trouble_is_said_once_a_minute(lines, watch):
    for number in range(600):
        say(number=number)
        watch.now += REPEAT_PERIOD / 240
    assert lines == [
        "Redis is away: 0",
        "Redis is away: 240 (239 more like this since the last line)",
        "Redis is away: 480 (239 more like this since the last line)",
    ]


def test_what_is_no_trouble_is_always_said(lines):
    logging.getLogger("trouble-of-a-test").setLevel(logging.INFO)
    for _ in range(3):
        say(logging.INFO)
    assert len(lines) == 3


def test_different_trouble_is_said(lines):
    log = logging.getLogger("trouble-of-a-test")
    for error in (ValueError(), ValueError(), KeyError()):
        try:
            raise error
        except (ValueError, KeyError):
            log.exception("It failed")
    assert len(lines) == 2


def written(error, message="It failed\nat length"):
    info = (type(error), error, None)
    record = logging.LogRecord("name", logging.ERROR, __file__, 1, message, None, info)
    return TextFormatter("{message}", style="{").format(record)


def test_a_lost_connection_is_one_line():
    error = RuntimeError("Cannot send")
    error.__cause__ = redis.exceptions.ConnectionError("refused")
    assert written(error) == "It failed (ConnectionError)"


def test_a_fault_is_told_whole():
    text = written(ValueError("x"))
    assert text.startswith("It failed\nat length\nValueError")


def test_a_fault_in_the_handling_of_a_lost_connection_is_told_whole():
    error = ValueError("x")
    error.__context__ = redis.exceptions.ConnectionError("refused")
    assert "ValueError: x" in written(error)
