"""The Celery application for `celery -A config worker` and `celery -A config beat`."""

import os
import warnings
from collections.abc import Mapping
from typing import Any

from celery import Celery
from celery.exceptions import CPendingDeprecationWarning
from celery.signals import celeryd_init
from django.conf import settings
from django_structlog.celery.steps import DjangoStructLogInitStep

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.production")

# Tasks continue when Redis is lost, since all may run twice. Celery would warn each time.
warnings.filterwarnings("ignore", r"\s*In Celery 5\.1 we", CPendingDeprecationWarning)

app = Celery("turnstone")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.steps["worker"].add(DjangoStructLogInitStep)

LOWEST_PRIORITY = 19


@celeryd_init.connect
def let_others_go_first(options: Mapping[str, Any], **_: Any) -> None:
    """Give a worker that does nothing but extras, and its processes, the lowest priority."""
    if options.get("queues") == [settings.EXTRAS]:
        os.setpriority(os.PRIO_PROCESS, 0, LOWEST_PRIORITY)
