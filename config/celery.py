"""The Celery application for `celery -A config worker` and `celery -A config beat`."""

import os
import warnings

from celery import Celery
from celery.exceptions import CPendingDeprecationWarning
from django_structlog.celery.steps import DjangoStructLogInitStep

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.production")

# Tasks continue when Redis is lost, since all may run twice. Celery would warn each time.
warnings.filterwarnings("ignore", r"\s*In Celery 5\.1 we", CPendingDeprecationWarning)

app = Celery("turnstone")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.steps["worker"].add(DjangoStructLogInitStep)
