"""What tests read of the site's answers."""

import re
from typing import Any

TOKENS = re.compile(
    r'(name="(?:csrfmiddlewaretoken|submission|commitment_token)" value=|data-commitment=)"[^"]*"'
    r'|(secret number: <code class="hash">)[0-9a-f]*'
)


def lasting(response: Any) -> str:
    """Return an answer's text without its tokens and commitments: they are random, and new."""
    return without_tokens(response.content.decode())


def without_tokens(text: str) -> str:
    """Return a text without its tokens and commitments."""
    return TOKENS.sub(r"\1\2", text)


def boards(response):
    """The addresses of the small boards on a page."""
    return re.findall(r'(?:src|srcset)="([^"]*/thumbnail-[^"]*)"', response.content.decode())
