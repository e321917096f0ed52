"""The Celery application for `celery -A config worker` and `celery -A config beat`."""

import os
import warnings
from collections.abc import Mapping
from typing import Any

from billiard.util import get_logger
from celery import Celery
from celery.exceptions import CPendingDeprecationWarning
from celery.signals import celeryd_init, setup_logging, worker_ready
from django.conf import settings
from django_structlog.celery.steps import DjangoStructLogInitStep

from config.logs import say

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.production")

app = Celery("turnstone")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.steps["worker"].add(DjangoStructLogInitStep)

LOWEST_PRIORITY = 19


@celeryd_init.connect
def let_others_go_first(options: Mapping[str, Any], **_: Any) -> None:
    """Give workers of the queue ``extras``, and their processes, the lowest priority."""
    if options.get("queues") == [settings.EXTRAS]:
        os.setpriority(os.PRIO_PROCESS, 0, LOWEST_PRIORITY)


@setup_logging.connect
def keep_logging(**_: Any) -> None:
    """Leave the log to Django's settings, and send Celery's own output there.

    Since this exists, Celery doesn't log printed text, such as the mails of ``consolemail://``.
    """
    # Processes that die are reported by a logger that passes nothing on.
    get_logger().propagate = True
    # Handlers of signals print. The module is needed in workers only.
    from celery.apps import worker  # noqa: PLC0415

    worker.safe_say = say  # type: ignore[attr-defined]  # celery-types lacks it


@worker_ready.connect
def expect_lost_connections(**_: Any) -> None:
    """Don't warn whenever Redis is lost: all tasks may run twice, so they continue."""
    warnings.filterwarnings("ignore", r"\s*In Celery 5\.1 we", CPendingDeprecationWarning)
