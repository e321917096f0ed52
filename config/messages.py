"""Storage for one-off messages to a user, for sites with HTTPS."""

from django.contrib.messages.storage.cookie import CookieStorage
from django.contrib.messages.storage.fallback import FallbackStorage
from django.contrib.messages.storage.session import SessionStorage


class HostCookieStorage(CookieStorage):
    """Django's, with a cookie that browsers accept from this very host and by HTTPS only."""

    cookie_name = "__Host-messages"


class HostStorage(FallbackStorage):
    """Keeps messages in that cookie, and in the session where they are too long for it."""

    storage_classes = (HostCookieStorage, SessionStorage)
