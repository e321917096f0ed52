"""The messages of scripts in the reader's language, as a script that browsers keep.

The address contains a hash of the content. English pages load no such script, since scripts
contain the English messages.
"""

from functools import lru_cache
from hashlib import sha256

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import translation
from django.utils.cache import patch_cache_control
from django.utils.translation.trans_real import DjangoTranslation
from django.views.decorators.http import require_safe
from django.views.i18n import JavaScriptCatalog

from accounts import site_languages

YEAR = 365 * 24 * 3600


class _Catalogue(JavaScriptCatalog):
    """Django's, with the messages of the site and its games, without those of the admin."""

    def __init__(self, language: str) -> None:
        super().__init__()
        folders = [str(folder) for folder in settings.LOCALE_PATHS]
        self.translation = DjangoTranslation(language, domain="djangojs", localedirs=folders)

    def script(self) -> bytes:
        return self.render_to_response(self.get_context_data()).content


@lru_cache
def _script(language: str) -> tuple[bytes, str]:
    """Return the script for a language, and the hash of its content."""
    with translation.override(language):
        content = _Catalogue(language).script()
    return content, sha256(content).hexdigest()[:16]


def script_messages() -> str:
    """Return the address of the messages in the language of the moment; empty for English."""
    language = translation.get_language() or settings.LANGUAGE_CODE
    if language == settings.LANGUAGE_CODE or not site_languages.is_offered(language):
        return ""
    return reverse("script-messages", args=[language, _script(language)[1]])


@require_safe
def messages_in(_: HttpRequest, code: str, digest: str) -> HttpResponse:
    """Return the messages in an offered language.

    A page of another release asks for another hash. It gets the current messages, uncached.

    :raises Http404: the language is English, or isn't offered.
    """
    if code == settings.LANGUAGE_CODE or not site_languages.is_offered(code):
        raise Http404
    content, current = _script(code)
    answer = HttpResponse(content, content_type="text/javascript; charset=utf-8")
    # The address names the language, so all readers get the same content.
    answer.headers["Content-Language"] = code
    if digest == current:
        patch_cache_control(answer, public=True, max_age=YEAR, immutable=True)
    else:
        patch_cache_control(answer, no_store=True)
    return answer
