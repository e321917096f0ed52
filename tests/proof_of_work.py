"""Solving the puzzle of the page to join, as a browser does (``static/js/site/work.js``)."""

import hashlib
import re

PUZZLE = re.compile(
    r'name="puzzle" value="(?P<token>[^"]+)".*? data-salt="(?P<salt>[^"]+)"'
    r' data-target="(?P<target>\w+)" data-numbers="(?P<numbers>\d+)" data-rounds="(?P<rounds>\d+)"'
)


def token_of(page: str) -> str:
    """Return the token of the puzzle on a page."""
    return _puzzle(page)["token"]


def solved(page: str) -> dict[str, str]:
    """Return the fields of the form with which a browser proves its work."""
    puzzle = _puzzle(page)
    salt, rounds = puzzle["salt"].encode(), int(puzzle["rounds"])
    for number in map(str, range(int(puzzle["numbers"]))):
        key = hashlib.pbkdf2_hmac("sha256", salt, number.encode(), rounds, 16)
        if key.hex() == puzzle["target"]:
            return {"puzzle": puzzle["token"], "solution": number}
    raise AssertionError("The puzzle has no solution.")


def _puzzle(page: str) -> re.Match[str]:
    found = PUZZLE.search(page)
    assert found, "There is no puzzle on the page."
    return found
