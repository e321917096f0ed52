"""The games application: everything without a Django application of its own."""

from importlib import import_module

from django.apps import AppConfig
from django.conf import settings
from django.utils.translation.trans_real import catalog

from config import catalogues
from games.kernel import language
from games.kernel.language import Language


class GamesConfig(AppConfig):
    """Titles, pages, the API, sockets and scheduled jobs."""

    name = "games"
    verbose_name = "Games"

    def ready(self) -> None:
        """Connect games to the site's catalogues, and what needs models once they are loaded."""
        language.read_from(_language, catalogues.locale_of)
        import_module("games.live.sessions").connect()
        import_module("games.http.followed").register()


def _language() -> Language:
    active = catalog()
    # Django has no language where translations are switched off, as in some commands.
    return Language(active.to_language() or settings.LANGUAGE_CODE, active)
