"""Pairs who play on whatever happens, and remember what the site has acknowledged to them."""

import contextlib
import json
import threading
import time
from collections import Counter
from uuid import uuid4

import requests
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

PAUSE = 1.0
"""Seconds between two moves of a match; more in a minute are refused."""

PATIENCE = 20
"""Seconds that an answer may take: longer than any page, shorter than a frozen server."""


class Pair(threading.Thread):
    """Two people who play one match after the other, each request at the next web process.

    An answer that does not come, or is an error, is asked for again with the same submission.
    """

    def __init__(self, table, sites):
        super().__init__(daemon=True)
        self.people, self.sites = table["people"], sites
        self.match, *self.left = table["matches"]
        self.acknowledged, self.moments, self.answers = {}, {}, Counter()
        self.last_move, self.over = 0.0, threading.Event()
        self.begins_another = threading.Event()
        self._asked = 0

    def run(self):
        while not self.over.is_set():
            with contextlib.suppress(requests.RequestException):
                self._move()
            self.over.wait(PAUSE)

    def _ask(self, method, seat, path, **body):
        """Ask the next process; where none listens the one after it, as a proxy does."""
        self._asked += 1
        turn = self._asked % len(self.sites)
        *others, last = self.sites[turn:] + self.sites[:turn]
        for site in others:
            with contextlib.suppress(requests.ConnectionError):
                return self._ask_at(site, method, seat, path, body)
        return self._ask_at(last, method, seat, path, body)

    def _ask_at(self, site, method, seat, path, body):
        person = self.people[seat]
        headers = {"Cookie": person["cookies"], "X-CSRFToken": person["token"], "Origin": site}
        address = f"{site}/api/v1/matches/{self.match}/{path}"
        try:
            answer = requests.request(
                method, address, headers=headers, json=body or None, timeout=PATIENCE
            )
        except requests.RequestException:
            self.answers["none"] += 1
            raise
        self.answers[answer.status_code] += 1
        return answer

    def _read(self, seat, path):
        answer = self._ask("GET", seat, path)
        answer.raise_for_status()
        return answer.json()

    def _move(self):
        match = self._read(0, "")
        if match["status"] != "running" or self.begins_another.is_set():
            self.begins_another.clear()
            self._begin_another()
            return
        seat = match["to_move"][0]
        text = self._read(seat, "options/")["next"][0]["text"]
        body = {"moves": [text], "version": match["version"], "submission": str(uuid4())}
        self._send(seat, body)

    def _begin_another(self):
        assert self.left, "more matches are needed for so long a test"
        self.match = self.left.pop(0)

    def _send(self, seat, body):
        while not self.over.is_set():
            with contextlib.suppress(requests.RequestException):
                answer = self._ask("POST", seat, "moves/", **body)
                if answer.status_code == 200:
                    self._note(body["submission"], answer.json()["version"])
                    return
                if 400 <= answer.status_code < 500:
                    assert answer.status_code in (409, 429), answer.text
                    return
            self.over.wait(PAUSE)

    def _note(self, submission, version):
        """Remember what the site has acknowledged, and when."""
        self.last_move = time.time()
        self.acknowledged[submission] = version
        self.moments[self.match, version] = self.last_move


class Watcher(threading.Thread):
    """A page that shows a match, and connects again whenever it has to."""

    def __init__(self, pair, site):
        super().__init__(daemon=True)
        self.pair, self.site = pair, site
        self.heard, self.over = {}, threading.Event()

    def run(self):
        while not self.over.is_set():
            match = self.pair.match
            with contextlib.suppress(OSError, WebSocketException), page(self.site, self.pair) as at:
                while self.pair.match == match and not self.over.is_set():
                    with contextlib.suppress(TimeoutError):
                        self._hear(match, json.loads(at.recv(timeout=1)))
            self.over.wait(0.5)

    def _hear(self, match, message):
        if message["type"] == "match":
            self.heard.setdefault((match, message["version"]), time.time())


def page(site, pair):
    """The socket of a page that shows a pair's match."""
    return connect(
        f"{site.replace('http', 'ws', 1)}/ws/?match={pair.match}",
        origin=site,
        additional_headers={"Cookie": pair.people[0]["cookies"]},
        proxy=None,
    )
