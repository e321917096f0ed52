"""What pages do when a service refuses something."""

from collections.abc import Callable

from django.contrib import messages
from django.core.handlers.exception import response_for_exception
from django.http import Http404, HttpRequest, HttpResponse

from games.kernel.errors import GameError
from games.matches.errors import Unknown


class UnknownMiddleware:
    """Answers as for an unknown address if a view raised :exc:`Unknown`."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if not isinstance(error, Unknown):
            return None
        return response_for_exception(request, Http404(str(error)))


class AsMessage:
    """Shows a refusal in its block as a message, and goes on after the block.

    :exc:`Unknown` is raised.
    """

    def __init__(self, request: HttpRequest) -> None:
        self._request = request

    def __enter__(self) -> None:
        pass

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> bool:
        is_shown = isinstance(error, GameError) and not isinstance(error, Unknown)
        if is_shown:
            messages.error(self._request, str(error))
        return is_shown
