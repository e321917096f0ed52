"""What pages do when a service refuses something."""

from collections.abc import Callable

from django.contrib import messages
from django.core.handlers.exception import response_for_exception
from django.forms import BaseForm
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


class _Shown:
    """Shows a refusal in its block, and goes on after the block."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> bool:
        return isinstance(error, GameError) and self.show(error)

    def show(self, refusal: GameError) -> bool:
        """Show a refusal. ``False`` if it is to be raised."""
        raise NotImplementedError


class AsMessage(_Shown):
    """Shows a refusal as a message. :exc:`Unknown` is raised."""

    def __init__(self, request: HttpRequest) -> None:
        self._request = request

    def show(self, refusal: GameError) -> bool:
        if isinstance(refusal, Unknown):
            return False
        messages.error(self._request, str(refusal))
        return True


class InForm(_Shown):
    """Shows a refusal in a form, beside a field or above all."""

    def __init__(self, form: BaseForm, field: str | None = None) -> None:
        self._form = form
        self._field = field

    def show(self, refusal: GameError) -> bool:
        self._form.add_error(self._field, str(refusal))
        return True
