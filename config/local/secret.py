"""The secret key of a site on one machine."""

import contextlib
import os
from pathlib import Path

from django.core.management.utils import get_random_secret_key


def kept_secret(path: Path) -> str:
    """The key in the file; the first call writes a random one that only the owner can read."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with contextlib.suppress(FileExistsError):
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode=0o600)
        with os.fdopen(handle, "w") as file:
            file.write(get_random_secret_key())
    return path.read_text().strip()
