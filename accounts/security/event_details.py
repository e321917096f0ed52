"""Details of security events: in English in their rows, and in the reader's language on pages."""

import re

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

ALL = "all"
"""Details of the event that all API tokens were revoked."""

APP = "authenticator app"
CODES = "recovery codes"
"""Details of second factors that have no name of their own."""

PASSKEY = re.compile("passkey “(.*)”", re.DOTALL)
RIGHTS = re.compile("from (.*) to (.*)")


def shown(details: str) -> str:
    """Return the details of a row in the reader's language."""
    if details == ALL:
        return pgettext("API tokens", "all")
    if details == APP:
        return _("authenticator app")
    if details == CODES:
        return _("recovery codes")
    if passkey := PASSKEY.fullmatch(details):
        return _("passkey “{name}”").format(name=passkey[1])
    if rights := RIGHTS.fullmatch(details):
        return _("from {before} to {after}").format(before=rights[1], after=rights[2])
    return details
