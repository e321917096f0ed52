"""Who asks: a session of the site, or a token (``Authorization: Bearer …``)."""

from typing import Any

from django.utils import timezone
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from accounts import tokens
from accounts.models import ApiToken, User

KEYWORD = b"bearer"
WORDS = 2


class TokenAuthentication(BaseAuthentication):
    """Signs in by a token; its scopes say what else it may do."""

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        """Return the user and the token; ``None`` where none was sent.

        :raises AuthenticationFailed: it is malformed, was revoked, or its account is closed.
        """
        words = get_authorization_header(request).split()
        if not words or words[0].lower() != KEYWORD:
            return None
        token = words[1].decode("latin-1") if len(words) == WORDS else ""
        found = tokens.find(token, now=timezone.now())
        if found is None:
            raise AuthenticationFailed("This token does not sign in.")
        return found.user, found

    def authenticate_header(self, request: Request) -> str:
        """Return the challenge that an answer 401 holds."""
        return 'Bearer realm="api"'


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """How the description of the API names tokens."""

    target_class = TokenAuthentication
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        """Return the security scheme."""
        return {"type": "http", "scheme": "bearer"}
