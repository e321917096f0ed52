"""Storage for Django's one-off messages on sites with HTTPS."""

from django.contrib.messages.storage.cookie import CookieStorage
from django.contrib.messages.storage.fallback import FallbackStorage
from django.contrib.messages.storage.session import SessionStorage


class HostCookieStorage(CookieStorage):
    """Django's cookie storage with the prefix ``__Host-``."""

    cookie_name = "__Host-messages"


class HostStorage(FallbackStorage):
    """Stores messages in that cookie, or in the session if they are too long."""

    storage_classes = (HostCookieStorage, SessionStorage)
