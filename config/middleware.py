"""What Django has no setting for: answers to HEAD."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse


class HeadMiddleware:
    """Leaves the body out of an answer to HEAD, but says how long it would be.

    Daphne drops the first piece of such a body only; the rest would run into the next answer.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer, without the body."""
        response = self.get_response(request)
        if request.method == "HEAD" and not response.streaming:
            response.headers.setdefault("Content-Length", str(len(response.content)))
            response.content = b""
        return response


class PrivateMiddleware:
    """Keeps the pages of somebody who is signed in out of shared caches, and asked for anew."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer, and say whose the answer is where the view has not said so."""
        response = self.get_response(request)
        if request.user.is_authenticated and "Cache-Control" not in response.headers:
            response.headers["Cache-Control"] = "private, no-cache"
        return response
