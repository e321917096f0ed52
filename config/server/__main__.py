"""`python -m config.server`: a web process of the site on many machines."""

import argparse
import os
import sys

# Before anything of Twisted.
from config.server.server import SiteServer  # isort: skip

from django.conf import settings
from django.utils.module_loading import import_string

from config import metrics

NOTICE = 1.5
"""Seconds for a proxy to notice that this process is about to stop."""


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m config.server", description=__doc__)
    parser.add_argument("--bind", default="127.0.0.1", help="address to listen on")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--notice", type=float, default=NOTICE, help="seconds before it stops")
    parser.add_argument("--metrics", type=int, help="port of metrics for Prometheus")
    parser.add_argument("--application", default="config.asgi.application")
    chosen = parser.parse_args(arguments)
    host = chosen.bind.strip("[]").replace(":", r"\:")
    application = import_string(chosen.application)
    server = SiteServer(
        application,
        endpoints=[f"tcp:port={chosen.port}:interface={host}"],
        proxies=settings.PROXIES,
        most=settings.CLIENT_CONNECTIONS,
        notice=chosen.notice,
        access_log=sys.stdout,
    )
    if chosen.metrics is not None:
        metrics.serve(chosen.bind.strip("[]"), chosen.metrics)
    server.run()
    if server.abort_start:
        raise SystemExit(1)
    # Python would wait for threads, some of which may wait for a lost server.
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1:])
