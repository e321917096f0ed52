"""The web server: Daphne, and what neither its options nor a proxy can do.

- ``clients``: the address of a client behind a known number of proxies. Daphne believes the first
  entry of ``X-Forwarded-For``, which anybody can make up.
- ``application``: an ASGI application around the site. It limits the requests and sockets of each
  client (Caddy can't), gives each an id, and writes an access log without tokens (Daphne's log has
  the full address, and no id).
- ``turns``: lets few requests of a client be worked on at once.
- ``server``: the stop. Daphne cuts all requests on SIGTERM, and waits forever for a thread that
  hangs.
- ``signals``: the end of the process, even while its loop hangs.

The proxy limits the size of requests and the time they take to arrive (docs/running.md). Daphne
chooses Twisted's reactor on import, so import it before anything of Twisted.
"""
