"""The site of `make run`, which offers the pseudo-language whose catalogues are in ``LOCALE``."""

import os
from pathlib import Path

from config.settings.local import *  # noqa: F403
from config.settings.local import LANGUAGE_CODE
from tests import pseudo

LOCALE_PATHS = [Path(os.environ["LOCALE"])]
LANGUAGES = [(LANGUAGE_CODE, "English"), (pseudo.CODE, pseudo.NAME)]
