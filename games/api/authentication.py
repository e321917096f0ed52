"""Authentication by session or by API token (``Authorization: Bearer …``)."""

from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from accounts import tokens
from accounts.models import ApiToken, User

KEYWORD = b"bearer"
WORDS = 2


class TokenAuthentication(BaseAuthentication):
    """Authenticates by API token, whose scopes limit what it may change."""

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        """Return the user and the token. ``None`` without a token.

        :raises AuthenticationFailed: it is malformed or revoked, or its account is closed.
        """
        words = get_authorization_header(request).split()
        if not words or words[0].lower() != KEYWORD:
            return None
        token = words[1].decode("latin-1") if len(words) == WORDS else ""
        api_token = tokens.find(token, now=timezone.now())
        if api_token is None:
            raise AuthenticationFailed(_("This token does not sign in."))
        return api_token.user, api_token

    def authenticate_header(self, request: Request) -> str:
        return 'Bearer realm="api"'


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = TokenAuthentication
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer"}
