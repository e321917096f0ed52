"""Details of security events: in English in their rows, and in the reader's language on pages."""

import re

from django.utils.translation import gettext as _

APP = "authenticator app"
CODES = "recovery codes"
"""What stands for second factors without a name of their own."""

PASSKEY = re.compile("passkey “(.*)”", re.DOTALL)
RIGHTS = re.compile("from (.*) to (.*)")


def shown(details: str) -> str:
    """Return the details of a row in the reader's language."""
    if details == APP:
        return _("authenticator app")
    if details == CODES:
        return _("recovery codes")
    if passkey := PASSKEY.fullmatch(details):
        return _("passkey “{name}”").format(name=passkey[1])
    if rights := RIGHTS.fullmatch(details):
        return _("from {before} to {after}").format(before=rights[1], after=rights[2])
    return details
