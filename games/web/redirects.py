"""Redirects after a form."""

from http import HTTPStatus
from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect


def see_other(to: Any, *args: Any) -> HttpResponse:
    """Redirect to a page that browsers and programs then GET. ``to`` is as in Django's redirect.

    Source: RFC 9110, 15.4.4. After Django's 302 some programs would repeat the POST.
    """
    answer = redirect(to, *args)
    answer.status_code = HTTPStatus.SEE_OTHER
    return answer
